import { randomBytes } from 'node:crypto'
import { composeDesk, type Desk } from '../../src/desk/desk.ts'
import type { Sandbox } from '../../src/sandbox/start-sandbox.ts'
import { tokenOf } from './account-clients.ts'
import { atRest } from './at-rest.ts'
import type { FakeClock } from './fake-clock.ts'
import { createMemoryDrafts } from './memory-drafts.ts'
import { createMemoryJournal } from './memory-journal.ts'

export type DeskOptions = Parameters<typeof composeDesk>[0]

/** A desk of the account `trader` on a practice exchange, its files in memory; not started. */
export function practiceDesk(sandbox: Sandbox, clock: FakeClock, more: Partial<DeskOptions> = {}): Desk {
  const desk = composeDesk({
    venue: { profileName: 'practice', kind: 'practice' },
    exchangeBaseUrl: sandbox.exchangeUrl,
    token: tokenOf(sandbox, 'trader'),
    isMonitor: false,
    symbol: 'BTC-USD',
    exportsFolder: '/nowhere',
    drafts: createMemoryDrafts(),
    journal: createMemoryJournal(),
    clock,
    random: () => 0.5,
    randomBytes,
    onQuit: () => {},
    onBug: (error) => {
      throw error
    },
    ...more,
  })
  if (!desk.ok) throw new Error(desk.error)
  return desk.value
}

/** A beat of a clock that only the test moves, in ms: shorter than any pause of the desk. */
export const beatMs = 50

/** Lets a beat pass, and takes in what the answers on real sockets bring. */
export async function beat(clock: FakeClock, ms: number = beatMs): Promise<void> {
  await atRest()
  await clock.advance(ms)
  await atRest()
}

/** Lets beats pass until it is there; whether it came within so many. */
export async function beatsUntil(clock: FakeClock, isThere: () => boolean, beatsMax: number): Promise<boolean> {
  for (let beats = 0; beats < beatsMax; beats += 1) {
    if (isThere()) return true
    await beat(clock)
  }
  return false
}
