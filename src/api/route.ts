import type { Dispatcher } from 'undici'
import type { Result } from '../base/result.ts'
import type { BaseAddress } from './base-address.ts'
import { openDispatcher, type TransportOptions } from './transport.ts'

/** One address of the service, and the connections to it; the error of those is a certificate or proxy of no use. */
export type Way = { base: BaseAddress; dispatcher: Result<Dispatcher> }

/** The addresses of one service, in the order of the settings, of which one is in use. */
export class Route {
  readonly #ways: readonly [Way, ...Way[]]
  readonly #onMove: () => void
  #used = 0

  constructor(
    options: Pick<TransportOptions, 'base' | 'also' | 'caPem' | 'environment'>,
    connectMs: number,
    onMove: () => void,
  ) {
    this.#onMove = onMove
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
   * Takes the next address into use, the first one after the last, unless another call has done so already. True when
   * `way` is not the one in use afterwards.
   */
  leave(way: Way): boolean {
    if (this.way === way && this.#ways.length > 1) {
      this.#used = (this.#used + 1) % this.#ways.length
      this.#onMove()
    }
    return this.way !== way
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#ways.map(({ dispatcher }) => (dispatcher.ok ? dispatcher.value.destroy() : null)))
  }
}
