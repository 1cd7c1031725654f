import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ok } from '../../src/base/result.ts'
import { dayMs, hourMs } from '../../src/base/text/time-text.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { DraftedOrder } from '../../src/domain/orders/drafted-order.ts'
import { takeLock } from '../../src/journal/locks.ts'
import { createDraftsFile, createOrderDraftsFile } from '../../src/state-files/drafts-file.ts'
import { anOrderDraft, aWithdrawalDraft } from '../fakes/drafts.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { aDraft } from '../fakes/orders.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

const nowMs = 1_795_000_000_000
const aPath = (name = 'order-drafts.json') => join(temporaryFolder('order-drafts'), 'accounts', 'a', name)
const at = (path: string, account = 'https://a.example 0123') =>
  createOrderDraftsFile({ path, account, takeLock, clock: new FakeClock(nowMs) })

const stop = { type: 'STOP', limitPrice: null, stopPrice: new Decimal(60_000) } as const
const drafts: DraftedOrder[] = [
  anOrderDraft({ draftId: 'a', createdAtMs: nowMs }),
  anOrderDraft({ draftId: 'b', order: aDraft({ timeInForce: 'GTD', expireDate: '20261231' }), lifeMs: dayMs }),
  anOrderDraft({ draftId: 'c', order: aDraft({ timeInForce: 'IOC', minQuantity: new Decimal('0.01') }) }),
  anOrderDraft({ draftId: 'd', order: aDraft(stop), reason: null, lifeMs: 60_000 }),
  anOrderDraft({ draftId: 'e', order: aDraft({ type: 'MARKET', limitPrice: null, timeInForce: 'FOK' }) }),
  anOrderDraft({ draftId: 'f', order: aDraft({ ...stop, type: 'STOPLIMIT', limitPrice: new Decimal(60_001) }) }),
  anOrderDraft({ draftId: 'g', state: { kind: 'sent', atMs: nowMs, orderId: '9007199254740993' } }),
  anOrderDraft({ draftId: 'h', state: { kind: 'sent', atMs: nowMs, orderId: null } }),
  anOrderDraft({ draftId: 'i', state: { kind: 'unknown', atMs: nowMs, journalKey: 'drafti' } }),
  anOrderDraft({ draftId: 'j', state: { kind: 'dropped', atMs: nowMs, how: 'expired' } }),
]

/** The file as the program writes it, with one field of its only draft changed by hand. */
async function edited(change: (draft: Record<string, unknown> & { order: Record<string, unknown> }) => void) {
  const path = aPath()
  await at(path).update(() => ok(drafts.slice(0, 1)))
  const kept = JSON.parse(readFileSync(path, 'utf8'))
  change(kept.drafts[0])
  writeFileSync(path, JSON.stringify(kept))
  return path
}

test('whatever this program keeps of orders comes back as it was', async () => {
  const path = aPath()
  expect((await at(path).update(() => ok(drafts))).ok).toBe(true)
  expect(await at(path).read()).toEqual(ok(drafts))
})

const latest = Number.MAX_SAFE_INTEGER
const inOrder = (change: object) => (draft: { order: object }) => Object.assign(draft.order, change)
const inDraft = (change: object) => (draft: object) => Object.assign(draft, change)

