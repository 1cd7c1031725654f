import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../../src/base/clock.ts'
import { Exchange, type Person } from './exchange.ts'
import { type Build, Home, type HomeOptions } from './program.ts'
import { HostileProxy } from './proxy.ts'

/** Time that runs `factor` times as fast since `epochMs`: for the exchange, the proxy and the drill itself. */
function createFastClock({ epochMs, factor }: HomeOptions['time']): Clock {
  const hurried = (ms: number) => Math.floor(epochMs + (ms - epochMs) * factor)
  return {
    now: () => hurried(systemClock.now()),
    wallMs: () => hurried(systemClock.wallMs()),
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  }
}

export type WorldOptions = { build: Build; seed: number; factor: number; cacheFolder: string }

/** An exchange with its market, a proxy before it, and homes of those who work there. */
export class World {
  readonly exchange: Exchange
  readonly proxy: HostileProxy
  readonly clock: Clock
  readonly home: Home
  readonly #options: WorldOptions
  readonly #time: HomeOptions['time']
  readonly #folder: string
  readonly #homes: Home[] = []
  /** Who money may go to, by the ids of the whitelist. */
  beneficiaries: readonly string[] = []

  private constructor(
    options: WorldOptions,
    parts: Pick<World, 'exchange' | 'proxy' | 'clock'>,
    time: HomeOptions['time'],
  ) {
    this.#options = options
    this.#time = time
    this.exchange = parts.exchange
    this.proxy = parts.proxy
    this.clock = parts.clock
    this.#folder = mkdtempSync(join(tmpdir(), 'pitdesk-hostile-'))
    this.home = this.openHome('home')
  }

  static open(options: WorldOptions): Promise<World> {
    return World.#openAt(options, { epochMs: systemClock.now(), factor: options.factor })
  }

  static async #openAt(options: WorldOptions, time: HomeOptions['time']): Promise<World> {
    const clock = createFastClock(time)
    const exchange = await Exchange.start(clock, options.seed)
    const proxy = await HostileProxy.start(exchange.place('trader'), clock)
    const world = new World(options, { exchange, proxy, clock }, time)
    await world.#furnish()
    return world
  }

  /** Another exchange with the same world, on the same time. */
  sibling(): Promise<World> {
    return World.#openAt(this.#options, this.#time)
  }

  get folder(): string {
    return this.#folder
  }

  /** Another home, on this world's proxy unless the options name another address or key. */
  openHome(name: string, more: Partial<HomeOptions> = {}): Home {
    const { build, cacheFolder } = this.#options
    const place = { baseUrl: this.proxy.url, token: this.exchange.place('trader').token }
    const home = new Home(build, { ...place, folder: join(this.#folder, name), cacheFolder, time: this.#time, ...more })
    this.#homes.push(home)
    return home
  }

  token(person: Person): string {
    return this.exchange.place(person).token
  }

  /** Both sides of a market, far apart so that there is room for orders between them; and a last price. */
  async #furnish(): Promise<void> {
    const { exchange } = this
    await exchange.order('counterparty', { side: 'BUY', qty: '0.05', price: '63000' })
    await exchange.order('counterparty', { side: 'SELL', qty: '0.4', price: '64210.5' })
    await exchange.order('trader', { side: 'BUY', qty: '0.0001', price: '64210.5', more: { timeInForce: 'IOC' } })
    // One that was turned down and one that ended: what an answer may be mistaken for.
    await exchange.order('trader', { side: 'BUY', qty: '0.001', price: '63000.1' })
    await exchange.cancel('trader', await exchange.order('trader', { side: 'BUY', qty: '0.001', price: '63001' }))
    this.beneficiaries = await exchange.beneficiaries('BTC')
    const [first = ''] = this.beneficiaries
    const rejected = await exchange.withdraw('0.0011', first)
    await exchange.admin('/withdrawal/reject', { withdrawalId: rejected })
  }

  async stop(isKept: boolean): Promise<void> {
    for (const home of this.#homes) home.stop()
    await this.proxy.stop()
    await this.exchange.stop()
    if (!isKept) rmSync(this.#folder, { recursive: true, force: true })
  }
}
