import type { NewsLevel } from '../domain/desk/events.ts'
import type { ClockSlice } from './clock.ts'
import type { SliceContext } from './slice.ts'

const logMax = 500

/** Adds a line to the log alone, dated by the wall clock: for what is shown in another way. */
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
 * What was said last as being about what is being filled in: as a notice it goes with the next change there, and in the
 * log it is nothing that a line without a notice would say again.
 */
export function ofField<S extends LogSlice>(state: S): S {
  const { notice, log } = state
  if (notice === null) return state
  const line: LogLine = { ...notice, isOfField: true }
  return { ...state, notice: line, log: log.at(-1) === notice ? [...log.slice(0, -1), line] : log }
}

/** The last line of the log that is still about something: what was said of a field is over with it. */
export const lastOfLog = ({ log }: Pick<LogSlice, 'log'>): LogLine | undefined =>
  log.findLast(({ isOfField }) => isOfField !== true)

/** What an act came to keeps the line of notices for so long, against what nobody waits for. */
export const resultKeptMs = 5_000

/** Whether a notice of one of these levels has only just come, of something that a person may be waiting for. */
export const showsNews = ({ notice, ahead }: Noting, among: readonly NewsLevel[], atMs: number): boolean =>
  notice !== null &&
  notice.isAside !== true &&
  among.includes(notice.level) &&
  atMs + ahead.wallMs - notice.atMs < resultKeptMs

/**
 * Says what nobody waits for, such as that a file cannot be kept. Where an order or money has only just been refused or
 * failed, that stays on screen and the log alone has this.
 */
export function notedAside<S extends Noting>(state: S, level: NewsLevel, text: string, atMs: number, path?: string): S {
  if (showsNews(state, ['bad', 'warn'], atMs)) return logged(state, level, text, atMs, path)
  const next = noted(state, level, text, atMs, path)
  return next.notice === null ? next : { ...next, notice: { ...next.notice, isAside: true } }
}

/**
 * `atMs` is by the wall clock. `isAside`: nobody waits for it, and as a notice it holds its place against nothing.
 * `isOfField`: see `ofField`.
 */
export type LogLine = { atMs: number; level: NewsLevel; text: string; isOfField?: true; isAside?: true; path?: string }

export type LogSlice = {
  /** Oldest first, bounded. */
  log: readonly LogLine[]
  /** The last thing the desk said about something a person did. */
  notice: LogLine | null
}

export const emptyLog: LogSlice = { log: [], notice: null }

/** What a function needs that says something. */
export type Noting = LogSlice & Pick<ClockSlice, 'ahead'>

/**
 * `isOfField`: it is about what is being filled in, and is over once that changes. `path` is in the text, and may be
 * shortened where there is no room: whole it stands in the log.
 */
export type NotedEvent = {
  type: 'noted'
  level: NewsLevel
  text: string
  atMs: number
  isOfField?: true
  /** Shown once and not kept: it tells of nothing but the screen. */
  isPassing?: true
  /** Housekeeping of the desk: see `notedAside`. */
  isAside?: true
  path?: string
}

/** The words of a slice's commands to a person; `mark` as in the event. */
export const sayer =
  ({ store, port }: SliceContext<unknown, NotedEvent>, mark: { isOfField?: true; isPassing?: true } = {}) =>
  (text: string, level: NewsLevel = 'warn'): void =>
    store.dispatch({ type: 'noted', level, text, atMs: port.now(), ...mark })

export type LogCommands = {
  /** Says in the notice why what a person did was not done. */
  explain(text: string): void
}

export function createLogCommands(context: SliceContext<unknown, NotedEvent>): LogCommands {
  const say = sayer(context)
  return { explain: (text) => say(text) }
}
