/**
 * Duties are done by one process of a profile and account for all: external notifications, plans, canceling orders
 * after an outage. `console` is a desk with a screen, `watch` one without.
 */
export type DutyRole = 'console' | 'watch'

/** The status that a watch reports; wall clock times in ms since 1970. */
export type WatchStatus = {
  pid: number
  sinceMs: number
  /** Time of the report. */
  beatMs: number
  /** False while a console still has the duties and is about to hand them over. */
  hasDuties: boolean
  /** Descriptions of its work. */
  does: readonly string[]
  /** Problems, a sentence each. */
  troubles: readonly string[]
  /** True when the only problem is the exchange. */
  isExchangeSilent: boolean
  /** Unknown writes that the user must resolve, which only a desk with a screen allows, after the watch has ended. */
  unsaid: number
  /** It may send nothing: a desk that may keeps its duties, and runs the plans. */
  isMonitor?: boolean | undefined
}

/** `isUnseen`: its disk takes no sign that a process moves (it is read-only), so an old one says nothing. */
export type Seen = { isUnseen?: boolean }

/** A process, and when it last showed that it moves, in wall clock ms since 1970. */
export type Beat = Pick<WatchStatus, 'pid' | 'beatMs'> & Seen

/** Interval of a watch's reports. */
export const watchBeatMs = 5_000
/** After this silence a running watch or desk is stopped or stuck. */
const silentAfterMs = 4 * watchBeatMs

/** The silence of a watch or desk when too long; null otherwise, and where it cannot be seen. */
export function silenceOf({ beatMs, isUnseen = false }: Omit<Beat, 'pid'>, wallMs: number): number | null {
  const silentMs = wallMs - beatMs
  if (isUnseen) return null
  return silentMs > silentAfterMs ? silentMs : null
}

/** What to do with a process that is stopped or stuck, and keeps others from its work. */
export const wakeText = (pid: number): string => `Let it go on (fg, or kill -CONT ${pid}), or end it (kill -9 ${pid})`

/** A watch's status for scripts and agents, at wall clock time `wallMs`; `status` null when it has not reported. */
export function watchFields(status: WatchStatus | null, wallMs: number) {
  if (status === null) return { isRunning: true }
  const { pid, sinceMs, beatMs, hasDuties, does, troubles } = status
  return {
    ...{ isRunning: true, pid, since: sinceMs, upMs: Math.max(0, wallMs - sinceMs) },
    ...{ beatAgoMs: Math.max(0, wallMs - beatMs), hasDuties, does, troubles },
  }
}
