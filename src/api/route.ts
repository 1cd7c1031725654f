import type { Dispatcher } from 'undici'
import type { Clock } from '../base/clock.ts'
import type { Result } from '../base/result.ts'
import type { BaseAddress } from './base-address.ts'
import { openDispatcher, type TransportOptions } from './transport.ts'

/** One address of the service, and the connections to it; the error of those is a certificate or proxy of no use. */
export type Way = { base: BaseAddress; dispatcher: Result<Dispatcher> }

/** An address that was silent is passed over for so long, where there is another one: a take-over is done by then. */
const silentForMs = 5_000

/** The addresses of one service, in the order of the settings, of which one is in use. */
export class Route {
  readonly #ways: readonly [Way, ...Way[]]
  readonly #onMove: () => void
  readonly #clock: Pick<Clock, 'now'>
  /** Until when an address is passed over, in desk time. */
  readonly #silentUntilMs = new Map<Way, number>()
  #used = 0

  constructor(
    options: Pick<TransportOptions, 'base' | 'also' | 'caPem' | 'environment' | 'clock'>,
    connectMs: number,
    onMove: () => void,
  ) {
    this.#onMove = onMove
    this.#clock = options.clock
    const wayTo = (base: BaseAddress): Way => ({ base, dispatcher: openDispatcher({ ...options, base }, connectMs) })
    this.#ways = [wayTo(options.base), ...(options.also ?? []).map(wayTo)]
  }

  get way(): Way {
    return this.#ways[this.#used] ?? this.#ways[0]
  }

  get count(): number {
    return this.#ways.length
  }

  /**
   * Takes the next address into use, the first one after the last, unless another call has done so already, or each of
   * the others was silent just now. True when `way` is not the one in use afterwards. `isSilent`: whoever is there took
   * a connection, or did not even refuse it, and says nothing.
   */
  leave(way: Way, { isSilent = false } = {}): boolean {
    const nowMs = this.#clock.now()
    if (isSilent) this.#silentUntilMs.set(way, nowMs + silentForMs)
    if (this.way !== way) return true
    const others = this.#ways.map((_, at) => (this.#used + 1 + at) % this.#ways.length).slice(0, -1)
    const heard = others.find((at) => !this.#isSilent(this.#ways[at], nowMs))
    // With silence all around, one is as good as the other.
    const next = heard ?? (isSilent ? others[0] : undefined)
    if (next === undefined) return false
    this.#used = next
    this.#onMove()
    return true
  }

  #isSilent(way: Way | undefined, nowMs: number): boolean {
    return way !== undefined && nowMs < (this.#silentUntilMs.get(way) ?? 0)
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#ways.map(({ dispatcher }) => (dispatcher.ok ? dispatcher.value.destroy() : null)))
  }
}
