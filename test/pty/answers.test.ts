import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDraft } from '../fakes/orders.ts'
import { type DeskHome, isQuoted, openDeskHome } from './desk-home.ts'
import { builtForTests, leave, program } from './program.ts'
import type { Terminal } from './terminal.ts'

let home: DeskHome

builtForTests()

beforeAll(async () => {
  home = await openDeskHome(program, '')
})
afterAll(() => home.stop())

const esc = '\u001b'
const question = `${esc}[?2026$p`
const markBegin = `${esc}[?2026h`
const focusOn = `${esc}[?1004h`
const focusOff = `${esc}[?1004l`
/** Whether the terminal knows the Kitty keyboard protocol. */
const keyCodesAsked = `${esc}[?u`

const clockOf = (text: string): string => /\d\d:\d\d:\d\dZ/.exec(text)?.[0] ?? ''

/** The clock on the screen goes on. */
async function secondsPass(terminal: Terminal, count: number): Promise<void> {
  for (let passed = 0; passed < count; passed += 1) {
    const before = clockOf(terminal.text())
    await terminal.until((text) => clockOf(text) !== before && clockOf(text) !== '')
  }
}

/** Leaves the desk, and what it wrote from first to last. */
async function quit(terminal: Terminal): Promise<string> {
  await leave(terminal, '\u0003')
  expect((await terminal.ended()).exitCode).toBe(0)
  expect(terminal.isAlternate()).toBe(false)
  return terminal.written
}

test('a terminal that says it knows update marks gets them, whatever its name', async () => {
  const terminal = home.start({ shell: 'TERM=screen exec $DESK', isAnswering: false })
  await terminal.until(() => terminal.written.includes(question))
  terminal.type(`${esc}[?2026;2$y${esc}[?62;22c`)
  await terminal.until((text) => isQuoted(text) && terminal.written.includes(markBegin))
  await quit(terminal)
})

test('a terminal that says it does not know them gets none, whatever its name', async () => {
  const terminal = home.start({ isAnswering: false })
  await terminal.until(() => terminal.written.includes(question))
  terminal.type(`${esc}[?2026;0$y${esc}[?62;22c`)
  await terminal.until(isQuoted)
  const before = terminal.written.length
  terminal.type('z')
  await terminal.until((text) => isQuoted(text) && !text.includes('Orders'))
  expect(terminal.written.slice(before)).not.toContain(markBegin)
  expect(terminal.written).not.toContain('^[')
  await quit(terminal)
})

test('an answer in pieces and an answer that comes late are no keys; without an answer keys count after a moment', async () => {
  const terminal = home.start({ isAnswering: false })
  await terminal.until(isQuoted)
  for (const piece of [esc, '[?20', '26;2$', 'y', `${esc}[`, '?62;2', '2c']) terminal.type(piece)
  terminal.type('z')
  // A ladder alone on the screen: the key after all of it was taken, and nothing of it was.
  await terminal.until((text) => isQuoted(text) && !text.includes('Orders'))
  expect(terminal.text()).not.toMatch(/keys? (was|were) typed/)
  await quit(terminal)
})

test('typed blind before the first screen: nothing of it reaches the desk', async () => {
  const order = await home.client.placeOrder({ ...aDraft(), clientOrderId: 'resting' })
  // Raw before anything is typed: a terminal that becomes raw may drop what waits in it, and the desk would never see
  // it.
  const shell = 'stty raw -echo; echo raw; read line; exec $DESK'
  const terminal = home.start({ shell, variables: { PITDESK_SYMBOL: 'BTC-USD' } })
  await terminal.until((text) => text.includes('raw'))
  terminal.type('go\n2xxxK\rKALL\r')
  await terminal.until((text) => isQuoted(text) && /BUY +LIMIT .*OPEN/.test(text))
  expect(terminal.text()).toContain('ARMED')
  // The notice may be gone by then; the log keeps it.
  terminal.type('7')
  await terminal.until((text) => /\d+ keys were typed before the screen/.test(text))
  expect((await home.client.fetchOrders({})).entries).toHaveLength(1)
  await quit(terminal)
  if (order.orderId !== null) await home.client.cancelOrder(order.orderId)
})

