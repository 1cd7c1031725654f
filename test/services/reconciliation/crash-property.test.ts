import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExchangeError, type WriteOutcome } from '../../../src/api/errors.ts'
import type { WriteEvent } from '../../../src/domain/desk/events.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import type { Withdrawal, WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import { openFileJournal } from '../../../src/journal/file-journal.ts'
import { createTrading } from '../../../src/services/trading.ts'
import type { NewOrder } from '../../../src/wire/order-requests.ts'
import { observed, Standings } from '../../drill/work.ts'
import { aContent, queueFakes } from '../../fakes/drafts.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { createMemoryDrafts } from '../../fakes/memory-drafts.ts'
import { aDraft, anOrder } from '../../fakes/orders.ts'
import { runs } from '../../fakes/runs.ts'
import { aFolder } from '../../journal/scene.ts'
import { aVenue, startMs } from './scene.ts'

/**
 * How a write goes: whether it takes effect, what its sender hears of it, and whether the desk dies before it hears.
 */
type Way = { takesEffect: boolean; hears: 'yes' | WriteOutcome; dies: boolean }
const way = fc.oneof(
  fc.constant<Way>({ takesEffect: true, hears: 'yes', dies: false }),
  fc.record({ takesEffect: fc.boolean(), hears: fc.constant('unknown' as const), dies: fc.boolean() }),
  fc.constantFrom<Way[]>(
    { takesEffect: false, hears: 'refused', dies: false },
    { takesEffect: false, hears: 'notSent', dies: false },
    { takesEffect: true, hears: 'yes', dies: true },
  ),
)
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('order' as const, 'withdrawal' as const), item: fc.nat(3), way }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(500, 5_000, 40_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('outage' as const), isDown: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const) }) },
)

const failed = (outcome: WriteOutcome) =>
  new ExchangeError({ kind: 'connectivity', method: 'POST', path: '/', reason: 'reset', outcome })

/** A venue that keeps what takes effect, and treats the next write the way it is told. */
function aModelVenue(clock: FakeClock) {
  const { venue, client } = aVenue()
  let nextId = 0
  const state = { way: { takesEffect: true, hears: 'yes', dies: false } as Way, onDeath: () => {} }
  const forever = () => new Promise<never>(() => {})
  /** A process that is dead sends nothing any more, and hears nothing. */
  const go = async <T>(isDead: () => boolean, effect: () => T): Promise<T> => {
    if (isDead()) return await forever()
    const { takesEffect, hears, dies } = state.way
    const result = takesEffect ? effect() : null
    if (dies) {
      state.onDeath()
      return await forever()
    }
    if (hears !== 'yes') throw failed(hears)
    if (result === null) throw new Error('a write without effect has no answer')
    return await Promise.resolve(result)
  }
  return {
    venue,
    state,
    drafts: createMemoryDrafts(),
    clientOf: (isDead: () => boolean) => ({
      ...client,
      placeOrder: ({ clientOrderId, limitPrice }: NewOrder) =>
        go(isDead, (): Order => {
          nextId += 1
          const order = anOrder({ orderId: `${nextId}`, clientOrderId, limitPrice, timestampMs: clock.now() })
          venue.orders = [...venue.orders, order]
          return order
        }),
      createWithdrawal: ({ currency, beneficiary, amount }: WithdrawalRequest) =>
        go(isDead, (): Withdrawal => {
          nextId += 1
          const sent = amount === 'max' ? new Decimal(1) : amount
          const entry = {
            withdrawalId: `w${nextId}`,
            amount: sent,
            fee: null,
            currency,
            beneficiary,
            state: 'PENDING' as const,
          }
          const withdrawal = { ...entry, timestampMs: clock.now() }
          venue.withdrawals = [...venue.withdrawals, withdrawal]
          return withdrawal
        }),
      cancelOrder: () => Promise.resolve(),
      cancelAllOrders: () => Promise.resolve(),
    }),
  }
}

