import { err, ok, type Result } from '../../base/result.ts'
import { nearestName, suggestion } from '../../base/text/nearest-name.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { type KeySetting, keyName, noReboundKeys, type ReboundKeys } from '../../domain/desk/session.ts'
import { zero } from '../../domain/money.ts'
import { emptyTicket } from '../../domain/orders/ticket.ts'
import { type DeskState, initialState } from '../../store/desk.ts'
import { plainView, type TableView } from '../../store/tables/tables.ts'
import { listPanes } from '../../store/view/lists.ts'
import { paneTable } from '../../store/view/panes.ts'
import type { Binding } from '../tables/key-bindings.ts'
import { activeScopes, type Scope, scopeTable } from '../tables/key-scopes.ts'
import { bindingsWith, fixedKeys, isFixed, keymap, settingName } from './keymap.ts'

/** Keys that have a name instead of a character. */
const keyNames: readonly string[] = [
  ...['up', 'down', 'left', 'right', 'home', 'end', 'pgup', 'pgdn'],
  ...['enter', 'esc', 'tab', 'shift+tab', 'backspace', 'delete', 'insert', 'space'],
  ...Array.from({ length: 12 }, (_, at) => `f${at + 1}`),
]

/** Control characters that terminals send for other keys, with the key each one means. */
const taken: Readonly<Record<string, string>> = {
  'ctrl+m': 'enter',
  'ctrl+i': 'tab',
  'ctrl+h': 'backspace',
  'ctrl+[': 'esc',
}

/**
 * Reads a key as written in a file: one character as typed; a name such as `pgup` or `f5`, in any case; or either with
 * `ctrl+` or `alt+` before it (a hyphen also works).
 */
export function readKeyName(written: string): Result<string> {
  const text = written.trim()
  if ([...text].length === 1) return ok(text)
  const lower = text
    .toLowerCase()
    .replace(/^(ctrl|alt|shift)-/, '$1+')
    .replace(/^c[-+]/, 'ctrl+')
    .replace(/^escape$/, 'esc')
  if (keyNames.includes(lower)) return ok(lower)
  const control = /^ctrl\+([a-z\\\]^_[]|space|up|down|left|right|home|end|pgup|pgdn)$/.exec(lower)
  if (control !== null) {
    const other = taken[lower]
    return other === undefined ? ok(lower) : err(`a terminal sends ${lower} as ${other}: choose another key`)
  }
  // The character after Alt is case-sensitive.
  const alt = /^alt[-+](.+)$/i.exec(text)
  if (alt !== null && [...(alt[1] ?? '')].length === 1) return ok(`alt+${alt[1]}`)
  const near = nearestName(lower, [...keyNames, 'ctrl+a', 'alt+a'])
  const hint =
    near === null ? ': write one character, or a name such as "pgup", "f5", "ctrl+b"' : `, did you mean "${near}"?`
  return err(`unknown key "${plainText(text).slice(0, 24)}"${hint}`)
}

/** Errors in the user's key settings: one sentence each, starting with its place in the file. */
type Rebinding = { ok: true; value: ReboundKeys } | { ok: false; issues: readonly string[] }

/** Actions that were renamed since earlier versions, which files may still contain. */
const formerNames: Readonly<Record<string, string>> = { centre: 'center' }

/** The action that a line of a file refers to, by its name in the configuration. */
function wantedName(written: string): string {
  const name = settingName(written).replaceAll('-', '_')
  return (Object.hasOwn(formerNames, name) ? formerNames[name] : undefined) ?? name
}

type Read = { action: string; keys: readonly string[] } | { issue: string }

/** Reads one line of the configuration: a known action that may be rebound, and valid keys. */
function readLine({ action, keys, place }: KeySetting): Read {
  const wanted = wantedName(action)
  const bindings = keymap.filter((binding) => settingName(binding.action) === wanted || binding.action === action)
  const [first] = bindings
  if (first === undefined) {
    const names = [
      ...new Set(keymap.filter((binding) => !isFixed(binding)).map((binding) => settingName(binding.action))),
    ]
    const hint = suggestion(wanted, names) || ': see pitdesk help keys'
    return { issue: `${place}: keys has no action "${plainText(action).slice(0, 60)}"${hint}` }
  }
  const name = settingName(first.action)
  if (bindings.some(isFixed))
    return {
      issue: `${place}: keys.${name} cannot be rebound: typing, Enter, Esc and Ctrl-C mean the same everywhere`,
    }
  const read: string[] = []
  for (const key of keys) {
    const named = readKeyName(key)
    if (!named.ok) return { issue: `${place}: keys.${name}: ${named.error}` }
    if (fixedKeys.includes(named.value))
      return { issue: `${place}: keys.${name}: ${named.value} is reserved: choose another key` }
    read.push(named.value)
  }
  return { action: first.action, keys: [...new Set(read)] }
}

