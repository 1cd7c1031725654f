import { expect, test } from 'vitest'
import { cancelAllKey, cancelKey, orderKey, withdrawalKey } from '../../src/domain/unknown-write.ts'

test('no two unknown writes go by one name', () => {
  const keys = [orderKey('41'), cancelKey('41'), cancelAllKey('41'), cancelAllKey(null), withdrawalKey('41')]
  expect(keys).toEqual(['41', 'cancel 41', 'cancel all 41', 'cancel all every symbol', 'withdrawal 41'])
})
