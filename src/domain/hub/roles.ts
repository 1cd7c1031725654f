/** What a person of a hub is there for. */
export const roles = ['viewer', 'trader', 'approver', 'admin'] as const
export type Role = (typeof roles)[number]

/**
 * What can be asked of a hub. `draft`: save, change and drop drafts of withdrawals; `plan`:
 * begin plans and change own ones; `endPlans`: end those of others; `approve`: agree to the draft of
 * somebody else; `settle`: say what became of a write without an answer; `audit`: read who did what; `halt`: stop and
 * allow all new orders and withdrawals.
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

/** Nobody both asks for money to leave and agrees to it, and who settles and halts does not trade. */
const allowed: Readonly<Record<Role, readonly Act[]>> = {
  viewer: looks,
  trader: [...looks, 'placeOrder', 'cancel', 'cancelAll', 'depositAddress', 'withdraw', 'draft', 'plan'],
  approver: [...looks, 'approve'],
  admin: [...looks, 'settle', 'audit', 'halt', 'endPlans'],
}

/** Whether a role may do that at all; limits and the rule that nobody approves their own draft come on top. */
export const may = (role: Role, act: Act): boolean => allowed[role].includes(act)

/** The roles to which limits of money mean something. */
export const limitedRoles: readonly Role[] = roles.filter((role) => may(role, 'placeOrder') || may(role, 'withdraw'))
