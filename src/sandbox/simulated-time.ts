import { type Clock, SleepEnd, sleepToBeat } from '../base/clock.ts'
import { createListeners } from '../base/listeners.ts'
import type { Random } from '../base/random.ts'
import { dayMs, hourMs, minuteMs, utcDayStart } from '../base/text/time-text.ts'
import type { DepositState, WithdrawalStatus } from '../domain/transfers/transfer.ts'
import type { CoreEvent } from './core/commands.ts'
import type { PracticeExchange } from './practice-exchange.ts'

/** A clock that can be advanced. */
export type SimulatedClock = Clock & {
  /** Advances the clock by `ms`, 0 or more; sleeps that would be over by then end now. */
  putForward(ms: number): void
}

/**
 * The practice world's only clock: `base`, plus what it was advanced by. Like a real exchange's clock it never goes
 * back, whatever is done to the machine's; it follows that one forward, because the world's past is dated by it.
 */
export function createSimulatedClock(base: Clock): SimulatedClock {
  let offsetMs = 0
  let aheadMs = 0
  const sleepers = createListeners()
  const now = () => {
    aheadMs = Math.max(aheadMs, base.wallMs() - base.now())
    return base.now() + aheadMs + offsetMs
  }
  return {
    now,
    wallMs: now,
    sleep: async (ms, signal) => {
      const dueMs = now() + ms
      while (now() < dueMs && !signal?.aborted) {
        const wake = new SleepEnd()
        const end = () => wake.abort()
        const leave = sleepers.add(end)
        signal?.addEventListener('abort', end, { once: true })
        await base.sleep(dueMs - now(), wake)
        signal?.removeEventListener('abort', end)
        leave()
      }
    },
    putForward: (ms) => {
      offsetMs += ms
      sleepers.tell()
    },
  }
}

const beatMs = 1_000

/** Triggers whatever is due without a request: orders that expire at the end of their day. */
export async function runExpiry(exchange: PracticeExchange, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    exchange.read()
    await sleepToBeat(clock, beatMs, signal)
  }
}

type Due = { atMs: number; settle: () => void }

const depositSeconds = { least: 8, spread: 12 }
const withdrawalSeconds = { least: 15, spread: 25 }
const auctionLookMs = 1_000

/**
 * What a practice world does by itself besides trading: deposits confirm and withdrawals complete, soon enough to
 * watch, and announced auctions take place. Transfers settled by hand before that are left alone. Covers transfers that
 * are already in progress.
 */
export async function runSettlement(
  exchange: PracticeExchange,
  clock: Clock,
  random: Random,
  signal: AbortSignal,
): Promise<void> {
  const due = new Map<string, Due>()
  const schedule = (id: string, isPending: boolean, seconds: typeof depositSeconds, settle: () => void) => {
    if (isPending)
      due.set(id, { atMs: exchange.nowMs() + 1_000 * (seconds.least + random.exponential(seconds.spread)), settle })
    else due.delete(id)
  }
  const onDeposit = ({ depositId, state }: { depositId: string; state: DepositState }) =>
    schedule(depositId, state === 'UNCONFIRMED', depositSeconds, () =>
      exchange.execute('confirmDeposit', { depositId }),
    )
  const onWithdrawal = ({ withdrawalId, state }: { withdrawalId: string; state: WithdrawalStatus }) => {
    const complete = () => exchange.execute('completeWithdrawal', { withdrawalId })
    schedule(withdrawalId, state === 'PENDING', withdrawalSeconds, complete)
  }
  for (const { account } of exchange.read().accounts()) {
    for (const deposit of exchange.read().deposits({ account })) onDeposit(deposit)
    for (const withdrawal of exchange.read().withdrawals({ account })) onWithdrawal(withdrawal)
  }
  const onEvent = (event: CoreEvent) => {
    if (event.type === 'deposit') onDeposit(event)
    if (event.type === 'withdrawal') onWithdrawal(event)
  }
  const unsubscribe = exchange.subscribe(onEvent)
  let lookedAtMs = exchange.nowMs()
  while (!signal.aborted) {
    for (const [id, { atMs, settle }] of due) {
      if (atMs > exchange.nowMs()) continue
      due.delete(id)
      settle()
    }
    lookedAtMs = openAnnounced(exchange, lookedAtMs)
    await sleepToBeat(clock, auctionLookMs, signal)
  }
  unsubscribe()
}

/**
 * Opens each halted symbol whose announced time, `HHMM` in UTC, is now or has come since the last look: the clock jumps
 * when it is advanced, or when the machine has slept. Returns the time of this look.
 */
function openAnnounced(exchange: PracticeExchange, lookedAtMs: number): number {
  const nowMs = exchange.nowMs()
  for (const { spec, status, auction } of exchange.read().symbols()) {
    if (status !== 'halt' || auction?.time == null || nextAtMs(auction.time, lookedAtMs) > nowMs) continue
    exchange.execute('setSymbolStatus', { symbol: spec.symbol, status: 'open' })
    exchange.execute('setAuctionTime', { symbol: spec.symbol, time: null })
  }
  return nowMs
}

/** When this time of day, `HHMM` in UTC, is next; the minute of `fromMs` counts. */
function nextAtMs(time: string, fromMs: number): number {
  const atMs = utcDayStart(fromMs) + Number(time.slice(0, 2)) * hourMs + Number(time.slice(2)) * minuteMs
  return atMs + minuteMs > fromMs ? atMs : atMs + dayMs
}

/** The time of day as `HHMM` in UTC. */
export const clockTime = (atMs: number): string => new Date(atMs).toISOString().slice(11, 16).replace(':', '')
