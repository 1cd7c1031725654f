import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { nextTurn } from '../../src/base/clock.ts'
import { lockRefusal } from '../../src/domain/desk/lock.ts'
import {
  acceptCode,
  codeAddress,
  isPassphrase,
  keepPassphrase,
  newCodeSecret,
  openDeskLock,
  waitAfter,
} from '../../src/lock/desk-lock.ts'
import { approverPath, lockPath, writeLock } from '../../src/lock/lock-file.ts'
import { aDeskLock, quicklyKept } from '../fakes/desk-lock.ts'
import { steadily } from '../fakes/eventually.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

const startMs = 1_700_000_000_000
const passphrase = 'correct horse battery'
const keptPassphrase = await quicklyKept(passphrase)

const codeAt = (secret: string, timestamp: number) =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp })

test('a passphrase opens, another does not, and the file holds neither, for the owner alone', async () => {
  const { path, folder, lock } = await aDeskLock(keptPassphrase)
  expect(lock.method).toBe('passphrase')
  expect(await lock.open('correct horse batterx')).toEqual({ kind: 'wrong', waitMs: 0 })
  expect(await lock.open(passphrase)).toEqual({ kind: 'opened' })
  expect(readFileSync(path, 'utf8')).not.toContain('horse')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder)).toEqual(['lock.json', 'lock.json.turn'])
})

test('the same passphrase is kept differently each time, and letters count however they are composed', async () => {
  const [one, other] = await Promise.all([
    keepPassphrase('café-au-lait', randomBytes),
    keepPassphrase('café-au-lait', randomBytes),
  ])
  expect(one.hash).not.toBe(other.hash)
  expect(await isPassphrase('cafe\u0301-au-lait', one)).toBe(true)
  expect(await isPassphrase('cafe-au-lait', one)).toBe(false)
})

test('wrong tries cost ever more time, also over a restart; what comes too early is not looked at', async () => {
  const { lock, clock, reopened } = await aDeskLock(keptPassphrase)
  expect(await lock.open('wrong one')).toEqual({ kind: 'wrong', waitMs: 0 })
  expect(await lock.open('wrong two')).toEqual({ kind: 'wrong', waitMs: 0 })
  expect(await lock.open('wrong three')).toEqual({ kind: 'wrong', waitMs: 1_000 })
  const restarted = await reopened()
  expect(await restarted.open(passphrase)).toEqual({ kind: 'early', waitMs: 1_000 })
  await clock.advance(1_000)
  expect(await restarted.open('wrong four')).toEqual({ kind: 'wrong', waitMs: 2_000 })
  await clock.advance(1_500)
  expect(await (await reopened()).open(passphrase)).toEqual({ kind: 'early', waitMs: 500 })
  await clock.advance(500)
  expect(await restarted.open(passphrase)).toEqual({ kind: 'opened' })
  expect(await restarted.open('wrong again')).toEqual({ kind: 'wrong', waitMs: 0 })
})

test('a try that the disk does not take is not looked at: it could be repeated for nothing', async () => {
  const { lock, path } = await aDeskLock(keptPassphrase)
  // Stands where the next text of the lock would be written.
  mkdirSync(`${path}.${process.pid}.new`)
  for (const typed of ['wrong one', passphrase])
    expect(await lock.open(typed)).toEqual({ kind: 'broken', sentence: expect.stringContaining('cannot be written') })
})

test('a try counts as wrong before it is looked at: ending the program in between gains nothing', async () => {
  const { lock, path } = await aDeskLock(keptPassphrase)
  const opening = lock.open('wrong')
  while (!readFileSync(path, 'utf8').includes('"wrongTries":1')) await nextTurn()
  expect(readFileSync(path, 'utf8')).toContain('"wrongTries":1')
  await opening
})

test('tries that come at once are taken one after the other', async () => {
  const { lock } = await aDeskLock(newCodeSecret(randomBytes))
  const answers = await Promise.all(['1', '2', '3', '4'].map((typed) => lock.open(typed)))
  expect(answers.map(({ kind }) => kind)).toEqual(['wrong', 'wrong', 'wrong', 'early'])
})

test('the wait never shrinks with the number of tries and is never more than ten minutes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), (tries) => {
      expect(waitAfter(tries + 1)).toBeGreaterThanOrEqual(waitAfter(tries))
      expect(waitAfter(tries)).toBeLessThanOrEqual(600_000)
    }),
  )
  expect(waitAfter(100)).toBe(600_000)
})

