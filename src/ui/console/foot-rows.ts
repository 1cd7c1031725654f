import { keepSame, memoizeLast } from '../../base/memoize.ts'
import type { FiredAlert } from '../../domain/alerts/news.ts'
import { type Mode, mayCancel } from '../../domain/desk/mode.ts'
import { keyOf } from '../../domain/desk/session.ts'
import type { Role } from '../../domain/hub/roles.ts'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { type LogLine, lastOfLog, resultKeptMs, saidAgoMs } from '../../store/log.ts'
import { hasOrderForm } from '../../store/order-form.ts'
import { keymap, keymapOf } from '../keys/keymap.ts'
import { withHaltKeys } from '../tables/halt-keys.ts'
import { type Binding, footEntriesOf, type KeyEntry } from '../tables/key-bindings.ts'
import { activeScopes, type Scope } from '../tables/key-scopes.ts'
import { levels } from '../tables/log-table.ts'
import { cellText, cutWords } from '../text/cells.ts'
import { pastText } from '../text/moment.ts'
import { alertText, ownSentence } from '../text/privacy.ts'
import { edges, fitRow, type Row, rowWidth, span } from '../text/row.ts'
import type { Tone } from '../text/theme.ts'

type Shown = Pick<DeskState, 'alerts' | 'notice' | 'nowMs' | 'ahead' | 'reboundKeys' | 'looks'>

/**
 * The alert that takes the notice line: the newest one, unless a notice came after it, or is bad and recent. Null if
 * none does.
 */
function toastOnLine({ alerts, notice, nowMs, ahead }: Shown): FiredAlert | null {
  const toast = alerts.toasts.at(-1)
  if (toast === undefined) return null
  if (notice === null) return toast
  const agoMs = saidAgoMs(notice, ahead, nowMs)
  const isUrgent = notice.level === 'bad' && agoMs < resultKeptMs
  return nowMs - agoMs > toast.atMs || isUrgent ? null : toast
}

/** The alert in at most `width` cells, with the count of others. */
function toastRow({ alerts, nowMs, ahead, reboundKeys, looks }: Shown, toast: FiredAlert, width: number): Row {
  const { tone } = levels[toast.level]
  const others = alerts.toasts.length - 1
  const more = others === 0 ? '' : ` +${others} more, ${keyOf(reboundKeys, 'alerts')} lists`
  const tag: Row = [span(' ALERT ', 'cursor'), span(' ')]
  const room = width - rowWidth(tag) - more.length
  const text = cutWords(cellText(alertText(toast, looks.isPrivate)), room)
  const time = ` ${pastText(toast.atMs + ahead.wallMs, wallNow({ nowMs, ahead }))}`
  return [
    ...(time.length + text.length <= room ? [span(time, 'dim')] : []),
    ...tag,
    span(text, tone),
    span(more, 'warn'),
  ]
}

/** The count of alerts while something else has the line. */
function toastMark({ alerts, reboundKeys }: Shown): Row {
  const count = alerts.toasts.length
  if (count === 0) return []
  return [span(` ${count} ${count === 1 ? 'ALERT' : 'ALERTS'}: ${keyOf(reboundKeys, 'alerts')} `, 'warn')]
}

