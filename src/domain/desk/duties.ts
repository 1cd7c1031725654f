/**
 * Duties are what one process of a profile and account does for it, whoever looks on: telling of alerts elsewhere,
 * plans, taking orders back after an outage. `console`: a desk with a screen; `watch`: one without.
 */
export type DutyRole = 'console' | 'watch'

/** A watch as it says of itself what it is; times by the wall clock, ms since 1970. */
export type WatchStatus = {
  pid: number
  sinceMs: number
  /** When it last said so. */
  beatMs: number
  /** False while a console still has the duties and is about to hand them over. */
  hasDuties: boolean
  /** What it does, in words. */
  does: readonly string[]
  /** What is not well, a sentence each. */
  troubles: readonly string[]
  /** Whether the exchange is among that, and nothing else. */
  isExchangeSilent: boolean
  /** Writes whose outcome a person has to say: only a desk with a screen can be told, once the watch has ended. */
  unsaid: number
}

/** How often a watch says that it is there. */
export const watchBeatMs = 5_000
/** A watch that has said nothing for so long runs and does not work: stopped, or stuck. */
const watchSilentMs = 4 * watchBeatMs

/** How long a watch has said nothing, where that is too long; null where it is not. */
export function watchSilence({ beatMs }: Pick<WatchStatus, 'beatMs'>, wallMs: number): number | null {
  const silentMs = wallMs - beatMs
  return silentMs > watchSilentMs ? silentMs : null
}

/** A watch as scripts and agents read it, at `wallMs` by the wall clock; `status` null: it has not said how it is. */
export function watchFields(status: WatchStatus | null, wallMs: number) {
  if (status === null) return { isRunning: true }
  const { pid, sinceMs, beatMs, hasDuties, does, troubles } = status
  return {
    ...{ isRunning: true, pid, since: sinceMs, upMs: Math.max(0, wallMs - sinceMs) },
    ...{ beatAgoMs: Math.max(0, wallMs - beatMs), hasDuties, does, troubles },
  }
}
