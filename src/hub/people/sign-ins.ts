import type pg from 'pg'
import { inTransaction } from '../store/database.ts'
import { appendAudit } from './audit.ts'
import { triedBy } from './try-guard.ts'

/** Pairs of person and address that are known without a question; more only means more questions. */
const rememberedMost = 10_000

/** Notes whoever comes from an address that they never came from before. */
export type SignIns = {
  /**
   * To be called for each call with a right token: asks the database once for each person and address. Rejects when
   * that cannot be recorded; it is tried again with the next call.
   */
  note(person: string, address: string): Promise<void>
}

/** Of an IPv6 address the /64 counts: the rest of it changes every day by itself. */
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
      const [oldest] = known.keys()
      if (oldest !== undefined && known.size >= rememberedMost) known.delete(oldest)
      const recorded = record(person, address)
      known.set(key, recorded)
      recorded.catch(() => known.delete(key))
      return recorded
    },
  }
}
