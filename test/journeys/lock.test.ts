import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { newCodeSecret } from '../../src/lock/desk-lock.ts'
import { amount } from '../fakes/amounts.ts'
import { aDeskLock, quicklyKept } from '../fakes/desk-lock.ts'
import { aDraft } from '../fakes/orders.ts'
import { type Journey, keys, pasted, startJourney } from './journey.tsx'
import { pause } from './keys/walk.ts'

const size = { columns: 80, rows: 24 }
const passphrase = 'Kestrel over Lake Zug'

/** Two own orders, of two symbols. */
async function placeTwo(journey: Journey): Promise<void> {
  for (const symbol of ['BTC-USD', 'ETH-USD']) {
    const order = aDraft({ symbol, orderQuantity: amount('0.01'), limitPrice: amount('3000') })
    await journey.trader.placeOrder({ ...order, clientOrderId: `own${symbol.slice(0, 3)}` })
  }
  await journey.sees('2 Orders (2)')
}

const mode = ({ store }: Journey) => store.getState().mode.kind
const lockKind = ({ store }: Journey) => store.getState().lock.kind

test('idle time counts down in words, warns, and makes the desk SAFE; any key begins it anew', async () => {
  const journey = await startJourney(size, false, { idleRules: { safeAfterMs: 90_000, lockAfterMs: null } })
  await journey.sees('ARMED', 'BTC-USD open')
  expect(journey.screen()).not.toMatch(/ARMED \d+s/)
  await journey.sees('ARMED 60s')
  await journey.press('!')
  await pause(journey, 1_000)
  expect(journey.screen()).not.toMatch(/ARMED \d+s/)
  await journey.sees('ARMED 30s', 'Any key stays ARMED')
  await journey.sees(' SAFE ', 'Idle 90 s: SAFE. Press L to arm.')
  await journey.press('b')
  await journey.sees('What-if BUY LIMIT')
  await journey.press('\r')
  await journey.sees('What-if, SAFE: nothing can be sent. L arms')
})

test('K halts: this symbol is taken back and nothing new goes out until L', async () => {
  const journey = await startJourney(size)
  await placeTwo(journey)
  await journey.press('K')
  await journey.sees('Halt, cancel all BTC-USD', 'Type ALL')
  await journey.press(keys.enter)
  await journey.sees('HALTED', '2 Orders (1)')
  expect((await journey.trader.fetchOrders({})).entries.map(({ symbol }) => symbol)).toEqual(['ETH-USD'])
  await journey.press('b')
  await journey.sees('The desk is HALTED: only cancels go out.')
  // Cancels still do.
  await journey.press('2j')
  await journey.press('x')
  await journey.until(() => (journey.store.getState().orders.value ?? []).length === 0)
  await journey.press('L')
  await journey.sees('ARMED')
})

test('K and ALL takes back every symbol', async () => {
  const journey = await startJourney(size)
  await placeTwo(journey)
  await journey.press('KAL')
  await journey.press(keys.enter)
  await journey.sees('Type ALL in full')
  expect((await journey.trader.fetchOrders({})).entries).toHaveLength(2)
  await journey.press('L')
  await journey.sees('Cancel all 2', 'working orders in every symbol?')
  await journey.press(keys.enter)
  await journey.sees('HALTED', 'no working orders')
  expect((await journey.trader.fetchOrders({})).entries).toEqual([])
})

test('without a lock set up Z hides the desk, says so, and Enter opens it SAFE', async () => {
  const journey = await startJourney(size)
  await placeTwo(journey)
  await journey.press('Z')
  const covered = await journey.sees('LOCKED', 'Working orders: 2', 'No lock is set up', 'PRACTICE', 'SAFE')
  for (const hidden of ['3000', 'BTC', '25,000', 'Ladder']) expect(covered).not.toContain(hidden)
  await journey.press('bLq2x')
  expect((await journey.trader.fetchOrders({})).entries).toHaveLength(2)
  expect(journey.hasQuit()).toBe(false)
  await journey.press(keys.enter)
  await journey.sees('Ladder BTC-USD', 'Unlocked. The desk is SAFE: press L to arm it.')
})

