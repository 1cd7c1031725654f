// How fast the matching engine is, side by side with the npm package `nodejs-order-book`, and the core with its ledger.
import { cpus } from 'node:os'
import { OwnBook, PeerBook } from './book-rivals.ts'
import { restingSteps, type Step, seeded, workload } from './book-workload.ts'

const stepCount = 1_000_000
const ownRuns = 5

type Case = { name: string; resting: Step[]; steps: Step[]; ratioWanted: number }

function rate(apply: (step: Step) => void, { resting, steps }: Case): number {
  for (const step of resting) apply(step)
  globalThis.gc?.()
  const startedAt = process.hrtime.bigint()
  for (const step of steps) apply(step)
  return stepCount / (Number(process.hrtime.bigint() - startedAt) / 1e9)
}

/** Throws when the two books disagree on any trade. */
function compareTrades({ name, resting, steps }: Case, ids: readonly string[]): number {
  const ownTrades: string[] = []
  const peerTrades: string[] = []
  const own = new OwnBook(ownTrades)
  const peer = new PeerBook(ids, peerTrades)
  for (const step of [...resting, ...steps]) {
    own.apply(step)
    peer.apply(step)
  }
  const difference = ownTrades.findIndex((trade, index) => trade !== peerTrades[index])
  if (difference >= 0 || ownTrades.length !== peerTrades.length)
    throw new Error(
      `${name}: trade ${difference} is "${ownTrades[difference]}" here, "${peerTrades[difference]}" there`,
    )
  return ownTrades.length
}

const median = (values: number[]): number => values.sort((left, right) => left - right)[values.length >> 1] ?? 0
const shown = (value: number): string => Math.round(value).toLocaleString('en-US').padStart(12)

function makeCase(name: string, levels: number, perLevel: number, spreadTicks: number, ratioWanted: number): Case {
  const random = seeded(20_261_120)
  const resting = restingSteps(levels, perLevel, random)
  return { name, resting, steps: workload(resting, stepCount, spreadTicks, random, new OwnBook()), ratioWanted }
}

console.log(
  `node ${process.version}, ${cpus()[0]?.model.trim()} × ${cpus().length}, ${stepCount.toLocaleString('en-US')} operations`,
)
const cases = [
  makeCase('nearly empty', 0, 0, 10, 10),
  makeCase('100,000 resting, 200 levels a side', 200, 250, 200, 30),
]
for (const one of cases) {
  const ids = Array.from({ length: one.resting.length + stepCount }, (_, index) => String(index))
  const own = median(Array.from({ length: ownRuns }, () => rate(new OwnBook().apply.bind(new OwnBook()), one)))
  const peer = rate(((book) => book.apply.bind(book))(new PeerBook(ids)), one)
  const trades = compareTrades(one, ids)
  const ratio = own / peer
  console.log(one.name)
  console.log(`  own  ${shown(own)} ops/s (median of ${ownRuns})`)
  console.log(`  peer ${shown(peer)} ops/s`)
  console.log(
    `  ratio ${ratio.toFixed(1)} (wanted ${one.ratioWanted}); ${trades.toLocaleString('en-US')} trades, all the same`,
  )
  if (ratio < one.ratioWanted) process.exitCode = 1
}
