import { keepSame, memoizeLast } from '../../base/memoize.ts'
import { clockText } from '../../base/time-text.ts'
import type { FiredAlert } from '../../domain/alerts/news.ts'
import { type Mode, mayCancel } from '../../domain/desk/mode.ts'
import { keyOf } from '../../domain/desk/session.ts'
import type { Role } from '../../domain/hub/roles.ts'
import type { DeskState } from '../../store/desk.ts'
import { type LogLine, lastOfLog, resultKeptMs } from '../../store/log.ts'
import { hasOrderForm } from '../../store/order-form.ts'
import { keymap, keymapOf } from '../keys/keymap.ts'
import { withHaltKeys } from '../tables/halt-keys.ts'
import { type Binding, footEntriesOf, type KeyEntry } from '../tables/key-bindings.ts'
import { activeScopes, type Scope } from '../tables/key-scopes.ts'
import { levels } from '../tables/log-table.ts'
import { cellText, cutWords } from '../text/cells.ts'
import { alertText, ownSentence } from '../text/privacy.ts'
import { edges, fitRow, type Row, rowWidth, span } from '../text/row.ts'
import type { Tone } from '../text/theme.ts'

type Shown = Pick<DeskState, 'alerts' | 'notice' | 'nowMs' | 'ahead' | 'reboundKeys' | 'looks'>

/**
 * The alert that has the line of notices now: the newest one, unless what the desk said last came after it, or is bad
 * and has only just been said. Null: none has it.
 */
function toastOnLine({ alerts, notice, nowMs, ahead }: Shown): FiredAlert | null {
  const toast = alerts.toasts.at(-1)
  if (toast === undefined) return null
  if (notice === null) return toast
  const saidAtMs = notice.atMs - ahead.wallMs
  const isUrgent = notice.level === 'bad' && nowMs - saidAtMs < resultKeptMs
  return saidAtMs > toast.atMs || isUrgent ? null : toast
}

/** The alert in at most `width` cells, with how many others there are. */
function toastRow({ alerts, ahead, reboundKeys, looks }: Shown, toast: FiredAlert, width: number): Row {
  const { tone } = levels[toast.level]
  const others = alerts.toasts.length - 1
  const more = others === 0 ? '' : ` +${others} more, ${keyOf(reboundKeys, 'alerts')} lists`
  const tag: Row = [span(' ALERT ', 'cursor'), span(' ')]
  const room = width - rowWidth(tag) - more.length
  const text = cutWords(cellText(alertText(toast, looks.isPrivate)), room)
  const time = ` ${clockText(toast.atMs + ahead.wallMs)}`
  return [
    ...(time.length + text.length <= room ? [span(time, 'dim')] : []),
    ...tag,
    span(text, tone),
    span(more, 'warn'),
  ]
}

/** How many alerts are there while something else has the line. */
function toastMark({ alerts, reboundKeys }: Shown): Row {
  const count = alerts.toasts.length
  if (count === 0) return []
  return [span(` ${count} ${count === 1 ? 'ALERT' : 'ALERTS'}: ${keyOf(reboundKeys, 'alerts')} `, 'warn')]
}

