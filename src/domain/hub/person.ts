import { may, type Role } from './roles.ts'

/** As whom a hub knows a desk, and the name of the account at the exchange that it trades; null where untold. */
export type HubPerson = { name: string; role: Role; account: string | null }

/** Whoever may place no orders there has a desk that only reads. */
export const mayTradeAtHub = ({ role }: Pick<HubPerson, 'role'>): boolean => may(role, 'placeOrder')
