import type pg from 'pg'
import { z } from 'zod'
import { inTransaction, isDefinite, type Questions } from '../store/database.ts'
import { appendAudit } from './audit.ts'
import type { AuditEvent } from './audit-events.ts'
import type { AuditNotes } from './audit-notes.ts'
import { type Asker, mayNow } from './people.ts'

const haltRow = z.object({ reason: z.string().nullable() })

/** Why no order or withdrawal may be sent; null when they may. */
export async function readHalt(questions: Questions): Promise<string | null> {
  const { rows } = await questions.query('SELECT reason FROM hub_halt')
  return haltRow.parse(rows[0]).reason
}

/** `person`: who asks with a token; null for a command run by the user and machine in `by`. */
type Doer = ({ readonly person: Asker; readonly by?: undefined } | { readonly person: null; readonly by: string }) & {
  /** The reason that they were shown of the halt they end; undefined where they were shown none, and end any. */
  readonly seen?: string | null | undefined
}

/** Why a halt does not end for who was shown another one, or none, as a clause. */
export const otherHalt = (reason: string): string => `it is halted for another reason by now (${reason})`

/** Whether a halt for `before` stays though its end was asked for: whoever asked was shown another one. */
export const isOtherHalt = (before: string | null, { seen }: Pick<Doer, 'seen'>): before is string =>
  seen !== undefined && before !== null && before !== seen

/** Who asked was revoked or given another role or token just now. */
export class MayNotHalt extends Error {
  override readonly name = 'MayNotHalt'

  constructor() {
    super('you may not halt or resume now: nothing was changed')
  }
}

/** A halt waits no longer than that for whoever holds the audit list, such as a host that is gone since. */
const listWaitS = 1

/**
 * Halts all orders and withdrawals of the firm with a reason from `cleanReason`, or with null permits them again. No
 * write begins while a halt is on record, and each hub knows it within a second. Returns the previous reason, also of a
 * halt that stays (see `isOtherHalt`). Notifies only of changes. With `notes` a halt counts also while the audit list
 * takes nothing more, as on a full disk, or is held by somebody: it protects, and its row waits there. Rejects with
 * `MayNotHalt`, and when the database fails.
 */
export async function setHalt(
  pool: pg.Pool,
  reason: string | null,
  { person: asker, by, seen }: Doer,
  notes?: Pick<AuditNotes, 'note'>,
): Promise<string | null> {
  const person = asker?.name ?? null
  const whoever = by === undefined ? {} : { by }
  const event: AuditEvent =
    reason === null
      ? { person, action: 'resumed', detail: whoever }
      : { person, action: 'halted', detail: { reason, ...whoever } }
  let isListed = true
  const before = await inTransaction(pool, async (client) => {
    if (asker !== null && !(await mayNow(client, asker, 'halt'))) throw new MayNotHalt()
    // Not even locked by who resumes what is not halted: writes that begin would take it for a halt on its way.
    const changes = reason === null ? 'WHERE reason IS NOT NULL' : ''
    const { rows } = await client.query(`SELECT reason FROM hub_halt ${changes} FOR UPDATE`)
    const was = rows[0] === undefined ? null : haltRow.parse(rows[0]).reason
    if (was === reason || (reason === null && isOtherHalt(was, { seen }))) return was
    await client.query('UPDATE hub_halt SET reason = $1, at_ms = hub_now_ms()', [reason])
    await client.query('SAVEPOINT halted')
    try {
      if (notes !== undefined) await client.query(`SET LOCAL lock_timeout = '${listWaitS}s'`)
      await appendAudit(client, event)
    } catch (error) {
      if (reason === null || notes === undefined || !isDefinite(error)) throw error
      await client.query('ROLLBACK TO halted')
      isListed = false
    }
    return was
  })
  // Whoever halts need not wait for that.
  if (!isListed) void notes?.note(event)
  return before
}
