import { expect, test } from 'vitest'
import { acts, limitedRoles, may, roles, rolesWith } from '../../../src/domain/hub/roles.ts'

test('what each role may do', () => {
  const table = roles.map((role) => [role, acts.filter((act) => may(role, act)).join(' ')])
  expect(table).toEqual([
    ['viewer', 'read stream'],
    ['trader', 'read stream placeOrder cancel cancelAll depositAddress withdraw draft plan'],
    ['approver', 'read stream approve'],
    ['admin', 'read stream settle audit halt endPlans'],
  ])
})

test('nobody both drafts and approves, and every act is somebody’s', () => {
  expect(roles.filter((role) => may(role, 'draft') && may(role, 'approve'))).toEqual([])
  expect(acts.filter((act) => !roles.some((role) => may(role, act)))).toEqual([])
})

test('limits of money are for those who trade', () => {
  expect(limitedRoles).toEqual(['trader'])
  expect(rolesWith('halt')).toEqual(['admin'])
  expect(rolesWith('read')).toEqual(roles)
})
