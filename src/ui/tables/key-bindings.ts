import { memoizeLast } from '../../base/memoize.ts'
import type { Mode } from '../../domain/desk/mode.ts'
import { keyInSentence, keyName } from '../../domain/desk/session.ts'
import type { Role } from '../../domain/hub/roles.ts'
import type { Commands } from '../../store/commands.ts'
import type { DeskState } from '../../store/desk.ts'
import { activeScopes, scopes as everyScope, type Scope, scopeTable } from './key-scopes.ts'

/** An action's inputs: the commands, the state when the key is pressed, the typed character, and the key table. */
export type ActionInput = {
  commands: Commands
  state: DeskState
  text: string
  /** The key table with the user's bindings. */
  bindings: readonly Binding[]
  /** Runs another action of the table, as if its key were pressed. */
  run(action: string): void
}
export type Run = (input: ActionInput) => void

/**
 * Actions marked with `!`. `sends`: sends an order or money, so it waits a moment in which no other key may be pressed.
 * `acts`: cancels orders, or records an order's outcome, at once. `halts`: only removes risk, so it works even if the
 * line stalls and keys arrive late. `asks`: asks whether to halt, which is harmless.
 */
type Danger = 'sends' | 'acts' | 'halts' | 'asks'
/**
 * `towardsSending`: opens a review that the next key sends, or a step before it. `arms`: allows sending on a desk that
 * is not armed. `leaves`: quits the desk.
 */
type Caution = 'towardsSending' | 'arms' | 'leaves'

/** A row of the key table: what the desk does, on which keys and where, with all its wording on screen. */
export type Binding<Id extends string = string> = {
  scope: Scope
  keys: readonly string[]
  action: Id
  /** Short, for help and manual; bindings of a scope that share a label are one line there. */
  label: string
  /** For the palette, if the label covers several keys or is too terse by itself. */
  name?: string
  /** For the key line at the foot; bindings that share it are shown together, those without it are not shown there. */
  foot?: string
  /** The first to be dropped from the key line when it is short of room. */
  footLast?: true
  /** Never dropped from the key line, like dangerous keys. */
  footKept?: 'always' | 'untilArmed'
  /** Replaces `foot` by mode and by the user's role at a hub; a null role means no hub. */
  footIn?: (mode: Mode, role: Role | null) => string
  /** How the keys are written if their names would be too long. */
  shown?: string
  danger?: Danger
  /** Not a danger by itself, but must not be triggered by a key meant for something else. */
  caution?: Caution
  /** A pane's own bindings take precedence over it, whatever the keys. */
  givesWay?: true
  /** Takes every character that no other key of the active scopes takes. */
  takesText?: true
  /** Handles a paste, given as `text`; unless given, pastes are ignored: the input must be typed by hand. */
  pasted?: Run
  /** A read-only desk can never do it: the key line omits it there. */
  isWrite?: true
  /** Whether it is currently worth showing; always unless given. */
  isOffered?: (state: DeskState) => boolean
  /** Why it would do nothing at the moment, in its own scope; null if it works, as it always does unless given. */
  unavailable?: (state: DeskState) => string | null
  /**
   * Why what it sends would be refused at the moment: reported at once, without first showing that it is being sent.
   */
  refusal?: (state: DeskState) => string | null
  run: Run
}

type Extra = Omit<Binding, 'scope' | 'keys' | 'action' | 'label' | 'run'>

/** An action with keys in several scopes: its row without the scopes. */
type SharedAction<Id extends string> = Pick<
  Binding<Id>,
  'action' | 'run' | 'name' | 'danger' | 'caution' | 'isWrite' | 'unavailable'
>

export const sharedAction = <Id extends string>(
  action: Id,
  run: Run,
  extra: Omit<SharedAction<Id>, 'action' | 'run'> = {},
): SharedAction<Id> => ({ action, run, ...extra })

/** Makes rows for one scope; `also` binds a shared action there. */
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

/** How the key line treats a group of keys in a mode. */
type FootRules = { isKept(mode: Mode): boolean; footLabel(mode: Mode, role?: Role | null): string }

/** Keys and their action, as shown in help, key line and manual. */
export type KeyEntry = {
  keys: string
  label: string
  actions: readonly string[]
  isDanger: boolean
  isLast: boolean
} & FootRules
type KeySection = { title: string; entries: readonly KeyEntry[] }

/** More keys for one action need not be listed. */
const keysMax = 4

/** The keys of a group of bindings: as `shown` says, otherwise the first key of each, then the others. */
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

/** Bindings grouped by a shared text, in table order. */
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

/** Sections of scopes, in the order of help and manual. */
const sections: readonly { title: string; scopes: readonly Scope[] }[] = [
  ...Map.groupBy(everyScope, (scope) => scopeTable[scope].section),
].flatMap(([title, scopes]) => (title === undefined ? [] : [{ title, scopes }]))

/** Every key of a table, by section. */
export function sectionsOf(table: readonly Binding[]): KeySection[] {
  const listed = new Set(sections.flatMap(({ scopes }) => scopes))
  const others = [...new Set(table.map(({ scope }) => scope))].filter((scope) => !listed.has(scope))
  const all = [...sections, ...others.map((scope) => ({ title: scope.toUpperCase(), scopes: [scope] }))]
  return all.map(({ title, scopes }) => ({ title, entries: entriesOf(table, scopes) }))
}

/** The active scopes' keys for the key line: scope by scope, in table order within each. */
export function footEntriesOf(table: readonly Binding[], scopes: readonly Scope[]): KeyEntry[] {
  const bindings = scopes.flatMap((scope) => table.filter((binding) => binding.scope === scope))
  return grouped(bindings, ({ foot }) => foot).map(([foot, group]) => {
    const first = group.filter(({ scope }) => scope === group[0]?.scope)
    const keys = first.flatMap((binding) => (binding.keys[0] === undefined ? [] : [keyName(binding.keys[0])]))
    return entryOf(group, keys.length === 0 ? (group[0]?.shown ?? '') : keys.join('/'), foot)
  })
}

/** The keys of one scope that currently do something. */
export const offeredEntriesOf = (table: readonly Binding[], scope: Scope, state: DeskState): KeyEntry[] =>
  footEntriesOf(
    table.filter(({ isOffered }) => isOffered?.(state) ?? true),
    [scope],
  )

/** The palette's name for a binding's action. */
export const actionName = ({ name, label }: Binding): string => name ?? label

/** The scopes that become active once the palette closes: every palette line is checked against them. */
const scopesBehind = memoizeLast((state: DeskState) => activeScopes({ ...state, overlay: null }, false))

/** Why this binding's action would do nothing at the moment, an open palette aside; null if it works. */
export function unavailableReason({ scope, unavailable }: Binding, state: DeskState): string | null {
  const scopes = scopesBehind(state)
  if (!scopes.includes(scope)) return scopeTable[scope].unavailable ?? 'works elsewhere'
  return unavailable?.(state) ?? null
}

/** The paragraph with the keys as bound. */
export const withKeys = (paragraph: string, bindings: readonly Binding[]): string =>
  paragraph.replace(/\{(\w+)\}/g, (whole, action: string) => {
    const key = bindings.find((binding) => binding.action === action && binding.keys.length > 0)?.keys[0]
    return key === undefined ? whole : keyInSentence(key)
  })
