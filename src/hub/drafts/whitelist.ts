import type pg from 'pg'
import { z } from 'zod'
import { errorText } from '../../base/text/error-text.ts'
import type { WhitelistEntry } from '../../domain/transfers/transfer.ts'
import { type KnownWhitelist, withLook, withTrust } from '../../domain/transfers/whitelist.ts'
import { JournalError } from '../../journal/entry.ts'
import { inTransaction, isStoreFailure, type Questions } from '../store/database.ts'

/** The firm's memory of the whitelist. Every operation rejects with `JournalError` when the database fails. */
export type FirmWhitelist = {
  /** Null until it was read once. */
  read(): Promise<KnownWhitelist | null>
  /** Records the whitelist as the exchange reports it. Writes only changes. */
  look(whitelist: readonly WhitelistEntry[], nowMs: number): Promise<KnownWhitelist>
  /** Marks an entry as known under its current name, after a withdrawal to it. */
  trust(whitelistId: string): Promise<void>
}

const row = z.object({
  entries: z
    .array(
      z.object({
        whitelistId: z.string(),
        name: z.string(),
        currency: z.string().nullable(),
        firstSeenMs: z.number(),
        trustedName: z.string().nullable(),
      }),
    )
    .nullable(),
})

const memoryOf = (value: unknown): KnownWhitelist | null => {
  const { entries } = row.parse(value)
  return entries === null ? null : new Map(entries.map(({ whitelistId, ...known }) => [whitelistId, known]))
}

const jsonOf = (memory: KnownWhitelist): string =>
  JSON.stringify([...memory].map(([whitelistId, known]) => ({ whitelistId, ...known })))

/** Serializes changes of all callers. */
async function change(
  client: Questions,
  next: (before: KnownWhitelist | null) => KnownWhitelist | null,
): Promise<KnownWhitelist | null> {
  const { rows } = await client.query('SELECT entries FROM hub_whitelist FOR UPDATE')
  const before = memoryOf(rows[0])
  const after = next(before)
  if (after !== null && after !== before)
    await client.query('UPDATE hub_whitelist SET entries = $1::jsonb', [jsonOf(after)])
  return after
}

const nobody: KnownWhitelist = new Map()

/** Opens the memory of the whitelist in the hub's database, shared by all desks. */
export function createFirmWhitelist(pool: pg.Pool): FirmWhitelist {
  return {
    read: () => ofStore(async () => memoryOf((await pool.query('SELECT entries FROM hub_whitelist')).rows[0])),
    look: (whitelist, nowMs) =>
      ofStore(async () => {
        const looked = (before: KnownWhitelist | null) => withLook(before, whitelist, nowMs)
        return (await inTransaction(pool, (client) => change(client, looked))) ?? nobody
      }),
    trust: (whitelistId) =>
      ofStore(async () => {
        const trusted = (before: KnownWhitelist | null) => (before === null ? null : withTrust(before, whitelistId))
        await inTransaction(pool, (client) => change(client, trusted))
      }),
  }
}

async function ofStore<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!isStoreFailure(error)) throw error
    throw new JournalError(`the hub's database does not answer: ${errorText(error)}`)
  }
}