/** A desk whose person wants each item once, and asks for it again only when told that it was not placed. */
async function openDesk(folder: string, clock: FakeClock, { clientOf, drafts }: ReturnType<typeof aModelVenue>) {
  const file = await openFileJournal({ folder, exchange: 'model', now: () => clock.now(), randomBytes })
  const standings = new Standings(await file.history(0))
  const journal = observed(file, standings)
  const stopping = new AbortController()
  const decisions: Promise<unknown>[] = []
  let count = 0
  const trading = createTrading(
    clientOf(() => stopping.signal.aborted),
    {
      clock,
      random: () => 0.5,
      signal: stopping.signal,
      journal,
      guard: () => [],
      ...queueFakes(drafts),
      newClientOrderId: () => `${randomBytes(4).toString('hex')}${++count}`,
      emit(event: WriteEvent) {
        if (event.type !== 'writeQuestion') return
        // A person reads the evidence: a withdrawal that may be it is it.
        const match = event.question.withdrawals?.matches[0]?.withdrawalId ?? null
        decisions.push(trading.reconciliation.decide(event.key, match === null ? 'notPlaced' : 'placed', match))
      },
      skewMs: () => 0,
      onWritten: () => {},
      onFound: () => {},
    },
  )
  const running = trading.reconciliation.run()
  return {
    journal,
    standings,
    trading,
    decisions,
    /** As -9 leaves it: nothing more is written, and the lock is free. */
    async kill() {
      stopping.abort()
      await settle()
      await running
      await journal.close()
    },
  }
}

const priceOf = (item: number) => new Decimal(100 + item)
const amountOf = (item: number) => new Decimal(1 + item)

test('whatever fails and whenever the desk dies: nothing is placed twice, nothing is forgotten', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const clock = new FakeClock(startMs)
      const model = aModelVenue(clock)
      const folder = aFolder()
      let desk = await openDesk(folder, clock, model)
      for (const each of steps) {
        if (each.do === 'wait') await clock.advance(each.ms)
        if (each.do === 'outage') model.venue.isDown = each.isDown
        if (each.do === 'kill') {
          await desk.kill()
          desk = await openDesk(folder, clock, model)
        }
        if (each.do !== 'order' && each.do !== 'withdrawal') continue
        // A person decides on what is on screen, and presses the key in the same moment.
        await settle()
        const subject = each.do === 'order' ? `order ${priceOf(each.item)}` : `withdrawal ${amountOf(each.item)}`
        if (desk.standings.get(subject)?.kind === 'took') continue
        model.state.way = each.way
        const writing =
          each.do === 'order'
            ? desk.trading.orders.submit(aDraft({ limitPrice: priceOf(each.item) }))
            : desk.trading.withdrawals.sendNew(aContent({ amount: amountOf(each.item) }), [])
        // A like one that is open holds it back, whatever the venue would do.
        const death = new Promise<'dead'>((resolve) => {
          model.state.onDeath = () => resolve('dead')
        })
        if ((await Promise.race([writing, death])) === 'dead') {
          await desk.kill()
          desk = await openDesk(folder, clock, model)
        }
      }
      model.venue.isDown = false
      await untilSettled(clock, desk)
      const entries = await desk.journal.history(0)
      const open = desk.journal.open()
      await desk.kill()
      expect(open).toEqual([])
      expect(new Set(model.venue.orders.map(({ limitPrice }) => limitPrice?.toString())).size).toBe(
        model.venue.orders.length,
      )
      expect(new Set(model.venue.withdrawals.map(({ amount }) => amount.toString())).size).toBe(
        model.venue.withdrawals.length,
      )
      const taken = entries.filter(
        ({ outcome, settlement }) => settlement?.how === 'placed' || outcome?.kind === 'accepted',
      )
      expect(taken.length).toBe(model.venue.orders.length + model.venue.withdrawals.length)
    }),
    { numRuns: runs(50, 150) },
  )
})

type Desk = Awaited<ReturnType<typeof openDesk>>

/**
 * Lets time pass until nothing is open: each beat waits until the desk has come to its next pause, however slow the
 * disk is.
 */
async function untilSettled(clock: FakeClock, { journal, decisions }: Desk): Promise<void> {
  for (let beats = 0; beats < 500 && journal.open().length > 0; beats += 1) {
    await clock.paused()
    await Promise.all(decisions)
    await clock.advance(500)
  }
}
