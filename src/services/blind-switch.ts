import type { Clock } from '../base/clock.ts'
import { durationText } from '../base/time-text.ts'
import type { NewsLevel } from '../domain/desk/events.ts'
import type { CancelAllOutcome, NotSent } from '../domain/orders/order-outcome.ts'

/** After how long without an answer orders are canceled, in ms, and which: every one, or those of these symbols. */
export type BlindRules = { afterMs: number; symbols: readonly string[] | 'all' }

type BlindSwitchOptions = {
  rules: BlindRules
  clock: Pick<Clock, 'now' | 'sleep'>
  /** Aborted when the desk ends: no try follows any more. */
  signal: AbortSignal
  /** Cancels what works of a symbol, of every one where it is null: journaled and reported like any cancel. */
  cancelAll: (symbol: string | null) => Promise<CancelAllOutcome | NotSent>
  /** Whether this process has the duties of the account just now: of several desks one takes the orders back. */
  isOnDuty: () => boolean
  tell: (level: NewsLevel, sentence: string) => void
  /** Handed what is under way, so that a desk that ends waits for it. */
  track: (work: Promise<unknown>) => void
}

export type BlindSwitch = {
  /**
   * An answer of the exchange has come: an outage that was long enough is over by it. `seenAtMs` is when a hub had it,
   * where one answers: it goes on with what it had while the exchange is silent. Now unless given.
   */
  answered(seenAtMs?: number): void
  /** Asked now and then: says once of each outage that it is long enough by now. */
  look(): void
  /** Since when there has been no answer for too long, in desk time; null while there are answers. */
  blindSinceMs(): number | null
}

/** Attempts at a cancel that is not confirmed, after pauses that grow by `pauseMs` up to `pauseMaxMs`. */
const triesMax = 30
const pauseMs = 2_000
const pauseMaxMs = 15_000

/**
 * Cancels orders after an outage: once the exchange answers again that has not answered for `rules.afterMs`. While it
 * does not answer nothing can be canceled; what filled meanwhile is filled. Time is the desk's own, which counts also
 * while the process was stopped or the machine slept.
 */
export function createBlindSwitch(options: BlindSwitchOptions): BlindSwitch {
  const { rules, clock, signal, cancelAll, isOnDuty, tell, track } = options
  const scopes = rules.symbols === 'all' ? [null] : rules.symbols
  const what = rules.symbols === 'all' ? 'all working orders' : `working orders in ${rules.symbols.join(', ')}`
  let lastMs = clock.now()
  let isTold = false
  let isTakingBack = false

  const silentMs = () => clock.now() - lastMs

  /** What could not be confirmed of these; each is a cancel of its own. */
  async function unconfirmed(left: readonly (string | null)[]): Promise<{ left: (string | null)[]; why: string }> {
    const again: (string | null)[] = []
    let why = ''
    for (const scope of left) {
      const outcome = await cancelAll(scope)
      if (outcome.kind === 'canceled') continue
      again.push(scope)
      why = outcome.kind === 'left' ? `${outcome.left.length} still working` : outcome.reason
    }
    return { left: again, why }
  }

  async function takeBack(outageMs: number): Promise<void> {
    isTakingBack = true
    try {
      tell('warn', `No answer for ${durationText(outageMs)}: canceling ${what} (cancel_when_blind_s).`)
      let state: { left: readonly (string | null)[]; why: string } = { left: scopes, why: '' }
      for (let tries = 0; tries < triesMax && state.left.length > 0 && !signal.aborted; tries += 1) {
        if (tries > 0) await clock.sleep(Math.min(pauseMs * tries, pauseMaxMs), signal)
        if (!signal.aborted) state = await unconfirmed(state.left)
      }
      if (state.left.length === 0) return tell('good', `After the outage: ${what} canceled (cancel_when_blind_s).`)
      tell('bad', `After the outage the cancel is not confirmed: ${state.why}. Orders may still be working: look.`)
    } finally {
      isTakingBack = false
    }
  }

  return {
    answered(seenAtMs = clock.now()) {
      if (seenAtMs < lastMs) return
      const outageMs = seenAtMs - lastMs
      lastMs = seenAtMs
      isTold = false
      if (outageMs < rules.afterMs || isTakingBack || signal.aborted || !isOnDuty()) return
      track(takeBack(outageMs))
    },
    look() {
      if (isTold || silentMs() < rules.afterMs || !isOnDuty()) return
      isTold = true
      tell('bad', `No answer for ${durationText(rules.afterMs)}: ${what} are canceled once the exchange answers.`)
    },
    blindSinceMs: () => (silentMs() < rules.afterMs ? null : lastMs),
  }
}
