import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ok } from '../../src/base/result.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { WithdrawalDraft } from '../../src/domain/transfers/draft.ts'
import { takeLock } from '../../src/journal/locks.ts'
import { createDraftsFile } from '../../src/state-files/drafts-file.ts'
import { aWithdrawalDraft } from '../fakes/drafts.ts'
import { eventually } from '../fakes/eventually.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { aMachine } from '../fakes/locks.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

function aPath(): string {
  const folder = temporaryFolder('drafts')
  return join(folder, 'accounts', 'a', 'drafts.json')
}
const at = (
  path: string,
  lock = takeLock as Parameters<typeof createDraftsFile>[0]['takeLock'],
  clock = new FakeClock(),
) => createDraftsFile({ path, account: 'a', takeLock: lock, clock })

const drafts: WithdrawalDraft[] = [
  aWithdrawalDraft({ draftId: 'a', amount: new Decimal('12345678901.000000000000000001'), note: 'to the cold wallet' }),
  aWithdrawalDraft({ draftId: 'b', amount: 'max', approval: { kind: 'given', by: 'Ana', atMs: 3 } }),
  aWithdrawalDraft({ draftId: 'c', approval: { kind: 'wanted' }, state: { kind: 'sending', atMs: 1, isBegun: true } }),
  aWithdrawalDraft({ draftId: 'd', state: { kind: 'unknown', atMs: 1, journalKey: 'withdrawal e1' } }),
  aWithdrawalDraft({ draftId: 'e', state: { kind: 'sent', withdrawalId: '9007199254740993', atMs: 1 } }),
  aWithdrawalDraft({ draftId: 'f', state: { kind: 'refused', reason: 'no 2FA', atMs: 1 } }),
  aWithdrawalDraft({
    draftId: 'h',
    state: { kind: 'refused', reason: 'slow down', refusedFor: 'tooManyCalls', atMs: 1 },
  }),
  aWithdrawalDraft({ draftId: 'g', state: { kind: 'dropped', atMs: 1 } }),
]

test('drafts come back as they were, every digit of them, and only their owner can read the file', async () => {
  const path = aPath()
  expect(await at(path).read()).toEqual(ok([]))
  expect((await at(path).update(() => ok(drafts))).ok).toBe(true)
  expect(await at(path).read()).toEqual(ok(drafts))
  expect(readFileSync(path, 'utf8')).toContain('"12345678901.000000000000000001"')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(path).toMatch(/accounts[/\\]a[/\\]drafts\.json$/)
})

test('what a change makes an error leaves the file as it was', async () => {
  const path = aPath()
  await at(path).update(() => ok(drafts))
  const before = readFileSync(path, 'utf8')
  expect(await at(path).update(() => ({ ok: false, error: 'it is being sent' }))).toEqual({
    ok: false,
    error: 'it is being sent',
  })
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test('changes asked for at once are made one after the other, each on what the last one left', async () => {
  const path = aPath()
  const file = at(path)
  await Promise.all(drafts.map((draft) => file.update((before) => ok([...before, draft]))))
  expect(await file.read()).toEqual(ok(drafts))
})

test('another process is waited for, and in the end the change is refused with a sentence', async () => {
  const path = aPath()
  const clock = new FakeClock()
  const machine = aMachine()
  const [other, own] = [machine.startProcess(), machine.startProcess()]
  const file = at(path, own.takeLock, clock)
  const lock = other.takeLock(`${path}.change.lock`)
  const soon = file.update(() => ok(drafts))
  await clock.reached(25)
  if (lock.ok) lock.value?.release()
  await clock.advance(25)
  expect((await soon).ok).toBe(true)
  other.takeLock(`${path}.change.lock`)
  const never = file.update(() => ok([]))
  await clock.paused()
  await clock.advance(4_000)
  expect(await never).toEqual({
    ok: false,
    error: expect.stringContaining('another desk or command of this account is changing its drafts'),
  })
  expect(await file.read()).toEqual(ok(drafts))
})

test('while one process sends, another is told so instead of sending beside it; a dead one is in nobody’s way', async () => {
  const path = aPath()
  const clock = new FakeClock()
  const machine = aMachine()
  const [first, second] = [machine.startProcess(), machine.startProcess()]
  const finishes: (() => void)[] = []
  const long = at(path, first.takeLock, clock).alone(
    () => new Promise<string>((resolve) => finishes.push(() => resolve('sent'))),
  )
  // However long the disk takes: the lock is taken before the other asks for it.
  await eventually(() => expect(finishes).not.toHaveLength(0))
  const beside = at(path, second.takeLock, clock).alone(() => Promise.resolve('beside'))
  await clock.paused()
  await clock.advance(4_000)
  expect(await beside).toEqual({ ok: false, error: expect.stringContaining('is sending a withdrawal') })
  for (const finish of finishes) finish()
  expect(await long).toEqual(ok('sent'))
  let isSending = false
  void at(path, first.takeLock, clock).alone(() => {
    isSending = true
    return new Promise(() => {})
  })
  await eventually(() => expect(isSending).toBe(true))
  first.end()
  expect(await at(path, second.takeLock, clock).alone(() => Promise.resolve('after'))).toEqual(ok('after'))
})

test('a damaged file is put aside and told of, and the next draft is kept all the same', async () => {
  const path = aPath()
  await at(path).update(() => ok(drafts))
  const text = readFileSync(path, 'utf8').replace('"max"', '"-1"')
  writeFileSync(path, text)
  const file = at(path)
  const asides = () => readdirSync(join(path, '..')).filter((name) => name.includes('damaged'))
  const read = await file.read()
  expect(read.ok ? '' : read.error).toContain('is damaged: the drafts of withdrawals cannot be read')
  expect(asides()).toEqual([])
  expect((await file.update(() => ok(drafts))).ok).toBe(true)
  expect(asides()).toHaveLength(1)
})

test('what a service said is kept in bounds and without control characters', async () => {
  const path = aPath()
  const reason = `no\u001b[31m${'x'.repeat(5_000)}`
  await at(path).update(() => ok([aWithdrawalDraft({ state: { kind: 'refused', reason, atMs: 1 } })]))
  const read = await at(path).read()
  const [draft] = read.ok ? read.value : []
  expect(draft?.state).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/^no\[31mx{900}/) })
})
