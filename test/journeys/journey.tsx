import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { render } from 'ink-testing-library'
import { request } from 'undici'
import { onTestFinished } from 'vitest'
import type { ExchangeClient } from '../../src/api/exchange-client.ts'
import type { DeskGateway } from '../../src/desk/gateway/gateway.ts'
import { openPracticeAdmin } from '../../src/desk/practice/practice-admin.ts'
import { Decimal } from '../../src/domain/money.ts'
import { takeLock } from '../../src/journal/locks.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { createCostsFile } from '../../src/state-files/costs-file.ts'
import type { DeskStore } from '../../src/store/desk.ts'
import { Console } from '../../src/ui/console/console.tsx'
import { accountClients, tokenOf } from '../fakes/account-clients.ts'
import { calmStore } from '../fakes/calm-store.ts'
import { steadily } from '../fakes/eventually.ts'
import { FakeClock } from '../fakes/fake-clock.ts'
import { aDraft } from '../fakes/orders.ts'
import { beat, beatMs, beatsUntil, type DeskOptions, practiceDesk } from '../fakes/practice-desk.ts'
import { withoutStyles } from '../fakes/without-styles.ts'
import { pressedKey } from './pressed-key.ts'

/** When the clock of a journey starts. */
export const startMs = Date.UTC(2026, 0, 5, 14, 0, 0)
const beatsMax = 4_000

export type Journey = {
  sandbox: Sandbox
  clock: FakeClock
  store: DeskStore
  /** Where the desk puts exported lists. */
  exportsFolder: string
  /** The other side of the market, and the same account as the desk's, over the same HTTP. */
  counterparty: ExchangeClient
  trader: ExchangeClient
  /** Keys as a terminal sends them, all in one chunk; a beat passes after it, or as long as is given. */
  press(keys: string, passesMs?: number): Promise<void>
  /** The lines of the key table that were pressed one at a time so far, such as `ladder j`. */
  pressed: ReadonlySet<string>
  /** The terminal gets another size. */
  resize(columns: number, rows: number): void
  /** Lets time pass. */
  passes(ms: number): Promise<void>
  /** The screen, without colors. */
  screen(): string
  /** Lets time pass until the screen satisfies; fails with the screen when it never does. */
  until(isThere: (screen: string) => boolean): Promise<string>
  sees(...texts: readonly string[]): Promise<string>
  admin(path: string, body: object): Promise<void>
  hasQuit(): boolean
  /** Ends the desk as a restart does; its exchange goes on. */
  end(): Promise<void>
}

export const keys = {
  enter: '\r',
  escape: '\u001b',
  tab: '\t',
  up: '\u001b[A',
  down: '\u001b[B',
  left: '\u001b[D',
  right: '\u001b[C',
  pageDown: '\u001b[6~',
  clear: '\u0015',
}

/** Pages through a review that has more lines than its place. */
export async function readsToItsEnd(journey: Pick<Journey, 'screen' | 'press'>): Promise<void> {
  while (/ more: Down/.test(journey.screen())) await journey.press(keys.pageDown)
}

/** Screens that a journey is gone on. */
export const sizes = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
]

/** A paste as terminals bracket it. */
export const pasted = (text: string): string => `\u001b[200~${text}\u001b[201~`

export type JourneySettings = Partial<
  Pick<
    DeskOptions,
    | 'limits'
    | 'idleRules'
    | 'lock'
    | 'alerts'
    | 'reboundKeys'
    | 'journal'
    | 'drafts'
    | 'orderDrafts'
    | 'followed'
    | 'withdrawalTerms'
    | 'entry'
  >
> & {
  /** Where a lock is given: the desk stays behind it, as every desk with a lock starts. */
  startsLocked?: true
  /** Whose desk it is. */
  account?: 'trader' | 'no2fa'
  /** The payment gateway of the desk; none unless given. */
  openGateway?: (sandbox: Sandbox, clock: FakeClock) => Promise<{ gateway: DeskGateway; stop(): Promise<void> }>
  /** What the exchange's tokens are made from; of the machine unless given. */
  tokenBytes?: (count: number) => Uint8Array
  /** Something between the desk and its exchange; nothing unless given. */
  openProxy?: (exchangeUrl: string) => Promise<{ url: string }>
  /** A journey whose desk has ended: this one begins on its exchange, at its time. */
  after?: Journey
}

