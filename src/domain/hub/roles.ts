/** Roles of persons at a hub. */
export const roles = ['viewer', 'trader', 'approver', 'admin'] as const
export type Role = (typeof roles)[number]

/**
 * Actions at a hub. `draft`: save, change and drop withdrawal drafts; `plan`: start plans and change own ones;
 * `endPlans`: end others' plans; `approve`: approve others' drafts; `settle`: resolve unknown outcomes; `audit`: read
 * the audit list; `halt`: stop and permit all new orders and withdrawals.
 */
export const acts = [
  'read',
  'stream',
  'placeOrder',
  'cancel',
  'cancelAll',
  'depositAddress',
  'withdraw',
  'draft',
  'plan',
  'approve',
  'settle',
  'audit',
  'halt',
  'endPlans',
] as const
export type Act = (typeof acts)[number]

const looks: readonly Act[] = ['read', 'stream']

/** No one may both request and approve withdrawals, and those who resolve and halt do not trade. */
const allowed: Readonly<Record<Role, readonly Act[]>> = {
  viewer: looks,
  trader: [...looks, 'placeOrder', 'cancel', 'cancelAll', 'depositAddress', 'withdraw', 'draft', 'plan'],
  approver: [...looks, 'approve'],
  admin: [...looks, 'settle', 'audit', 'halt', 'endPlans'],
}

/** True when a role may do this at all; limits, and the rule that no one approves their own draft, also apply. */
export const may = (role: Role, act: Act): boolean => allowed[role].includes(act)

/** The roles that may do this. */
export const rolesWith = (act: Act): readonly Role[] => roles.filter((role) => may(role, act))

/** The roles for which limits of money matter. */
export const limitedRoles: readonly Role[] = roles.filter((role) => may(role, 'placeOrder') || may(role, 'withdraw'))
