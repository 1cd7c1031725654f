import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Secret } from '../../src/base/secret.ts'
import { readSettings } from '../../src/config/settings.ts'
import { type Hub, startHub } from '../../src/desk/hub/hub.ts'
import type { Role } from '../../src/domain/hub/roles.ts'
import type { ApprovalRule, Limits } from '../../src/domain/limits.ts'
import type { HubDatabase } from '../../src/hub/store/database.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { eventually } from '../fakes/eventually.ts'
import { patientClock } from '../fakes/patient-clock.ts'
import type { PostgresCluster } from '../fakes/postgres.ts'
import { quietIo } from '../fakes/quiet-io.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { type HttpAnswer, httpCall } from '../sandbox/http/harness.ts'
import { added, createHubDatabase, openDatabase } from './hub-database.ts'

export type Caller = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<HttpAnswer>

/** A practice exchange, a database, and hubs in front of it. */
export type Firm = {
  exchange: Sandbox
  database: HubDatabase
  /**
   * Starts a hub, on a host of its own where it has another home folder, with a wall clock that is so far ahead;
   * resolves when it answers, leading or not.
   */
  hub(home?: string, wallAheadMs?: number): Promise<Hub & { log: string[] }>
  /** Asks the exchange itself, as the other side of trades. */
  counterparty: Caller
  /** Has something go wrong at the exchange, as its administrator. */
  admin(path: string, body: object): Promise<HttpAnswer>
  /** A book around 60,000 in BTC-USD. */
  quote(): Promise<void>
  /** Adds a person; gives how they call a hub. */
  person(name: string, role?: Role): Promise<(hub: Pick<Hub, 'url'>) => Caller>
  /** The same with the token, which signs approvals. */
  member(name: string, role?: Role): Promise<{ token: Secret; at: (hub: Pick<Hub, 'url'>) => Caller }>
  url: string
}

/**
 * A firm with a market that stands still, unless `options` say otherwise; `approval` is its rule for withdrawals, none
 * unless given, and `ownLimits` are those it has instead of the usual ones. `through`: hubs reach the
 * exchange by the address that it gives.
 */
export async function openFirm(
  cluster: Pick<PostgresCluster, 'createLike'>,
  options: Partial<SandboxOptions> = {},
  approval: ApprovalRule = { kind: 'never' },
  ownLimits: Partial<Limits> = {},
  through: (exchangeUrl: string) => Promise<string> = (exchangeUrl) => Promise.resolve(exchangeUrl),
): Promise<Firm> {
  const exchange = await startSandbox(
    { port: 0, gatewayPort: 0, adminPort: 0, seed: 1, market: 'off', ...options },
    { clock: patientClock, randomBytes, log: () => undefined },
  )
  onTestFinished(() => exchange.stop())
  const url = await createHubDatabase(cluster)
  const database = await openDatabase(url)
  const trader = exchange.accounts.find(({ name }) => name === 'trader')
  const environment = {
    HOME: temporaryFolder('home'),
    PITDESK_EXCHANGE_BASE_URL: await through(exchange.exchangeUrl),
    PITDESK_API_TOKEN: trader?.token ?? '',
  }
  const settings = readSettings(environment, {})
  if (!settings.ok) throw new Error(settings.error.sentence)
  const { limits } = settings.value
  const firmLimits = { ...limits, withdrawals: { ...limits.withdrawals, approval }, ...ownLimits }
  const firm = { ...settings.value, limits: firmLimits }
  const other = exchange.accounts.find(({ name }) => name === 'counterparty')
  const counterparty = callerOf(exchange.exchangeUrl.replace(/\/v3$/, ''), other?.token ?? '')
  return {
    exchange,
    database,
    url,
    counterparty,
    admin: (path, body) =>
      httpCall(exchange.adminUrl, {
        ...{ method: 'POST', path, body: JSON.stringify(body) },
        headers: { authorization: `Bearer ${exchange.adminToken}`, 'content-type': 'application/json' },
      }),
    async quote() {
      for (const [side, price] of [
        ['BUY', '59900'],
        ['SELL', '60100'],
      ] as const) {
        const quoted = await counterparty('POST', '/orders', order(`quote${side}`, { side, price, orderQty: '1' }))
        if (!quoted.text.includes('OPEN')) throw new Error(quoted.text)
      }
    },
    async hub(home = environment.HOME, wallAheadMs = 0) {
      const clock = { ...patientClock, wallMs: () => patientClock.wallMs() + wallAheadMs }
      const log: string[] = []
      const own = await openDatabase(url)
      const started = await startHub({
        ...{
          settings: firm,
          database: own,
          listen: { host: '127.0.0.1', port: 0 },
          metricsPort: 0,
          isNewKey: false,
          tls: null,
        },
        io: quietIo({ ...environment, HOME: home }),
        tools: { clock, random: Math.random, randomBytes, isOwnProcess: false },
        log: (line) => log.push(line),
      })
      if (!started.ok) throw new Error(started.error)
      let isStopped = false
      const stop = async () => {
        if (isStopped) return
        isStopped = true
        await started.value.stop()
      }
      onTestFinished(stop)
      return { ...started.value, stop, log }
    },
    async person(name, role = 'trader') {
      return (await memberOf(database, name, role)).at
    },
    member: (name, role = 'trader') => memberOf(database, name, role),
  }
}

async function memberOf(database: HubDatabase, name: string, role: Role) {
  const { token } = await added(database, name, role)
  return { token, at: ({ url: base }: Pick<Hub, 'url'>) => callerOf(base, token.reveal()) }
}

const callerOf =
  (base: string, token: string): Caller =>
  (method, path, body, headers = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    return httpCall(base, {
      ...{ method, path: `/v3${path}`, headers: { 'x-api-token': token, ...type, ...headers } },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

/** A request to buy a little BTC far enough from the market to rest. */
export const order = (clOrdId: string, fields: object = {}): object => ({
  ...{ clOrdId, ordType: 'LIMIT', symbol: 'BTC-USD', side: 'BUY', orderQty: '0.01', price: '59000' },
  ...fields,
})

/** Waits until a hub leads and knows the account: until it takes orders. */
export const ready = (call: Caller): Promise<void> =>
  eventually(async () => {
    const { status, text } = await call('GET', '/hub/me')
    if (status !== 200) throw new Error(`${status} ${text}`)
  })
