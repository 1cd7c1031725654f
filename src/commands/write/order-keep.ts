import { err, ok, type Result } from '../../base/result.ts'
import { plainText, withoutStop } from '../../base/text/plain-text.ts'
import { durationText } from '../../base/text/time-text.ts'
import type { Check, CheckRule } from '../../domain/orders/checks/check.ts'
import { lifeBounds, readLife } from '../../domain/orders/drafted-order.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import type { Arguments } from '../cli/arguments.ts'
import { type Ending, failed, failure } from '../cli/exit-codes.ts'
import { formOf } from '../cli/output.ts'
import { orderDraftFields } from '../read/order-drafts.ts'
import { acceptsNoDraft, checkFields, checkLines, draftOrDry, orderAcceptance } from './checks.ts'
import { nothing } from './order-result.ts'
import type { WriteScene } from './with-writing.ts'

/** The options of an order draft; `lifeMs` null: as in the settings. */
export type Kept = { lifeMs: number | null; note: string | null }

/** Reads `--draft` and its flags; null for an order to be placed. */
export function readKept(given: Arguments): Result<Kept | null> {
  const expires = given.value('expires')
  const note = given.value('note') ?? null
  if (!given.has('draft'))
    return expires === undefined && note === null ? ok(null) : err('--expires and --note go with --draft')
  if (given.has('dry-run')) return err(draftOrDry)
  if (given.has('accept')) return err(acceptsNoDraft)
  if (given.has('client-order-id')) return err('a draft gives its order an id: --client-order-id does not go with it')
  const lifeMs = expires === undefined ? null : readLife(expires)
  return lifeMs === undefined ? err(`--expires must be ${lifeBounds}`) : ok({ lifeMs, note })
}

/** Rules that no later price, balance or setting can satisfy: such a draft could never be sent. */
const ownFaults: ReadonlySet<CheckRule> = new Set(['fields', 'tick', 'lot', 'minimum', 'maximum'])

/** Why an order cannot be saved as a draft, a clause; empty when it can. */
export const faultText = (checks: readonly Check[]): string =>
  checks
    .filter(({ rule, level }) => level === 'block' && ownFaults.has(rule))
    .map(({ text }) => text)
    .join('; ')

type Judged = { checks: readonly Check[]; sentence: string }

/** Saves the order instead of sending it, and reports every check: one that blocks now may pass at sending. */
export async function keep(
  { checks, sentence }: Judged,
  { lifeMs, note }: Kept,
  { draft: order, writing, session, io, given, tools }: WriteScene & { draft: OrderDraft },
): Promise<Ending> {
  const fault = faultText(checks)
  if (fault !== '') return failure('notSent', `not saved: ${fault}. ${nothing}`)
  const kept = await writing.trading.orderDrafts.keep({
    order,
    by: io.stdin.isTTY === true ? 'person' : 'script',
    reason: note,
    lifeMs: lifeMs ?? session.settings.orderDraftLifeMs,
  })
  // A file that is not written says so itself: `Not kept, the disk is full (ENOSPC): …`.
  if (!kept.ok) return failed(`not saved: ${withoutStop(kept.error)}`.replace(/: Not kept(?=[,:])/, ''))
  const { draftId } = kept.value
  const did = `Saved as draft ${draftId}: ${sentence}. ${nothing} It expires in ${durationText(kept.value.lifeMs)}.`
  if (formOf(given, io.stdout) === 'table') {
    for (const line of checkLines(checks)) await io.print(line)
    await io.print(plainText(`${did} Next: pitdesk order send ${draftId}`))
  } else {
    const accept = orderAcceptance.wordsOf(checks)
    await io.print(
      jsonLine({ ...orderDraftFields(kept.value, tools.clock.wallMs()), checks: checks.map(checkFields), accept }),
    )
  }
  return { code: 0, did }
}
