import { nearestName, suggestion } from '../../base/nearest-name.ts'
import { plainText } from '../../base/plain-text.ts'
import { err, ok, type Result } from '../../base/result.ts'
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

/** Control characters that terminals send for other keys, and what they are then. */
const taken: Readonly<Record<string, string>> = {
  'ctrl+m': 'enter',
  'ctrl+i': 'tab',
  'ctrl+h': 'backspace',
  'ctrl+[': 'esc',
}

/**
 * A key as a person writes it in a file, as the table of keys names it: one character as it is typed, a name such as
 * `pgup` or `f5` whatever the case, or with `ctrl+` or `alt+` before it (a hyphen does as well).
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
  // The character after Alt keeps its case.
  const alt = /^alt[-+](.+)$/i.exec(text)
  if (alt !== null && [...(alt[1] ?? '')].length === 1) return ok(`alt+${alt[1]}`)
  const near = nearestName(lower, [...keyNames, 'ctrl+a', 'alt+a'])
  const hint =
    near === null ? ': write one character, or a name such as "pgup", "f5", "ctrl+b"' : `, did you mean "${near}"?`
  return err(`unknown key "${plainText(text).slice(0, 24)}"${hint}`)
}

/** What is wrong with the keys that a person chose: a sentence each, beginning with its place in the file. */
type Rebinding = { ok: true; value: ReboundKeys } | { ok: false; issues: readonly string[] }

/** Actions that had another name in earlier versions, as files may still have it. */
const formerNames: Readonly<Record<string, string>> = { centre: 'center' }

/** The action that a line of a file means, as the configuration names it. */
function wantedName(written: string): string {
  const name = settingName(written).replaceAll('-', '_')
  return (Object.hasOwn(formerNames, name) ? formerNames[name] : undefined) ?? name
}

type Read = { action: string; keys: readonly string[] } | { issue: string }

/** One line of the configuration: a known action that may be bound anew, and keys that there are. */
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
 * Holds the keys a person chose against the table of keys. The error names every line that is wrong: an action or a key
 * that there is not, a key that two actions would have in the same place, and one that would make a slip of the finger
 * dangerous.
 */
export function readRebinding(settings: readonly KeySetting[]): Rebinding {
  // Holding every key of the table against every other takes a while, and most people keep the keys as they are.
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

/** Where all lists are looked at in the same way. */
const lookedAt = (view: TableView): Pick<DeskState, 'tables'> => {
  const views = listPanes.map((list) => [list, view] as const)
  return { tables: { ...base.tables, views: { ...base.tables.views, ...Object.fromEntries(views) } } }
}
const filtered = lookedAt({ ...plainView, filter: ' ' })
const held = lookedAt({ ...plainView, selectedKey: '' })

/**
 * The desk itself, pane by pane, its list filtered and held; with a ticket and a move at each of their stages, on a
 * small screen, and behind the lock.
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
 * Every set of scopes whose keys can act at the same time: those of the desk, and each other scope of the table by
 * itself, with leaving beside it.
 */
export function scopeSets(table: readonly Binding[]): Scope[][] {
  const sets = deskSituations()
  const covered = new Set(sets.flat())
  const alone = [...new Set(table.map(({ scope }) => scope))].filter((scope) => !covered.has(scope))
  return [...sets, ...alone.map((scope): Scope[] => [scope, 'interrupt'])]
}

/** Something that two bindings cannot both have; `action` is the one that was bound anew. */
type Clash = { action: string; sentence: string }

/** The table with the changes and without them, and which bindings were changed. */
type Question = { table: readonly Binding[]; usual: readonly Binding[]; isChanged: (binding: Binding) => boolean }

const nameOf = ({ action }: Binding): string => `keys.${settingName(action)}`

const whereOf = ({ scope }: Binding): string => scopeTable[scope].place ?? `in "${scope}"`

/** What is asked before it acts is not what a slip of the finger sets off. */
const actsAtOnce = ({ danger }: Binding): boolean => danger !== undefined && danger !== 'asks'

const otherCase = (key: string): string => (key.toLowerCase() === key ? key.toUpperCase() : key.toLowerCase())

type Pair = { one: Binding; two: Binding; key: string }

/** Two actions that have a key in common and can both be meant by it. */
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

/** One key for two actions. Where the table itself gives a pane's key precedence over the desk's, that is meant. */
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

/** A character that a field of the same place is typed with. */
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

/** A key that acts at once stands by itself: with Ctrl, Alt or Shift it would be a form of another. */
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
 * A key that acts at once is not the other case of a harmless one of the same place: Shift is easily left out, or held
 * too long.
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

/**
 * What the actions that were bound anew would get in the way of, held against the table as it comes; every sentence
 * once.
 */
export function clashes(table: readonly Binding[], rebound: ReboundKeys, usual: readonly Binding[]): Clash[] {
  const question: Question = { table, usual, isChanged: ({ action }) => rebound.has(action) }
  const all = [sameKey, takesTyping, modifiedDangers, slipsOfShift].flatMap((look) => look(question))
  return all.filter(({ sentence }, at) => all.findIndex((each) => each.sentence === sentence) === at)
}
