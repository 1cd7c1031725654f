import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ExchangeError, type WriteOutcome } from '../../../src/api/errors.ts'
import { err } from '../../../src/base/result.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { DraftContent, WithdrawalDraft } from '../../../src/domain/transfers/draft.ts'
import type { Withdrawal, WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import { JournalError, type WriteJournal } from '../../../src/journal/entry.ts'
import { openFileJournal } from '../../../src/journal/file-journal.ts'
import { createTrading } from '../../../src/services/trading.ts'
import type { WithdrawalDraftsKeeper } from '../../../src/services/transfers/withdrawal-drafts.ts'
import { createDraftsFile } from '../../../src/state-files/drafts-file.ts'
import { atRest } from '../../fakes/at-rest.ts'
import { aContent } from '../../fakes/drafts.ts'
import { type FakeClock, settle } from '../../fakes/fake-clock.ts'
import { aMachine } from '../../fakes/locks.ts'
import { aVenue } from '../reconciliation/scene.ts'

/**
 * Where a desk dies, or its disk refuses, on the way of a withdrawal: `before` and `after` what stands there has been
 * done.
 */
export const places = ['mark', 'begin', 'begun', 'call', 'end', 'outcome'] as const
export type Mishap = { place: (typeof places)[number]; kind: 'diesBefore' | 'diesAfter' | 'diskRefuses' } | null

/** How the exchange treats a request: whether it takes effect, and what its sender hears. */
export type Way = { takesEffect: boolean; hears: 'yes' | WriteOutcome }

/** Each draft has a whole amount of its own; what is changed about it later is a fraction. */
export const itemOf = (amount: Decimal): string => amount.floor().toFixed()
export const contentOf = (item: number, tenths: number): DraftContent =>
  aContent({ amount: new Decimal(item + 1).plus(new Decimal(tenths).div(10)) })

const forever = () => new Promise<never>(() => {})

/** A machine with a disk, on which desks of one account run and die, and an exchange beside it. */
export function aWithdrawalMachine(folder: string, clock: FakeClock) {
  const { venue, client } = aVenue()
  const machine = aMachine()
  const state = { way: { takesEffect: true, hears: 'yes' } as Way, isHeld: false }

  function create({ currency, beneficiary, amount }: WithdrawalRequest): Withdrawal {
    const { takesEffect, hears } = state.way
    const made: Withdrawal = {
      withdrawalId: `w${venue.withdrawals.length + 1}`,
      amount: amount === 'max' ? new Decimal(1) : amount,
      fee: null,
      currency,
      beneficiary,
      state: 'PENDING',
      timestampMs: clock.now(),
    }
    if (takesEffect) venue.withdrawals = [...venue.withdrawals, made]
    if (hears === 'yes') return made
    throw new ExchangeError({ kind: 'connectivity', method: 'POST', path: '/', reason: 'reset', outcome: hears })
  }

  async function startDesk() {
    const { takeLock, end } = machine.startProcess()
    const life = { isDead: false, mishap: null as Mishap, died: () => {} }
    const death = Promise.withResolvers<null>()
    const die = () => {
      life.isDead = true
      death.resolve(null)
      life.died()
      return forever()
    }
    /** Does one thing of a desk that may die before or after it. */
    const live = async <T>(place: Exclude<Mishap, null>['place'] | null, run: () => Promise<T>): Promise<T> => {
      const hit = life.mishap !== null && life.mishap.place === place ? life.mishap.kind : null
      if (life.isDead) return await forever()
      if (hit === 'diesBefore') return await die()
      const result = await run()
      if (hit === 'diesAfter' || life.isDead) return await die()
      return result
    }
    const refuses = (place: string) => life.mishap?.place === place && life.mishap.kind === 'diskRefuses'
    const file = createDraftsFile({ path: join(folder, 'drafts.json'), account: 'a', takeLock, clock })
    /** What the next change of the drafts is about. */
    let place: 'mark' | 'begun' | 'outcome' = 'mark'
    const drafts: WithdrawalDraftsKeeper = {
      read: () => live(null, () => file.read()),
      update: (change) =>
        live(place, async () => {
          if (refuses(place)) return err('the disk is full')
          const updated = await file.update(change)
          const states = updated.ok ? updated.value.map(({ state }) => state) : []
          const sending = states.find((each) => each.kind === 'sending')
          if (sending?.kind === 'sending') place = sending.isBegun ? 'outcome' : 'begun'
          return updated
        }),
      alone: (run) => {
        place = 'mark'
        return file.alone(run)
      },
    }
    const kept = await openFileJournal({ folder, exchange: 'model', now: () => clock.now(), randomBytes })
    const journal: WriteJournal = {
      find: (key) => live(null, () => kept.find(key)),
      findAll: (keys) => live(null, () => kept.findAll(keys)),
      // The lock of a process goes with it, whatever it was about to do under that.
      alone: async (run) => {
        const done = await kept.alone(() => Promise.race([run().then((value) => ({ value })), death.promise]))
        return done === null ? await forever() : done.value
      },
      begin: (intent, atMs) =>
        live('begin', async () => {
          if (refuses('begin')) throw new JournalError('the disk is full')
          const write = await kept.begin(intent, atMs)
          return { ...write, end: (outcome, endAtMs) => live('end', () => write.end(outcome, endAtMs)) }
        }),
      settle: (...given) => live(null, () => kept.settle(...given)),
      open: () => kept.open(),
      adopt: () => live(null, () => kept.adopt()),
      retry: () => live(null, () => kept.retry()),
      openElsewhere: () => live(null, () => kept.openElsewhere()),
      history: (sinceMs) => live(null, () => kept.history(sinceMs)),
      listen: () => {},
      close: () => kept.close(),
    }
    const stopping = new AbortController()
    let told: readonly WithdrawalDraft[] = []
    const beside: Promise<unknown>[] = []
    const trading = createTrading(
      {
        ...client,
        placeOrder: forever,
        cancelOrder: forever,
        cancelAllOrders: forever,
        createWithdrawal: (request) => live('call', async () => await Promise.resolve(create(request))),
      },
      {
        clock,
        random: () => 0.5,
        signal: stopping.signal,
        journal,
        drafts,
        guard: () => [],
        newClientOrderId: () => '',
        newDraftId: () => '',
        withdrawalGuard: () => Promise.resolve(state.isHeld ? 'nothing is available' : null),
        onDrafts: (now) => {
          told = now
        },
        track: (work) => void beside.push(work),
        emit(event) {
          // The person believes the evidence.
          if (event.type === 'writeQuestion') beside.push(trading.reconciliation.decide(event.key, 'notPlaced'))
        },
        skewMs: () => 0,
        onWritten: () => {},
        onFound: () => {},
      },
    )
    const running = trading.reconciliation.run()
    const taken = trading.withdrawals.takeUp()
    await letPass(clock, taken)
    return {
      life,
      journal,
      queue: trading.withdrawals,
      drafts: () => told,
      beside,
      /** As -9 leaves it: nothing more is done, and its locks are free. */
      async kill() {
        life.isDead = true
        death.resolve(null)
        end()
        stopping.abort()
        await settle()
        await Promise.race([running, clock.advance(100)])
        await kept.close()
      },
    }
  }
  return { venue, state, startDesk }
}

/** Lets time pass in small steps until the work is done, however slow the disk is. */
export async function letPass(clock: FakeClock, work: Promise<unknown>, died = forever() as Promise<unknown>) {
  let isOver = false
  void Promise.race([work, died]).then(() => {
    isOver = true
  })
  while (!isOver) {
    await atRest()
    if (!isOver) await clock.advance(1)
  }
}
