import type { ReboundKeys } from '../../domain/key-setting.ts'
import { keyName } from '../key-help.ts'
import type { Binding, Scope } from './binding.ts'
import { settingName } from './rebinding.ts'
import { scopeSets } from './situations.ts'

/** Something that two bindings cannot both have; `action` is the one that was bound anew. */
export type Clash = { action: string; sentence: string }

const nameOf = ({ action }: Binding): string => `keys.${settingName(action)}`

const placeOf: Readonly<Partial<Record<Scope, string>>> = {
  desk: 'on the desk',
  anywhere: 'on the desk',
  interrupt: 'everywhere',
  ladder: 'on the ladder',
  orders: 'in the orders',
  rows: 'in the lists',
  list: 'in the lists',
  ticket: 'in the ticket',
  review: 'in the review of an order',
  small: 'on a small screen',
}
const inScope = ({ scope }: Binding): string => placeOf[scope] ?? `in "${scope}"`

/** What is asked before it acts is not what a slip of the finger sets off. */
const actsAtOnce = ({ danger, action }: Binding): boolean => danger === true && action !== 'askHalt'

const otherCase = (key: string): string => (key.toLowerCase() === key ? key.toUpperCase() : key.toLowerCase())

/** One key for two actions that can both be meant. */
function sameKey(table: readonly Binding[], isChanged: (binding: Binding) => boolean): Clash[] {
  return scopeSets(table).flatMap((scopes) => {
    const active = table.filter(({ scope }) => scopes.includes(scope))
    return active.flatMap((one, at) =>
      active.slice(at + 1).flatMap((two) => {
        const key = one.keys.find((each) => two.keys.includes(each))
        if (key === undefined || !(isChanged(one) || isChanged(two)) || one.action === two.action) return []
        const [changed, other] = isChanged(two) ? [two, one] : [one, two]
        const sentence = `${nameOf(changed)} and ${nameOf(other)} both want ${keyName(key)} ${inScope(other)}: give one of them another key`
        return [{ action: changed.action, sentence }]
      }),
    )
  })
}

/** A character that a field of the same place is typed with. The ticket's fields take digits and small letters, others everything. */
function takesTyping(table: readonly Binding[], isChanged: (binding: Binding) => boolean): Clash[] {
  return scopeSets(table).flatMap((scopes) => {
    const active = table.filter(({ scope }) => scopes.includes(scope))
    const field = active.find(({ takesText }) => takesText === true)
    if (field === undefined) return []
    const isTyped = (key: string) => (field.scope === 'ticket' ? /^[\p{Ll}\d.,]$|^space$/u : /^.$|^space$/u).test(key)
    return active.filter(isChanged).flatMap((binding) => {
      const key = binding.keys.find(isTyped)
      if (key === undefined) return []
      const sentence = `${nameOf(binding)} cannot be ${keyName(key)}: it acts ${inScope(field)} too, where ${keyName(key)} is typed`
      return [{ action: binding.action, sentence }]
    })
  })
}

/** No key that sends or takes back orders may be one that a harmless key becomes with Shift, Ctrl or Alt. */
function dangerousSlips(table: readonly Binding[], isChanged: (binding: Binding) => boolean): Clash[] {
  return table.filter(actsAtOnce).flatMap((danger): Clash[] => {
    const modified = danger.keys.find((key) => /^(ctrl|alt|shift)\+/.test(key))
    if (modified !== undefined && isChanged(danger)) {
      const sentence = `${nameOf(danger)} acts at once and cannot be ${keyName(modified)}: a dangerous key stands by itself, without Ctrl, Alt or Shift`
      return [{ action: danger.action, sentence }]
    }
    return table.flatMap((other): Clash[] => {
      if (other.danger === true || !(isChanged(danger) || isChanged(other))) return []
      const key = danger.keys.find(
        (each) => each.length === 1 && otherCase(each) !== each && other.keys.includes(otherCase(each)),
      )
      if (key === undefined) return []
      const sentence = `${nameOf(danger)} with ${key} is a slip of Shift away from ${nameOf(other)} with ${otherCase(key)}: a dangerous key must not be`
      return [{ action: (isChanged(danger) ? danger : other).action, sentence }]
    })
  })
}

/** What the actions that were bound anew would get in the way of; every sentence once. */
export function clashes(table: readonly Binding[], rebound: ReboundKeys): Clash[] {
  const isChanged = ({ action }: Binding) => rebound.has(action)
  const all = [...sameKey(table, isChanged), ...takesTyping(table, isChanged), ...dangerousSlips(table, isChanged)]
  return all.filter(({ sentence }, at) => all.findIndex((each) => each.sentence === sentence) === at)
}
