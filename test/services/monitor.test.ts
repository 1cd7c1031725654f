import { expect, test } from 'vitest'
import { createPersonClient } from '../../src/api/exchange-client.ts'
import type { WriteEvent } from '../../src/domain/desk/events.ts'
import { Decimal } from '../../src/domain/money.ts'
import { createTrading, type Trading } from '../../src/services/trading.ts'
import { answerWith, startServer, startTransport } from '../api/stub-server.ts'
import { aContent, queueFakes } from '../fakes/drafts.ts'
import { createMemoryJournal } from '../fakes/memory-journal.ts'
import { aDraft } from '../fakes/orders.ts'

/** Everything that changes something, over a transport that may only read; no layer above holds anything back. */
async function aWatchingDesk() {
  const server = await startServer(answerWith(200, '[]'))
  const { transport, clock } = startTransport(server.url, { mayWrite: () => false })
  const stop = new AbortController()
  const events: WriteEvent[] = []
  const journal = createMemoryJournal()
  let count = 0
  const trading = createTrading(createPersonClient(transport), {
    clock,
    random: () => 0.5,
    signal: stop.signal,
    journal,
    guard: () => [],
    ...queueFakes(),
    newClientOrderId: () => `watch${++count}`,
    emit: (event) => events.push(event),
    skewMs: () => 0,
    onWritten: () => {},
    onFound: () => {},
  })
  return { server, trading, events, journal }
}

const writes: [string, (trading: Trading) => Promise<{ kind: string }>][] = [
  ['an order', ({ orders }) => orders.submit(aDraft())],
  ['a cancel', ({ orders }) => orders.cancel('7')],
  ['a cancel of one symbol', ({ orders }) => orders.cancelAll('BTC-USD')],
  ['a cancel of everything', ({ orders }) => orders.cancelAll(null)],
  ['a move', ({ orders }) => orders.move({ orderId: '7', whole: aDraft() })],
  ['a withdrawal', ({ withdrawals }) => withdrawals.sendNew(aContent({ amount: new Decimal(1) }), [])],
  ['a withdrawal of everything', ({ withdrawals }) => withdrawals.sendNew(aContent({ amount: 'max' }), [])],
]

test.each(writes)('a desk that only watches does not send %s, and says so', async (_name, write) => {
  const { server, trading, events, journal } = await aWatchingDesk()
  expect(await write(trading)).toMatchObject({
    kind: 'notSent',
    reason: 'the desk may only read now; start it without --monitor to trade',
  })
  expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  expect(events.at(-1)?.type).toMatch(/NotSent$/)
  expect(journal.open()).toEqual([])
})
