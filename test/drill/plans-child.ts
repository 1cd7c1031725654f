import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import { Secret } from '../../src/base/secret.ts'
import { composeDesk } from '../../src/desk/desk.ts'
import { dutyPlace } from '../../src/desk/duties/duty-place.ts'
import type { DutyRole } from '../../src/domain/desk/duties.ts'
import type { Verdict } from '../../src/domain/unknown-write.ts'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { noLimits } from '../fakes/limits.ts'
import { createMemoryDrafts } from '../fakes/memory-drafts.ts'

export type DeskSetting = { exchangeUrl: string; token: string; folder: string; role: DutyRole }
export type VenueSetting = { seed: number; data: string; ports: readonly [number, number, number] }

/** A market that lives, on a disk that outlives it; its first line says where it is. It ends when its stdin does. */
export async function runVenue({ seed, data, ports: [port, gatewayPort, adminPort] }: VenueSetting): Promise<void> {
  const sandbox = await startSandbox(
    { port, gatewayPort, adminPort, market: 'on', seed, data },
    { clock: systemClock, randomBytes, log: () => {} },
  )
  const { exchangeUrl, gatewayUrl, adminUrl, adminToken, accounts } = sandbox
  const tokenOf = (name: string) => accounts.find((each) => each.name === name)?.token
  const [token, otherToken, makerToken] = ['trader', 'counterparty', 'no2fa'].map(tokenOf)
  const tokens = { token, otherToken, makerToken }
  process.stdout.write(`${JSON.stringify({ exchangeUrl, gatewayUrl, adminUrl, adminToken, ...tokens })}\n`)
  process.stdin.resume()
  await new Promise((resolve) => process.stdin.once('end', resolve))
  await sandbox.stop()
}

/**
 * A desk in everything but its screen, as `pitdesk watch` and `pitdesk` have it: polls, journal, duties, plans. It says
 * each alert of a plan, and when it has the duties, as a line of JSON. It plays the person too, who believes the
 * evidence of a write without an answer.
 */
export async function runPlanDesk({ exchangeUrl, token, folder, role }: DeskSetting): Promise<void> {
  mkdirSync(join(folder, 'journal'), { recursive: true })
  const now = () => systemClock.wallMs()
  const say = (line: object) => process.stdout.write(`${JSON.stringify({ atMs: now(), role, ...line })}\n`)
  const journal = await openFileJournal({ folder: join(folder, 'journal'), exchange: 'practice', now, randomBytes })
  const opened = composeDesk({
    ...{ venue: { profileName: 'drill', kind: 'practice' }, exchangeBaseUrl: exchangeUrl, token: new Secret(token) },
    ...{ isMonitor: false, symbol: 'SOL-USD', exportsFolder: folder, drafts: createMemoryDrafts(), journal, role },
    ...{ plans: { folder, exchange: 'practice' }, dutyPlace: dutyPlace({ folder, profileName: 'drill' }) },
    // Plans that are alike are no slip of a finger here.
    limits: noLimits,
    transport: { rate: { perSecond: 100, burst: 100 } },
    ...{ clock: systemClock, random: Math.random, randomBytes, onQuit: () => {} },
    onBug(error) {
      process.stderr.write(`bug in the ${role}: ${String(error)}\n`)
      process.exit(1)
    },
  })
  if (!opened.ok) throw new Error(opened.error)
  const { store, commands } = opened.value
  const believe = (key: string, verdict: Verdict) => {
    store.dispatch({ type: 'overlayOpened', overlay: { kind: 'unknownWrite', key, match: null } })
    commands.resolveUnknown(verdict)
  }
  store.subscribe((state, before) => {
    if (state.duties.where !== before.duties.where) say({ duties: state.duties.where })
    for (const { kind, text, seq } of state.alerts.fired)
      if (seq > before.alerts.lastSeq && kind === 'plan') say({ told: text })
    if (state.unknownWrites === before.unknownWrites) return
    for (const { key, question } of state.unknownWrites)
      if (question !== null) setImmediate(() => believe(key, question.verdicts[0] ?? 'notPlaced'))
  })
  opened.value.start()
  say({ ready: true })
  process.stdin.resume()
  await new Promise((resolve) => process.stdin.once('end', resolve))
  await opened.value.stop()
}
