import { Decimal } from '../money.ts'
import { type PersonLimitName, personLimitNames } from './person-limits.ts'
import { may, type Role } from './roles.ts'

/** The person a hub identifies a desk with, and the name of its account at the exchange; null when not told. */
export type HubPerson = {
  name: string
  role: Role
  account: string | null
  /** Why the hub sends no orders or withdrawals; null while it does. */
  halted: string | null
  /** In USD, in plain digits; null when the hub sends none. */
  limits: PersonLimitTexts | null
}
export type PersonLimitTexts = Readonly<Record<PersonLimitName, string | null>>

const limitWords: Readonly<Record<PersonLimitName, string>> = {
  orderUsd: 'an order',
  dayUsd: "a day's orders",
  withdrawDayUsd: "a day's withdrawals",
}

/** `an order up to 5000 USD, a day's withdrawals up to 100 USD`; `none` without limits. */
export function personLimitsText(limits: PersonLimitTexts | null): string {
  const told = personLimitNames.flatMap((name) => {
    const usd = limits?.[name] ?? null
    return usd === null ? [] : [`${limitWords[name]} up to ${usd} USD`]
  })
  return told.length === 0 ? 'none' : told.join(', ')
}

/** A person's limit at the hub in USD; null when not set. */
export function hubLimitUsd(person: Pick<HubPerson, 'limits'> | null, name: PersonLimitName): Decimal | null {
  const usd = person?.limits?.[name] ?? null
  return usd === null ? null : new Decimal(usd)
}

/** False for persons who may not place orders; their desk only reads. */
export const mayTradeAtHub = ({ role }: Pick<HubPerson, 'role'>): boolean => may(role, 'placeOrder')

/** Why the hub takes no new order, plan or withdrawal of this person; null when neither role nor halt forbids it. */
export function heldAtHub(person: Pick<HubPerson, 'role' | 'halted'>): string | null {
  if (!mayTradeAtHub(person)) return `the role ${person.role} may not trade`
  return person.halted === null ? null : `the hub is halted (${person.halted}), and only cancels go`
}
