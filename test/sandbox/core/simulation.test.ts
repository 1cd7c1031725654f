import { expect, test } from 'vitest'
import type { Command } from '../../../src/sandbox/core/commands.ts'
import { Exchange } from '../../../src/sandbox/core/exchange.ts'
import { MemoryHistory } from '../../../src/sandbox/core/history.ts'
import { runs } from '../../fakes/runs.ts'
import { Floor } from './floor.ts'
import { Invariants } from './invariants.ts'
import { RandomCommands } from './random-commands.ts'

const commandCount = 6_000

/** The same set-up each time: four accounts with money. */
function openFloor(history: MemoryHistory): Floor {
  const floor = new Floor(new Exchange(history))
  const { account } = floor.run('addAccount', { name: 'dave', hasTwoFactor: true })
  for (const currency of ['USD', 'BTC', 'ETH']) floor.fund(account, currency, '500')
  return floor
}

const seen = (exchange: Exchange): string => JSON.stringify(exchange.snapshot())
const histories = (exchange: Exchange): string =>
  JSON.stringify(
    [1, 2, 3, 4].map((account) => [
      exchange.read.orders({ account, limit: 1e6 }),
      exchange.read.fills({ account, limit: 1e6 }),
    ]),
  )

test.each(runs([1], [1, 2, 3, 4]))(
  'thousands of commands keep every rule, survive restarts and replay the same (seed %i)',
  (seed) => {
    const history = new MemoryHistory(1e6)
    const floor = openFloor(history)
    let { exchange } = floor
    const random = new RandomCommands(seed, floor.nowMs)
    const invariants = new Invariants()
    const commands: Command[] = []
    const journal: Command[] = []
    const counts = new Map<string, number>()
    for (let step = 0; step < commandCount; step++) {
      const command = random.next(exchange)
      const outcome = exchange.execute(command)
      invariants.check(exchange, outcome.events)
      commands.push(command)
      if (outcome.ok || outcome.events.length > 0) journal.push(command)
      for (const event of outcome.events) {
        const kind = event.type === 'order' ? event.status : event.type
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
      }
      if (step % 1_000 === 999) exchange = Exchange.restore(JSON.parse(seen(exchange)), history)
    }
    const kinds = ['OPEN', 'PART_FILLED', 'FILLED', 'CANCELED', 'EXPIRED', 'REJECTED', 'PENDING', 'trade', 'withdrawal']
    for (const kind of kinds) expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(10)

    for (const replayed of [commands, journal]) {
      const again = openFloor(new MemoryHistory(1e6)).exchange
      for (const command of replayed) again.execute(command)
      expect(seen(again)).toBe(seen(exchange))
      expect(histories(again)).toBe(histories(exchange))
    }
  },
)
