import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import { fetchCheckContext } from '../../../src/commands/write/check-context.ts'
import { openWriting } from '../../../src/commands/write/writing.ts'
import { readSettings } from '../../../src/config/settings.ts'
import { openSession } from '../../../src/desk/account/profile.ts'
import { quietIo } from '../../fakes/quiet-io.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { limitOrder, openExchange, quotes } from '../harness.ts'

/** A command whose order has just passed its checks, and only has to leave. */
async function aCheckedOrder() {
  const exchange = await openExchange()
  await quotes(exchange)
  const { clock } = exchange
  const io = quietIo({ HOME: temporaryFolder('home'), ...exchange.environment() })
  const tools = { clock, random: () => 0.5, randomBytes, isOwnProcess: false }
  const settings = readSettings(io.environment, {})
  if (!settings.ok) throw new Error('no settings')
  const session = await openSession({ settings: settings.value, io, tools, mayWrite: true })
  if (!session.ok) throw new Error(session.error)
  const writing = await openWriting(session.value, io, tools, false)
  if (!writing.ok) throw new Error(writing.error)
  onTestFinished(async () => {
    await writing.value.close()
    await session.value.close()
  })
  const { journal, trading } = writing.value
  const order = limitOrder('BUY', '0.05', '59000')
  writing.value.judgedBy(await fetchCheckContext(order.symbol, session.value, journal, { clock, signal: io.signal }))
  return { ...exchange, clock, journal, submit: (options = {}) => trading.orders.submit(order, options) }
}

test('an order leaves by checks of five seconds ago, and by no older ones: its process may have been stopped meanwhile', async () => {
  const { clock, submit, working } = await aCheckedOrder()
  await clock.advance(5_001)
  expect(await submit()).toEqual({ kind: 'notSent', reason: 'its checks are 6 s old: repeat it' })
  expect(await working()).toEqual([])
  const other = await aCheckedOrder()
  await other.clock.advance(5_000)
  expect(await other.submit()).toMatchObject({ kind: 'accepted' })
})

test('a machine that slept before the order was sent sends it no more: only its wall clock went on', async () => {
  const { clock, submit, working } = await aCheckedOrder()
  clock.setWall(60_000)
  expect(await submit()).toEqual({ kind: 'notSent', reason: 'its checks are 1 min old: repeat it' })
  expect(await working()).toEqual([])
})

test('one that was stopped when the journal had it is not sent, and the journal says so', async () => {
  const { clock, journal, submit, working } = await aCheckedOrder()
  const reason = 'its checks are 40 s old: repeat it'
  const onBegun = async () => {
    await clock.advance(40_000)
    return ok(null)
  }
  expect(await submit({ onBegun })).toEqual({ kind: 'notSent', reason })
  expect(await working()).toEqual([])
  expect(await journal.history(0)).toMatchObject([{ outcome: { kind: 'notSent', reason } }])
})
