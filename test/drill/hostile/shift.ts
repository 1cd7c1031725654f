import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import {
  type Acted,
  act,
  draftIdOf,
  orderIntent,
  placeArguments,
  sendArguments,
  watch,
  withdrawArguments,
  withdrawalIntent,
} from './act.ts'
import { isOwn, isWorking, type TrueOrder } from './exchange.ts'
import { journalFiles } from './journal-reading.ts'
import { type Finding, judgeRan } from './judge.ts'
import type { Lane, ProcessFault } from './lane.ts'
import { limitFiles, type Running } from './program.ts'
import { writeTargets } from './proxy.ts'
import { type Intent, inWords } from './scene.ts'
import { verdict } from './verdict.ts'

/** How often a command is tried until it is done. */
const triesMax = 3

/** Works by one-shot commands, one after the other, now and then two at once. */
export async function workShift(lane: Lane): Promise<void> {
  const { world } = lane
  const { writes } = lane.options
  while (lane.acts < writes) {
    const fault = lane.begin()
    const { chance } = lane
    const draw = chance.uniform()
    const working = await ownWorking(lane)
    if (fault === 'two' && world.home.features.clientOrderId && draw < 0.5) await place(lane, fault)
    else if (fault === 'two' || draw < 0.14) await sendDraft(lane, fault)
    else if (draw < 0.32) await withdraw(lane, fault)
    else if (draw < 0.37 && working.length > 2)
      await once(lane, { kind: 'cancelAll', symbol: 'BTC-USD' }, cancelAllWords, fault)
    else if (draw < 0.62 && working.length > 0) await cancel(lane, working, fault)
    else await place(lane, fault)
  }
  lane.findings.push(...(await verdict(world, [world.home], lane.intents)).filter((each) => !isLost(lane, each.text)))
}

const cancelAllWords = ['order', 'cancel-all', '--symbol', 'BTC-USD', '--yes']

/** Whether a finding is about a line of the journal that the drill itself has damaged. */
const isLost = ({ lost }: Lane, text: string): boolean =>
  /^no record has/.test(text) && [...lost].some((part) => text.includes(part))

async function ownWorking({ world }: Lane): Promise<TrueOrder[]> {
  return (await world.exchange.truth()).orders.filter((order) => isOwn(order) && isWorking(order))
}

async function cancel(lane: Lane, working: readonly TrueOrder[], fault: ProcessFault | null): Promise<void> {
  const order = working[lane.chance.integer(0, working.length - 1)]
  if (order === undefined) return
  await once(lane, { kind: 'cancel', orderId: order.id }, ['order', 'cancel', order.id], fault)
}

/**
 * Places an order, and again when it was told that nothing was placed. Then the market may take a part of the best one.
 */
async function place(lane: Lane, fault: ProcessFault | null): Promise<void> {
  const { world, chance } = lane
  const price = lane.newPrice()
  const intent = lane.want(orderIntent(price))
  // Of 20 letters and digits at most, whatever the seed: lanes are told apart by the end of their names.
  const { name, seed } = lane.options
  const id = chance.chance(0.6) ? `ours${seed.toString(36)}x${name.at(-1)}x${lane.acts}` : undefined
  const isSafe = id !== undefined && world.home.features.clientOrderId
  if (fault === 'two' && isSafe) await twoAtOnce(lane, intent, placeArguments(world.home, price, id))
  for (let attempt = 0; attempt < triesMax; attempt += 1) {
    const acted = await once(lane, intent, placeArguments(world.home, price, id), attempt === 0 ? fault : null)
    if (acted.ran.code === 0) break
    if (!isSafe && !(acted.meanings.has('none') && !acted.meanings.has('unknown'))) break
    if (!isSafe && acted.ran.wasKilled) break
  }
  if (!chance.chance(0.3)) return
  const qty = chance.chance(0.3) ? '0.001' : `0.000${chance.integer(1, 9)}`
  const best = (await ownWorking(lane)).sort((left, right) => Number(right.price) - Number(left.price))[0]
  if (best?.price != null)
    await world.exchange.order('counterparty', { side: 'SELL', qty, price: best.price, more: { timeInForce: 'IOC' } })
}

/**
 * Sends a withdrawal, and again as a script that was not told it is done: with a key that is safe, without one it must
 * be held back.
 */
async function withdraw(lane: Lane, fault: ProcessFault | null): Promise<void> {
  const { world, chance } = lane
  const amount = lane.newAmount()
  const to = world.beneficiaries[chance.integer(0, world.beneficiaries.length - 1)] ?? ''
  const intent = lane.want(withdrawalIntent(amount, to))
  const key = chance.chance(0.5) ? `key-${lane.options.seed}-${lane.options.name}-${lane.acts}` : undefined
  for (let attempt = 0; attempt < triesMax; attempt += 1) {
    const acted = await once(lane, intent, withdrawArguments(world.home, amount, to, key), attempt === 0 ? fault : null)
    if (acted.ran.code === 0) return
    // A person who has killed it looks first.
    if (acted.ran.wasKilled && (key === undefined || !world.home.features.key)) return
  }
}