/** The longest path in a sentence that does not name one: what is wrong with it stands behind it. */
const longestPath = (text: string): string | undefined =>
  text
    .match(/(?<=^|[\s("'])~?\/[^\s/:]+\/[^\s:,;)"']+/g)
    ?.reduce((left, right) => (right.length > left.length ? right : left))

/** The line with as much of the end of its path as fits into `room` cells: at least the name of the file. */
function withShortPath({ text, path = longestPath(text) }: LogLine, room: number): string {
  const over = text.length - room
  if (path === undefined || over <= 0) return text
  const nameAt = path.lastIndexOf('/') + 1
  return text.replace(path, () => `…${path.slice(Math.min(over + 1, Math.max(0, nameAt - 1)))}`)
}

/** How many writes have no known outcome; on a small screen in few cells, for the notice beside it must be read. */
function unsettledMark(count: number, width: number, isBesideNotice: boolean): Row {
  if (count === 0) return []
  if (width >= 60) return [span(` ${count} UNKNOWN: see 2 Orders `, 'bad')]
  return [span(width >= 30 || !isBesideNotice ? ` ${count} UNKNOWN ` : ` ?${count}`, 'bad')]
}

/** The last notice, or an alert that fired since, and on the right the number of writes with an unknown outcome. */
export function noticeRow(state: DeskState, width: number): Row {
  const { notice, unsettled } = state
  const open = unsettledMark(unsettled.length, width, notice !== null)
  const toast = toastOnLine(state)
  if (toast !== null) return edges(toastRow(state, toast, width - rowWidth(open)), open, width)
  const end: Row = [...toastMark(state), ...open]
  // Beside a ticket or a move only what was said since it was opened has the line.
  const line = notice ?? (hasOrderForm(state) ? undefined : lastOfLog(state))
  if (line === undefined) return edges([], end, width)
  const { tone, sign } = levels[line.level]
  const room = width - rowWidth(end)
  const text = sign + cellText(ownSentence(withShortPath(line, room - 1 - sign.length), state.looks.isPrivate))
  const time = `${clockText(line.atMs)} `
  // The time gives way before the sentence does.
  if (1 + time.length + text.length <= room) return edges([span(` ${time}`, 'dim'), span(text, tone)], end, width)
  return edges(
    line.level === 'bad' ? refusalRow(text, room, tone) : [span(` ${cutWords(text, room - 1)}`, tone)],
    end,
    width,
  )
}

/** Where the rest of a refusal is read: every notice stands in the log whole. */
const restIn = ' see 7 Log'
/** In less room the words of the sentence count more. */
const restRoomMin = 50

/**
 * What was refused, without time: what came of it gives way to the reason, for `Not sent` says it too; a reason that
 * still has no room says where the rest of it is.
 */
function refusalRow(whole: string, room: number, tone: Tone): Row {
  const text = whole.length < room ? whole : whole.replace(/(?<=\.) Nothing was \w+\.$/, '')
  if (text.length < room || room < restRoomMin) return [span(` ${cutWords(text, room - 1)}`, tone)]
  return [span(` ${cutWords(text, room - 1 - restIn.length)}`, tone), span(restIn, 'label')]
}

/** The last notice for a wall: it names no key, and in private no number. */
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

/** The keys that act now, made from the key table; short of room the later ones are left out and `?` shows them all. */
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
  // The first entry's gap becomes the margin that all lines of the screen have.
  return fitRow([span(' '), ...line.slice(1)], width)
}

/**
 * Whether a key is worth naming on this desk now. Keys that depend on where the cursor stands stay: the line must not
 * flicker.
 */
const isNamed = ({ action, isWrite }: Binding, mode: Mode, unoffered: readonly string[]): boolean =>
  !unoffered.includes(action) && (mayCancel(mode) || isWrite !== true)

/**
 * Remembers the line by its keys and the mode: it is asked for at every change of the desk, and changes only with what
 * a user does.
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
 * Actions that are not worth a name on the screen now: nothing is there that they could do. Of other places than the
 * active ones nobody asks: in a review the answer takes every check.
 */
const unofferedActions = (table: readonly Binding[], scopes: readonly Scope[], state: DeskState): readonly string[] =>
  conditionalOf(table, scopes).flatMap(({ action, isOffered }) => (isOffered?.(state) === false ? [action] : []))

/** The bindings of these places that are not always offered. */
const conditionalOf = memoizeLast((table: readonly Binding[], scopes: readonly Scope[]) =>
  table.filter(({ scope, isOffered }) => isOffered !== undefined && scopes.includes(scope)),
)

/** The line of keys at the foot of the screen: what acts now, as it is bound, as much as fits. */
export function footLine(state: DeskState, width: number, isTooSmall = false): Row {
  const table = keymapOf(state)
  const scopes = scopesOf(activeScopes(state, isTooSmall))
  const unoffered = unofferedOf(unofferedActions(table, scopes, state))
  return lineOf(scopes, state.mode, unoffered, width, withHaltKeys(table, state), state.hub?.role ?? null)
}
