import { useMemo } from 'react'
import type { FeedName } from '../../domain/desk/feeds.ts'
import { keyOf, type ReboundKeys } from '../../domain/desk/session.ts'
import { rawText, type UnreadableEntry } from '../../domain/listing.ts'
import type { DeskState } from '../../store/desk.ts'
import { ageMs, type Feed, type FeedGaps, isStale } from '../../store/feeds/feed.ts'
import { cutMark } from '../../store/feeds/feeds.ts'
import type { FillHistory } from '../../store/history/history.ts'
import { type PaneName, paneRow, paneTitle, shortTitle } from '../../store/view/panes.ts'
import { cellText, cutWords, safeText, wrapWords } from '../text/cells.ts'
import { useTheme } from '../text/desk-context.ts'
import { createFrame } from '../text/frame.tsx'
import { ageText } from '../text/moment.ts'
import { Region } from '../text/region.tsx'
import { fitWords, type Row, rowText, rowWidth, type Span, span } from '../text/row.ts'

/** What a pane's title says about the age of its data; empty while all is well. */
export const staleNote = (feed: Feed<unknown>, name: FeedName, nowMs: number): Row =>
  isStale(feed, name, nowMs) ? oldNote(feed, nowMs) : []

export const staleWord = '  STALE '

/** How old data is, and why where that is known. */
export function oldNote(feed: Feed<unknown>, nowMs: number): Row {
  const reason = feed.failure === null ? '' : `: ${feed.failure.sentence}`
  return [span(`${staleWord}${ageText(ageMs(feed, nowMs) ?? 0)}${reason}`, 'bad')]
}

const isAge = ({ text }: Span): boolean => text.startsWith(staleWord)

/** How old data is, in a note, without the reason. */
const ageIn = (note: Row): string => note.find(isAge)?.text.split(':')[0] ?? ''

/**
 * A title and its note in `room` cells. `titleIn`: the title in so many cells, at least its shortest form; `bareForms`:
 * the shown pane alone, from the longest form on. What is wrong with the data, or hidden by a filter, must be seen:
 * names of other panes give way to it, and to its age their digits and all counts.
 */
export function titleWithNote(
  titleIn: (room: number) => Row,
  bareForms: () => readonly Row[],
  whole: Row,
  room: number,
): Row {
  const note = fitWords(whole, room - rowWidth(titleIn(0)))
  const age = ageIn(whole)
  if (rowText(note).includes(age)) return [...titleIn(room - rowWidth(note)), ...note]
  const name = bareForms().find((each) => rowWidth(each) + age.length <= room) ?? []
  const ageFirst = whole.toSorted((one, two) => Number(isAge(two)) - Number(isAge(one)))
  return [...name, ...fitWords(ageFirst, room - rowWidth(name))]
}

/** What a pane says before its first data: what it waits for, and why it waits long. */
export function waitingNote(what: string, feed: Feed<unknown>): string {
  return feed.failure === null ? `Waiting for ${what}…` : `Waiting for ${what}: ${feed.failure.sentence}`
}

/** What every pane is given: its size with borders, in cells, and whether the keys go to it. */
export type PaneProps = {
  width: number
  height: number
  isFocused: boolean
  /** The panes that share the place; their names stand in the title, the shown one in brackets. */
  tabs?: readonly PaneName[]
}

/** What a list pane says and lists, whatever its frame. */
export type ListContent = {
  /** Beside the pane's name: what is wrong with its data, else empty. */
  note: Row
  foot?: Row
  rows: readonly Row[]
  isStale: boolean
}

/**
 * The name of one pane, or the names of all that share its place; in less than `room` cells the others by short names,
 * by the first letters of these, then by their digits. `orderCount`: see `orderCountText`; `names`: what stands for the
 * usual name.
 */
export function titleRow(
  shown: PaneName,
  tabs: readonly PaneName[] | undefined,
  orderCount: string,
  room = Number.POSITIVE_INFINITY,
  names: Readonly<Partial<Record<PaneName, string>>> = {},
): Row {
  const count = (pane: PaneName) => (pane === 'orders' && orderCount !== '' ? ` (${orderCount})` : '')
  const name = (pane: PaneName) => (names[pane] ?? paneTitle(pane)) + count(pane)
  if (tabs === undefined) return [span(name(shown), 'title')]
  const named = ([other, between]: (typeof forms)[number]): Row =>
    tabs.flatMap((pane, index) => [
      span(index === 0 ? '' : between),
      pane === shown ? span(`[${name(pane)}]`, 'title') : span(other(pane), 'label'),
    ])
  const digit = (pane: PaneName) => paneRow(pane).digit
  const short = (pane: PaneName) => shortTitle(pane) + count(pane)
  const shortest = (pane: PaneName) => shortTitle(pane).slice(0, digit(pane).length + 1 + lettersMin) + count(pane)
  const forms: readonly (readonly [other: (pane: PaneName) => string, between: string])[] = [
    [name, '  '],
    [short, '  '],
    [short, ' '],
    [shortest, ' '],
    [(pane: PaneName) => digit(pane) + count(pane), '  '],
  ]
  const rows = forms.map(named)
  return rows.find((row) => rowWidth(row) <= room) ?? rows.at(-1) ?? []
}

