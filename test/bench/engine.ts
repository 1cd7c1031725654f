// How fast the matching engine is, side by side with the npm package `nodejs-order-book`, and the core with ledger and
// events.
import { cpus } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { median } from '../fakes/numbers.ts'
import { OwnBook, PeerBook } from './book-rivals.ts'
import { type Book, restingSteps, type Steps, seeded, workload } from './book-workload.ts'
import { fundedExchange, orderFlow } from './core-flow.ts'

const stepCount = 1_000_000
const commandCount = 500_000
const warmUpRuns = 2
const ownRuns = 7

setFlagsFromString('--expose-gc')
/** Clears away what earlier runs left, so that no run pays for another. */
const collectGarbage: () => void = runInNewContext('gc')

type Case = { name: string; resting: Steps; steps: Steps; ratioWanted: number }

/** Measured in the processor time of this thread: whoever else is busy on the machine does not count. */
function perSecond(count: number, work: () => void): number {
  collectGarbage()
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return count / ((user + system) / 1e6)
}

/** Operations per second in a book that has been at work for a while: the first twentieth is not counted. */
function bookRate(book: Book, { resting, steps }: Case): number {
  const settlingCount = steps.count / 20
  resting.play(book)
  steps.play(book, 0, settlingCount)
  return perSecond(steps.count - settlingCount, () => steps.play(book, settlingCount))
}

/** The number of trades; throws when the two books disagree on any of them. */
function compareTrades({ name, resting, steps }: Case, ids: readonly string[]): number {
  const ownTrades: string[] = []
  const peerTrades: string[] = []
  for (const book of [new OwnBook(ids.length, ownTrades), new PeerBook(ids, peerTrades)]) {
    resting.play(book)
    steps.play(book)
  }
  const length = Math.max(ownTrades.length, peerTrades.length)
  for (let index = 0; index < length; index++)
    if (ownTrades[index] !== peerTrades[index])
      throw new Error(`${name}: trade ${index} is "${ownTrades[index]}" here and "${peerTrades[index]}" there`)
  return length
}

function makeCase(name: string, levels: number, perLevel: number, spreadTicks: number, ratioWanted: number): Case {
  const random = seeded(20_261_120)
  const resting = restingSteps(levels, perLevel, random)
  return {
    name,
    resting,
    steps: workload(resting, stepCount, spreadTicks, random, new OwnBook(resting.count + stepCount)),
    ratioWanted,
  }
}

/** The median of `ownRuns` runs, after some that only let the compiler warm up. */
const repeat = (run: () => number): number =>
  median(Array.from({ length: warmUpRuns + ownRuns }, run).slice(warmUpRuns))
const grouped = (value: number): string => Math.round(value).toLocaleString('en-US')
const inColumn = (value: number): string => grouped(value).padStart(12)

function benchBooks(): void {
  let firstRate: number | undefined
  const cases = [
    makeCase('nearly empty book', 0, 0, 10, 10),
    makeCase('100,000 orders resting over 200 levels a side', 200, 250, 200, 30),
  ]
  for (const one of cases) {
    const ids = Array.from({ length: one.resting.count + stepCount }, (_, index) => String(index))
    const own = repeat(() => bookRate(new OwnBook(ids.length), one))
    const peer = bookRate(new PeerBook(ids), one)
    const tradeCount = compareTrades(one, ids)
    console.log(`${one.name}, ${grouped(stepCount)} operations`)
    console.log(`  this engine       ${inColumn(own)} ops/s (median of ${ownRuns} runs)`)
    console.log(`  nodejs-order-book ${inColumn(peer)} ops/s`)
    console.log(
      `  ratio ${(own / peer).toFixed(1)}, wanted ${one.ratioWanted}; ${grouped(tradeCount)} trades, the same in both`,
    )
    if (firstRate !== undefined)
      console.log(`  ${(own / firstRate).toFixed(2)} of the nearly empty book's rate, wanted 0.50`)
    if (own / peer < one.ratioWanted || own < (firstRate ?? 0) / 2) process.exitCode = 1
    firstRate = own
  }
}

function benchCore(): void {
  console.log(`core with ledger, fees, events and history, ${grouped(commandCount)} commands, wanted 300,000/s`)
  for (const asText of [true, false]) {
    const commands = orderFlow(commandCount, asText)
    const rate = repeat(() => {
      const exchange = fundedExchange()
      const commandRate = perSecond(commands.length, () => {
        for (const command of commands) exchange.execute(command)
      })
      exchange.checkConservation()
      return commandRate
    })
    console.log(`  ${asText ? 'amounts as text      ' : 'whole ticks and lots '} ${inColumn(rate)} commands/s`)
    if (rate < 300_000) process.exitCode = 1
  }
}

console.log(`node ${process.version} on ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`)
benchBooks()
benchCore()
