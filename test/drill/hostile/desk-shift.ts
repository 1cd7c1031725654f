import { judgeNews, orderIntent, orderQuantity, watch } from './act.ts'
import { Desk, isOutcome } from './desk.ts'
import { isOwn, isWorking, type TrueOrder } from './exchange.ts'
import { readJournal } from './journal-reading.ts'
import type { Lane, ProcessFault } from './lane.ts'
import { type Intent, inWords, ordersOf } from './scene.ts'
import { movedTooMuch, verdict } from './verdict.ts'

/** How long the log is watched for the end of a write, in ms of the drill. */
const answerMs = 15_000

/** Works at the screen: places, moves, cancels one and all, while the desk is stopped and killed now and then. */
export async function workDesk(lane: Lane): Promise<void> {
  const { world, options } = lane
  let desk: Desk | null = null
  while (lane.acts < options.writes) {
    const fault = lane.begin()
    desk = desk === null || desk.terminal.hasEnded ? await openDesk(lane) : desk
    if (desk === null) continue
    const working = (await world.exchange.truth()).orders.filter((order) => isOwn(order) && isWorking(order))
    await workOnce(lane, desk, working, fault)
    if (desk.terminal.hasEnded && fault !== 'kill')
      lane.findings.push({ kind: 'crash', text: `the desk ended by itself: ${desk.brief}` })
  }
  await desk?.end()
  lane.findings.push(...(await verdict(world, [world.home], lane.intents)), ...(await lastLook(lane)))
}

/**
 * Opens a desk through an honest proxy: its start is not what is tried here. Null, with a finding, when it does not
 * open.
 */
async function openDesk(lane: Lane): Promise<Desk | null> {
  const { world } = lane
  const plan = world.proxy.plan
  world.proxy.plan = () => null
  const desk = new Desk(world.home.openDesk(), world.clock)
  const isOpen = await desk.open()
  world.proxy.plan = plan
  if (isOpen) return desk
  lane.findings.push({ kind: 'crash', text: `no desk opens: ${desk.brief}` })
  await desk.end()
  return null
}

type Step = {
  intent: Intent
  /** Up to where the next key sends it; false when something is in the way. */
  prepare: () => Promise<boolean>
  send: (hasLeft: () => boolean) => Promise<boolean>
}

function nextStep(lane: Lane, desk: Desk, working: readonly TrueOrder[]): Step {
  const { chance } = lane
  const draw = chance.uniform()
  const order = working[chance.integer(0, working.length - 1)]
  const cancel = (intent: Intent, what: string): Step => ({
    intent,
    prepare: () => Promise.resolve(true),
    send: (hasLeft) => desk.cancel(what, hasLeft),
  })
  const send = (hasLeft: () => boolean) => desk.send(hasLeft)
  if (draw < 0.06 && working.length > 2) return cancel({ kind: 'cancelAll', symbol: 'BTC-USD' }, 'all btc-usd')
  if (draw < 0.26 && order !== undefined) return cancel({ kind: 'cancel', orderId: order.id }, order.id)
  // Only an order that has not been moved yet: the tick above it is its own.
  if (draw < 0.5 && order !== undefined && Number.isInteger(Number(order.price))) {
    const price = String(Number(order.price) + 0.5)
    const intent = lane.want({ kind: 'move', orderId: order.id, price, quantity: order.leaves })
    return { intent, prepare: () => desk.reviewMove(order.id, 1), send }
  }
  const price = lane.newPrice()
  const prepare = () => desk.review(`buy ${orderQuantity} btc-usd @ ${price}`)
  return { intent: lane.want(orderIntent(price)), prepare, send }
}

async function workOnce(
  lane: Lane,
  desk: Desk,
  working: readonly TrueOrder[],
  fault: ProcessFault | null,
): Promise<void> {
  const { world, chance, findings } = lane
  const { intent, prepare, send } = nextStep(lane, desk, working)
  const watched = await watch(world, world.home, intent, lane.past)
  const hasLeft = () => watched.writes().length > 0
  if (await prepare()) {
    if (fault === 'stop' && (intent.kind === 'order' || intent.kind === 'move')) {
      await standStill(lane, desk)
      const text = `${inWords(intent)} left by an Enter from while the desk stood still`
      if (hasLeft()) findings.push({ kind: 'unasked', text })
    }
    await send(hasLeft)
    if (fault === 'kill') {
      lane.count('kill')
      await desk.end()
      return
    }
  }
  const said = await desk.outcome(hasLeft() ? answerMs : 0, isOutcome)
  const scene = await watched.scene()
  findings.push(...(await judgeNews(scene, said)), ...movedTooMuch(scene.truth, intent))
  if (intent.kind === 'cancelAll') lane.past.cancelAll = scene
  const [placed] = intent.kind === 'order' ? ordersOf(intent, scene.truth) : []
  if (placed?.price == null || !chance.chance(0.4)) return
  const more = { timeInForce: 'IOC' }
  await world.exchange.order('counterparty', { side: 'SELL', qty: '0.0004', price: placed.price, more })
}

/** Stops the process with a review open, presses Enter, and lets it go on. */
async function standStill(lane: Lane, desk: Desk): Promise<void> {
  lane.count('stop')
  await desk.pause(1_600)
  desk.kill('SIGSTOP')
  await desk.pause(lane.chance.integer(2_500, 8_000))
  desk.terminal.type('\r')
  await desk.pause(500)
  desk.kill('SIGCONT')
  await desk.pause(3_500)
}

/**
 * Opens a desk through an honest proxy: it must show every working order, and that a write is unknown where one is.
 */
async function lastLook(lane: Lane): Promise<Lane['findings']> {
  const { world } = lane
  world.proxy.plan = () => null
  const working = (await world.exchange.truth()).orders.filter(isWorking)
  const open = (await readJournal(world.home)).entries.filter(({ fate }) => fate === 'open')
  const desk = new Desk(world.home.openDesk(), world.clock)
  try {
    if (!(await desk.open())) return [{ kind: 'crash', text: `no desk opens: ${desk.brief}` }]
    await desk.press('2')
    // Orders that nobody knows the outcome of are rows too.
    const isAll = (text: string) => {
      const shown = Number(/2 Orders \((\d+)\)/.exec(text)?.[1] ?? 0)
      return /2 Orders/.test(text) && shown >= working.length && shown <= working.length + open.length
    }
    const isShown = await desk.until(isAll)
    const isToldOf = open.length === 0 || (await desk.until((text) => /UNKNOWN|UNRESOLVED|unknown/.test(text)))
    const title = /2 Orders[^━─═]*/.exec(desk.text)?.[0].trim() ?? 'no list of orders'
    return [
      ...(isShown
        ? []
        : [{ kind: 'forgotten', text: `${working.length} orders work, the desk shows "${title}"` } as const]),
      ...(isToldOf
        ? []
        : [{ kind: 'forgotten', text: `${open.length} entries are open, and the desk shows none` } as const]),
    ]
  } finally {
    await desk.end()
  }
}
