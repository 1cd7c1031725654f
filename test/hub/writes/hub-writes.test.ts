import { expect, test } from 'vitest'
import { noPersonLimits, type PersonLimits } from '../../../src/domain/hub/person-limits.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { OrderOutcome } from '../../../src/domain/orders/order-outcome.ts'
import type { WithdrawalOutcome } from '../../../src/domain/transfers/withdrawal-outcome.ts'
import type { NotSent } from '../../../src/domain/write-outcome.ts'
import type { Guest, HubWritesContext } from '../../../src/hub/writes/context.ts'
import { createDayValues } from '../../../src/hub/writes/day-values.ts'
import { createHubWrites } from '../../../src/hub/writes/hub-writes.ts'
import type { JournalOutcome } from '../../../src/journal/entry.ts'
import { amount, usualFees } from '../../fakes/amounts.ts'
import { aBalance } from '../../fakes/balances.ts'
import { aBook } from '../../fakes/books.ts'
import { aWithdrawalDraft } from '../../fakes/drafts.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { lastTrades, noLimits, quietDay } from '../../fakes/limits.ts'
import { createMemoryJournal } from '../../fakes/memory-journal.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { aWithdrawal } from '../../fakes/transfers.ts'

const bob = (limits: Partial<PersonLimits> = {}): Guest => ({
  ...{ name: 'bob', role: 'trader', tokenDigest: 't', approvalKey: 'k' },
  limits: { ...noPersonLimits, ...limits },
})
const bodyOf = (fields: object) => ({ text: JSON.stringify(fields), contentType: null, contentEncoding: null })
const book = aBook([['59900', '1']], [['60100', '1']])
const tickers = lastTrades({ 'BTC-USD': '60000' })
const outOfDraft = aWithdrawalDraft()

/** The writes of a hub whose exchange answers as `answers` say, one after the other; a bitcoin is 60,000 USD. */
function aHub(answers: (WithdrawalOutcome | OrderOutcome | NotSent)[] = [], change: Partial<HubWritesContext> = {}) {
  const clock = new FakeClock()
  const days = createDayValues({ clock, skewMs: () => 0, databaseMs: () => clock.wallMs() }, [])
  const journal = createMemoryJournal()
  const counted: string[] = []
  const next = <T>(): Promise<T> => Promise.resolve(answers.shift() as T)
  const balances = [aBalance('USD', '5000000'), aBalance('BTC', '3')]
  const checks = {
    ...{ instrument: { kind: 'fresh', value: anInstrument() }, book: { kind: 'fresh', value: book } },
    ...{ balances: { kind: 'fresh', value: balances }, fees: { kind: 'fresh', value: usualFees } },
    ...quietDay({ limits: noLimits, tickers }),
  } as const
  const run = (_: string, send: () => Promise<unknown>) => ({ answer: send() })
  const context = {
    ...{ clock, days, halted: () => null, ended: () => null, writing: () => () => {}, note: () => {} },
    lines: { orders: { run }, cancels: { run } },
    hubJournal: {
      ...{ as: () => journal, personOf: () => Promise.resolve('bob') },
      count: (key: { id: string }, usd: Decimal, isMore = false) =>
        Promise.resolve(void counted.push(`${key.id} ${usd.toFixed()}${isMore ? ' more' : ''}`)),
    },
    client: { fetchOrder: () => Promise.resolve(anOrder({ clientOrderId: 'o1' })) },
    bookOf: () => Promise.resolve(book),
    contextOf: () => checks,
    prices: () => ({ instruments: new Map(), tickers: tickers.kind === 'fresh' ? tickers.value : new Map(), balances }),
    entryUnder: () => ({ submit: () => next<OrderOutcome>() }),
    withdrawUnder: async () => ({ outcome: await next<WithdrawalOutcome>(), isBegun: true }),
    draftOf: (_: string, draftId: string | null) =>
      Promise.resolve({
        ok: true,
        value: { draft: { ...outOfDraft, draftId: draftId ?? `d${days.of('bob', 'withdrawal')}` }, version: null },
      }),
    judgementOf: () => Promise.resolve({ stop: null, again: () => Promise.resolve(null) }),
    ...change,
  } as unknown as HubWritesContext
  const writes = createHubWrites(context)
  const told = async (answer: Promise<{ status: number; body: string | null }>): Promise<string> => {
    const { status, body } = await answer
    const { error, ordStatus, text } = JSON.parse(body ?? '{}') as Record<string, string>
    return [status, error ?? ordStatus, ...(text ? [text] : [])].join(' ')
  }
  return {
    ...{ writes, days, journal, counted, clock },
    withdraw: (limits: Partial<PersonLimits>, fields: object = {}, draftId: string | null = null) =>
      told(
        writes.withdraw(
          bob(limits),
          bodyOf({ currency: 'BTC', beneficiary: 'wl-1', amount: '0.01', ...fields }),
          draftId,
        ),
      ),
    place: (fields: object = {}, limits: Partial<PersonLimits> = {}) =>
      told(
        writes.placeOrder(
          bob(limits),
          bodyOf({
            ...{ clOrdId: 'o1', ordType: 'LIMIT', symbol: 'BTC-USD', side: 'BUY', orderQty: '0.01', price: '59000' },
            ...fields,
          }),
        ),
      ),
  }
}

