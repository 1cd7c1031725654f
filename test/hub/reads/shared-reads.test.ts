import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TransportRequest } from '../../../src/api/transport.ts'
import { createSharedReads, readLine, readsMaxEach, sharedTransport } from '../../../src/hub/reads/shared-reads.ts'
import { readRowOf, readRows } from '../../../src/hub/reads/targets.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'

type Pending = {
  target: string
  priority: TransportRequest['priority']
  answer: (body: string) => void
  fail: (error: Error) => void
}

/** Calls that a test answers by hand. */
function exchange() {
  const clock = new FakeClock(1_000)
  const calls: Pending[] = []
  const send = ({ path, priority }: TransportRequest) =>
    new Promise<string>((resolve, reject) => calls.push({ target: path, priority, answer: resolve, fail: reject }))
  return { clock, calls, reads: createSharedReads({ send }, clock) }
}

test('who asks while a call is under way, or shortly after, is given its answer with its age', async () => {
  const { clock, calls, reads } = exchange()
  const both = [reads.read('/l2/BTC-USD'), reads.read('/l2/BTC-USD')]
  expect(calls).toHaveLength(1)
  calls[0]?.answer('A')
  expect((await Promise.all(both)).map(({ body }) => body)).toEqual(['A', 'A'])
  await clock.advance(399)
  expect(await reads.read('/l2/BTC-USD')).toEqual({ body: 'A', askedAtMs: 1_000, receivedAtMs: 1_000 })
  expect(calls).toHaveLength(1)
  await clock.advance(1)
  void reads.read('/l2/BTC-USD')
  expect(calls).toHaveLength(2)
  expect(reads.counts()).toEqual({ reads: 4, calls: 2 })
})

test('what differs in a query is another question, and a failure is nobody else’s', async () => {
  const { calls, reads } = exchange()
  void reads.read('/orders?limit=1')
  void reads.read('/orders?limit=2')
  expect(calls.map(({ target }) => target)).toEqual(['/orders?limit=1', '/orders?limit=2'])
  const failing = reads.read('/tickers')
  calls[2]?.fail(new Error('down'))
  await expect(failing).rejects.toThrow('down')
  void reads.read('/tickers')
  expect(calls).toHaveLength(4)
})

test('who looks for what became of a write gets a call of their own, begun after they asked', async () => {
  const { calls, reads } = exchange()
  void reads.read('/orders')
  void reads.read('/orders', { isFresh: true })
  expect(calls).toHaveLength(2)
})

test('orders by their id and the engine’s list are never kept', async () => {
  for (const target of ['/orders/7', '/internal/orders?orderId=3', '/withdrawals/w1', '/deposits/d1']) {
    const { calls, reads } = exchange()
    const first = reads.read(target)
    calls[0]?.answer('A')
    await first
    void reads.read(target)
    expect(calls, target).toHaveLength(2)
  }
})

const accountTargets = readRows.filter(({ isOfAccount }) => isOfAccount).map(({ path }) => path.replaceAll(':', 'x'))

test('property: nobody is given an answer about the account that was asked for before the last write', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('read' as const), target: fc.constantFrom(...accountTargets) }),
    fc.record({ kind: fc.constant('answer' as const), which: fc.nat(20) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 2_000 }) }),
    fc.constant({ kind: 'write' as const }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { clock, calls, reads } = exchange()
      let writeCount = 0
      const begun: number[] = []
      const given: Promise<void>[] = []
      for (const each of steps) {
        if (each.kind === 'write') {
          writeCount += 1
          reads.forgetAccount()
        } else if (each.kind === 'wait') await clock.advance(each.ms)
        else if (each.kind === 'answer') {
          const at = each.which % Math.max(1, calls.length)
          calls[at]?.answer(String(begun[at]))
        } else {
          const asked = writeCount
          const answer = reads.read(each.target)
          while (begun.length < calls.length) begun.push(writeCount)
          given.push(answer.then(({ body }) => expect(Number(body)).toBeGreaterThanOrEqual(asked)))
        }
      }
      for (const [at, { answer }] of calls.entries()) answer(String(begun[at]))
      await Promise.all(given)
    }),
  )
})

test('every read of the exchange has a row, and nothing else has', () => {
  expect(readRowOf('/l2/BTC-USD')?.isOfAccount).toBe(false)
  expect(readRowOf('/orders?status=OPEN')?.path).toBe('/orders')
  expect(readRowOf('/orders/17')?.path).toBe('/orders/:orderId')
  for (const other of ['/orders/17/x', '/hub/me', '/stream', '/l2/', '', '/internal']) {
    expect(readRowOf(other), other).toBeUndefined()
  }
})