/** Keeps a draft and sends it several times, perhaps by two processes at once: it must leave once. */
async function sendDraft(lane: Lane, fault: ProcessFault | null): Promise<void> {
  const { world, chance } = lane
  const amount = lane.newAmount()
  const [to = ''] = world.beneficiaries
  const plan = world.proxy.plan
  world.proxy.plan = () => null
  const kept = await act(world, { kind: 'none' }, ['withdraw', 'btc', amount, '--to', to, '--draft'])
  world.proxy.plan = plan
  lane.findings.push(...kept.findings)
  const draftId = draftIdOf(kept.ran.stdout)
  const intent = lane.want(withdrawalIntent(amount, to))
  const words = sendArguments(world.home, draftId)
  if (fault === 'two') await twoAtOnce(lane, intent, words)
  for (let attempt = 0; attempt < triesMax; attempt += 1) {
    const acted = await once(lane, intent, words, attempt === 0 && fault !== 'two' ? fault : null)
    if (acted.ran.code === 0 || chance.chance(0.2)) return
  }
}

async function twoAtOnce(lane: Lane, intent: Intent, words: readonly string[]): Promise<void> {
  const { world } = lane
  lane.count('two')
  const watched = await watch(world, world.home, intent)
  const both = await Promise.all([world.home.run(...words), world.home.run(...words)])
  const scene = await watched.scene()
  const judged = await Promise.all(
    both.map(async (ran) => ({ ran, ...(await judgeRan(scene, ran, world.home.features)) })),
  )
  const isTold = judged.some(
    ({ findings, meanings }) => findings.length === 0 && (meanings.has('done') || meanings.has('unknown')),
  )
  // What one of them has sent and told of, the other has not: its code says so, and its words where nothing had left
  // when it said them.
  const isOnce = isTold && watched.writes().length === 1
  const leftAtMs = watched.writes()[0]?.deliveredAtMs ?? Number.POSITIVE_INFINITY
  for (const { ran, findings } of judged) {
    const isOwnEnd = (text: string) =>
      (ran.saidAtMs ?? 0) < leftAtMs || ran.code === 5 || text.includes(': exit code 3: ')
    const isFair = ({ kind, text }: Finding) => kind === 'untold' || (kind === 'false' && isOwnEnd(text))
    lane.findings.push(...findings.filter((finding) => !isOnce || !isFair(finding)))
  }
}

/** Runs one command with a fault of the machine. */
async function once(lane: Lane, intent: Intent, words: readonly string[], fault: ProcessFault | null): Promise<Acted> {
  const { world } = lane
  const { home } = world
  if (fault !== null && fault !== 'two') lane.count(fault)
  if (fault === 'clock')
    home.setWallClock([-3_600_000, -90_000, 3_600_000, 3 * 86_400_000][lane.chance.integer(0, 3)] ?? 0)
  const acted = await act(world, intent, words, { beside: (running) => meddle(lane, fault, running) })
  home.setWallClock(0)
  if (fault === 'torn') tear(lane, intent)
  lane.findings.push(...acted.findings.filter(({ kind }) => fault !== 'torn' || kind !== 'unread'))
  return acted
}

/** Makes the fault while the write of the command is on its way, before or after the exchange has it. */
async function meddle({ world, chance }: Lane, fault: ProcessFault | null, running: Running): Promise<void> {
  if (fault === null || fault === 'clock' || fault === 'two') return
  const isAfter = chance.chance(0.6)
  const since = world.proxy.calls.length
  const call = await Promise.race([
    world.proxy.until(
      ({ target, deliveredCount }) => writeTargets.includes(target) && (!isAfter || deliveredCount > 0),
      since,
      20_000,
    ),
    running.ended.then(() => null),
  ])
  if (call === null) return
  if (fault === 'kill' || fault === 'torn') running.signal('SIGKILL')
  if (fault === 'full') limitFiles(running.pid, 0)
  if (fault === 'stop') {
    running.signal('SIGSTOP')
    await world.clock.sleep(chance.integer(2_000, 12_000))
    running.signal('SIGCONT')
  }
}

/** Cuts off the last line of the newest journal file, or changes one of its bytes. */
function tear(lane: Lane, intent: Intent): void {
  const { world, chance } = lane
  const files = journalFiles(world.home).filter((path) => !path.includes('/closed/'))
  const [newest] = files.sort((left, right) => statSync(right).mtimeMs - statSync(left).mtimeMs)
  if (newest === undefined) return
  const text = readFileSync(newest, 'utf8')
  const start = text.trimEnd().lastIndexOf('\n') + 1
  const at = start + Math.floor((text.length - start) * (0.2 + 0.6 * chance.uniform()))
  if (chance.chance(0.5)) truncateSync(newest, at)
  else writeFileSync(newest, `${text.slice(0, at)}${text[at] === 'x' ? 'y' : 'x'}${text.slice(at + 1)}`)
  if (intent.kind === 'order') lane.lost.add(intent.price)
  lane.lost.add(inWords(intent))
}
