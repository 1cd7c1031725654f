import { expect, test } from 'vitest'
import { createExchangeClient } from '../../src/api/exchange-client.ts'
import type { AnswerReport } from '../../src/api/transport.ts'
import { hourMs, httpDate } from '../../src/base/text/time-text.ts'
import { get, post, startServer, startTransport } from './stub-server.ts'

const yearMs = 365 * 24 * hourMs
const book = '{"symbol":"BTC-USD","bids":[],"asks":[]}'

/** A service whose clock can be set: each answer is dated by it, in whole seconds. */
async function startClocked(aheadMs = 0) {
  const service = { aheadMs }
  const server = await startServer((response) => {
    response.writeHead(200, { date: httpDate(clock.wallMs() + service.aheadMs) }).end(book)
  })
  const reports: AnswerReport[] = []
  const { transport, clock } = startTransport(server.url, { onAnswer: (report) => reports.push(report) })
  const client = createExchangeClient(transport)
  /** The age that a poll has, in seconds: null where it is of now. A second passes before it. */
  const ageOf = async (dateAheadMs = service.aheadMs) => {
    const { aheadMs: before } = service
    await clock.advance(1_000)
    service.aheadMs = dateAheadMs
    const value = await client.fetchBook('BTC-USD')
    service.aheadMs = before
    const seenAtMs = client.seenAtMs(value)
    return seenAtMs === null ? null : Math.round((clock.now() - seenAtMs) / 1_000)
  }
  const skewMs = () => reports.at(-1)?.skew?.skewMs ?? Number.NaN
  return { service, transport, clock, ageOf, skewMs }
}

test.each([0, 3 * hourMs])('one date years ahead makes none of the next look old (ahead by %i ms)', async (aheadMs) => {
  const { ageOf, skewMs } = await startClocked(aheadMs)
  for (const _ of [1, 2]) expect(await ageOf()).toBeNull()
  expect(await ageOf(yearMs)).toBeNull()
  expect(Math.abs(skewMs() - aheadMs)).toBeLessThanOrEqual(1_000)
  for (const _ of [1, 2, 3]) expect(await ageOf()).toBeNull()
  expect(Math.abs(skewMs() - aheadMs)).toBeLessThanOrEqual(1_000)
})

test('one date years back is of one old answer, and the next are of now', async () => {
  const { ageOf, skewMs } = await startClocked()
  expect(await ageOf()).toBeNull()
  expect(await ageOf(-yearMs)).toBe(yearMs / 1_000)
  expect(await ageOf()).toBeNull()
  expect(Math.abs(skewMs())).toBeLessThanOrEqual(1_000)
})

test.each([yearMs, -yearMs])('a first date %i ms off yields to those that agree with the wall clock', async (offMs) => {
  const { ageOf, skewMs } = await startClocked()
  expect(await ageOf(offMs)).toBeNull()
  for (const _ of [1, 2]) expect(await ageOf()).toBeNull()
  expect(Math.abs(skewMs())).toBeLessThanOrEqual(1_000)
  expect(await ageOf(-5 * 60_000)).toBe(300)
})

test('of several servers one with a clock an hour ahead makes the others look old never', async () => {
  const { ageOf, skewMs } = await startClocked()
  expect(await ageOf()).toBeNull()
  for (let round = 0; round < 20; round++) {
    for (const aheadMs of [hourMs, hourMs, 0]) expect(await ageOf(aheadMs)).toBeNull()
    expect(Math.abs(skewMs())).toBeLessThanOrEqual(1_000)
  }
})

test('a clock that is set forward is believed after ten seconds, and what is old by it is old again', async () => {
  const { service, clock, ageOf, skewMs } = await startClocked()
  expect(await ageOf()).toBeNull()
  service.aheadMs = hourMs
  for (let second = 0; second < 10; second++) expect(await ageOf()).toBeNull()
  expect(Math.abs(skewMs())).toBeLessThanOrEqual(1_000)
  expect(await ageOf()).toBeNull()
  await clock.advance(1_000)
  expect(Math.abs(skewMs() - hourMs)).toBeLessThanOrEqual(1_000)
  expect(await ageOf(0)).toBe(hourMs / 1_000)
})

test('an old answer that a cache repeats does not keep fresh ones from being believed', async () => {
  const { clock, ageOf } = await startClocked(3 * hourMs)
  const keptMs = clock.wallMs() + 2 * hourMs
  const kept = () => ageOf(keptMs - clock.wallMs() - 1_000)
  expect(await kept()).toBeNull()
  for (let second = 0; second < 5; second++) {
    expect(await ageOf()).toBeNull()
    expect(await kept()).toBeNull()
  }
  expect(await ageOf()).toBeNull()
  expect(await kept()).toBeGreaterThan(hourMs / 1_000)
})

test('nor does the date of an answer to a write move the clock, however odd', async () => {
  const { service, transport, skewMs } = await startClocked()
  await get(transport)
  for (const offMs of [yearMs, -yearMs]) {
    service.aheadMs = offMs
    await post(transport)
    expect(Math.abs(skewMs())).toBeLessThanOrEqual(1_000)
  }
})