/**
 * Checks the user's keys against the key table. The error names every bad line: an unknown action or key, a key that
 * two actions would share in the same scope, and one that would make a typing slip dangerous.
 */
export function readRebinding(settings: readonly KeySetting[]): Rebinding {
  // Checking every pair of keys takes a while, and most users change none.
  if (settings.length === 0) return { ok: true, value: noReboundKeys }
  const read = settings.map(readLine)
  const issues = read.flatMap((each) => ('issue' in each ? [each.issue] : []))
  const lines = read.flatMap((each) => ('issue' in each ? [] : [each]))
  const rebound: ReboundKeys = new Map(lines.map(({ action, keys }) => [action, keys]))
  const placeOf = (action: string) =>
    settings.find((line) => wantedName(line.action) === settingName(action))?.place ?? 'keys'
  const wrong = clashes(bindingsWith(keymap, rebound), rebound, keymap).map(
    ({ action, sentence }) => `${placeOf(action)}: ${sentence}`,
  )
  const all = [...issues, ...wrong]
  return all.length === 0 ? { ok: true, value: rebound } : { ok: false, issues: all }
}

const form = emptyTicket({ symbol: '' }, 'BUY')
const base = initialState({
  nowMs: 0,
  venue: { profileName: '', kind: 'practice' },
  mode: { kind: 'SAFE' },
  symbol: '',
})

/** A state in which all lists have the same view. */
const lookedAt = (view: TableView): Pick<DeskState, 'tables'> => {
  const views = listPanes.map((list) => [list, view] as const)
  return { tables: { ...base.tables, views: { ...base.tables.views, ...Object.fromEntries(views) } } }
}
const filtered = lookedAt({ ...plainView, filter: ' ' })
const held = lookedAt({ ...plainView, selectedKey: '' })

/**
 * The desk's situations: each pane with its list filtered and with a row selected; a ticket and a move in each stage, a
 * small screen, and the lock screen.
 */
function deskSituations(): Scope[][] {
  const states: DeskState[] = [
    ...paneTable.flatMap(({ pane: focus }) => [filtered, held].map((more) => ({ ...base, focus, ...more }))),
    { ...base, ladder: { ...base.ladder, cursorPrice: zero } },
    { ...base, focus: 'chart', chart: { ...base.chart, markMs: 0 } },
    { ...base, ticket: { stage: 'edit', form, field: 'quantity' } },
    { ...base, ticket: { stage: 'sending', form, field: 'quantity' } },
  ]
  const written: Scope[] = ['review', 'move', 'moveReview']
  const locked: Scope[] = ['lock', 'lockTyping', 'halt']
  return [
    ...states.map((state) => activeScopes(state, false)),
    ['oneKey', 'ticket', 'anywhere', 'interrupt'],
    activeScopes(base, true),
    ...written.map((scope): Scope[] => [scope, 'anywhere', 'interrupt']),
    ...locked.flatMap((scope): Scope[][] => [
      [scope, 'locked'],
      [scope, 'interrupt'],
    ]),
  ]
}

/**
 * Every set of scopes that can be active together: those of the desk's situations, and each remaining scope by itself,
 * along with quitting.
 */
export function scopeSets(table: readonly Binding[]): Scope[][] {
  const sets = deskSituations()
  const covered = new Set(sets.flat())
  const alone = [...new Set(table.map(({ scope }) => scope))].filter((scope) => !covered.has(scope))
  return [...sets, ...alone.map((scope): Scope[] => [scope, 'interrupt'])]
}

/** A conflict between two bindings; `action` is the rebound one. */
type Clash = { action: string; sentence: string }

/** The table with and without the changes, and which bindings were changed. */
type Question = { table: readonly Binding[]; usual: readonly Binding[]; isChanged: (binding: Binding) => boolean }

const nameOf = ({ action }: Binding): string => `keys.${settingName(action)}`

const whereOf = ({ scope }: Binding): string => scopeTable[scope].place ?? `in "${scope}"`

/** An action that asks first does no harm if a slip triggers it. */
const actsAtOnce = ({ danger }: Binding): boolean => danger !== undefined && danger !== 'asks'

const otherCase = (key: string): string => (key.toLowerCase() === key ? key.toUpperCase() : key.toLowerCase())

type Pair = { one: Binding; two: Binding; key: string }

