import { createRandom } from '../../../src/base/random.ts'
import {
  act,
  judgeNews,
  orderIntent,
  orderQuantity,
  placeArguments,
  watch,
  withdrawArguments,
  withdrawalIntent,
} from './act.ts'
import { Desk, isOutcome } from './desk.ts'
import { distort, othersOf } from './distortions.ts'
import { readJournal } from './journal-reading.ts'
import type { Finding } from './judge.ts'
import { certainly, commandFactor, deskFactor, placeWorking, type Scenario, treatFirst, treatment } from './scenario.ts'
import type { Intent } from './scene.ts'
import { movedTooMuch, verdict } from './verdict.ts'
import { writeWire } from './wire-json.ts'
import type { World } from './world.ts'

/**
 * Which write an answer belongs to (21), what is said of a withdrawal that is found (22), and an error in a 200 (9).
 */
export const answerScenarios: readonly Scenario[] = [
  { name: '09-cancel-answered-with-an-error-in-a-200', factor: commandFactor, run: cancelAnsweredWithError },
  { name: '21-order-answered-with-anothers-rejected', factor: commandFactor, run: orderAnsweredWithAnothers },
  { name: '21-order-delivered-twice', factor: commandFactor, run: orderDeliveredTwice },
  { name: '21-order-delivered-twice-and-not-listed-yet', factor: commandFactor, run: orderDeliveredTwiceAndLate },
  { name: '21-withdrawal-answered-with-anothers-rejected', factor: commandFactor, run: withdrawalAnsweredWithAnothers },
  {
    name: '21-withdrawal-answered-with-the-one-before',
    factor: commandFactor,
    run: withdrawalAnsweredWithTheOneBefore,
  },
  { name: '21-cancel-looked-up-as-another', factor: commandFactor, run: cancelLookedUpAsAnother },
  { name: '21-cancel-delivered-twice', factor: commandFactor, run: cancelDeliveredTwice },
  { name: '21-move-with-anothers-filled-quantity', factor: deskFactor, run: moveWithAnothersQuantity },
  { name: '21-desk-order-answered-with-anothers-rejected', factor: deskFactor, run: deskOrderAnsweredWithAnothers },
  { name: '22-withdrawal-found-and-then-not', factor: commandFactor, run: withdrawalFound },
]

const price = '63500'

/** The cancel never reaches the exchange, and its answer, which should have no body, tells of an error. */
async function cancelAnsweredWithError(world: World): Promise<Finding[]> {
  const orderId = await placeWorking(world, price)
  treatFirst(
    world,
    'cancel',
    treatment('errorWith200', async (via) => via.answer({ status: 200, body: '{"error":"not now"}' })),
  )
  const intent: Intent = { kind: 'cancel', orderId }
  const { findings } = await act(world, intent, ['order', 'cancel', orderId])
  return [...findings, ...(await verdict(world, [world.home], [intent]))]
}

async function orderAnsweredWithAnothers(world: World): Promise<Finding[]> {
  const intent = orderIntent(price)
  const argv = placeArguments(world.home, price, 'ours1')
  treatFirst(world, 'place', certainly('anothers'))
  const first = await act(world, intent, argv)
  // Told that nothing was placed, a person tries again.
  const second = first.meanings.has('none') ? await act(world, intent, argv) : null
  return [...first.findings, ...(second?.findings ?? []), ...(await verdict(world, [world.home], [intent]))]
}

async function orderDeliveredTwice(world: World): Promise<Finding[]> {
  const intent = orderIntent(price)
  treatFirst(world, 'place', certainly('twice'))
  const { findings } = await act(world, intent, placeArguments(world.home, price))
  return [...findings, ...(await verdict(world, [world.home], [intent]))]
}

/** The second copy is refused as a duplicate, and every list is as far behind as one may be. */
async function orderDeliveredTwiceAndLate(world: World): Promise<Finding[]> {
  const intent = orderIntent(price)
  const twice = certainly('twice')
  const lagging = distort('withoutNewest', { ...createRandom(1, 'lag'), integer: (_, high) => high })
  world.proxy.plan = ({ target }) => (target === 'place' ? twice : target === 'list' ? lagging : null)
  const { findings } = await act(world, intent, placeArguments(world.home, price))
  return [...findings, ...(await verdict(world, [world.home], [intent]))]
}

async function withdrawalAnsweredWithAnothers(world: World): Promise<Finding[]> {
  const [to = ''] = world.beneficiaries
  const intent = withdrawalIntent('0.0123', to)
  const argv = withdrawArguments(world.home, '0.0123', to, 'ours1')
  treatFirst(world, 'withdraw', certainly('anothers'))
  const first = await act(world, intent, argv)
  const second = await act(world, intent, argv)
  return [...first.findings, ...second.findings, ...(await verdict(world, [world.home], [intent]))]
}

/**
 * The same amount goes to the same beneficiary once more, on purpose. The answer to the second is the first withdrawal.
 */