const gone = { kind: 'accepted', withdrawal: aWithdrawal() } as WithdrawalOutcome
const noMoney = { kind: 'rejected', reason: 'no', key: 'k' } as WithdrawalOutcome
const day = { withdrawDayUsd: new Decimal(1_000) }

test("a person's withdrawals of a day come to their limit and no further; what is refused or not sent counts nothing", async () => {
  const { withdraw, days, counted } = aHub([noMoney, { kind: 'notSent', reason: 'late' }, gone, gone])
  expect(await withdraw(day)).toBe('400 no')
  expect(counted).toEqual(['d0 0'])
  expect(await withdraw(day)).toBe('409 late: nothing was sent')
  expect(days.of('bob', 'withdrawal').toFixed()).toBe('0')
  expect(await withdraw(day)).toMatch(/^200/)
  expect(await withdraw(day)).toBe(
    '403 your withdrawals of the day would be 1,200.00 USD, over your limit 1,000.00 USD: nothing was sent',
  )
  // Up to the very limit.
  expect(await withdraw({ withdrawDayUsd: new Decimal(1_200) })).toMatch(/^200/)
  expect(await withdraw(day, { currency: 'XYZ' })).toBe(
    '403 its value in USD is not known, and your day has a limit: nothing was sent',
  )
})

test('what a person without a limit withdraws counts all the same, all that is available too', async () => {
  const { withdraw, days } = aHub([gone, gone])
  expect(await withdraw({}, { amount: undefined, sendMax: true })).toMatch(/^200/)
  expect(days.of('bob', 'withdrawal').toFixed()).toBe('180000')
  expect(await withdraw({}, { currency: 'XYZ' })).toMatch(/^200/)
})

test('a withdrawal that is stopped as it begins is answered with what stopped it', async () => {
  const unsent = { kind: 'notSent', reason: 'stopped' } as const
  const again = () => Promise.resolve('another one began')
  const late = aHub([], {
    judgementOf: () => Promise.resolve({ stop: null, again }),
    withdrawUnder: async ({ lastLook }) => {
      await lastLook?.()
      return { outcome: unsent, isBegun: false }
    },
  })
  expect(await late.withdraw({})).toBe('403 another one began: nothing was sent')
  const judged = aHub([], { judgementOf: () => Promise.resolve({ stop: 'no approval', again }) })
  expect(await judged.withdraw({})).toBe('403 no approval: nothing was sent')
  expect(await aHub([], { halted: () => 'halted' }).withdraw({})).toBe('403 halted: nothing was sent')
  const ended = aHub([unsent], { ended: () => 'your token has ended' })
  expect(await ended.withdraw({})).toBe('403 your token has ended: nothing was sent')
})

test('a draft that is being sent is not sent once more, and may be asked for again after that', async () => {
  const under = Promise.withResolvers<{ outcome: WithdrawalOutcome; isBegun: boolean }>()
  const { withdraw } = aHub([], { withdrawUnder: () => under.promise })
  const first = withdraw({}, {}, 'd7')
  await Promise.resolve()
  expect(await withdraw({}, {}, 'd7')).toBe('504 outcome unknown, it may be live: draft d7 is being sent')
  under.resolve({ outcome: noMoney, isBegun: true })
  expect(await first).toBe('400 no')
  expect(await withdraw({}, {}, 'd7')).toBe('400 no')
})

