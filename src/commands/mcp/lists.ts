import type { Clock } from '../../base/clock.ts'
import { minuteMs } from '../../base/time-text.ts'
import type { Fields } from '../cli/exit-codes.ts'
import type { Pages } from '../cli/output.ts'

/** Lists that are kept for their next page: the oldest is forgotten first. */
const listsMax = 8
/** Rows of one list that are kept; who needs more asks for a shorter time. */
export const rowsMax = 5_000
/** How long a cursor is good for. */
const goodForMs = 5 * minuteMs

type List = {
  key: string
  /** When it was begun, and when the oldest part of it was read, in desk time. */
  atMs: number
  oldestMs: number
  rows: Fields[]
  /** Told what has to be left out of a page, for whoever asks for that page. */
  note: (sentence: string) => void
  rest: AsyncIterator<readonly Fields[]> | Iterator<readonly Fields[]> | null
}

export type Page = {
  rows: readonly Fields[]
  /** When the oldest part of it was read, in desk time. */
  oldestMs: number
  nextCursor: string | null
  /** True: there are more than are kept for a list. */
  isCut: boolean
}

export type PageAsked = {
  /** What is asked for, as text: a cursor goes with no other question. */
  key: string
  cursor: string | null
  limit: number
  /** Begins the list; what it reads later is read when a later page is asked for, and is reported then. */
  open: (note: (sentence: string) => void) => Promise<Pages>
  note: (sentence: string) => void
  /** When the oldest answer of this question was read; null before there is one. */
  seenMs: () => number | null
}

/** Lists that agents read page by page: a page is asked of the exchange only when somebody wants it. */
export type Lists = {
  /** The error is a sentence: the cursor is not known, or not any more. */
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
        // One more is looked for, so that a cursor always leads to something.
        while (list.rest !== null && list.rows.length <= to && list.rows.length < rowsMax) await more(list)
      } catch (error) {
        // What was to come can no longer be had: asked again it would look like the end.
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