test('a passphrase opens the lock; what is typed shows as dots, wrong tries cost time', async () => {
  const { lock, clock } = await aDeskLock(await quicklyKept(passphrase))
  const journey = await startJourney(size, false, { lock })
  await journey.sees('BTC-USD open')
  await journey.press('Z')
  await journey.sees('LOCKED', 'Enter asks for the passphrase')
  const typed: string[] = []
  const attempt = async (text: string) => {
    await journey.press(keys.enter)
    await journey.press(text)
    typed.push(await journey.sees('•'.repeat(Math.min(text.length, 32))))
    await journey.press(keys.enter)
    await journey.until(() => lockKind(journey) !== 'checking')
  }
  // It begins with K and holds a Z: in the field they are letters.
  for (const wrong of ['Kestrel', 'Kestrel over', 'Kestrel over Zug']) await attempt(wrong)
  await journey.sees('Wrong passphrase or code. Wait 1 s before the next try.')
  await attempt(passphrase)
  await journey.sees('Too early after a wrong try')
  expect(lockKind(journey)).toBe('covered')
  await clock.advance(1_000)
  await attempt(passphrase)
  await journey.sees('Unlocked. The desk is SAFE')
  const everything = [...typed, journey.screen(), JSON.stringify(journey.store.getState().log)].join('\n')
  expect(everything).not.toContain('Kestrel')
  expect(mode(journey)).toBe('SAFE')
})

test('a desk with a lock starts behind it: it shows and does nothing but halt until somebody opens it', async () => {
  const { lock } = await aDeskLock(await quicklyKept(passphrase))
  const journey = await startJourney(size, false, { lock, startsLocked: true })
  const order = aDraft({ orderQuantity: amount('0.01'), limitPrice: amount('3000') })
  await journey.trader.placeOrder({ ...order, clientOrderId: 'own' })
  const covered = await journey.sees('LOCKED', 'A desk with a lock starts locked', 'Working orders: 1', 'SAFE')
  for (const hidden of ['3000', 'BTC', '25,000', 'Ladder']) expect(covered).not.toContain(hidden)
  await journey.press('bLq2x')
  await journey.passes(500)
  expect((await journey.trader.fetchOrders({})).entries).toHaveLength(1)
  expect([lockKind(journey), mode(journey)]).toEqual(['covered', 'SAFE'])
  await journey.press('K')
  await journey.press('ALL')
  await journey.press(keys.enter)
  await journey.until(() => mode(journey) === 'HALTED')
  await journey.until(() => (journey.store.getState().orders.value ?? []).length === 0)
  await journey.press(keys.enter)
  await journey.press(passphrase)
  await journey.press(keys.enter)
  await journey.sees('Ladder BTC-USD', 'Unlocked.')
})

test('a one-time code opens the lock once; pasted it works as well, and Ctrl-C does not leave', async () => {
  const secret = newCodeSecret(randomBytes)
  const { lock, clock } = await aDeskLock(secret)
  const app = new TOTP({ secret: Secret.fromBase32(secret.secret), algorithm: 'SHA1', digits: 6, period: 30 })
  const code = app.generate({ timestamp: clock.now() })
  const journey = await startJourney(size, false, { lock })
  await journey.sees('BTC-USD open')
  await journey.press('Z')
  await journey.press('\u0003')
  await journey.sees('The desk is locked: open it first to quit.')
  expect(journey.hasQuit()).toBe(false)
  await journey.press(keys.enter)
  await journey.press(pasted(`${code}\n`))
  await journey.press(keys.enter)
  await journey.sees('Unlocked.')

  await journey.press('Z')
  await journey.press(keys.enter)
  await journey.press(code)
  await journey.press(keys.enter)
  await journey.sees('Code used already, or older: type the next one.')
  expect(lockKind(journey)).toBe('covered')
})

test('behind the lock ALL still halts and takes everything back, and shows no order', async () => {
  const { lock } = await aDeskLock(newCodeSecret(randomBytes))
  const journey = await startJourney(size, false, { lock })
  await placeTwo(journey)
  await journey.press('Z')
  await journey.press('K')
  const asked = await journey.sees('type ALL, then Enter', 'all 2 working orders')
  expect(asked).not.toContain('3000')
  await journey.press(keys.enter)
  await pause(journey, 500)
  expect((await journey.trader.fetchOrders({})).entries).toHaveLength(2)
  await journey.press('ALL')
  await journey.press(keys.enter)
  await journey.sees('HALTED', 'LOCKED', 'Working orders: 0')
  expect((await journey.trader.fetchOrders({})).entries).toEqual([])
  expect(lockKind(journey)).toBe('covered')
})

test('with a lock set up a long pause locks by itself', async () => {
  const { lock } = await aDeskLock(newCodeSecret(randomBytes))
  const journey = await startJourney(size, false, { lock, idleRules: { safeAfterMs: null, lockAfterMs: 20_000 } })
  await journey.sees('BTC-USD open')
  await journey.sees('LOCKED', 'Idle 20 s.')
})
