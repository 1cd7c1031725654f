import { join } from 'node:path'
import { z } from 'zod'
import { readOnce } from '../base/read-once.ts'
import { ok, type Result } from '../base/result.ts'
import { plainText } from '../base/text/plain-text.ts'
import { type FiredAlert, type KeptAlerts, toldBefore } from '../domain/alerts/news.ts'
import { standingKinds, watchedPrices } from '../domain/alerts/watch.ts'
import { amount, createJsonFile, namedFile, shortened, symbol, whole } from './json-file.ts'

/** What services say is in sentences of alerts: a longer one is cut as it is written, and refused when it is read. */
const textMax = 1_000
const text = z.string().max(textMax).transform(plainText)

const watch = z.object({
  id: whole,
  symbol,
  price: z.enum(watchedPrices),
  comparison: z.enum(['>', '<']),
  // Came later: a program from before drops it, and then the price must pass the level.
  orAt: z.literal(true).optional(),
  level: amount,
  priceScale: whole.max(60),
  isAtOnce: z.boolean(),
  repeats: z.boolean(),
  // Came later: a program from before drops it, and knows a rearmed one by its state.
  armedCount: whole.optional(),
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('unseen') }),
    z.object({ kind: z.literal('near') }),
    z.object({ kind: z.literal('beyond') }),
    z.object({ kind: z.literal('fired'), atMs: whole, price: amount }),
  ]),
})

const firstKinds: readonly string[] = ['watch', ...standingKinds]
/** Kinds that came later: to a program from before them a list with one of them is damaged, and all of the file. */
const laterKinds = ['plan', 'falseRefusal'] as const

const fired = z.object({
  seq: whole,
  atMs: whole,
  isQuiet: z.boolean(),
  kind: z.enum(['watch', ...standingKinds, ...laterKinds]),
  level: z.enum(['info', 'good', 'warn', 'bad']),
  text,
})

/** A fired alert only says what was: one that cannot be read costs itself, and none of those that still watch. */
const firedList = z
  .array(z.unknown())
  .max(1_000)
  .transform((entries) =>
    entries.flatMap((entry) => {
      const read = fired.safeParse(entry, readOnce)
      return read.success ? [read.data] : []
    }),
  )

/**
 * `fillsSeenMs` and `endsTold` came later: a program from before drops them, and the next one begins anew. `firedLater`
 * holds what fired of the later kinds: an older program ignores it, and reads the rest.
 */
const schema = z.object({
  version: z.literal(1),
  nextId: whole,
  watches: z.array(watch).max(1_000),
  chosen: z.partialRecord(z.enum(standingKinds), z.boolean()),
  snoozedUntilMs: whole.nullable(),
  fired: firedList,
  firedLater: firedList.default([]),
  fillsSeenMs: whole.optional(),
  endsTold: z.array(z.string()).optional(),
})
type Kept = Omit<KeptAlerts, 'fillsSeenMs' | 'endsTold'> & {
  version: 1
  firedLater: readonly FiredAlert[]
  fillsSeenMs?: number | undefined
  endsTold?: readonly string[] | undefined
}

export type AlertsFile = {
  /** The saved alerts; null when there are none. The error of a damaged file contains the name it was moved to. */
  read(): Promise<Result<KeptAlerts | null>>
  write(kept: KeptAlerts): Promise<Result<null>>
}

/**
 * Path of the alerts of a profile at one exchange, in the state folder; symbols and prices are meaningless at another
 * exchange.
 */
export const alertsPath = (stateFolder: string, profileAtExchange: string): string =>
  join(stateFolder, 'alerts', namedFile(profileAtExchange))

/** The saved alerts of one profile. */
export function createAlertsFile(path: string): AlertsFile {
  const file = createJsonFile<Kept>(path, 'the alerts', schema)
  return {
    async read() {
      const read = await file.read()
      if (!read.ok || read.value === null) return read.ok ? ok(null) : read
      const { version: _version, firedLater, fillsSeenMs, endsTold, ...first } = read.value
      const kept = { ...first, ...toldBefore({ fillsSeenMs, endsTold }) }
      const newestFirst = [...kept.fired, ...firedLater].toSorted((left, right) => right.seq - left.seq)
      return ok({ ...kept, fired: firedLater.length === 0 ? kept.fired : newestFirst })
    },
    write(kept) {
      const cut = kept.fired.map((each) => ({ ...each, text: shortened(each.text, textMax) }))
      const isFirst = ({ kind }: FiredAlert) => firstKinds.includes(kind)
      const [firedFirst, firedLater] = [cut.filter(isFirst), cut.filter((each) => !isFirst(each))]
      return file.write({ version: 1, ...kept, fired: firedFirst, firedLater })
    },
  }
}
