/** What a person may do at a hub. Whoever is no trader changes nothing at the exchange through it. */
export const hubRoles = ['viewer', 'trader', 'approver', 'admin'] as const
export type HubRole = (typeof hubRoles)[number]

/** As whom a hub knows the desk, and the name of the account at the exchange that it trades; null where untold. */
export type HubPerson = { name: string; role: HubRole; account: string | null }

export const mayTradeAtHub = ({ role }: Pick<HubPerson, 'role'>): boolean => role === 'trader'
