import { expect, test } from 'vitest'
import { isLocked, type LockState } from '../../../src/domain/desk/lock.ts'
import { type ActionId, findBinding, keymap } from '../../../src/ui/keys/keymap.ts'
import { activeScopes } from '../../../src/ui/tables/key-scopes.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { everyLock, everyLockMethod, everyOverlay, everyTicket } from '../../fakes/situations.ts'

const allowed: readonly ActionId[] = [
  'beginUnlock',
  'typeIntoLock',
  'eraseInLock',
  'clearLock',
  'submitLock',
  'leaveLock',
  'refuseToLeave',
  'redraw',
  'askHalt',
  'typeIntoHalt',
  'eraseInHalt',
  'clearHalt',
  'confirmHalt',
]
const keys = [...new Set(keymap.flatMap((binding) => binding.keys)), 'a', '5']

test('behind the lock screen no key does more than open it and halt, whatever was open before', () => {
  const shut = everyLock.filter(isLocked)
  for (const lock of shut)
    for (const lockMethod of everyLockMethod)
      for (const overlay of everyOverlay)
        for (const ticket of everyTicket)
          for (const isTooSmall of [true, false]) {
            const scopes = activeScopes(deskState({ lock, lockMethod, overlay, ticket }), isTooSmall)
            const found = keys.map((key) => findBinding(scopes, key, key.length === 1 ? key : null)?.action)
            const done = new Set(found.filter((action) => action !== undefined))
            // Where nothing but Enter holds it shut, it may also be left.
            if (lockMethod === 'none') for (const leaving of ['quitNow', 'suspend'] as const) done.delete(leaving)
            expect([...done].filter((action) => !allowed.includes(action) && action !== 'closeOverlay')).toEqual([])
            expect(done.has('closeOverlay')).toBe(overlay?.kind === 'halt')
          }
  expect(shut.map(({ kind }) => kind)).toEqual(['covered', 'typing', 'checking'])
})

test('in the field of the lock K and Z are letters, at rest K asks to halt', () => {
  const at = (lock: LockState) => activeScopes(deskState({ lock, lockMethod: 'passphrase' }), false)
  for (const key of ['K', 'Z', 'q', '?'])
    expect(findBinding(at({ kind: 'typing', length: 0 }), key, key)?.action).toBe('typeIntoLock')
  expect(findBinding(at({ kind: 'covered', sentence: '' }), 'K', 'K')?.action).toBe('askHalt')
})
