import type { NewsLevel } from '../domain/desk/events.ts'
import type { ClockSlice } from './clock.ts'
import type { SliceContext } from './slice.ts'

const logMax = 500

/** Adds a line to the log alone, dated by the wall clock: for news that is shown in another way. */
export function logged<S extends Noting>(state: S, level: NewsLevel, text: string, atMs: number, path?: string): S {
  const line: LogLine = { atMs: atMs + state.ahead.wallMs, level, text, ...(path === undefined ? {} : { path }) }
  return { ...state, log: [...state.log.slice(-(logMax - 1)), line] }
}

/** Adds a line to the log and shows it as the notice. */
export function noted<S extends Noting>(state: S, level: NewsLevel, text: string, atMs: number, path?: string): S {
  const next = logged(state, level, text, atMs, path)
  return { ...next, notice: next.log.at(-1) ?? null }
}

/**
 * Marks the last notice as about the field being filled in: it disappears with the next change there, and the log does
 * not repeat it without the notice.
 */
function ofField<S extends LogSlice>(state: S): S {
  const { notice, log } = state
  if (notice === null) return state
  const line: LogLine = { ...notice, isOfField: true }
  return { ...state, notice: line, log: log.at(-1) === notice ? [...log.slice(0, -1), line] : log }
}

/** The last line of the log that still applies: a line about a field does not. */
export const lastOfLog = ({ log }: Pick<LogSlice, 'log'>): LogLine | undefined =>
  log.findLast(({ isOfField }) => isOfField !== true)

/** Marks the notice as what it is about. */
export function marked<S extends LogSlice>(state: S, { isOfField, isOfPress }: NoticeMark): S {
  if (isOfField === true) return ofField(state)
  if (isOfPress !== true || state.notice === null) return state
  return { ...state, notice: { ...state.notice, isOfPress } }
}

/** What was said of the form and of presses before is over once the order under review leaves. */
export const atSending = <S extends LogSlice>(state: S): S =>
  state.notice?.isOfField === true || state.notice?.isOfPress === true ? { ...state, notice: null } : state

/** How long the notice for an action's result stays before housekeeping news may replace it. */
export const resultKeptMs = 5_000

/** A notice may be later than the last tick by less than this. */
const tickMs = 2_000

/**
 * How long ago a notice was said, in ms. One that is later than now is from before the wall clock was set back, which
 * is long ago: it must not count as new until its time has come.
 */
export function saidAgoMs({ atMs }: LogLine, { wallMs }: Noting['ahead'], nowMs: number): number {
  const agoMs = nowMs + wallMs - atMs
  return agoMs < -tickMs ? Number.POSITIVE_INFINITY : agoMs
}

/** True when a notice of these levels came just now, and the user may be waiting for it. */
export const showsNews = ({ notice, ahead }: Noting, among: readonly NewsLevel[], atMs: number): boolean =>
  notice !== null &&
  notice.isAside !== true &&
  among.includes(notice.level) &&
  saidAgoMs(notice, ahead, atMs) < resultKeptMs

/**
 * Notes housekeeping news, such as that a file cannot be saved. While a recent failure of an order or a transfer is on
 * screen, that stays, and only the log has the news.
 */
export function notedAside<S extends Noting>(state: S, level: NewsLevel, text: string, atMs: number, path?: string): S {
  if (showsNews(state, ['bad', 'warn'], atMs)) return logged(state, level, text, atMs, path)
  const next = noted(state, level, text, atMs, path)
  return next.notice === null ? next : { ...next, notice: { ...next.notice, isAside: true } }
}

/**
 * `atMs` is by the wall clock. `isAside`: housekeeping, which any notice may replace. `isOfField`: see `ofField`.
 * `isOfPress`: see `NotedEvent`.
 */
export type LogLine = {
  atMs: number
  level: NewsLevel
  text: string
  isOfField?: true
  isOfPress?: true
  isAside?: true
  path?: string
}

export type LogSlice = {
  /** Oldest first, bounded. */
  log: readonly LogLine[]
  /** The notice on screen; null for none. */
  notice: LogLine | null
}

export const emptyLog: LogSlice = { log: [], notice: null }

/** The state that a function needs to add a notice. */
export type Noting = LogSlice & Pick<ClockSlice, 'ahead'>

/**
 * `isOfField`: it is about the field being filled in, and over once that changes. `path` is part of the text, and may
 * be shortened for lack of room: the log has all of it.
 */
export type NotedEvent = {
  type: 'noted'
  level: NewsLevel
  text: string
  atMs: number
  isOfField?: true
  /** Why a press did nothing: over once a later one sends, beside which `Not sent` would be a lie. */
  isOfPress?: true
  /** Shown once and not kept: it is about the screen alone. */
  isPassing?: true
  /** Housekeeping of the desk: see `notedAside`. */
  isAside?: true
  path?: string
}

type NoticeMark = Pick<NotedEvent, 'isOfField' | 'isOfPress' | 'isPassing'>

/** Returns a function that shows a text of a slice's commands to the user; `mark` as in the event. */
export const sayer =
  ({ store, port }: SliceContext<unknown, NotedEvent>, mark: NoticeMark = {}) =>
  (text: string, level: NewsLevel = 'warn'): void =>
    store.dispatch({ type: 'noted', level, text, atMs: port.now(), ...mark })

export type LogCommands = {
  /** Says in the notice why the user's action had no effect. */
  explain(text: string): void
  /** Says in the notice what holds for the form on screen only until it changes, is sent or closes. */
  explainForm(text: string): void
}

export function createLogCommands(context: SliceContext<unknown, NotedEvent>): LogCommands {
  const say = sayer(context, { isOfPress: true })
  const sayOfForm = sayer(context, { isOfField: true })
  return { explain: (text) => say(text), explainForm: (text) => sayOfForm(text) }
}
