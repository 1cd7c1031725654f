import { createRandom } from '../../../src/base/random.ts'
import { act, orderIntent, placeArguments } from './act.ts'
import { type DistortionKind, distort } from './distortions.ts'
import { isWorking } from './exchange.ts'
import type { Finding } from './judge.ts'
import type { Target, Treatment, Via } from './proxy.ts'
import { ordersOf } from './scene.ts'
import type { World } from './world.ts'

/** A failure that was seen once, played the same way every time, whatever the seed. */
export type Scenario = {
  /** Begins with the number of the point of the issue it belongs to. */
  name: string
  /** How many times as fast as the machine's clock time runs. A desk in a terminal needs it slower. */
  factor: number
  run: (world: World) => Promise<Finding[]>
}

export const commandFactor = 10
export const deskFactor = 3

/** Treats the first call of this kind; all others pass. */
export function treatFirst(world: World, target: Target, treatment: Treatment): void {
  let isDone = false
  world.proxy.plan = (call) => {
    if (isDone || call.target !== target) return null
    isDone = true
    return treatment
  }
}

/** A distortion without chance in it: every choice is made the same way each time. */
export const certainly = (kind: DistortionKind): Treatment =>
  distort(kind, { ...createRandom(1, kind), chance: () => true, integer: (low) => low })

/** A treatment made for one scenario. */
export const treatment = (kind: string, apply: (via: Via) => Promise<void>): Treatment => ({ kind, apply })

/** Places an order through the program, and returns its id. */
export async function placeWorking(world: World, price: string): Promise<string> {
  const intent = orderIntent(price)
  const { ran, scene } = await act(world, intent, placeArguments(world.home, price))
  const [order] = ordersOf(intent, scene.truth)
  if (order === undefined || !isWorking(order)) throw new Error(`no order at ${price}: ${ran.stdout}${ran.stderr}`)
  return order.id
}
