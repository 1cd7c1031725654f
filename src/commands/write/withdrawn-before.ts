import { dayMs } from '../../base/time-text.ts'
import { isHubToken } from '../../desk/behind-hub.ts'
import type { WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import { leftElsewhere } from '../../services/transfers/left-elsewhere.ts'
import { type Ending, failure } from '../cli/exit-codes.ts'
import { vouchedUntilMs } from './earlier-write.ts'
import type { WriteScene } from './with-writing.ts'
import { stays } from './withdraw-result.ts'

/**
 * What went on for hours in an older copy vouches for nothing that it lacks; and a new journal knows nothing of what is
 * paid again and again: the like of longer ago is not taken for this one.
 */
const lookBackMs = dayMs

/**
 * Refuses what may have left already, under its key or from its draft, where the journal would not know: it may be an
 * older copy, and withdrawals bear no id of ours. `sinceMs`: the exchange time from which one like it counts; null for
 * a day, and for as far as the journal does not vouch for itself. Null where none is there.
 */
export async function withdrawnBefore(
  request: WithdrawalRequest,
  { sinceMs, todo }: { sinceMs: number | null; todo: string },
  scene: WriteScene,
): Promise<Ending | null> {
  const { session, tools, writing, io } = scene
  // A hub has one record of what left.
  if (isHubToken(session.token)) return null
  const skewMs = session.skewMs()
  const dayAgoMs = tools.clock.wallMs() + (skewMs ?? 0) - lookBackMs
  const fromMs = sinceMs ?? Math.min((await vouchedUntilMs(scene)) || dayAgoMs, dayAgoMs)
  const { journal } = writing
  const what = await leftElsewhere(request, fromMs, { client: session.client, journal, skewMs, signal: io.signal })
  return what === null ? null : failure('notSent', `not sent: ${what}. ${stays}`, { todo })
}
