import { randomBytes } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import { readBaseAddress } from '../../src/api/base-address.ts'
import type { Secret } from '../../src/base/secret.ts'
import { composeDesk } from '../../src/desk/desk.ts'
import type { Hub } from '../../src/desk/hub/hub.ts'
import { eventually } from '../fakes/eventually.ts'
import { createMemoryDrafts } from '../fakes/memory-drafts.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { patientClock } from '../fakes/patient-clock.ts'

/** Resolves once that is so. */
export const until = (isThere: () => boolean) => eventually(() => expect(isThere()).toBe(true))

/** A desk of a person at these hubs, on the machine's own time; `more` counts before what is usual. */
export function deskAt(
  token: Secret,
  [first, ...others]: readonly Pick<Hub, 'url'>[],
  more: Partial<Parameters<typeof composeDesk>[0]> = {},
) {
  const also = others.flatMap(({ url }) => {
    const base = readBaseAddress(`${url}/v3`)
    return base.ok ? [base.value] : []
  })
  const journal = createMemoryJournal()
  const desk = composeDesk({
    venue: { profileName: 'desk', kind: 'practice' },
    exchangeBaseUrl: `${first?.url}/v3`,
    exchangeAlso: also,
    token,
    isMonitor: false,
    symbol: 'BTC-USD',
    exportsFolder: '/nowhere',
    drafts: createMemoryDrafts(),
    journal,
    clock: patientClock,
    random: Math.random,
    randomBytes,
    onQuit: () => undefined,
    onBug: (error) => {
      throw error
    },
    ...more,
  })
  if (!desk.ok) throw new Error(desk.error)
  onTestFinished(() => desk.value.stop())
  desk.value.start()
  return { desk: desk.value, store: desk.value.store, commands: desk.value.commands, journal }
}
