import { memoizeLast } from '../../base/memoize.ts'
import type { Mode } from '../../domain/desk/mode.ts'
import { keyInSentence, keyName } from '../../domain/desk/session.ts'
import type { Role } from '../../domain/hub/roles.ts'
import type { Commands } from '../../store/commands.ts'
import type { DeskState } from '../../store/desk.ts'
import { activeScopes, scopes as everyScope, type Scope, scopeTable } from './key-scopes.ts'

/** What an action works on: the commands, the state as the key finds it, the character typed, and the table itself. */
export type ActionInput = {
  commands: Commands
  state: DeskState
  text: string
  /** The table of keys as they are bound. */
  bindings: readonly Binding[]
  /** Does another action of the table, as if its key were pressed. */
  run(action: string): void
}
export type Run = (input: ActionInput) => void

/**
 * What is marked with `!`. `sends`: sends an order or money, so it waits for a beat and for nothing else to be pressed.
 * `acts`: takes orders out of the market, or says what became of one, at once. `halts`: takes risk away only, for
 * moments in which a line hangs and keys come late. `asks`: puts the question of a halt, which is harmless.
 */
type Danger = 'sends' | 'acts' | 'halts' | 'asks'
/**
 * `towardsSending`: brings a review that the next key sends, or what comes before it. `arms`: makes sending possible on
 * a desk that is not armed. `leaves`: leaves the desk.
 */
type Caution = 'towardsSending' | 'arms' | 'leaves'

/** A row of the table of actions: what the desk does, at which keys and where, and all that the screen says of it. */
export type Binding<Id extends string = string> = {
  scope: Scope
  keys: readonly string[]
  action: Id
  /** For help and manual, short; bindings of a scope that share one are one line there. */
  label: string
  /** In the palette, where the label is one for several keys, or says too little by itself. */
  name?: string
  /** For the line of keys at the foot; bindings that share one are shown together, those without are left out there. */
  foot?: string
  /** The first to be left out of the foot line when it is short. */
  footLast?: true
  /** It stays in the foot line however short that is, as what is dangerous does. */
  footKept?: 'always' | 'untilArmed'
  /** What the foot line says in place of `foot` in a mode, to whom a hub knows in this role; null: no hub. */
  footIn?: (mode: Mode, role: Role | null) => string
  /** How the keys are written where their names would be too long. */
  shown?: string
  danger?: Danger
  /** It is not a danger itself, but must not come from a key that was meant for something else. */
  caution?: Caution
  /** A pane's own meaning of its keys comes before it, whichever keys they are. */
  givesWay?: true
  /** Every character that no other key of the active scopes takes. */
  takesText?: true
  /** What its field does with a paste, `text`; unless given a paste does nothing there: it is to be typed by hand. */
  pasted?: Run
  /** A desk that only watches cannot do it in any of its moments: the foot line leaves it out there. */
  isWrite?: true
  /** Whether it is worth a name on the screen now; always unless given. */
  isOffered?: (state: DeskState) => boolean
  /** Why it does nothing now in its own place; null when it does something, as always unless given. */
  unavailable?: (state: DeskState) => string | null
  /** Why what it sends would be refused as it stands: said at once, with no beat that says it is being sent. */
  refusal?: (state: DeskState) => string | null
  run: Run
}

type Extra = Omit<Binding, 'scope' | 'keys' | 'action' | 'label' | 'run'>

/** An action that has keys in several places: all of its row but the places. */
type SharedAction<Id extends string> = Pick<
  Binding<Id>,
  'action' | 'run' | 'name' | 'danger' | 'caution' | 'isWrite' | 'unavailable'
>

export const sharedAction = <Id extends string>(
  action: Id,
  run: Run,
  extra: Omit<SharedAction<Id>, 'action' | 'run'> = {},
): SharedAction<Id> => ({ action, run, ...extra })

/** A writer of rows for one scope; `also` gives a shared action its keys there. */
export function inScope(scope: Scope) {
  const row = <Id extends string>(
    keys: readonly string[],
    action: Id,
    label: string,
    run: Run,
    extra: Extra = {},
  ): Binding<Id> => ({ scope, keys, action, label, run, ...extra })
  const also = <Id extends string>(
    keys: readonly string[],
    shared: SharedAction<Id>,
    label: string,
    extra: Extra = {},
  ): Binding<Id> => ({ scope, keys, label, ...shared, ...extra })
  return Object.assign(row, { also })
}

/** What the foot line does with a line of keys in a mode. */
type FootRules = { isKept(mode: Mode): boolean; footLabel(mode: Mode, role?: Role | null): string }

/** Keys and what they do, as help, foot line and manual write it. */
export type KeyEntry = {
  keys: string
  label: string
  actions: readonly string[]
  isDanger: boolean
  isLast: boolean
} & FootRules
type KeySection = { title: string; entries: readonly KeyEntry[] }

