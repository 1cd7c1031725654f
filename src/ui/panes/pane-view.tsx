import { useMemo } from 'react'
import type { FeedName } from '../../domain/desk/feeds.ts'
import { keyOf, type ReboundKeys } from '../../domain/desk/session.ts'
import type { DeskState } from '../../store/desk.ts'
import { ageMs, type Feed, type FeedGaps, isStale } from '../../store/feeds/feed.ts'
import { cutMark } from '../../store/feeds/feeds.ts'
import type { FillHistory } from '../../store/history/history.ts'
import { type PaneName, paneRow, paneTitle, shortTitle } from '../../store/view/panes.ts'
import { cellText, safeText, wrapWords } from '../text/cells.ts'
import { useTheme } from '../text/desk-context.ts'
import { createFrame } from '../text/frame.tsx'
import { ageText } from '../text/moment.ts'
import { Region } from '../text/region.tsx'
import { fitWords, type Row, rowText, rowWidth, type Span, span } from '../text/row.ts'
import { rawRows } from './raw-rows.ts'

/** A note about the age of a pane's data; empty while it is fresh. */
export const staleNote = (feed: Feed<unknown>, name: FeedName, nowMs: number): Row =>
  isStale(feed, name, nowMs) ? oldNote(feed, nowMs) : []

export const staleWord = '  STALE '

/** The data's age, with the reason if known. */
export function oldNote(feed: Feed<unknown>, nowMs: number): Row {
  const reason = feed.failure === null ? '' : `: ${feed.failure.sentence}`
  return [span(`${staleWord}${ageText(ageMs(feed, nowMs) ?? 0)}${reason}`, 'bad')]
}

const isAge = ({ text }: Span): boolean => text.startsWith(staleWord)

/** The data's age from a note, without the reason. */
const ageIn = (note: Row): string => note.find(isAge)?.text.split(':')[0] ?? ''

/**
 * A title and its note in `room` cells. `titleIn`: the title in that many cells, or its shortest form; `bareForms`: the
 * visible pane alone, longest form first. A data warning, or an active filter, must stay visible: other panes' names
 * give way to it, and to its age also their digits and all counts.
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

/** The sentence before a pane's first data: what it waits for, and why it takes long. */
export function waitingNote(what: string, feed: Feed<unknown>): string {
  return feed.failure === null ? `Waiting for ${what}…` : `Waiting for ${what}: ${feed.failure.sentence}`
}

/** Props of every pane: its size in cells with borders, and whether it takes the keys. */
export type PaneProps = {
  width: number
  height: number
  isFocused: boolean
  /** The panes that share the place; the title names them all, the visible one in brackets. */
  tabs?: readonly PaneName[]
}

/** A list pane's text and rows, without the frame. */
export type ListContent = {
  /** Beside the pane's name: what is wrong with its data; empty if nothing is. */
  note: Row
  foot?: Row
  rows: readonly Row[]
  isStale: boolean
}

/**
 * The name of a pane, or of all panes that share its place. In less than `room` cells the others shrink to short names,
 * then to these names' first letters, then to digits. `orderCount`: see `orderCountText`; `names`: overrides of the
 * usual names.
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

/** Minimum letters of a name that still hint at what its digit opens. */
const lettersMin = 3

/**
 * The count of working orders and of those with an unknown outcome, for their pane's title: empty for none, `5000+` if
 * there may be more.
 */
export function orderCountText(state: Pick<DeskState, 'orders' | 'unknownWrites' | 'unreadable'>): string {
  const count = (state.orders.value?.length ?? 0) + state.unknownWrites.length
  return count === 0 ? '' : `${count}${cutMark(state)}`
}

type PaneViewProps<Source> = PaneProps & {
  pane: PaneName
  /** The list's inputs, see `Region`. */
  select: (state: DeskState) => Source
  /** The list in `rowCount` lines of `width` cells, inside the borders. */
  content: (source: Source, width: number, rowCount: number) => ListContent
  /** The feed whose unreadable entries are shown beneath the list; none unless given. */
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
 * A sentence in a pane that has nothing to list yet, wrapped. `width`: the cells between the borders; one blank cell
 * stays on either side.
 */
export const words = (sentence: string, width: number): Row[] =>
  wrapWords(safeText(sentence), Math.max(1, width - 2)).map((line) => [span(` ${line}`, 'dim')])

/** A list with its unreadable entries beneath; the list was already made shorter by that many lines. */
export const withRawRows = (content: ListContent, raw: readonly Row[]): ListContent =>
  raw.length === 0 ? content : { ...content, rows: [...content.rows, ...raw] }

/** A sentence in a pane that has nothing to list. */
export const says = (sentence: string, note: Row, width: number): ListContent => ({
  note,
  rows: words(sentence, width),
  isStale: false,
})

/**
 * How far back a paged list reaches, for its lower border; empty until older entries were requested. `before` is
 * prefixed to the note about the loaded ones.
 */
export function historyNote(
  { call, reach }: Pick<FillHistory, 'call' | 'reach'>,
  reboundKeys: ReboundKeys,
  before = '',
): Row {
  if (call.kind === 'asking') return [span(`asking for ${call.page ?? 'older'} ones…`, 'label')]
  if (call.kind === 'failed')
    return [span(`${call.page ?? 'older'} ones did not load: ${cellText(call.sentence)}`, 'warn')]
  if (reach === 'none') return []
  const extent = {
    some: `more with ${keyOf(reboundKeys, 'lastRow')}`,
    all: 'all there are',
    most: 'as many as are kept',
  }[reach]
  return [span(before + extent, 'label')]
}
