import { createRandom, type Random } from '../../../src/base/random.ts'
import { type DistortionKind, distort, distortionKinds, kindsFor } from './distortions.ts'
import type { Finding } from './judge.ts'
import { type Call, type Treatment, writeTargets } from './proxy.ts'
import { type Intent, nothingPast } from './scene.ts'
import type { World } from './world.ts'

/**
 * Faults of the machine: a process is killed or stands still, its clock is wrong, its disk is full, the last line of
 * its journal is damaged; `two` runs a command twice at once.
 */
export const processFaults = ['kill', 'torn', 'stop', 'clock', 'full', 'two'] as const
export type ProcessFault = (typeof processFaults)[number]
const isProcessFault = (name: string): name is ProcessFault => processFaults.some((each) => each === name)

export type FaultName = DistortionKind | ProcessFault
export const faultNames: readonly FaultName[] = [...distortionKinds, ...processFaults]

export type LaneOptions = {
  name: string
  seed: number
  writes: number
  /** Null: everything. */
  only: FaultName | null
}

/** Share of the calls of a kind that are distorted, 0 to 1. */
const shares = { write: 0.55, byId: 0.25, list: 0.15, other: 0.015 }
/** Share of the acts with a fault of the machine. */
const processFaultShare = 0.15

/**
 * The work of one person in one home: what was wanted, what is wrong with what came of it, and the faults that were
 * made.
 */
export class Lane {
  readonly world: World
  readonly options: LaneOptions
  readonly findings: Finding[] = []
  readonly intents: Intent[] = []
  /** Fault → how often. */
  readonly faults = new Map<string, number>()
  /** Prices and amounts whose line of the journal the drill has damaged: no record can have them. */
  readonly lost = new Set<string>()
  /** What the desk of the lane has done and said. */
  readonly past = nothingPast()
  acts = 0
  #act: Random
  #orders = 0
  #amounts = 0

  constructor(world: World, options: LaneOptions) {
    this.world = world
    this.options = options
    this.#act = this.stream('start')
  }

  /** The random stream of the present act. */
  get chance(): Random {
    return this.#act
  }

  /** A random stream of its own for each name within an act, so that the timing of processes changes no draw. */
  stream(name: string): Random {
    return createRandom(this.options.seed, `${this.options.name} ${this.acts} ${name}`)
  }

  /** Begins an act: sets what the proxy does in it, and returns the fault of the machine, if any. */
  begin(): ProcessFault | null {
    this.acts += 1
    this.#act = this.stream('act')
    this.#plan()
    const { only } = this.options
    if (only !== null && !isProcessFault(only)) return null
    if (!this.#act.chance(only === null ? processFaultShare : 0.5)) return null
    const fault = only ?? processFaults[this.#act.integer(0, processFaults.length - 1)]
    return fault !== undefined && isProcessFault(fault) ? fault : null
  }

  count(fault: string): void {
    this.faults.set(fault, (this.faults.get(fault) ?? 0) + 1)
  }

  want<I extends Intent>(intent: I): I {
    this.intents.push(intent)
    return intent
  }

  /**
   * A price that no other order of the lane has. Prices rise, so that the newest order is best; the tick above is for
   * its move.
   */
  newPrice(): string {
    this.#orders += 1
    return String(63_001 + this.#orders)
  }

  newAmount(): string {
    this.#amounts += 1
    return (0.0002 + 0.000001 * this.#amounts).toFixed(6).replace(/0+$/, '')
  }

  #plan(): void {
    const seen = new Map<string, number>()
    this.world.proxy.plan = (call) => {
      const nth = (seen.get(call.target) ?? 0) + 1
      seen.set(call.target, nth)
      return this.#treat(call, this.stream(`${call.target} ${nth}`))
    }
  }

  #treat({ target }: Call, chance: Random): Treatment | null {
    const { only } = this.options
    const isById = target === 'orderById' || target === 'withdrawalById'
    const kind = writeTargets.includes(target) ? 'write' : isById ? 'byId' : target === 'list' ? 'list' : 'other'
    if (!chance.chance(shares[kind])) return null
    const kinds = kindsFor(target).filter((each) => only === null || each === only)
    const chosen = kinds[chance.integer(0, kinds.length - 1)]
    if (chosen === undefined) return null
    this.count(chosen)
    return distort(chosen, chance)
  }
}