/** More keys for one thing than anyone needs to be told. */
const keysMax = 4

/**
 * The keys of bindings that belong together: the way the table writes them, else the first of each, then the others.
 */
function keysText(bindings: readonly Binding[]): string {
  const shown = bindings.find((binding) => binding.shown !== undefined)?.shown
  if (shown !== undefined) return shown
  const first = bindings.flatMap(({ keys }) => keys.slice(0, 1))
  const others = bindings.flatMap(({ keys }) => keys.slice(1))
  return [...new Set([...first, ...others])].slice(0, keysMax).map(keyName).join(' ')
}

const entryOf = (group: readonly Binding[], keys: string, label: string): KeyEntry => ({
  keys,
  label,
  actions: [...new Set(group.map(({ action }) => action))],
  isDanger: group.some(({ danger }) => danger !== undefined),
  isLast: group.some(({ footLast }) => footLast === true),
  isKept: (mode) =>
    group.some(
      ({ danger, footKept }) =>
        danger !== undefined || footKept === 'always' || (footKept === 'untilArmed' && mode.kind !== 'ARMED'),
    ),
  footLabel: (mode, role = null) => group.find(({ footIn }) => footIn !== undefined)?.footIn?.(mode, role) ?? label,
})

/** Bindings grouped by a text they share, in the order of the table. */
function grouped(
  bindings: readonly Binding[],
  textOf: (binding: Binding) => string | undefined,
): [string, Binding[]][] {
  const groups = new Map<string, Binding[]>()
  for (const binding of bindings) {
    const text = textOf(binding)
    if (text !== undefined) groups.set(text, [...(groups.get(text) ?? []), binding])
  }
  return [...groups]
}

function entriesOf(table: readonly Binding[], scopes: readonly Scope[]): KeyEntry[] {
  const bindings = table.filter(({ scope }) => scopes.includes(scope))
  const groups = grouped(bindings, ({ label }) => label)
  return groups.map(([, group]) => entryOf(group, keysText(group), group[0]?.label ?? ''))
}

/** Where keys act, in the order of the help and the manual. */
const sections: readonly { title: string; scopes: readonly Scope[] }[] = [
  ...Map.groupBy(everyScope, (scope) => scopeTable[scope].section),
].flatMap(([title, scopes]) => (title === undefined ? [] : [{ title, scopes }]))

/** Every key of a table, by where it acts. */
export function sectionsOf(table: readonly Binding[]): KeySection[] {
  const listed = new Set(sections.flatMap(({ scopes }) => scopes))
  const others = [...new Set(table.map(({ scope }) => scope))].filter((scope) => !listed.has(scope))
  const all = [...sections, ...others.map((scope) => ({ title: scope.toUpperCase(), scopes: [scope] }))]
  return all.map(({ title, scopes }) => ({ title, entries: entriesOf(table, scopes) }))
}

/** The keys of the active scopes for the foot line: scope by scope, and within one in the order of the table. */
export function footEntriesOf(table: readonly Binding[], scopes: readonly Scope[]): KeyEntry[] {
  const bindings = scopes.flatMap((scope) => table.filter((binding) => binding.scope === scope))
  return grouped(bindings, ({ foot }) => foot).map(([foot, group]) => {
    const first = group.filter(({ scope }) => scope === group[0]?.scope)
    const keys = first.flatMap((binding) => (binding.keys[0] === undefined ? [] : [keyName(binding.keys[0])]))
    return entryOf(group, keys.length === 0 ? (group[0]?.shown ?? '') : keys.join('/'), foot)
  })
}

/** The keys of one place that do something in it now. */
export const offeredEntriesOf = (table: readonly Binding[], scope: Scope, state: DeskState): KeyEntry[] =>
  footEntriesOf(
    table.filter(({ isOffered }) => isOffered?.(state) ?? true),
    [scope],
  )

/** What the palette calls the action of a binding. */
export const actionName = ({ name, label }: Binding): string => name ?? label

/** The scopes that act once the palette is closed: every line of the table is held against them. */
const scopesBehind = memoizeLast((state: DeskState) => activeScopes({ ...state, overlay: null }, false))

/** Why this binding's action does nothing on the desk as it is, an open palette apart; null when it does something. */
export function unavailableReason({ scope, unavailable }: Binding, state: DeskState): string | null {
  const scopes = scopesBehind(state)
  if (!scopes.includes(scope)) return scopeTable[scope].unavailable ?? 'works elsewhere'
  return unavailable?.(state) ?? null
}

/** The paragraph with the keys as they are bound. */
export const withKeys = (paragraph: string, bindings: readonly Binding[]): string =>
  paragraph.replace(/\{(\w+)\}/g, (whole, action: string) => {
    const key = bindings.find((binding) => binding.action === action && binding.keys.length > 0)?.keys[0]
    return key === undefined ? whole : keyInSentence(key)
  })