async function withdrawalAnsweredWithTheOneBefore(world: World): Promise<Finding[]> {
  const [to = ''] = world.beneficiaries
  const intent = withdrawalIntent('0.0125', to)
  const accept = world.home.features.accept ? ['--accept', 'repeat'] : []
  const argv = [...withdrawArguments(world.home, '0.0125', to), ...accept]
  await act(world, intent, argv)
  const first = (await world.exchange.truth()).withdrawals.find(({ amount }) => amount === '0.0125')
  treatFirst(
    world,
    'withdraw',
    treatment('theOneBefore', async (via) => {
      await via.deliver()
      via.answer(await via.ask(`/withdrawals/${first?.id}`))
    }),
  )
  const { findings } = await act(world, intent, argv)
  const { entries } = await readJournal(world.home)
  const ids = entries.flatMap(({ kind, exchangeId }) =>
    kind === 'withdrawal' && exchangeId !== null ? [exchangeId] : [],
  )
  const shared = ids.filter((id, at) => ids.indexOf(id) !== at)
  const text = `two entries of the journal say that they are withdrawal ${shared.join(', ')}`
  return [...findings, ...(shared.length === 0 ? [] : [{ kind: 'false', text } as const])]
}

/**
 * The cancel never reaches the exchange, and questions about the order are answered with another one, which has ended.
 */
async function cancelLookedUpAsAnother(world: World): Promise<Finding[]> {
  const orderId = await placeWorking(world, price)
  world.proxy.plan = (call) => {
    if (call.target === 'cancel') return certainly('dropBefore')
    return call.target === 'orderById' ? certainly('anothers') : null
  }
  const intent: Intent = { kind: 'cancel', orderId }
  const { findings } = await act(world, intent, ['order', 'cancel', orderId])
  return [...findings, ...(await verdict(world, [world.home], [intent]))]
}

async function cancelDeliveredTwice(world: World): Promise<Finding[]> {
  const orderId = await placeWorking(world, price)
  treatFirst(world, 'cancel', certainly('twice'))
  const intent: Intent = { kind: 'cancel', orderId }
  const { findings } = await act(world, intent, ['order', 'cancel', orderId])
  return [...findings, ...(await verdict(world, [world.home], [intent]))]
}

/**
 * The review shows the small rest of an order that is nearly filled; after its cancel the order is shown as one that
 * filled nothing.
 */
async function moveWithAnothersQuantity(world: World): Promise<Finding[]> {
  const { exchange, home, proxy } = world
  const { ran } = await act(world, { kind: 'none' }, placeArguments(home, price).with(3, '0.03'))
  await exchange.order('counterparty', { side: 'SELL', qty: '0.027', price, more: { timeInForce: 'IOC' } })
  const orderId = (await exchange.truth()).orders.find(
    (order) => order.price === price && order.status === 'PART_FILLED',
  )?.id
  if (orderId === undefined) throw new Error(`no order to move: ${ran.stdout}${ran.stderr}`)
  const desk = new Desk(home.openDesk(), world.clock)
  try {
    const intent: Intent = { kind: 'move', orderId, price: '63501', quantity: '0.003' }
    const watched = await watch(world, home, intent)
    if (!(await desk.open()) || !(await desk.reviewMove(orderId, 2))) throw new Error(`no move:\n${desk.brief}`)
    const anothers = treatment('anothers', async (via) => {
      const other = (await othersOf(via)).find(({ ordStatus }) => ordStatus === 'CANCELED')
      via.answer({ status: 200, body: writeWire(other ?? null) })
    })
    proxy.plan = (call) => (call.target === 'orderById' ? anothers : null)
    await desk.send(() => watched.writes().length > 0)
    const said = await desk.outcome(40_000, isOutcome)
    const scene = await watched.scene()
    return [...(await judgeNews(scene, said)), ...movedTooMuch(scene.truth, intent)]
  } finally {
    await desk.end()
  }
}

async function deskOrderAnsweredWithAnothers(world: World): Promise<Finding[]> {
  const desk = new Desk(world.home.openDesk(), world.clock)
  try {
    const intent = orderIntent(price)
    const watched = await watch(world, world.home, intent)
    const isReviewed = (await desk.open()) && (await desk.review(`buy ${orderQuantity} btc-usd @ ${price}`))
    if (!isReviewed) throw new Error(`no review:\n${desk.brief}`)
    treatFirst(world, 'place', certainly('anothers'))
    await desk.send(() => watched.writes().length > 0)
    const said = await desk.outcome(20_000, isOutcome)
    return await judgeNews(await watched.scene(), said)
  } finally {
    await desk.end()
  }
}

async function withdrawalFound(world: World): Promise<Finding[]> {
  const [to = ''] = world.beneficiaries
  const intent = withdrawalIntent('0.0124', to)
  const argv = withdrawArguments(world.home, '0.0124', to, 'ours1')
  treatFirst(world, 'withdraw', certainly('dropAfter'))
  const first = await act(world, intent, argv)
  // A script that was not told that it is done does it again.
  const second = first.ran.code === 0 ? null : await act(world, intent, argv)
  return [...first.findings, ...(second?.findings ?? []), ...(await verdict(world, [world.home], [intent]))]
}
