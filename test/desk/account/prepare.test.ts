import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { err, ok, type Result } from '../../../src/base/result.ts'
import { hourMs } from '../../../src/base/text/time-text.ts'
import { openDrafts, openOrderDrafts } from '../../../src/desk/account/account.ts'
import type { Account } from '../../../src/desk/account/account-folder.ts'
import { keepOrderDraft, keepWithdrawalDraft } from '../../../src/desk/account/prepare.ts'
import { anyRoom } from '../../../src/domain/draft.ts'
import { Decimal } from '../../../src/domain/money.ts'
import { edited } from '../../../src/domain/transfers/draft.ts'
import { aContent } from '../../fakes/drafts.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { aDraft } from '../../fakes/orders.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

function aPlace() {
  const folder = join(temporaryFolder('prepare'), 'accounts', 'a')
  const account: Account = { name: 'practice', address: null, folder, profileName: 'practice' }
  return { account, folder, tools: { clock: new FakeClock(5_000), randomBytes } }
}

const order = () =>
  aDraft({ orderQuantity: new Decimal('0.123456789012345678'), expireDate: '20261231', timeInForce: 'GTD' })

test('an order that a program prepares is in the file of the account, every digit of it, with who wants it and why', async () => {
  const { account, folder, tools } = aPlace()
  const content = { order: order(), by: 'mcp claude\u0007', reason: 'wide\nspread', lifeMs: 48 * hourMs }
  const kept = await keepOrderDraft(account, tools, content, anyRoom)
  if (!kept.ok) throw new Error(kept.error)
  expect(kept.value).toMatchObject({
    ...{ by: 'mcp claude', reason: 'wide spread', createdAtMs: 5_000, lifeMs: 24 * hourMs, state: { kind: 'draft' } },
  })
  expect(await openOrderDrafts(account, tools).read()).toEqual({ ok: true, value: [kept.value] })
  expect(readFileSync(join(folder, 'order-drafts.json'), 'utf8')).toContain('"0.123456789012345678"')
  const second = await keepOrderDraft(account, tools, content, anyRoom)
  expect(second.ok && second.value.draftId).not.toBe(kept.value.draftId)
})

test('a withdrawal that a program prepares names it, and keeps naming it when a person changes it', async () => {
  const { account, tools } = aPlace()
  const { note: _, ...content } = aContent()
  const kept = await keepWithdrawalDraft(account, tools, { ...content, by: 'mcp claude', reason: 'month end' }, anyRoom)
  if (!kept.ok) throw new Error(kept.error)
  expect(kept.value).toMatchObject({ origin: 'mcp claude', note: 'month end', state: { kind: 'draft' } })
  expect(await openDrafts(account, tools).read()).toEqual({ ok: true, value: [kept.value] })
  const changed = edited(kept.value, aContent({ amount: new Decimal(7) }))
  expect(changed).toMatchObject({ ok: true, value: { origin: 'mcp claude' } })
})

test('a torn file is put aside and told of, and the next draft is kept; one of a newer program stays as it is', async () => {
  const { account, folder, tools } = aPlace()
  const content = { order: order(), by: 'script', reason: null, lifeMs: hourMs }
  const path = join(folder, 'order-drafts.json')
  await keepOrderDraft(account, tools, content, anyRoom)
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, -40))
  const torn = await keepOrderDraft(account, tools, content, anyRoom)
  expect(torn).toEqual({ ok: false, error: expect.stringContaining('The damaged file is kept as') })
  expect((await keepOrderDraft(account, tools, content, anyRoom)).ok).toBe(true)
  expect(readFileSync(`${path}.damaged-1`, 'utf8')).toContain('"drafts"')
  writeFileSync(path, '{"version":2,"drafts":[],"more":1}')
  expect(await keepOrderDraft(account, tools, content, anyRoom)).toEqual({
    ...{ ok: false, error: expect.stringContaining('written by a newer pitdesk') },
  })
  expect(readFileSync(path, 'utf8')).toBe('{"version":2,"drafts":[],"more":1}')
})

test('an order whose fields do not go together is not kept, and costs the others nothing', async () => {
  const { account, tools } = aPlace()
  const content = { by: 'mcp claude', reason: null, lifeMs: hourMs }
  const kept = await keepOrderDraft(account, tools, { ...content, order: order() }, anyRoom)
  expect(
    await keepOrderDraft(account, tools, { ...content, order: { ...order(), limitPrice: null } }, anyRoom),
  ).toEqual({
    ...{ ok: false, error: 'a LIMIT order needs a limit price' },
  })
  expect(await openOrderDrafts(account, tools).read()).toEqual({ ok: true, value: kept.ok ? [kept.value] : [] })
})

test('how many may wait is asked while nobody else adds one: not one too many comes, however many ask at once', async () => {
  const { account } = aPlace()
  // Whoever has to wait for the lock waits for real.
  const tools = { clock: systemClock, randomBytes }
  const room = (drafts: readonly unknown[]): Result<null> => (drafts.length < 3 ? ok(null) : err('full'))
  const { note: _, ...withdrawal } = aContent()
  const ofOrders = await Promise.all(
    Array.from({ length: 8 }, () =>
      keepOrderDraft(account, tools, { order: order(), by: 'mcp a', reason: null, lifeMs: hourMs }, room),
    ),
  )
  const ofWithdrawals = await Promise.all(
    Array.from({ length: 8 }, () =>
      keepWithdrawalDraft(account, tools, { ...withdrawal, by: 'mcp a', reason: null }, room),
    ),
  )
  for (const kept of [ofOrders, ofWithdrawals]) {
    expect(kept.filter((each) => each.ok)).toHaveLength(3)
    expect(kept.find((each) => !each.ok)).toEqual({ ok: false, error: 'full' })
  }
})

test('a disk that takes nothing is said, and nothing is kept', async () => {
  const { account, folder, tools } = aPlace()
  const blocked: Account = { ...account, folder: join(folder, 'file', 'inside') }
  await keepOrderDraft(account, tools, { order: order(), by: 'script', reason: null, lifeMs: hourMs }, anyRoom)
  writeFileSync(join(folder, 'file'), '')
  const kept = await keepOrderDraft(
    blocked,
    tools,
    { order: order(), by: 'script', reason: null, lifeMs: hourMs },
    anyRoom,
  )
  expect(kept).toEqual({ ok: false, error: expect.stringContaining('cannot be locked') })
})
