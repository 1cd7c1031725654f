import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from './program.ts'
import { isObject, readWire, textOf } from './wire-json.ts'

/** How an entry of the journal stands: it took effect, it did not, or nobody knows yet. */
export type Fate = 'took' | 'not' | 'open'

/** An entry of the journal as the program lists it. */
export type Entry = {
  id: string
  /** `order`, `cancel`, `cancelAll`, `move` or `withdrawal`. */
  kind: string
  /** In words, with the client order id of an order at their end. */
  what: string
  result: string
  exchangeId: string | null
  fate: Fate
}

/** The words of a result, in their order: the first that fits counts. */
const fates: ReadonlyArray<readonly [RegExp, Fate]> = [
  [/UNKNOWN|unknown/, 'open'],
  [/not ?Placed|not placed|not ?Canceled|not cancell?ed|not ?Sent|not sent|rejected|refused/, 'not'],
  [/accepted|placed|cancell?ed|moved/, 'took'],
]

const toEntry = (value: Record<string, unknown>): Entry => {
  const text = (name: string) => textOf(value[name]) ?? ''
  const result = text('result')
  const [kind, id] = [text('kind'), text('id')]
  const fate = fates.find(([pattern]) => pattern.test(result))?.[1]
  if (fate === undefined) throw new Error(`the journal has a result that the drill does not know: ${result}`)
  // A move that ended with its cancel placed nothing.
  const isHalf = kind === 'move' && /(^|: )cancell?ed$/.test(result)
  return { id, kind, what: text('what'), result, exchangeId: textOf(value.exchangeId), fate: isHalf ? 'not' : fate }
}

/** What the program says that it has on record in this home, and what it complains of while it reads it. */
export async function readJournal(home: Home): Promise<{ entries: readonly Entry[]; complaints: string }> {
  const { code, stdout, stderr } = await home.run('journal', '--json')
  const rows = readWire(stdout)
  // Lines that cannot be read make its code 1; the others are listed all the same.
  if ((code !== 0 && code !== 1) || !Array.isArray(rows))
    throw new Error(`pitdesk journal ended with ${code}: ${stdout}${stderr}`)
  return { entries: rows.filter(isObject).map(toEntry), complaints: stderr }
}

/** Our id of an order or a move, from its words. */
export const clientOrderIdOf = ({ what }: Entry): string | null => / as (\w{1,20})$/.exec(what)?.[1] ?? null

/** The number right after these words. */
export const numberAfter = ({ what }: Entry, words: string): string | null =>
  new RegExp(`${words} ([\\d.,]+)`).exec(what)?.[1]?.replaceAll(',', '') ?? null

/** The files of the journal, wherever in the state folder this version keeps them. */
export function journalFiles(home: Home): string[] {
  return readdirSync(home.stateFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.includes('/journal/'))
}
