import { err, ok, type Result } from '../../base/result.ts'
import {
  effectiveLimits,
  noPersonLimits,
  type PersonLimitName,
  type PersonLimits,
  type PersonLimitsChange,
  personLimitNames,
  readLimitText,
} from '../../domain/hub/person-limits.ts'
import { limitedRoles } from '../../domain/hub/roles.ts'
import {
  type ListedPerson,
  listPersons,
  readPersonName,
  roleLimits,
  setPersonLimits,
  setRoleLimits,
} from '../../hub/people/people.ts'
import { type Arguments, unknownWord } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Fields, failed, wrongUsage } from '../cli/exit-codes.ts'
import { amount, type Column, formOf, one, printOutcome, text } from '../cli/output.ts'
import { commandUser, nameOf, withHubStore } from './store.ts'

/** The limits themselves; a table has a dash for none. */
export const limitAmounts: readonly Column[] = [
  amount('orderUsd', 'ORDER USD'),
  amount('dayUsd', 'DAY USD'),
  amount('withdrawDayUsd', 'WITHDRAW DAY USD'),
]

/** The effective limits, and which of them are the person's own; a table has a dash for none. */
export const limitColumns: readonly Column[] = [...limitAmounts, text('ownLimits', 'OWN LIMITS', 1)]

/** The fields of these columns; a missing one means no limit. */
export const limitFields = (counting: PersonLimits, own: PersonLimits): Fields => ({
  ...counting,
  ownLimits: personLimitNames.filter((name) => own[name] !== null).join(' '),
})

const flagOf = { orderUsd: 'order-usd', dayUsd: 'day-usd', withdrawDayUsd: 'withdraw-day-usd' } as const

/** The changes set by the flags. The error is wrong usage. */
function changeOf(given: Arguments): Result<PersonLimitsChange> {
  const change: { -readonly [Name in keyof PersonLimitsChange]: PersonLimitsChange[Name] } = {}
  for (const name of personLimitNames) {
    const typed = given.value(flagOf[name])
    if (typed === undefined) continue
    const read = readLimitText(typed)
    if (!read.ok) return err(`--${flagOf[name]} ${read.error}`)
    change[name] = read.value
  }
  return ok(change)
}

/** Sets limits of a person, or shows the effective ones. */
export const runUserLimit: Run = async (given, io, tools) => {
  const name = nameOf(given, readPersonName, 'hub user limit ada --order-usd 5000')
  if (!name.ok) return wrongUsage(name.error)
  const change = changeOf(given)
  if (!change.ok) return wrongUsage(change.error)
  const isChange = Object.keys(change.value).length > 0
  return withHubStore(given, { io, tools }, { isChange }, async ({ pool }) => {
    const set = await setPersonLimits(pool, { name: name.value, change: change.value, by: commandUser() })
    if (!set.ok) return failed(set.error)
    const { role, limits: own } = set.value
    const counting = effectiveLimits(own, (await roleLimits(pool)).get(role) ?? noPersonLimits)
    const row = { name: set.value.name, role, ...limitFields(counting, own) }
    const columns = [text('name', 'NAME'), text('role', 'ROLE'), ...limitColumns]
    await printOutcome(one(row), columns, formOf(given, io.stdout), io)
    return isChange ? { ...done, did: `the limits of ${set.value.name} are set` } : done
  })
}

/** A note for each person of the role to whom a new role limit does not apply. */
function exempt({ name, ownLimits }: ListedPerson, own: readonly PersonLimitName[]): string {
  const limits = own.map((each) => `${flagOf[each]} ${ownLimits[each]?.toFixed()}`).join(', ')
  const none = own.map((each) => `--${flagOf[each]} none`).join(' ')
  return `Not for ${name}, whose own limits count: ${limits}. To end those: pitdesk hub user limit ${name} ${none}.`
}

/** Sets limits of a role, or shows them. */
export const runRoleLimit: Run = async (given, io, tools) => {
  const [word = ''] = given.words
  const role = limitedRoles.find((each) => each === word.toLowerCase())
  if (role === undefined) return wrongUsage(unknownWord('role with limits', word, limitedRoles))
  const change = changeOf(given)
  if (!change.ok) return wrongUsage(change.error)
  const isChange = Object.keys(change.value).length > 0
  return withHubStore(given, { io, tools }, { isChange }, async ({ pool }) => {
    const limits = await setRoleLimits(pool, { role, change: change.value, by: commandUser() })
    const columns = [text('role', 'ROLE'), ...limitAmounts]
    await printOutcome(one({ role, ...limits }), columns, formOf(given, io.stdout), io)
    for (const person of isChange ? await listPersons(pool) : []) {
      const own = personLimitNames.filter((name) => name in change.value && person.ownLimits[name] !== null)
      if (person.role === role && person.revokedAtMs === null && own.length > 0) io.printError(exempt(person, own))
    }
    return isChange ? { ...done, did: `the limits of ${role} are set` } : done
  })
}
