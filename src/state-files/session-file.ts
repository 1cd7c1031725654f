import { join } from 'node:path'
import { z } from 'zod'
import type { KeptSession } from '../domain/desk/session.ts'
import { ladderPrices } from '../domain/ladder/ladder.ts'
import { createJsonFile, type JsonFile, namedFile, symbol } from './json-file.ts'

/** The settings when the session was saved: a setting that has changed since overrides the session. */
export type Configured = { symbol: string; layout: string | null; theme: string | null }

export type SessionRecord = { version: 1; session: KeptSession; configured: Configured }

const name = z.string().max(100)
const ticks = z.int().min(1).max(1_000_000)

const table = z.object({
  sort: z.object({ column: name, direction: z.enum(['up', 'down']) }).nullable(),
  hiddenColumns: z.array(name).max(100),
})

const schema: z.ZodType<SessionRecord> = z.object({
  version: z.literal(1),
  session: z.object({
    layout: name,
    isZoomed: z.boolean(),
    symbol,
    symbol2: symbol.nullable(),
    groupTicks: ticks,
    groupTicks2: ticks,
    prices: z.enum(ladderPrices).optional(),
    prices2: z.enum(ladderPrices).optional(),
    theme: name,
    tables: z.record(name, table),
    chart: z.object({ view: name, style: name, dots: name, length: name, width: z.int().min(1).max(100) }).optional(),
    sizes: z.record(symbol, z.string().max(64)).optional(),
  }),
  configured: z.object({ symbol, layout: name.nullable(), theme: name.nullable() }),
})

/** Path of the session of a profile at one exchange, in the state folder. */
export const sessionPath = (stateFolder: string, profileAtExchange: string): string =>
  join(stateFolder, 'sessions', namedFile(profileAtExchange))

export const openSessionFile = (stateFolder: string, profileAtExchange: string): JsonFile<SessionRecord> =>
  createJsonFile(sessionPath(stateFolder, profileAtExchange), 'the last session', schema)

/** The last inbox event that the user has seen. */
export type GatewaySeen = { version: 1; sequence: number }

const seenSchema: z.ZodType<GatewaySeen> = z.object({ version: z.literal(1), sequence: z.int().nonnegative() })

/**
 * A file system takes 255 bytes, and a write puts a longer name beside it for a moment, with `.json`, the number of a
 * process, and `.new`.
 */
const escapedMax = 238

/** Opens its file, one per profile. */
export function openGatewaySeenFile(stateFolder: string, profileName: string): JsonFile<GatewaySeen> {
  const escaped = encodeURIComponent(profileName)
  const name = escaped.length > escapedMax ? namedFile(profileName) : `${escaped}.json`
  return createJsonFile(join(stateFolder, 'gateway-seen', name), 'the read marks of the inbox', seenSchema)
}