test.each([
  ['a life without end', inDraft({ lifeMs: latest, createdAtMs: nowMs - 30 * dayMs })],
  ['a life of more than a day', inDraft({ lifeMs: dayMs + 1 })],
  ['a life of less than a minute', inDraft({ lifeMs: 59_999 })],
  ['a time that no date has', inDraft({ createdAtMs: latest })],
  ['an end that no date has', inDraft({ state: { kind: 'dropped', atMs: latest } })],
  ['an id of an order that is none', inDraft({ state: { kind: 'sent', atMs: 1, orderId: 'abc' } })],
  ['an id of an order with more behind it', inDraft({ state: { kind: 'sent', atMs: 1, orderId: '1\n' } })],
  ['a key with control characters', inDraft({ state: { kind: 'unknown', atMs: 1, journalKey: 'a\u001b[31m' } })],
  ['a day with control characters', inOrder({ timeInForce: 'GTD', expireDate: '\u001b[31m\n' })],
  ['a day that no calendar has', inOrder({ timeInForce: 'GTD', expireDate: '20260230' })],
  ['a symbol with control characters', inOrder({ symbol: 'BTC-\u001b[2JUSD' })],
  ['a quantity of zero', inOrder({ orderQuantity: '0' })],
  ['a quantity that is none', inOrder({ orderQuantity: '1,000' })],
  ['LIMIT without a price', inOrder({ limitPrice: null })],
  ['LIMIT with a stop price', inOrder({ stopPrice: '1' })],
  ['STOP without a stop price', inOrder({ type: 'STOP', limitPrice: null })],
  ['STOP with a limit price', inOrder({ type: 'STOP', stopPrice: '1' })],
  ['STOPLIMIT without a stop price', inOrder({ type: 'STOPLIMIT' })],
  ['STOPLIMIT without a limit price', inOrder({ type: 'STOPLIMIT', limitPrice: null, stopPrice: '1' })],
  ['MARKET with a price', inOrder({ type: 'MARKET', timeInForce: 'IOC' })],
  ['GTD without a day', inOrder({ timeInForce: 'GTD' })],
  ['a day without GTD', inOrder({ expireDate: '20261231' })],
  ['a minimum fill without IOC', inOrder({ minQuantity: '0.01' })],
  ['a minimum fill above the quantity', inOrder({ timeInForce: 'IOC', minQuantity: '99' })],
])('%s: one sentence, nothing is read, and the file is kept', async (_, change) => {
  const path = await edited(change)
  const text = readFileSync(path, 'utf8')
  expect(await at(path).read()).toEqual({
    ...{ ok: false, error: expect.stringContaining('is damaged: the drafts of orders cannot be read') },
  })
  const file = at(path)
  expect((await file.update((before) => ok(before))).ok).toBe(false)
  expect((await file.update(() => ok(drafts))).ok).toBe(true)
  const aside = readdirSync(dirname(path)).find((name) => name.includes('damaged'))
  expect(readFileSync(join(dirname(path), aside ?? ''), 'utf8')).toBe(text)
})

test('a maker that was written by hand is short, and of signs that can be seen', async () => {
  const path = await edited(inDraft({ by: `mcp \u2800\u0301${'\u4e2d'.repeat(400)}` }))
  const read = await at(path).read()
  expect(read.ok && read.value[0]?.by).toBe(`mcp ${'\u4e2d'.repeat(18)}`)
})

const opens = {
  orders: at,
  withdrawals: (path: string, account: string) =>
    createDraftsFile({ path, account, takeLock, clock: new FakeClock(nowMs) }),
}

test.each(['orders', 'withdrawals'] as const)(
  'drafts of %s of another account are neither read nor changed',
  async (what) => {
    const [path, copy] = [aPath(), aPath()]
    const [own, other] = ['https://a.example 0123', 'https://b.example 4567']
    if (what === 'orders') await at(path, own).update(() => ok(drafts))
    else await opens.withdrawals(path, own).update(() => ok([aWithdrawalDraft()]))
    const text = readFileSync(path, 'utf8')
    mkdirSync(dirname(copy), { recursive: true })
    writeFileSync(copy, text)
    const refused = {
      ok: false,
      error: expect.stringContaining(`and the drafts of ${what} with it. Nothing of it was`),
    }
    const file = opens[what](copy, other)
    expect(await file.read()).toEqual(refused)
    expect(await file.update(() => ok([]))).toEqual(refused)
    expect(readFileSync(copy, 'utf8')).toBe(text)
    expect((await opens[what](copy, own).read()).ok).toBe(true)
  },
)

test('a file that does not say whose it is says so after its next change', async () => {
  const path = await edited(() => {})
  const { account, ...unmarked } = JSON.parse(readFileSync(path, 'utf8'))
  expect(account).toBe('https://a.example 0123')
  writeFileSync(path, JSON.stringify(unmarked))
  expect(await at(path).read()).toEqual(ok(drafts.slice(0, 1)))
  await at(path).update((before) => ok(before.map((draft) => ({ ...draft, lifeMs: hourMs / 2 }))))
  expect(JSON.parse(readFileSync(path, 'utf8')).account).toBe(account)
})