/** A desk on a practice exchange of its own, on a clock that only the journey moves; the market stands still. */
export async function startJourney(
  size: { columns: number; rows: number },
  isMonitor = false,
  settings: JourneySettings = {},
): Promise<Journey> {
  const { account = 'trader', after, openGateway, startsLocked, openProxy, tokenBytes, ...options } = settings
  const clock = after?.clock ?? new FakeClock(startMs)
  const started = { port: 0, gatewayPort: 0, adminPort: 0, market: 'off', seed: 1 } as const
  const sandbox =
    after?.sandbox ?? (await startSandbox(started, { clock, randomBytes: tokenBytes ?? randomBytes, log: () => {} }))
  const { counterparty, trader, close } = accountClients(sandbox, clock)
  const exportsFolder = join(await mkdtemp(join(tmpdir(), 'pitdesk-')), 'exports')
  onTestFinished(() => rm(dirname(exportsFolder), { recursive: true }))
  const gateway = await openGateway?.(sandbox, clock)
  const exchangeBaseUrl = (await openProxy?.(sandbox.exchangeUrl))?.url ?? sandbox.exchangeUrl
  let isOver = false
  const pressed = new Set<string>()
  const desk = practiceDesk(sandbox, clock, {
    exchangeBaseUrl,
    token: tokenOf(sandbox, account),
    isMonitor,
    exportsFolder,
    costs: createCostsFile({ path: join(dirname(exportsFolder), 'costs.json'), takeLock, clock }),
    practice: openPracticeAdmin(sandbox, clock),
    ...(gateway === undefined ? {} : { gateway: gateway.gateway }),
    ...options,
    onQuit: () => {
      isOver = true
    },
  })
  const { store, commands } = desk
  if (options.lock !== undefined && startsLocked !== true) {
    const atMs = clock.now()
    store.dispatch({ type: 'lockAnswered', answer: { kind: 'opened' }, atMs })
    store.dispatch({ type: 'modeChanged', mode: { kind: isMonitor ? 'MONITOR' : 'ARMED' }, atMs })
  }
  const env = { NO_COLOR: '1', LANG: 'C.UTF-8' }
  const view = render(<Console store={calmStore(store)} commands={commands} env={env} clock={clock} />)
  const resize = (columns: number, rows: number) => {
    const properties = { columns: { value: columns, configurable: true }, rows: { value: rows, configurable: true } }
    Object.defineProperties(view.stdout, properties)
    view.stdout.emit('resize')
  }
  resize(size.columns, size.rows)
  desk.start()
  let ended: Promise<void> | null = null
  const end = () => {
    view.unmount()
    ended ??= desk.stop().then(() => gateway?.stop())
    return ended
  }
  onTestFinished(async () => {
    await end()
    await close()
    if (after === undefined) await sandbox.stop()
  })

  const screen = () => withoutStyles(view.lastFrame() ?? '')
  const until = async (isThere: (screen: string) => boolean) => {
    if (await beatsUntil(clock, () => isThere(screen()), beatsMax)) return screen()
    // It waits for the machine, which loads a module or starts a thread: from here on the clock goes at its pace.
    return await steadily(async () => {
      await beat(clock)
      if (isThere(screen())) return screen()
      throw new Error(`never seen, last screen:\n${screen()}`)
    })
  }
  return {
    sandbox,
    clock,
    store,
    exportsFolder,
    counterparty,
    trader,
    screen,
    resize,
    async passes(ms) {
      for (let beats = 0; beats < ms / beatMs; beats += 1) await beat(clock)
    },
    until,
    sees: (...texts) => until((text) => texts.every((each) => text.includes(each))),
    pressed,
    async press(text, passesMs = beatMs) {
      const key = pressedKey(text, store.getState())
      if (key !== null) pressed.add(key)
      view.stdin.write(text)
      await beat(clock, passesMs)
    },
    async admin(path, body) {
      const headers = { Authorization: `Bearer ${sandbox.adminToken}`, 'Content-Type': 'application/json' }
      const response = await request(`${sandbox.adminUrl}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${await response.body.text()}`)
      await response.body.dump()
    },
    hasQuit: () => isOver,
    end,
  }
}

/** Both sides of a market around 64,210.25 from the other account, and the cursor put on it. */
export async function quoteAndCenter(journey: Journey): Promise<void> {
  const orderQuantity = new Decimal('0.5')
  const sides = [
    { side: 'BUY', limitPrice: new Decimal('64210.00'), clientOrderId: 'bid' },
    { side: 'SELL', limitPrice: new Decimal('64210.50'), clientOrderId: 'ask' },
  ] as const
  for (const side of sides) await journey.counterparty.placeOrder({ ...aDraft({ orderQuantity }), ...side })
  await journey.sees('64210.50', '25,000', '64210.00')
  await journey.press('c')
  // The first step puts it in the middle.
  await journey.press('j')
}
