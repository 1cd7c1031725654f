import { readJournal } from './journal-reading.ts'
import { type Finding, judgeRan, judgeSentences } from './judge.ts'
import type { Home, Ran, Running } from './program.ts'
import type { Call } from './proxy.ts'
import { type Intent, nothingPast, type Past, type Scene } from './scene.ts'
import { isObject, readWire, textOf } from './wire-json.ts'
import type { World } from './world.ts'

/** What a command came to, and what is wrong with what it said. */
export type Acted = { ran: Ran; scene: Scene; findings: Finding[]; meanings: ReadonlySet<string> }

export type ActOptions = {
  home?: Home
  /** Called when the command runs; what it does goes on beside it, and is waited for in the end. */
  beside?: (running: Running) => Promise<void>
}

/** Looks at the exchange before something is done; afterwards `scene` says what it is to be held against. */
export async function watch(world: World, home: Home, intent: Intent, past: Past = nothingPast()) {
  const before = await world.exchange.truth()
  const since = world.proxy.calls.length
  return {
    since,
    writes: (): Call[] => world.proxy.writes(since),
    async scene(): Promise<Scene> {
      const truth = await world.exchange.truth()
      const journal = async () => (await readJournal(home)).entries
      return { intent, truth, before, writes: world.proxy.writes(since), past, journal }
    },
  }
}

/** Runs a command and holds all it said against the exchange. */
export async function act(
  world: World,
  intent: Intent,
  argv: readonly string[],
  { home = world.home, beside }: ActOptions = {},
): Promise<Acted> {
  const watched = await watch(world, home, intent)
  const running = home.start(...argv)
  const [ran] = await Promise.all([running.ended, beside?.(running)])
  const scene = await watched.scene()
  const { findings, meanings } = await judgeRan(scene, ran, home.features)
  return { ran, scene, findings, meanings }
}

/** Holds what a desk has said against the exchange. */
export async function judgeNews(scene: Scene, sentences: readonly string[]): Promise<Finding[]> {
  return (await judgeSentences(scene, sentences)).findings
}

/** The arguments of an order at this price. */
export function placeArguments(home: Home, price: string, clientOrderId?: string): string[] {
  const id = clientOrderId === undefined || !home.features.clientOrderId ? [] : ['--client-order-id', clientOrderId]
  const accept = home.features.accept ? ['--accept', 'soft-limit,unusual-size,partial-fill,self-match'] : []
  return ['order', 'place', 'buy', orderQuantity, 'BTC-USD', '--limit', price, '--yes', ...accept, ...id]
}
export const orderQuantity = '0.001'

export const orderIntent = (price: string): Intent => ({ kind: 'order', price, quantity: orderQuantity })

export function withdrawArguments(home: Home, amount: string, to: string, key?: string): string[] {
  const idempotency = key === undefined || !home.features.key ? [] : ['--key', key]
  return ['withdraw', 'btc', amount, '--to', to, ...sendingWords(home), ...idempotency]
}

export const sendArguments = (home: Home, draftId: string): string[] => [
  ...['withdraw', '--send', draftId, ...sendingWords(home)],
]

/** A script agrees to everything but a repeat: what went out within minutes is not to go out again by itself. */
const sendingWords = ({ features }: Home): string[] => [
  ...['--yes', ...(features.accept ? ['--accept', 'soft-limit,new-beneficiary,fee'] : [])],
]

export const withdrawalIntent = (amount: string, beneficiary: string): Intent => ({
  ...{ kind: 'withdrawal', amount, currency: 'BTC', beneficiary },
})

/** The id of the draft that a command has printed. */
export const draftIdOf = (stdout: string): string => {
  const value = readWire(stdout)
  const draftId = isObject(value) ? textOf(value.draftId) : null
  if (draftId === null) throw new Error(`no draft: ${stdout}`)
  return draftId
}