/** The longest path in a sentence that does not name one: the text behind it says what is wrong. */
const longestPath = (text: string): string | undefined =>
  text
    .match(/(?<=^|[\s("'])~?\/[^\s/:]+\/[^\s:,;)"']+/g)
    ?.reduce((left, right) => (right.length > left.length ? right : left))

/** The line with its path shortened from the front to fit `room` cells; the file name always stays. */
function withShortPath({ text, path = longestPath(text) }: LogLine, room: number): string {
  const over = text.length - room
  if (path === undefined || over <= 0) return text
  const nameAt = path.lastIndexOf('/') + 1
  return text.replace(path, () => `…${path.slice(Math.min(over + 1, Math.max(0, nameAt - 1)))}`)
}

/** The count of writes with an unknown outcome; in few cells on a small screen, to keep the notice readable. */
function unknownMark(count: number, width: number, isBesideNotice: boolean): Row {
  if (count === 0) return []
  if (width >= 60) return [span(` ${count} UNKNOWN: see 2 Orders `, 'bad')]
  return [span(width >= 30 || !isBesideNotice ? ` ${count} UNKNOWN ` : ` ?${count}`, 'bad')]
}

/** The last notice, or an alert that fired since, with the count of writes with an unknown outcome on the right. */
export function noticeRow(state: DeskState, width: number): Row {
  const { notice, unknownWrites } = state
  const open = unknownMark(unknownWrites.length, width, notice !== null)
  const toast = toastOnLine(state)
  if (toast !== null) return edges(toastRow(state, toast, width - rowWidth(open)), open, width)
  const end: Row = [...toastMark(state), ...open]
  // While a ticket or move is open, the line shows only notices since then.
  const line = notice ?? (hasOrderForm(state) ? undefined : lastOfLog(state))
  if (line === undefined) return edges([], end, width)
  const { tone, sign } = levels[line.level]
  const room = width - rowWidth(end)
  const text = sign + cellText(ownSentence(withShortPath(line, room - 1 - sign.length), state.looks.isPrivate))
  const time = `${pastText(line.atMs, wallNow(state))} `
  // Drop the time before cutting the sentence.
  if (1 + time.length + text.length <= room) return edges([span(` ${time}`, 'dim'), span(text, tone)], end, width)
  return edges(
    line.level === 'bad' ? refusalRow(text, room, tone) : [span(` ${cutWords(text, room - 1)}`, tone)],
    end,
    width,
  )
}

/** Where to read the rest of a refusal: the log has every notice in full. */
const restIn = ' see 7 Log'
/** Below this width the sentence's words take precedence. */
const restRoomMin = 50

/**
 * A refusal, without the time. The consequence is dropped in favor of the reason, since `Not sent` implies it; a reason
 * that still does not fit says where to read the rest.
 */
function refusalRow(whole: string, room: number, tone: Tone): Row {
  const text = whole.length < room ? whole : whole.replace(/(?<=\.) Nothing was \w+\.$/, '')
  if (text.length < room || room < restRoomMin) return [span(` ${cutWords(text, room - 1)}`, tone)]
  return [span(` ${cutWords(text, room - 1 - restIn.length)}`, tone), span(restIn, 'label')]
}

/** The last notice for a wall, without key names, and in privacy mode without numbers. */
export function wallNoticeRow(state: DeskState, width: number): Row {
  const { notice, alerts, looks } = state
  const toast = alerts.toasts.at(-1)
  const line = notice ?? lastOfLog(state)
  const text = toast?.text ?? line?.text ?? ''
  const level = toast?.level ?? line?.level ?? 'info'
  const { tone, sign } = levels[level]
  const shown = cellText(ownSentence(text, looks.isPrivate))
  return fitRow([span(` ${cutWords(text === '' ? '' : sign + shown, width - 1)}`, tone)], width)
}

const entryRow = (entry: KeyEntry, mode: Mode, role: Role | null): Row => [
  span('  '),
  span(entry.keys, 'key'),
  span(` ${entry.footLabel(mode, role)}`, entry.isDanger ? 'warn' : 'label'),
]

/** The active keys, from the key table; short of room the later ones are dropped, and `?` lists them all. */
export function footRow(
  scopes: readonly Scope[],
  mode: Mode,
  width: number,
  bindings: readonly Binding[] = keymap,
  role: Role | null = null,
): Row {
  const entries = footEntriesOf(bindings, scopes).map((entry) => ({
    entry,
    row: entryRow(entry, mode, role),
    isShown: entry.isKept(mode),
  }))
  let left = width + 1 - entries.reduce((sum, { row, isShown }) => sum + (isShown ? rowWidth(row) : 0), 0)
  for (const isLast of [false, true]) {
    for (const each of entries) {
      if (each.isShown || each.entry.isLast !== isLast || rowWidth(each.row) > left) continue
      each.isShown = true
      left -= rowWidth(each.row)
    }
  }
  const shown = entries.filter(({ isShown }) => isShown)
  const line = shown.flatMap(({ row }) => row)
  // The first entry's gap becomes the left margin that all lines have.
  return fitRow([span(' '), ...line.slice(1)], width)
}

/**
 * Whether a key is worth showing on this desk at the moment. Keys that depend on the cursor's position stay: the line
 * must not flicker.
 */
const isNamed = ({ action, isWrite }: Binding, mode: Mode, unoffered: readonly string[]): boolean =>
  !unoffered.includes(action) && (mayCancel(mode) || isWrite !== true)

/**
 * Cached by keys and mode: the line is needed on every change of the state, but changes only with the user's actions.
 */
const lineOf = memoizeLast(
  (
    scopes: readonly Scope[],
    mode: Mode,
    unoffered: readonly string[],
    width: number,
    table: readonly Binding[],
    role: Role | null,
  ) =>
    footRow(
      scopes,
      mode,
      width,
      table.filter((binding) => isNamed(binding, mode, unoffered)),
      role,
    ),
)
const unofferedOf = keepSame<string>()
const scopesOf = keepSame<Scope>()

/**
 * Actions not worth showing at the moment, because they would have no effect. Only active scopes are asked: for a
 * review, the answer takes all checks.
 */
const unofferedActions = (table: readonly Binding[], scopes: readonly Scope[], state: DeskState): readonly string[] =>
  conditionalOf(table, scopes).flatMap(({ action, isOffered }) => (isOffered?.(state) === false ? [action] : []))

/** The bindings of these scopes that are offered conditionally. */
const conditionalOf = memoizeLast((table: readonly Binding[], scopes: readonly Scope[]) =>
  table.filter(({ scope, isOffered }) => isOffered !== undefined && scopes.includes(scope)),
)

/** The key line at the foot: the active keys, as bound, as many as fit. */
export function footLine(state: DeskState, width: number, isTooSmall = false): Row {
  const table = keymapOf(state)
  const scopes = scopesOf(activeScopes(state, isTooSmall))
  const unoffered = unofferedOf(unofferedActions(table, scopes, state))
  return lineOf(scopes, state.mode, unoffered, width, withHaltKeys(table, state), state.hub?.role ?? null)
}