/** Pairs of actions that share a key in scopes that are active together. */
const sameKeyPairs = (table: readonly Binding[]): Pair[] =>
  scopeSets(table).flatMap((scopes) => {
    const active = table.filter(({ scope }) => scopes.includes(scope))
    return active.flatMap((one, at) =>
      active.slice(at + 1).flatMap((two) => {
        const isSame = one.action === two.action || (one.scope !== two.scope && (one.givesWay ?? two.givesWay) === true)
        const key = isSame ? undefined : one.keys.find((each) => two.keys.includes(each))
        return key === undefined ? [] : [{ one, two, key }]
      }),
    )
  })

const pairName = ({ one, two, key }: Pair): string => `${one.action} ${two.action} ${key}`

/** One key for two actions. Precedence of a pane's key over the desk's, as in the original table, is intended. */
function sameKey({ table, usual, isChanged }: Question): Clash[] {
  const meant = new Set(sameKeyPairs(usual).map(pairName))
  const pairs = new Map(
    sameKeyPairs(table)
      .toReversed()
      .map((pair) => [pairName(pair), pair]),
  )
  return [...pairs.values()].toReversed().flatMap((pair): Clash[] => {
    const { one, two, key } = pair
    if (!(isChanged(one) || isChanged(two)) || meant.has(pairName(pair))) return []
    const [changed, other] = isChanged(two) ? [two, one] : [one, two]
    const both = `${nameOf(changed)} and ${nameOf(other)} both want ${keyName(key)} ${whereOf(other)}`
    const sentence = `${both}: give one of them another key`
    return [{ action: changed.action, sentence }]
  })
}

/** A character that a field in the same scope takes as text. */
function takesTyping({ table, isChanged }: Question): Clash[] {
  return scopeSets(table).flatMap((scopes) => {
    const active = table.filter(({ scope }) => scopes.includes(scope))
    const field = active.find(({ takesText }) => takesText === true)
    if (field === undefined) return []
    const typed = scopeTable[field.scope].typed ?? /^.$|^space$/u
    const isTyped = (key: string) => typed.test(key)
    return active.filter(isChanged).flatMap((binding) => {
      const key = binding.keys.find(isTyped)
      if (key === undefined) return []
      const why = `it works ${whereOf(field)} too, where ${keyName(key)} is typed`
      const sentence = `${nameOf(binding)} cannot be ${keyName(key)}: ${why}`
      return [{ action: binding.action, sentence }]
    })
  })
}

/** A key that acts at once must be a plain one: with Ctrl, Alt or Shift it would be a variant of another. */
function modifiedDangers({ table, isChanged }: Question): Clash[] {
  return table
    .filter((binding) => actsAtOnce(binding) && isChanged(binding))
    .flatMap((danger): Clash[] => {
      const key = danger.keys.find((each) => /^(ctrl|alt|shift)\+/.test(each))
      if (key === undefined) return []
      const why = 'a dangerous key stands by itself, without Ctrl, Alt or Shift'
      const sentence = `${nameOf(danger)} acts at once and cannot be ${keyName(key)}: ${why}`
      return [{ action: danger.action, sentence }]
    })
}

/**
 * A key that acts at once must not differ only by Shift from a harmless one in the same scope: Shift is easily missed,
 * or held too long.
 */
function slipsOfShift({ table, isChanged }: Question): Clash[] {
  return scopeSets(table).flatMap((scopes) => {
    const active = table.filter(({ scope }) => scopes.includes(scope))
    return active.filter(actsAtOnce).flatMap((danger) =>
      active.flatMap((other): Clash[] => {
        if (other.danger !== undefined || !(isChanged(danger) || isChanged(other))) return []
        const key = danger.keys.find(
          (each) => [...each].length === 1 && otherCase(each) !== each && other.keys.includes(otherCase(each)),
        )
        if (key === undefined) return []
        const slip = `differs only by Shift from ${nameOf(other)} with ${otherCase(key)}`
        const sentence = `${nameOf(danger)} with ${key} ${slip}: a dangerous key must not be`
        return [{ action: (isChanged(danger) ? danger : other).action, sentence }]
      }),
    )
  })
}

/** All conflicts of the rebound actions, compared with the original table; each sentence once. */
export function clashes(table: readonly Binding[], rebound: ReboundKeys, usual: readonly Binding[]): Clash[] {
  const question: Question = { table, usual, isChanged: ({ action }) => rebound.has(action) }
  const all = [sameKey, takesTyping, modifiedDangers, slipsOfShift].flatMap((look) => look(question))
  return all.filter(({ sentence }, at) => all.findIndex((each) => each.sentence === sentence) === at)
}
