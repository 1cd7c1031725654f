import type { Clock } from '../base/clock.ts'
import type { Result } from '../base/result.ts'
import type { BaseAddress } from './base-address.ts'
import { type Connections, openConnections, type TransportOptions } from './transport.ts'

/** One address of the service with its connections, or the error of an unusable certificate or proxy. */
export type Way = { base: BaseAddress; connections: Result<Connections> }

/** Time an unresponsive address is skipped if there is another: enough for a take-over. */
const silentForMs = 5_000

/** The addresses of one service, in the order of the settings, one of which is in use. */
export class Route {
  readonly #ways: readonly [Way, ...Way[]]
  readonly #onMove: () => void
  readonly #clock: Pick<Clock, 'now'>
  /** Until when each address is skipped, in desk time. */
  readonly #silentUntilMs = new Map<Way, number>()
  #used = 0

  constructor(
    options: Pick<TransportOptions, 'base' | 'also' | 'caPem' | 'environment' | 'clock'>,
    connectMs: number,
    onMove: () => void,
  ) {
    this.#onMove = onMove
    this.#clock = options.clock
    const wayTo = (base: BaseAddress): Way => ({ base, connections: openConnections({ ...options, base }, connectMs) })
    this.#ways = [wayTo(options.base), ...(options.also ?? []).map(wayTo)]
  }

  get way(): Way {
    return this.#ways[this.#used] ?? this.#ways[0]
  }

  get count(): number {
    return this.#ways.length
  }

  /**
   * Switches to the next address, wrapping around, unless another call has switched already or all others were
   * unresponsive just now. Returns true when `way` is no longer in use. `isSilent`: the address accepted a connection,
   * or did not refuse it, but did not answer.
   */
  leave(way: Way, { isSilent = false } = {}): boolean {
    const nowMs = this.#clock.now()
    if (isSilent) this.#silentUntilMs.set(way, nowMs + silentForMs)
    if (this.way !== way) return true
    const others = this.#ways.map((_, at) => (this.#used + 1 + at) % this.#ways.length).slice(0, -1)
    const heard = others.find((at) => !this.#isSilent(this.#ways[at], nowMs))
    // When all are unresponsive, the choice does not matter.
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
    await Promise.all(
      this.#ways.map(({ connections }) => (connections.ok ? connections.value.dispatcher.destroy() : null)),
    )
  }
}
