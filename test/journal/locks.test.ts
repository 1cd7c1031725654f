import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nextTurn } from '../../src/base/clock.ts'
import { type Lock, Turns, takeLock } from '../../src/journal/locks.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { openFileCount } from './disk-calls.ts'

const aPath = () => join(temporaryFolder('locks'), 'lock')

function held(path: string): Lock {
  const lock = takeLock(path)
  if (!lock.ok || lock.value === null) throw new Error('it cannot be locked')
  return lock.value
}

test('a lock is held by one at a time, in a file for the owner alone that nothing is ever written to', () => {
  const path = aPath()
  const first = held(path)
  expect(takeLock(path)).toEqual({ ok: true, value: null })
  expect(statSync(path)).toMatchObject({ size: 0 })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(join(path, '..'))).toEqual(['lock'])
  first.release()
  held(path).release()
  expect(statSync(path).size).toBe(0)
})

/** Whether another process gets the lock. */
const isFreeElsewhere = (path: string) => {
  const program = `try { new (require('node:sqlite').DatabaseSync)(${JSON.stringify(path)}).exec('BEGIN EXCLUSIVE') }
    catch { process.exit(7) }`
  return spawnSync(process.execPath, ['-e', program], { stdio: 'ignore' }).status === 0
}

test('a look at a lock that this process has lets no other process have it, and leaves nothing open', () => {
  const path = aPath()
  const lock = held(path)
  // SQLite keeps one file open until the lock is let go of.
  expect(takeLock(path)).toEqual({ ok: true, value: null })
  const before = openFileCount()
  for (let times = 0; times < 3; times += 1) expect(takeLock(path)).toEqual({ ok: true, value: null })
  expect(openFileCount()).toBeLessThanOrEqual(before)
  expect(isFreeElsewhere(path)).toBe(false)
  lock.release()
  expect(isFreeElsewhere(path)).toBe(true)
})

test('what the disk says against a lock is told, and is nobody’s lock', () => {
  const path = aPath()
  expect(takeLock(join(path, 'none'))).toEqual({ ok: false, error: 'none: no such file or folder (ENOENT)' })
  mkdirSync(path)
  expect(takeLock(path)).toEqual({ ok: false, error: `${basename(path)}: not a plain file (EFTYPE)` })
  const other = aPath()
  writeFileSync(other, 'something else that stands here, longer than the head of any database would ever be'.repeat(20))
  expect(takeLock(other)).toEqual({ ok: false, error: `${basename(other)}: file is not a database` })
})

test('turns come one after the other, also after one that failed, and leave the lock free', async () => {
  const path = aPath()
  const turns = new Turns(path, 'works')
  const order: string[] = []
  const first = turns.alone(async () => {
    order.push('first begins')
    await nextTurn()
    expect(takeLock(path)).toEqual({ ok: true, value: null })
    order.push('first ends')
    throw new Error('a fault')
  })
  const second = turns.alone(() => Promise.resolve(order.push('second')))
  await expect(first).rejects.toThrow('a fault')
  expect(await second).toBe(3)
  expect(order).toEqual(['first begins', 'first ends', 'second'])
  held(path).release()
})

test('somebody else’s turn is waited for, with all else going on meanwhile, and only so long', async () => {
  const path = aPath()
  const lock = held(path)
  let isFree = false
  onTestFinished(() => {
    if (!isFree) lock.release()
  })
  let runs = 0
  const run = () => {
    runs += 1
    return Promise.resolve('done')
  }
  await expect(new Turns(path, 'of this account is sending', 2).alone(run)).rejects.toMatchObject({
    ...{ name: 'JournalError', message: 'another desk or command of this account is sending: try again' },
  })
  expect(runs).toBe(0)
  const waiting = new Turns(path, 'works').alone(run)
  for (let turns = 0; turns < 3; turns += 1) await nextTurn()
  expect(runs).toBe(0)
  lock.release()
  isFree = true
  expect(await waiting).toBe('done')
  const noLock = new Turns(join(path, 'none'), 'works').alone(run)
  await expect(noLock).rejects.toMatchObject({
    name: 'JournalError',
    message: `the journal cannot be locked: ${path}/none: a file is in the place of a folder (ENOTDIR)`,
  })
  expect(runs).toBe(1)
})
