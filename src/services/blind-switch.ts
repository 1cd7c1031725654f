import type { Clock } from '../base/clock.ts'
import { durationText } from '../base/text/time-text.ts'
import type { NewsLevel } from '../domain/desk/events.ts'
import type { CancelAllOutcome } from '../domain/orders/order-outcome.ts'
import type { NotSent } from '../domain/write-outcome.ts'

/** The time without an answer, in ms, after which orders are canceled, and which: all, or those of these symbols. */
export type BlindRules = { afterMs: number; symbols: readonly string[] | 'all' }

type BlindSwitchOptions = {
  rules: BlindRules
  clock: Pick<Clock, 'now' | 'sleep'>
  /** Aborted when the desk ends: no further attempts. */
  signal: AbortSignal
  /** Cancels the working orders of a symbol, or all if null: journaled and reported like any cancel. */
  cancelAll: (symbol: string | null) => Promise<CancelAllOutcome | NotSent>
  /** True while this process has the duties of the account: of several desks only one cancels. */
  isOnDuty: () => boolean
  tell: (level: NewsLevel, sentence: string) => void
  /** Called with work in progress, so that a closing desk waits for it. */
  track: (work: Promise<unknown>) => void
}

export type BlindSwitch = {
  /**
   * Call for each answer of the exchange: it ends an outage. `seenAtMs` is when a hub received its data, because a hub
   * keeps answering from memory while the exchange is silent; now unless given.
   */
  answered(seenAtMs?: number): void
  /** Call regularly: reports each outage once when it becomes long enough. */
  look(): void
  /** The start of the present outage in desk time, once it is long enough; null while there are answers. */
  blindSinceMs(): number | null
}

/** Attempts at an unconfirmed cancel. */
const triesMax = 30
/** Pause in ms before a cancel of several orders is tried again, after `tries` attempts: it grows up to 15 s. */
export const cancelPauseMs = (tries: number): number => Math.min(2_000 * tries, 15_000)

/**
 * Cancels orders after an outage: as soon as an exchange that was silent for `rules.afterMs` answers again. During the
 * outage nothing can be canceled, and fills cannot be undone. Time is the desk's own, which also counts while the
 * process was stopped or the machine slept.
 */
export function createBlindSwitch(options: BlindSwitchOptions): BlindSwitch {
  const { rules, clock, signal, cancelAll, isOnDuty, tell, track } = options
  const scopes = rules.symbols === 'all' ? [null] : rules.symbols
  const what = rules.symbols === 'all' ? 'all working orders' : `working orders in ${rules.symbols.join(', ')}`
  let lastMs = clock.now()
  let isTold = false
  let isTakingBack = false
  /** How long an outage lasted that ended while orders were canceled after one before: all are canceled anew. */
  let anewMs: number | null = null

  const silentMs = () => clock.now() - lastMs

  /** Cancels each of these, and returns what could not be confirmed, with the reason. */
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
      let lastedMs: number | null = outageMs
      while (lastedMs !== null && !signal.aborted) {
        anewMs = null
        await takeBackAll(lastedMs)
        lastedMs = anewMs
      }
    } finally {
      isTakingBack = false
    }
  }

  async function takeBackAll(outageMs: number): Promise<void> {
    tell('warn', `No answer for ${durationText(outageMs)}: canceling ${what} (cancel_when_blind_s).`)
    let state: { left: readonly (string | null)[]; why: string } = { left: scopes, why: '' }
    for (let tries = 0; tries < triesMax && state.left.length > 0 && !signal.aborted; tries += 1) {
      if (tries > 0) await clock.sleep(cancelPauseMs(tries), signal)
      if (anewMs !== null) return
      if (!signal.aborted) state = await unconfirmed(state.left)
    }
    if (state.left.length === 0) return tell('good', `After the outage: ${what} canceled (cancel_when_blind_s).`)
    tell('bad', `Orders may still be working: look. After the outage the cancel is not confirmed: ${state.why}.`)
  }

  return {
    answered(seenAtMs = clock.now()) {
      if (seenAtMs < lastMs) return
      const outageMs = seenAtMs - lastMs
      lastMs = seenAtMs
      isTold = false
      if (outageMs < rules.afterMs || signal.aborted || !isOnDuty()) return
      if (isTakingBack) anewMs = outageMs
      else track(takeBack(outageMs))
    },
    look() {
      if (isTold || silentMs() < rules.afterMs || !isOnDuty()) return
      isTold = true
      tell('bad', `No answer for ${durationText(rules.afterMs)}: ${what} are canceled once the exchange answers.`)
    },
    blindSinceMs: () => (silentMs() < rules.afterMs ? null : lastMs),
  }
}
