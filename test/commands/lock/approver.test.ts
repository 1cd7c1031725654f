import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDeskLock } from '../../../src/lock/desk-lock.ts'
import { setUpLock } from '../../fakes/desk-lock.ts'
import { twice } from '../harness.ts'
import { aHome } from './lock-home.ts'

const own = 'correct horse battery'
const other = 'another bird entirely'

const approverFile = (stateFolder: string): string => join(stateFolder, 'approver.json')

/** A home with the desk's lock in it, and how to see what is kept of the approver, Ada. */
async function aLockedHome({ hasApprover = false } = {}) {
  const home = aHome()
  await setUpLock(home.home, own)
  if (hasApprover) await setUpLock(home.home, other, 'Ada')
  const path = approverFile(home.stateFolder)
  const kept = (): { holder: string; secret: unknown } => JSON.parse(readFileSync(path, 'utf8'))
  const opened = async () => {
    const lock = await openDeskLock(home.stateFolder, home.clock)
    if (!lock.ok) throw new Error(lock.error)
    return lock.value
  }
  return { ...home, approverPath: path, kept, opened }
}

test('the desk lock is opened, the other person types a passphrase twice, and approves with it from then on', async () => {
  const { run, approverPath, kept, opened } = await aLockedHome()
  const setup = await run('lock approver setup Ada', `${own}\r${twice(other)}`)
  expect(setup).toMatchObject({ code: 0, raw: [true, false] })
  expect(setup.said).toContain('Ada approves withdrawals from now on')
  expect(setup.said).not.toContain('bird')
  expect(readFileSync(approverPath, 'utf8')).not.toContain('bird')
  expect(statSync(approverPath).mode & 0o777).toBe(0o600)
  expect(kept().holder).toBe('Ada')
  const lock = await opened()
  expect(lock.approver).toBe('Ada')
  expect(await lock.approve(own)).toEqual({ kind: 'wrong', waitMs: 0 })
  expect(await lock.approve(other)).toEqual({ kind: 'approved', by: 'Ada' })
  expect(kept().holder).toBe('Ada')
  expect(await lock.open(other)).toMatchObject({ kind: 'wrong' })
})

test('without a lock of the desk there is no approver, and the lock stays while there is one', async () => {
  const home = aHome()
  const none = await home.run('lock approver setup Ada', twice(other))
  expect(none).toMatchObject({ code: 1, said: expect.stringContaining('pitdesk lock setup') })
  const { run } = await aLockedHome({ hasApprover: true })
  const removed = await run('lock remove', `${own}\r`)
  expect(removed).toMatchObject({ code: 1, said: expect.stringContaining('run pitdesk lock approver remove first') })
  expect((await run('lock approver remove', `${other}\r`)).code).toBe(0)
  expect((await run('lock remove', `${own}\r`)).code).toBe(0)
})

test.each([
  ['the desk lock stays shut', `wrong one\r${twice(other)}`, 'Wrong passphrase or code. Nothing was changed.'],
  ['it opens the desk lock too', `${own}\r${twice(own)}`, "That passphrase opens the desk's lock"],
  ['it is too short', `${own}\r${twice('short')}`, '8 characters or more'],
  ['it is not the same twice', `${own}\r${other}\r${other}x\r`, 'The two are not the same'],
  ['nothing is typed', `${own}\r\u0003`, 'Nothing was typed'],
])('no approver is set up when %s', async (_, typed, sentence) => {
  const { run, approverPath } = await aLockedHome()
  const { code, said } = await run('lock approver setup Ada', typed)
  expect(code).toBe(1)
  expect(said).toContain(sentence)
  expect(existsSync(approverPath)).toBe(false)
})

test('only the person who is set up makes room for another, or for nobody', async () => {
  const { run, kept, approverPath } = await aLockedHome({ hasApprover: true })
  const before = kept().secret
  const taken = await run('lock approver setup Bob', `${own}\r${own}\r${twice('a third one here')}`)
  expect(taken).toMatchObject({ code: 1, said: expect.stringContaining('Ada approves withdrawals now') })
  expect(kept()).toMatchObject({ holder: 'Ada', secret: before })
  expect((await run('lock approver remove', `${own}\r`)).code).toBe(1)
  expect((await run('lock approver setup Bob', `${own}\r${other}\r${twice('a third one here')}`)).code).toBe(0)
  expect(kept().holder).toBe('Bob')
  const removed = await run('lock approver remove', 'a third one here\r')
  expect(removed.code).toBe(0)
  // Their approvals stay good, as a draft says that is sent later.
  expect(removed.printed.join('\n')).toContain('drafts that Bob approved may still go')
  expect(existsSync(approverPath)).toBe(false)
  expect((await run('lock approver remove', '')).printed).toEqual(['No approver is set up.'])
})

test('the lock of the desk does not take the passphrase of the approver', async () => {
  const { run } = await aLockedHome({ hasApprover: true })
  const same = await run('lock setup', `${own}\r${twice(other)}`)
  expect(same).toMatchObject({ code: 1, said: expect.stringContaining("approver's passphrase") })
  expect((await run('lock setup', `${own}\r${twice('quite a new one')}`)).code).toBe(0)
})

test('a name is a short text without control characters', async () => {
  const { run, kept } = await aLockedHome()
  const long = await run(`lock approver setup ${'a'.repeat(41)}`, '')
  expect(long).toMatchObject({ code: 1, said: expect.stringContaining('1 to 40 characters') })
  expect((await run('lock approver setup A\u001b[2Jda', `${own}\r${twice(other)}`)).code).toBe(0)
  expect(kept().holder).toBe('A[2Jda')
})

test('without a terminal nothing is asked; other words are wrong usage', async () => {
  const { run } = await aLockedHome()
  expect(await run('lock approver setup Ada', `${own}\r${twice(other)}`, false)).toMatchObject({ code: 1, raw: [] })
  expect((await run('lock approver', '')).code).toBe(2)
  expect((await run('lock approver list', '')).code).toBe(2)
  expect((await run('lock approver remove Ada', '')).code).toBe(2)
})