test('of an order that is asked for again its own end is told, and where nobody knows that it may be live', async () => {
  const draft = aDraft({ orderQuantity: amount('0.01'), limitPrice: amount('59000') })
  const taken = { kind: 'notSent', reason: 'the id was used' } as const
  const again = async (outcome: JournalOutcome | null, how?: 'notPlaced' | 'placed' | 'rejected', fields = {}) => {
    const hub = aHub([taken])
    const write = await hub.journal.begin({ kind: 'order', clientOrderId: 'o1', draft }, 0)
    if (outcome !== null) await write.end(outcome, 0)
    const evidence = 'seen'
    if (how !== undefined)
      await hub.journal.settle(write.id, { how, by: 'person', id: how === 'placed' ? '9' : null, evidence }, 0)
    return await hub.place(fields)
  }
  const refused = '200 REJECTED it was sent before and refused'
  const unknown = { kind: 'unknown', reason: 'no answer' } as const
  const soughtStill = '504 outcome unknown, it may be live: it was sent before, and is looked for'
  expect(await again({ kind: 'rejected', reason: 'no' })).toBe(refused)
  expect(await again(unknown, 'notPlaced')).toBe(refused)
  expect(await again(unknown, 'rejected')).toBe(refused)
  expect(await again(unknown)).toBe(soughtStill)
  expect(await again(null)).toBe(soughtStill)
  expect(await again(unknown, 'placed')).toBe('200 OPEN')
  expect(await again({ kind: 'accepted', id: '9', status: 'OPEN' })).toBe('200 OPEN')
  expect(await again({ kind: 'notSent', reason: 'halted' })).toBe('409 the id was used: nothing was sent')
  expect(await again(unknown, 'notPlaced', { price: '58000' })).toMatch(/^409 client order id o1 was used before/)
})

test('an order that was not placed after all counts nothing of the day, one that is there again all, one that ended what it filled', async () => {
  const { writes, place, days, counted } = aHub([
    { kind: 'unknown', clientOrderId: 'o1', reason: 'no answer', cause: 'noAnswer' },
  ])
  const limits = { dayUsd: new Decimal(1_000) }
  const sum = () => days.of('bob', 'order').toFixed()
  expect(await place({}, limits)).toMatch(/^504/)
  expect(sum()).toBe('590')
  writes.notPlaced('o1')
  expect([sum(), counted]).toEqual(['0', ['o1 0']])
  writes.turnedUp({ kind: 'order', id: 'o1' })
  writes.turnedUp({ kind: 'order', id: 'o1' })
  expect([sum(), counted.slice(1)]).toEqual(['590', ['o1 590 more']])
  const filled = { cumQuantity: amount('0.004'), averagePrice: amount('59000') }
  writes.seen(anOrder({ clientOrderId: 'o1', status: 'CANCELED', ...filled }))
  expect([sum(), counted.slice(2)]).toEqual(['236', ['o1 236']])
})

test("a person's order is held against their limits with all that counts of the day", async () => {
  const open = { kind: 'accepted', order: anOrder({ clientOrderId: 'o1' }) } as OrderOutcome
  const no = { kind: 'rejected', clientOrderId: 'o2', reason: 'no' } as const
  const { place, counted } = aHub([open, no, { kind: 'notSent', reason: 'late' }, open])
  const limits = { orderUsd: new Decimal(600), dayUsd: new Decimal(1_180) }
  expect(await place({ orderQty: '0.02' }, limits)).toMatch(/^403 an order of 1,180.00 USD is over your limit/)
  expect(await place({}, limits)).toBe('200 OPEN')
  expect(await place({ clOrdId: 'o2' }, limits)).toBe('200 REJECTED no')
  expect(counted).toEqual(['o2 0'])
  expect(await place({ clOrdId: 'o3' }, limits)).toBe('409 late: nothing was sent')
  expect(await place({ clOrdId: 'o4' }, limits)).toBe('200 OPEN')
  expect(await place({ clOrdId: 'o5' }, limits)).toMatch(/^403 your orders of the day would be 1,770.00 USD/)
})

test('what stops an order as it leaves is told, and of what left before nobody hears of a halt since', async () => {
  let halt: string | null = null
  const { place } = aHub([], {
    halted: () => halt,
    entryUnder: (guard) =>
      ({
        submit: () => {
          halt = 'halted meanwhile'
          const stops = guard(aDraft())
          return Promise.resolve({ kind: 'notSent', reason: stops.map(({ text }) => text).join() })
        },
      }) as unknown as ReturnType<HubWritesContext['entryUnder']>,
  })
  expect(await place()).toBe('403 halted meanwhile: nothing was sent')
  const left = { status: 504, body: '{"error":"it has left"}' } as const
  const draftOf = () => Promise.resolve({ ok: false, error: left } as const)
  expect(await aHub([], { halted: () => 'halted', draftOf }).withdraw({}, {}, 'd7')).toBe('504 it has left')
})
