// What reading an answer costs: time and memory by how much of it has changed since the answer before, beside a client
// that has seen no answer before. `npm run bench -- decode`. Bodies are recorded from the practice market.

import { spawnSync } from 'node:child_process'
import { createExchangeClient, type ExchangeClient } from '../../src/api/exchange-client.ts'
import type { Transport } from '../../src/api/transport.ts'
import { type RecordedBodies, recordBodies } from './recorded-bodies.ts'
import { fixed, quantile } from './screen/figures.ts'

const rounds = 41
const answersPerRound = 24

type Feed = {
  name: keyof RecordedBodies
  /** A field of an entry that is given other digits. */
  field: string
  ask: (client: ExchangeClient) => Promise<unknown>
}

const feeds: readonly Feed[] = [
  { name: 'book', field: 'qty', ask: (client) => client.fetchBook('BTC-USD') },
  { name: 'queue', field: 'qty', ask: (client) => client.fetchOrderByOrderBook('BTC-USD') },
  { name: 'tickers', field: 'last_trade_price', ask: (client) => client.fetchTickers() },
  { name: 'orders', field: 'leavesQty', ask: (client) => client.fetchOrders({}) },
  { name: 'fills', field: 'qty', ask: (client) => client.fetchFills({ limit: 100 }) },
]

const entryPattern = /\{[^{}]*\}/g
const countOf = (body: string): number => body.match(entryPattern)?.length ?? 0

/** The body with other digits in a field of the entries that `isMeant` names. */
function changed(body: string, field: string, salt: number, isMeant: (index: number) => boolean): string {
  let index = -1
  const digits = new RegExp(`("${field}":"?)[\\d.]+`)
  return body.replace(entryPattern, (entry) => {
    index += 1
    return isMeant(index) ? entry.replace(digits, `$10.${salt + 1_000}`) : entry
  })
}

/** Answers one after the other, as bytes: each differs from the one before in so many entries. */
function answersOf(body: string, field: string, changes: number): Buffer[] {
  const count = countOf(body)
  let last = body
  return Array.from({ length: answersPerRound }, (_, turn) => {
    const first = (turn * 17) % count
    last = changed(last, field, turn, (index) => (index - first + count) % count < changes)
    return Buffer.from(last)
  })
}

/** A client of an exchange that answers these, over and over. */
function clientOf(answers: readonly Buffer[]): ExchangeClient {
  let turn = 0
  const transport: Pick<Transport, 'send' | 'dateMaxMs'> = {
    dateMaxMs: () => Number.POSITIVE_INFINITY,
    // As the client's calls do it: each answer is a text of its own.
    send: () => Promise.resolve(new TextDecoder().decode(answers[turn++ % answers.length])),
  }
  return createExchangeClient(transport as Transport)
}

type Figures = { microseconds: number; kibibytes: number }

/** A round of answers; `before` says which client reads each. */
async function measured(ask: Feed['ask'], clients: readonly ExchangeClient[]): Promise<Figures> {
  globalThis.gc?.()
  const heapBefore = process.memoryUsage().heapUsed
  const startedAt = performance.now()
  for (const client of clients) await ask(client)
  const microseconds = ((performance.now() - startedAt) * 1_000) / clients.length
  return {
    microseconds,
    kibibytes: (process.memoryUsage().heapUsed - heapBefore) / 1024 / clients.length,
  }
}

/** Of the quicker rounds: others on the machine make some slow. */
const typical = (figures: readonly Figures[]): Figures => ({
  microseconds: quantile(
    figures.map((each) => each.microseconds),
    0.2,
  ),
  kibibytes: quantile(
    figures.map((each) => each.kibibytes),
    0.5,
  ),
})

async function compare({ ask }: Feed, answers: readonly Buffer[]): Promise<{ plain: Figures; kept: Figures }> {
  const keeping = clientOf(answers)
  const plain: Figures[] = []
  const kept: Figures[] = []
  for (let round = 0; round < rounds; round += 1) {
    const fresh = answers.map((answer) => clientOf([answer]))
    plain.push(await measured(ask, fresh))
    kept.push(
      await measured(
        ask,
        answers.map(() => keeping),
      ),
    )
  }
  // The first rounds compile what they run.
  return { plain: typical(plain.slice(10)), kept: typical(kept.slice(10)) }
}

async function main(): Promise<void> {
  const bodies = await recordBodies()
  for (const feed of feeds) {
    const body = bodies[feed.name]
    const count = countOf(body)
    console.log(`${feed.name}: ${count} entries, ${fixed(body.length / 1024, 1)} KiB`)
    for (const [name, changes] of [
      ['same', 0],
      ['2 changed', 2],
      ['all changed', count],
    ] as const) {
      const { plain, kept } = await compare(feed, answersOf(body, feed.field, changes))
      const times = `${fixed(kept.microseconds).padStart(7)} µs of ${fixed(plain.microseconds).padStart(7)}`
      const share = (kept.microseconds / plain.microseconds).toFixed(2)
      const bytes = `${fixed(kept.kibibytes).padStart(6)} KiB of ${fixed(plain.kibibytes).padStart(6)}`
      console.log(
        `  ${name.padEnd(12)} ${times}  ×${share}   ${bytes}  ×${(kept.kibibytes / plain.kibibytes).toFixed(2)}`,
      )
    }
  }
}

// What is allocated can be read only where nothing is collected meanwhile.
if (globalThis.gc === undefined) {
  const flags = ['--expose-gc', '--min-semi-space-size=128', '--max-semi-space-size=128']
  spawnSync(process.execPath, [...flags, ...process.argv.slice(1)], { stdio: 'inherit' })
} else await main()
