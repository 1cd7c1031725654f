import { randomBytes } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { request as fetchOver } from 'undici'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import type { Desk } from '../../src/desk/desk.ts'
import type { LayoutName } from '../../src/domain/desk/session.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { layoutFor, layoutsThatFit } from '../../src/ui/panes/layout/layout.ts'
import { startServer } from '../api/stub-server.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { beat, beatMs, beatsUntil, type DeskOptions, practiceDesk } from '../fakes/practice-desk.ts'

/** What undici tells of a request that is made. */
const requestMessage = z.object({ request: z.object({ origin: z.string(), path: z.string(), method: z.string() }) })

export type Call = { atMs: number; method: string; path: string }

export type CountedDesk = {
  sandbox: Sandbox
  clock: FakeClock
  desk: Desk
  /** Every call to the exchange so far, oldest first. */
  calls: readonly Call[]
  /** The panes stand as in this layout on a terminal of this size. */
  looksAt(layout: LayoutName, columns: number, rows: number): Promise<void>
  /** Lets time pass; the calls made meanwhile. */
  passes(ms: number): Promise<readonly Call[]>
  until(isThere: () => boolean): Promise<void>
}

/** Which feed a call is of: the first segment of its path. */
export const endpointOf = ({ path }: Call): string => path.split('/')[2]?.split('?')[0] ?? ''

/** How many calls there are of each kind. */
export function tally(calls: readonly Call[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const call of calls) counts[endpointOf(call)] = (counts[endpointOf(call)] ?? 0) + 1
  return counts
}

/**
 * What stands before an exchange and never answers in the same words twice, so that everything seems to change all the
 * time.
 */
async function startRestless(exchangeUrl: string): Promise<string> {
  const { origin, pathname } = new URL(exchangeUrl)
  let count = 0
  const { url } = await startServer(async (response, { url: path, headers }) => {
    const token = { 'x-api-token': String(headers['x-api-token']) }
    const answer = await fetchOver(`${origin}${path}`, { headers: token })
    const body = await answer.body.text()
    count += 1
    response.writeHead(answer.statusCode, { 'content-type': 'application/json' }).end(`${body}${' '.repeat(count % 7)}`)
  })
  return `${url}${pathname}`
}

/**
 * A desk on a practice exchange in this process, on a clock that only the test moves, whose calls are counted as they
 * leave.
 */
export async function startCountedDesk(
  market: 'on' | 'off' | 'restless',
  options: Partial<Pick<DeskOptions, 'isMonitor' | 'pollMs' | 'idleRules' | 'transport' | 'history'>> = {},
): Promise<CountedDesk> {
  const clock = new FakeClock(Date.UTC(2026, 0, 5, 14, 0, 0))
  const sandbox = await startSandbox(
    { port: 0, gatewayPort: 0, adminPort: 0, market: market === 'off' ? 'off' : 'on', seed: 1 },
    { clock, randomBytes, log: () => {} },
  )
  const exchangeBaseUrl = market === 'restless' ? await startRestless(sandbox.exchangeUrl) : sandbox.exchangeUrl
  const { origin } = new URL(exchangeBaseUrl)
  const calls: Call[] = []
  const count = (message: unknown) => {
    const { request } = requestMessage.parse(message)
    const { path, method } = request
    if (request.origin === origin) calls.push({ atMs: clock.now(), method, path })
  }
  subscribe('undici:request:create', count)
  const exportsFolder = await mkdtemp(join(tmpdir(), 'pitdesk-calls-'))
  const desk = practiceDesk(sandbox, clock, { exchangeBaseUrl, exportsFolder, ...options })
  const { store } = desk
  desk.start()
  onTestFinished(async () => {
    unsubscribe('undici:request:create', count)
    await desk.stop()
    await sandbox.stop()
    await rm(exportsFolder, { recursive: true })
  })
  const until = async (isThere: () => boolean) => {
    if (!(await beatsUntil(clock, isThere, 2_000))) throw new Error('never')
  }
  return {
    sandbox,
    clock,
    desk,
    calls,
    async looksAt(layout, columns, rows) {
      await until(() => store.getState().instruments.value !== null)
      store.dispatch({ type: 'layoutChosen', layout })
      const { focus, view, ticket, move } = store.getState()
      const hasTicket = ticket !== null || move !== null
      const shown = layoutFor(columns, rows, { ...view, focus, hasTicket })
      if (shown.kind === 'tooSmall') throw new Error(`${columns}x${rows} is too small`)
      const { visiblePanes, ladderRowCount } = shown
      const layouts = layoutsThatFit(columns, rows)
      store.dispatch({ type: 'resized', screen: { columns, rows, layouts, visiblePanes, ladderRowCount } })
    },
    async passes(ms) {
      const before = calls.length
      for (let beats = 0; beats < ms / beatMs; beats += 1) await beat(clock)
      return calls.slice(before)
    },
    until,
  }
}
