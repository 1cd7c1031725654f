import type { Clock } from '../../base/clock.ts'
import { minuteMs } from '../../base/text/time-text.ts'
import type { Fields } from '../cli/exit-codes.ts'
import type { Pages } from '../cli/output.ts'

/** Maximum lists kept for their next page: the oldest is dropped first. */
const listsMax = 8
/** Maximum rows kept of one list; for more, the agent must ask for a shorter period. */
export const rowsMax = 5_000
/** Lifetime of a cursor in ms. */
const goodForMs = 5 * minuteMs

type List = {
  key: string
  /** When it was begun, and when its oldest part was read, in desk time. */
  atMs: number
  oldestMs: number
  rows: Fields[]
  /** Reports omissions to the question for the page that has them. */
  note: (sentence: string) => void
  rest: AsyncIterator<readonly Fields[]> | Iterator<readonly Fields[]> | null
}

export type Page = {
  rows: readonly Fields[]
  /** When its oldest part was read, in desk time. */
  oldestMs: number
  nextCursor: string | null
  /** True: there are more rows than are kept for a list. */
  isCut: boolean
}

export type PageAsked = {
  /** The question as text: a cursor is valid for no other. */
  key: string
  cursor: string | null
  limit: number
  /** Begins the list; later pages are read when requested, and report their omissions then. */
  open: (note: (sentence: string) => void) => Promise<Pages>
  note: (sentence: string) => void
  /** When the oldest answer for this question was read; null before the first. */
  seenMs: () => number | null
}

/** Lists that agents read page by page: a page is requested from the exchange only when needed. */
export type Lists = {
  /** The error is a sentence: the cursor is unknown or expired. */
  page(asked: PageAsked): Promise<Page | { error: string }>
}

const unknownCursor = 'this cursor has expired or belongs to another question: ask for the first page again'

export function createLists(clock: Pick<Clock, 'now'>, newId: () => string): Lists {
  const lists = new Map<string, List>()
  const forget = () => {
    for (const [id, { atMs }] of lists)
      if (clock.now() - atMs > goodForMs || clock.now() < atMs || lists.size > listsMax) lists.delete(id)
  }
  const begin = async ({ key, open, note }: PageAsked): Promise<[string, List]> => {
    const atMs = clock.now()
    const list: List = { key, atMs, oldestMs: atMs, rows: [], note, rest: null }
    const pages = await open((sentence) => list.note(sentence))
    list.rest = Symbol.asyncIterator in pages ? pages[Symbol.asyncIterator]() : pages[Symbol.iterator]()
    return [newId(), list]
  }
  const found = ({ cursor, key }: PageAsked): [string, List, number] | null => {
    const [, id = '', at = ''] = /^([a-z0-9]{1,40})\.(\d{1,6})$/.exec(cursor ?? '') ?? []
    const list = lists.get(id)
    return list === undefined || list.key !== key || Number(at) > list.rows.length ? null : [id, list, Number(at)]
  }
  return {
    async page(asked) {
      forget()
      const known = asked.cursor === null ? null : found(asked)
      if (asked.cursor !== null && known === null) return { error: unknownCursor }
      const [id, list, from] = known ?? [...(await begin(asked)), 0]
      const to = from + asked.limit
      list.note = asked.note
      try {
        // Reads one row more, so that a cursor always leads to a row.
        while (list.rest !== null && list.rows.length <= to && list.rows.length < rowsMax) await more(list)
      } catch (error) {
        // The rest is lost: another read would look like the end.
        lists.delete(id)
        throw error
      }
      list.oldestMs = Math.min(list.oldestMs, asked.seenMs() ?? list.oldestMs)
      const rows = list.rows.slice(from, to)
      const isLast = list.rows.length <= to
      if (!isLast) lists.set(id, list)
      forget()
      return {
        rows,
        oldestMs: list.oldestMs,
        nextCursor: isLast ? null : `${id}.${to}`,
        isCut: isLast && list.rest !== null,
      }
    },
  }
}

async function more(list: List): Promise<void> {
  const next = (await list.rest?.next()) ?? { done: true, value: undefined }
  if (next.done === true) list.rest = null
  else for (const row of next.value.slice(0, rowsMax - list.rows.length)) list.rows.push(row)
}