test('a person has sixteen reads under way at the most: more are told to wait, and cost the others nothing', async () => {
  const { calls, reads } = exchange()
  const eve = { by: ['eve'] }
  const asked = Array.from({ length: readsMaxEach }, (_, at) => reads.read(`/orders/${at}`, eve))
  await expect(reads.read('/orders/99', eve)).rejects.toMatchObject({ kind: 'rateLimited', retryAfterMs: 1_000 })
  // What is under way anyway is given to her, as are the calls that somebody else makes for both.
  void reads.read('/orders/3', eve)
  void reads.read('/orders/99', { by: ['eve', 'anna'] })
  void reads.read('/orders/100', { by: ['anna'] })
  void reads.read('/orders/101')
  expect(calls).toHaveLength(readLine.each + 3)
  calls[0]?.answer('A')
  calls[1]?.fail(new Error('down'))
  await Promise.allSettled(asked.slice(0, 2))
  void reads.read('/orders/102', eve)
  void reads.read('/orders/103', eve)
  await expect(reads.read('/orders/104', eve)).rejects.toMatchObject({ kind: 'rateLimited' })
  expect(calls).toHaveLength(readLine.each + 5)
})

test('however slow the exchange is to persons, it works on two reads of each and on four in all, and on the hub’s own at once', async () => {
  const { calls, reads } = exchange()
  const ask = (person: string, target: string) => reads.read(target, { by: [person] })
  const targets = () => calls.map(({ target }) => target)
  const asked = ['/trades?limit=1', '/trades?limit=2', '/trades?limit=3', '/orders'].map((each) => ask('eve', each))
  void ask('anna', '/fills')
  void ask('anna', '/tickers')
  void ask('ben', '/accounts')
  expect(targets()).toEqual(['/trades?limit=1', '/trades?limit=2', '/fills', '/tickers'])
  expect(calls).toHaveLength(readLine.all)
  // What somebody waits for already is begun for the hub itself, and counts for nobody.
  void reads.read('/orders')
  void reads.read('/l2/BTC-USD')
  expect(targets().slice(4)).toEqual(['/orders', '/l2/BTC-USD'])
  calls[4]?.answer('A')
  expect((await asked[3])?.body).toBe('A')
  expect(calls).toHaveLength(6)
  calls[2]?.answer('A')
  await settle()
  expect(targets().slice(6)).toEqual(['/accounts'])
  // Who asks for what another one waits for may be the first whose turn it is.
  void ask('anna', '/trades?limit=3')
  calls[3]?.answer('A')
  await settle()
  expect(targets().slice(7)).toEqual(['/trades?limit=3'])
})

test('whoever waits longer for their turn than their desk does is turned away', async () => {
  const { clock, calls, reads } = exchange()
  const eve = { by: ['eve'] }
  const asked = [1, 2, 3].map((at) => reads.read(`/trades?limit=${at}`, eve))
  const late = expect(asked[2]).rejects.toMatchObject({ kind: 'rateLimited', retryAfterMs: 1_000 })
  await clock.advance(5_001)
  calls[0]?.answer('A')
  await late
  expect(calls).toHaveLength(2)
})

test('reads of one person go before polls ten times, and then three times a second', async () => {
  const { clock, calls, reads } = exchange()
  const prompt = async (person: string) => {
    const asked = reads.read('/orders', { isFresh: true, priority: 'person', by: [person] })
    calls.at(-1)?.answer('A')
    await asked
    return calls.at(-1)?.priority
  }
  const first = []
  for (let count = 0; count < 12; count += 1) first.push(await prompt('eve'))
  expect(first).toEqual([...Array<string>(10).fill('person'), 'poll', 'poll'])
  expect(await prompt('anna')).toBe('person')
  await clock.advance(1_000)
  expect([await prompt('eve'), await prompt('eve'), await prompt('eve'), await prompt('eve')]).toEqual([
    ...['person', 'person', 'person'],
    'poll',
  ])
})

test('a write that the hub itself sends, for a plan, is a write as well: what was asked before it is not given', async () => {
  const { calls, reads } = exchange()
  const first = reads.read('/orders')
  calls[0]?.answer('before')
  await first
  const none = () => {
    throw new Error('not asked for here')
  }
  const written: string[] = []
  const transport = {
    rate: none,
    dateMaxMs: none,
    isShared: none,
    close: none,
    send: () => Promise.reject(new Error('lost')),
  }
  const way = sharedTransport(reads, transport, () => written.push('told'))
  await expect(way.send({ method: 'POST', path: '/orders', body: '{}' })).rejects.toThrow('lost')
  expect(written).toEqual(['told'])
  void reads.read('/orders')
  expect(calls).toHaveLength(2)
})

test('an answer that was asked for earlier and comes later takes no place of the one asked for after it', async () => {
  for (const target of ['/l2/BTC-USD', '/orders']) {
    const { clock, calls, reads } = exchange()
    const slow = reads.read(target)
    await clock.advance(100)
    const fresh = reads.read(target, { isFresh: true })
    calls[1]?.answer('after')
    await fresh
    await clock.advance(100)
    calls[0]?.answer('before')
    expect((await slow).body).toBe('before')
    expect(await reads.read(target), target).toEqual({ body: 'after', askedAtMs: 1_100, receivedAtMs: 1_100 })
    expect(calls).toHaveLength(2)
  }
})
