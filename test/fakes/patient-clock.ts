import { setTimeout } from 'node:timers'
import { type Clock, systemClock } from '../../src/base/clock.ts'

const beatMs = 10
/** What lies between two looks at the time counts for no more while somebody waits. */
const betweenMaxMs = 25

type Sleeper = { dueMs: number; wake: () => void }

/**
 * The machine's time, as far as this process had a processor: on a busy machine it goes slower. Limits of seconds, as
 * those of a call or of a lead, are then not passed by what did not run, and who waits and who answers in one process
 * have the time that they need. `realMs` is the machine's own.
 */
export function createPatientClock(realMs: () => number = () => performance.now()): Clock {
  const sleepers = new Set<Sleeper>()
  const [startMs, startWallMs] = [systemClock.now(), systemClock.wallMs()]
  let [elapsedMs, lookedMs] = [0, realMs()]
  let isBeating = false
  const look = (): number => {
    const [sinceMs, real] = [realMs() - lookedMs, realMs()]
    // Where nobody waits nothing is late.
    elapsedMs += isBeating ? Math.min(sinceMs, betweenMaxMs) : sinceMs
    lookedMs = real
    return Math.floor(elapsedMs)
  }
  const beat = () => {
    const nowMs = look()
    const due = [...sleepers].filter(({ dueMs }) => dueMs <= nowMs)
    for (const { wake } of due.sort((one, other) => one.dueMs - other.dueMs)) wake()
    isBeating = sleepers.size > 0
    if (isBeating) setTimeout(beat, beatMs)
  }
  return {
    now: () => startMs + look(),
    beganMs: startMs,
    wallMs: () => startWallMs + look(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const wake = () => {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        const sleeper = { dueMs: look() + ms, wake }
        if (ms <= 0 || signal?.aborted) {
          resolve()
          return
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
        if (!isBeating) setTimeout(beat, beatMs)
        isBeating = true
      }),
  }
}

export const patientClock: Clock = createPatientClock()
