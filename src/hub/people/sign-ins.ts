import type pg from 'pg'
import { dropOldest } from '../../base/drop-oldest.ts'
import { inTransaction } from '../store/database.ts'
import { appendAudit } from './audit.ts'
import { triedBy } from './try-guard.ts'

/** Maximum cached pairs of person and address; more pairs only mean more queries. */
const rememberedMax = 10_000

/** Records when a person connects from a new address. */
export type SignIns = {
  /**
   * Call this for each call with a valid token: queries the database once per person and address. Rejects when it
   * cannot be recorded; the next call tries again.
   */
  note(person: string, address: string): Promise<void>
}

/** Counts the /64 of an IPv6 address, because the rest changes daily by itself. */
export function createSignIns(pool: pg.Pool): SignIns {
  const known = new Map<string, Promise<void>>()
  const record = (person: string, address: string): Promise<void> =>
    inTransaction(pool, async (client) => {
      const { rowCount } = await client.query(
        `INSERT INTO hub_sign_in (person_id, address, first_at_ms)
          SELECT id, $2, hub_now_ms() FROM hub_person WHERE name = $1 ON CONFLICT DO NOTHING`,
        [person, address],
      )
      if (rowCount === 1) await appendAudit(client, { person, action: 'signIn', detail: { address } })
    })
  return {
    note(person, from) {
      const address = triedBy(from)
      const key = `${person} ${address}`
      const before = known.get(key)
      if (before !== undefined) return before
      const recorded = record(person, address)
      known.set(key, recorded)
      dropOldest(known, rememberedMax)
      recorded.catch(() => known.delete(key))
      return recorded
    },
  }
}
