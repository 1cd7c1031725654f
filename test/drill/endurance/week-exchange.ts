import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../src/base/clock.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import { administer } from '../administer.ts'

export type WeekExchange = {
  readonly exchangeUrl: string
  readonly gatewayUrl: string
  readonly partnerKey: string
  /** The key of the account that the desk trades with. */
  readonly token: string
  admin(path: string, values: object): Promise<void>
  /** Down: connections are refused, until `up`. */
  down(): Promise<void>
  /** Up again at the same addresses, with everything it knew. */
  up(): Promise<void>
  stop(): Promise<void>
}

const portOf = (url: string): number => Number(new URL(url).port)

/**
 * The practice services in this process, living in a data folder on the drill's clock, so that they can go down and
 * come back.
 */
export async function startWeekExchange(data: string, clock: Clock, seed: number): Promise<WeekExchange> {
  const errors: string[] = []
  const log = (line: string) => {
    if (line.startsWith('error')) errors.push(line)
  }
  const onFailure = ({ message }: Error) => {
    throw new Error(`the practice exchange failed: ${message}`)
  }
  const start = (port: number, gatewayPort: number, adminPort: number): Promise<Sandbox> =>
    startSandbox({ port, gatewayPort, adminPort, market: 'on', seed, data }, { clock, randomBytes, log, onFailure })
  const first = await start(0, 0, 0)
  const { exchangeUrl, gatewayUrl, adminUrl, adminToken, partnerKey, accounts } = first
  let running: Sandbox | null = first
  const down = async () => {
    const stopped = running
    running = null
    await stopped?.stop()
    if (errors.length > 0) throw new Error(`the practice exchange complained: ${errors.join('; ')}`)
  }
  return {
    exchangeUrl,
    gatewayUrl,
    partnerKey,
    token: accounts.find(({ name }) => name === 'trader')?.token ?? '',
    admin: (path, values) => administer({ adminUrl, adminToken }, path, values),
    down,
    async up() {
      running ??= await start(portOf(exchangeUrl), portOf(gatewayUrl), portOf(adminUrl))
    },
    stop: down,
  }
}