test('a wall clock that is set makes the wait after wrong tries neither shorter nor longer', async () => {
  for (const jumpMs of [86_400_000, -86_400_000]) {
    const { lock, clock } = await aDeskLock(keptPassphrase)
    for (const typed of ['wrong one', 'wrong two', 'wrong three']) await lock.open(typed)
    clock.setWall(jumpMs)
    expect(await lock.open(passphrase)).toEqual({ kind: 'early', waitMs: 1_000 })
    await clock.advance(1_000)
    expect(await lock.open(passphrase)).toEqual({ kind: 'opened' })
  }
})

test('of desks that try at once each has its turn: a code opens one of them, and every wrong try counts', async () => {
  const secret = newCodeSecret(randomBytes)
  const { path, clock, lock, reopened } = await aDeskLock(secret)
  const locks = [lock, await reopened(), await reopened()]
  const all = async (typed: string) => {
    const state = { isOver: false }
    const tries = Promise.all(locks.map((each) => each.open(typed))).finally(() => {
      state.isOver = true
    })
    // Whoever finds it taken tries again a moment later.
    await steadily(async () => {
      await clock.advance(1)
      if (!state.isOver) throw new Error('some are not over yet')
    })
    return (await tries).map(({ kind }) => kind).toSorted()
  }
  expect(await all(codeAt(secret.secret, startMs))).toEqual(['opened', 'wrong', 'wrong'])
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ wrongTries: 2 })
})

test('a code opens once; half a minute early or late it still opens, a minute it does not', async () => {
  const secret = newCodeSecret(randomBytes)
  const { lock, clock, reopened } = await aDeskLock(secret)
  const code = codeAt(secret.secret, startMs)
  expect(lock.method).toBe('code')
  expect(await lock.open(`${code.slice(0, 3)} ${code.slice(3)}`)).toEqual({ kind: 'opened' })
  expect(await lock.open(code)).toMatchObject({ kind: 'wrong', isUsed: true })
  const again = await (await reopened()).open(code)
  expect(again.kind === 'wrong' && lockRefusal(again)).toBe('Code used already, or older: type the next one.')
  await clock.advance(90_000)
  const late = codeAt(secret.secret, clock.now() - 30_000)
  expect(await lock.open(late)).toEqual({ kind: 'opened' })
  await clock.advance(300_000)
  const tooLate = await lock.open(codeAt(secret.secret, clock.now() - 60_000))
  expect(tooLate.kind === 'wrong' && lockRefusal(tooLate)).toMatch(/^Wrong passphrase or code\./)
})

test('after a code was used no earlier one opens, whatever the order', () => {
  const secret = newCodeSecret(randomBytes)
  const steps = fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(steps, (offsets) => {
      let kept = secret
      for (const offset of offsets) {
        const used = acceptCode(codeAt(secret.secret, startMs + offset * 30_000), kept, startMs)
        const step = Math.floor(startMs / 30_000) + offset
        // Two steps may share a code by chance; then the earlier of them is what counts.
        if (used !== null) expect(used.lastStep).toBeGreaterThan(kept.lastStep)
        else expect(kept.lastStep).toBeGreaterThanOrEqual(step)
        kept = used ?? kept
      }
    }),
    { numRuns: 50 },
  )
})

