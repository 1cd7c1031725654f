import { type Clock, systemClock } from '../../../src/base/clock.ts'
import type { Random } from '../../../src/base/random.ts'
import type { Terminal } from '../../pty/terminal.ts'
import { sizeAtRandom, wayOut } from './keys.ts'

const clock: Clock = systemClock
const keyMs = 120
/** The screen's second may be the one before; a machine that is busy with other things draws late. */
const lateMaxMs = 4_000

/** Leaves what is open and looks at the whole: unlocked, moving, in a size in which everything is drawn. */
export async function comeOut(terminal: Terminal, chance: Random): Promise<void> {
  const { columns, rows } = sizeAtRandom(chance)
  terminal.resize(Math.max(80, columns), Math.max(24, rows))
  await clock.sleep(keyMs)
  const press = async (key: string) => {
    terminal.type(key)
    await clock.sleep(keyMs)
  }
  if (terminal.text().includes(' LOCKED')) await press('\r')
  for (const key of wayOut) await press(key)
  if (terminal.text().includes('FROZEN')) await press('p')
}

/** The time of day that the screen shows, as ms of it; null when it shows none. */
function shownMs(text: string): number | null {
  const [, hours, minutes, seconds] = /(\d\d):(\d\d):(\d\d)Z/.exec(text) ?? []
  return hours === undefined ? null : ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
}

const dayMs = 86_400_000

/** Whether the screen shows the time that it is. */
export function showsNow(text: string): boolean {
  const shown = shownMs(text)
  const behindMs = shown === null ? dayMs : ((clock.now() % dayMs) - shown + dayMs) % dayMs
  return behindMs <= lateMaxMs || behindMs >= dayMs - 1_000
}

/** Waits until the screen is so, at most `maxMs`; resolves with how long it took, or null. */
export async function awaited(
  terminal: Terminal,
  isSo: (text: string) => boolean,
  maxMs: number,
): Promise<number | null> {
  const sinceMs = clock.now()
  while (!isSo(terminal.text())) {
    if (clock.now() - sinceMs > maxMs) return null
    await clock.sleep(100)
  }
  return clock.now() - sinceMs
}