test('a paste without marks cancels, arms and sends nothing', async () => {
  const order = await home.client.placeOrder({ ...aDraft(), clientOrderId: 'stays' })
  const terminal = home.start({ columns: 120, rows: 40 })
  await terminal.until((text) => isQuoted(text) && /BUY +LIMIT .*OPEN/.test(text))
  terminal.type('c')
  terminal.type('b 0.05 at market\rx\rY\rx\rcancel all\rx')
  await terminal.until((text) => /Ticket BUY|REVIEW/.test(text))
  terminal.type(`${esc}[200~x\rK\rb\r\r${esc}[201~`)
  // Longer than any pause before an order leaves.
  await secondsPass(terminal, 2)
  expect((await home.client.fetchOrders({})).entries).toHaveLength(1)
  expect((await home.client.fetchOrders({ status: 'FILLED' })).entries).toHaveLength(0)
  await quit(terminal)
  if (order.orderId !== null) await home.client.cancelOrder(order.orderId)
})

test('where the keyboard is elsewhere the header says so, and no report is a key', async () => {
  const terminal = home.start({ columns: 120, rows: 40 })
  await terminal.until(isQuoted)
  expect(terminal.written).toContain(focusOn)
  terminal.type(`${esc}[O`)
  await terminal.until((text) => /unfocused|no keyboard focus/.test(text))
  terminal.type(`${esc}[I`)
  await terminal.until((text) => isQuoted(text) && !/unfocused|no keyboard focus/.test(text))
  expect(terminal.text()).not.toContain('HALT + CANCEL')
  const written = await quit(terminal)
  expect(written.lastIndexOf(focusOff)).toBeGreaterThan(written.lastIndexOf(focusOn))
})

test('with a rule for it the desk is SAFE once the keyboard went elsewhere; told to ignore it, it does not ask', async () => {
  const wary = home.start({ columns: 120, rows: 40, variables: { PITDESK_ON_FOCUS_LOSS: 'safe' } })
  await wary.until((text) => isQuoted(text) && text.includes('ARMED'))
  wary.type(`${esc}[O`)
  await wary.until((text) => text.includes(' SAFE ') && text.includes('Keyboard focus lost'))
  expect(await quit(wary)).toContain(keyCodesAsked)
  const deaf = home.start({ variables: { PITDESK_ON_FOCUS_LOSS: 'ignore', PITDESK_HELD_KEYS: 'false' } })
  await deaf.until(isQuoted)
  const written = await quit(deaf)
  expect(written).not.toContain('1004')
  expect(written).not.toContain(keyCodesAsked)
})

const ground = `${esc}]11;rgb:1e1e/1e1e/1e1e${esc}\\`
const answer = `${esc}[?2026;2$y${ground}${esc}[?1;2c`
/** A shell behind the desk: it reads a line as soon as the terminal is its own, and shows what it read. */
const shellBehind = 'IFS= read -r line; echo "read:$line"'

/** A desk on the practice exchange of its own, whose folder only one desk can have. */
const own = { PITDESK_EXCHANGE_BASE_URL: undefined, PITDESK_API_TOKEN: undefined }

test('a second desk on the same state folder asks the terminal nothing: no answer reaches the shell', async () => {
  const first = home.start({ variables: own })
  await first.until((text) => /bk +\d/.test(text))
  const second = home.start({ variables: own, shell: `$DESK; echo "ended:$?"; ${shellBehind}` })
  await second.until((text) => text.includes('ended:1'))
  second.type('clear\r')
  await second.until((text) => text.includes('read:'))
  expect(second.text()).toContain('read:clear')
  expect(second.written).not.toContain(question)
  expect(second.written).not.toContain(focusOn)
  await second.ended()
  await quit(first)
})

const endings: readonly (readonly [string, (terminal: Terminal) => void])[] = [
  ['by a key', (terminal) => terminal.type('\u0003')],
  ['by a signal', (terminal) => process.kill(home.childOf(terminal.pid), 'SIGTERM')],
]

test.each(endings)('a desk that ends %s while the terminal still answers takes the answer itself', async (_, end) => {
  const terminal = home.start({ shell: `$DESK; echo ended; ${shellBehind}`, isAnswering: false })
  await terminal.until(() => terminal.written.includes(question))
  const before = terminal.written.length
  end(terminal)
  // It wants no more reports of the keyboard: from here on it has begun to leave.
  await terminal.until(() => terminal.written.slice(before).includes(focusOff))
  terminal.type(answer)
  await terminal.until((text) => text.includes('ended'))
  terminal.type('clear\r')
  await terminal.until((text) => text.includes('read:'))
  expect(terminal.text()).toContain('read:clear')
  expect(terminal.text()).not.toContain(';2c')
  await terminal.ended()
})
