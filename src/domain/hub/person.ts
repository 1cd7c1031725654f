import type { Decimal } from '../money.ts'
import { type PersonLimitName, personLimitNames, readLimitText } from './person-limits.ts'
import { may, type Role } from './roles.ts'

/** As whom a hub knows a desk, and the name of the account at the exchange that it trades; null where untold. */
export type HubPerson = {
  name: string
  role: Role
  account: string | null
  /** Why the hub lets no order and no withdrawal leave; null while it does. */
  halted: string | null
  /** In USD, as the hub writes them; null where it tells none. */
  limits: PersonLimitTexts | null
}
export type PersonLimitTexts = Readonly<Record<PersonLimitName, string | null>>

const limitWords: Readonly<Record<PersonLimitName, string>> = {
  orderUsd: 'an order',
  dayUsd: "a day's orders",
  withdrawDayUsd: "a day's withdrawals",
}

/** `an order up to 5000 USD, a day's withdrawals up to 100 USD`; `none` where nothing is limited. */
export function personLimitsText(limits: PersonLimitTexts | null): string {
  const told = personLimitNames.flatMap((name) => {
    const usd = limits?.[name] ?? null
    return usd === null ? [] : [`${limitWords[name]} up to ${usd} USD`]
  })
  return told.length === 0 ? 'none' : told.join(', ')
}

/** A limit of the person's at the hub in USD; null where it sets none, or one that cannot be read. */
export function hubLimitUsd(person: Pick<HubPerson, 'limits'> | null, name: PersonLimitName): Decimal | null {
  const usd = readLimitText(person?.limits?.[name] ?? 'none')
  return usd.ok ? usd.value : null
}

/** Whoever may place no orders there has a desk that only reads. */
export const mayTradeAtHub = ({ role }: Pick<HubPerson, 'role'>): boolean => may(role, 'placeOrder')