/** So many letters of a name still tell a stranger what a digit leads to. */
const lettersMin = 3

/**
 * How many orders work, and how many have no known outcome, as the title of their pane says it: empty for none, `5000+`
 * where there may be more.
 */
export function orderCountText(state: Pick<DeskState, 'orders' | 'unsettled' | 'unreadable'>): string {
  const count = (state.orders.value?.length ?? 0) + state.unsettled.length
  return count === 0 ? '' : `${count}${cutMark(state)}`
}

type PaneViewProps<Source> = PaneProps & {
  pane: PaneName
  /** What it lists is made from, see `Region`. */
  select: (state: DeskState) => Source
  /** What it lists in `rowCount` lines of `width` cells, those inside its borders. */
  content: (source: Source, width: number, rowCount: number) => ListContent
  /** The feed whose unreadable entries stand beneath the list; none unless given. */
  feed?: FeedName
}

/** A list in its frame. */
export function PaneView<Source>({ pane, select, content, feed, ...place }: PaneViewProps<Source>) {
  const theme = useTheme()
  const { width, height, isFocused, tabs } = place
  const selectAll = useMemo(() => {
    const gapsOf = ({ unreadable }: DeskState) => (feed === undefined ? undefined : unreadable[feed])
    return (state: DeskState) => ({ own: select(state), orderCount: orderCountText(state), gaps: gapsOf(state) })
  }, [select, feed])
  const rows = useMemo(() => {
    const frame = createFrame({ width, height }, isFocused ? 'focus' : 'plain', theme)
    return ({ own, orderCount, gaps }: { own: Source; orderCount: string; gaps: FeedGaps | undefined }): Row[] => {
      const raw = rawRows(gaps, width - 2)
      const made = withRawRows(content(own, width - 2, height - 2 - raw.length), raw)
      const titleIn = (room: number) => titleRow(pane, tabs, orderCount, room)
      const bareForms = () => [titleRow(pane, undefined, orderCount), titleRow(pane, undefined, '')]
      return frame({ ...made, title: titleWithNote(titleIn, bareForms, made.note, width - 4) })
    }
  }, [pane, content, width, height, isFocused, tabs, theme])
  return <Region width={width} height={height} select={selectAll} rows={rows} />
}

/**
 * A sentence inside a pane that has nothing to list yet, on as many lines as it takes. `width`: the cells between the
 * borders; a cell of air stays on either side.
 */
export const words = (sentence: string, width: number): Row[] =>
  wrapWords(safeText(sentence), Math.max(1, width - 2)).map((line) => [span(` ${line}`, 'dim')])

/** More of them are only counted: unreadable entries must not crowd out the list. */
const rowsMax = 3

const noEntries: readonly UnreadableEntry[] = []

/** Entries of a list that cannot be read, as they came, a line each: `? exOrdId 64, ordType TRAIL, …`. */
export function rawRows(gaps: Pick<FeedGaps, 'entries'> | undefined, width: number): readonly Row[] {
  const entries = gaps?.entries ?? noEntries
  const shown = entries.length > rowsMax ? entries.slice(0, rowsMax - 1) : entries
  const rows = shown.map((entry): Row => [span(cutWords(` ? ${cellText(rawText(entry))}`, width - 1), 'warn')])
  const more = entries.length - shown.length
  return more === 0 ? rows : [...rows, [span(` ? ${more} more unreadable entries`, 'warn')]]
}

/** A list with what cannot be read beneath it: the list was made for so many lines less. */
export const withRawRows = (content: ListContent, raw: readonly Row[]): ListContent =>
  raw.length === 0 ? content : { ...content, rows: [...content.rows, ...raw] }

/** A sentence in a pane that has nothing to list. */
export const says = (sentence: string, note: Row, width: number): ListContent => ({
  note,
  rows: words(sentence, width),
  isStale: false,
})

/**
 * How far back a list goes that is fetched page by page, in its lower border; nothing before anyone asked for older
 * ones. `before` begins what is said of those that are there.
 */
export function historyNote(
  { call, reach }: Pick<FillHistory, 'call' | 'reach'>,
  reboundKeys: ReboundKeys,
  before = '',
): Row {
  if (call.kind === 'asking') return [span('asking for older ones…', 'label')]
  if (call.kind === 'failed') return [span(`older ones did not load: ${cellText(call.sentence)}`, 'warn')]
  if (reach === 'none') return []
  const extent = {
    some: `more with ${keyOf(reboundKeys, 'lastRow')}`,
    all: 'all there are',
    most: 'as many as are kept',
  }[reach]
  return [span(before + extent, 'label')]
}