test('what an authenticator app is given says what it is for', () => {
  const secret = newCodeSecret(randomBytes)
  expect(secret.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(codeAddress(secret)).toMatch(/^otpauth:\/\/totp\/pitdesk.*secret=[A-Z2-7]{32}/)
})

type Spoiled = readonly [string, (path: string) => void, string]

const spoiled: readonly Spoiled[] = [
  ['readable by others', (path: string) => chmodSync(path, 0o644), 'Others can read the lock'],
  ['damaged', (path: string) => writeFileSync(path, '{"version":1,"secret":{"kind":"none"}}'), 'is damaged'],
  ['empty', (path: string) => writeFileSync(path, ''), 'is damaged'],
  [
    'of a newer version',
    (path: string) => writeFileSync(path, '{"version":2,"secret":{}}'),
    'was made by a newer pitdesk',
  ],
  ...Object.entries({
    'without passes': { ...keptPassphrase, passes: 0 },
    'without lanes': { ...keptPassphrase, parallelism: 0 },
    'with too little memory': { ...keptPassphrase, memoryKib: 1 },
    'with more memory than a machine has': { ...keptPassphrase, memoryKib: 4_000_000_000 },
    'without salt': { ...keptPassphrase, salt: 'AA==' },
    'with passes that are no whole number': { ...keptPassphrase, passes: 1.5 },
    'with letters that no code is made from': { kind: 'code', secret: 'secret 1', lastStep: 0 },
  }).map(
    ([how, secret]): Spoiled => [
      how,
      (path: string) => writeFileSync(path, JSON.stringify({ version: 1, secret, wrongTries: 0, lastWrongAtMs: 0 })),
      'is damaged',
    ],
  ),
]

test.each(spoiled)('a lock that is %s stays shut and says so', async (_, spoil, sentence) => {
  const { folder, path, clock, lock } = await aDeskLock(newCodeSecret(randomBytes))
  spoil(path)
  const reopened = await openDeskLock(folder, clock)
  expect(reopened).toMatchObject({ ok: false, error: expect.stringContaining(sentence) })
  expect(await lock.open('123456')).toMatchObject({ kind: 'broken', sentence: expect.stringContaining(sentence) })
})

/** A locked desk with an approver, Mona, whose passphrase is the one of these tests; `own` opens the desk. */
async function approvedBy(own: Parameters<typeof aDeskLock>[0]) {
  const { folder, path, reopened } = await aDeskLock(own)
  const record = { version: 1, secret: keptPassphrase, wrongTries: 0, lastWrongAtMs: 0, holder: 'Mona' } as const
  expect((await writeLock(approverPath(folder), record)).ok).toBe(true)
  return { folder, path, lock: await reopened() }
}

test('who approves types what does not open the desk: else whoever made the draft could have typed it', async () => {
  const { lock, path } = await approvedBy(newCodeSecret(randomBytes))
  expect(lock.approver).toBe('Mona')
  expect(await lock.approve('wrong one')).toEqual({ kind: 'wrong', waitMs: 0 })
  expect(await lock.approve(passphrase)).toEqual({ kind: 'approved', by: 'Mona' })
  await writeLock(path, { version: 1, secret: await quicklyKept('another one'), wrongTries: 0, lastWrongAtMs: 0 })
  expect(await lock.approve(passphrase)).toEqual({ kind: 'approved', by: 'Mona' })
  await writeLock(path, { version: 1, secret: keptPassphrase, wrongTries: 0, lastWrongAtMs: 0 })
  expect(await lock.approve(passphrase)).toEqual({ kind: 'same' })
  writeFileSync(path, '')
  expect(await lock.approve(passphrase)).toEqual({ kind: 'broken', sentence: expect.stringContaining('is damaged') })
})

test.each(spoiled)('a desk whose approver is %s does not begin without one', async (_, spoil, sentence) => {
  const { folder } = await approvedBy(keptPassphrase)
  spoil(approverPath(folder))
  expect(await openDeskLock(folder, new FakeClock(startMs))).toEqual({
    ok: false,
    error: expect.stringContaining(sentence),
  })
})

test('a lock whose file is taken away stays shut for the desk that began with it; without a file Enter opens', async () => {
  const { folder, path, clock, lock } = await aDeskLock(newCodeSecret(randomBytes))
  rmSync(path)
  expect(await lock.open('123456')).toMatchObject({ kind: 'broken' })
  const none = await openDeskLock(folder, clock)
  expect(none).toMatchObject({ ok: true, value: { method: 'none' } })
})

test('a lock that is set up while a desk without one runs is found, and tried like one that was there', async () => {
  const folder = temporaryFolder('lock')
  const lock = await openDeskLock(folder, new FakeClock(startMs))
  if (!lock.ok) throw new Error(lock.error)
  expect(await lock.value.renew()).toEqual({ ok: true, value: 'none' })
  const record = { version: 1, secret: keptPassphrase, wrongTries: 0, lastWrongAtMs: 0 } as const
  expect((await writeLock(lockPath(folder), record)).ok).toBe(true)
  expect(await lock.value.renew()).toEqual({ ok: true, value: 'passphrase' })
  expect((await lock.value.open('another one')).kind).toBe('wrong')
  expect((await lock.value.open(passphrase)).kind).toBe('opened')
})

test('a lock that cannot be written leaves nothing beside it', async () => {
  const folder = temporaryFolder('lock')
  mkdirSync(lockPath(folder))
  const written = await writeLock(lockPath(folder), {
    version: 1,
    secret: keptPassphrase,
    wrongTries: 0,
    lastWrongAtMs: 0,
  })
  expect(written).toEqual({ ok: false, error: expect.stringContaining('cannot be written') })
  expect(readdirSync(folder)).toEqual(['lock.json'])
})

test('a lock that was set up while the desk ran and is gone again opens nothing', async () => {
  const folder = temporaryFolder('lock')
  const opened = await openDeskLock(folder, new FakeClock(startMs))
  if (!opened.ok) throw new Error(opened.error)
  const { renew, open } = opened.value
  expect(await renew()).toEqual({ ok: true, value: 'none' })
  const path = lockPath(folder)
  await writeLock(path, { version: 1, secret: keptPassphrase, wrongTries: 0, lastWrongAtMs: 0 })
  expect(await renew()).toEqual({ ok: true, value: 'passphrase' })
  rmSync(path)
  expect(await renew()).toEqual({ ok: true, value: 'passphrase' })
  expect(await open('')).toMatchObject({ kind: 'broken' })
})
