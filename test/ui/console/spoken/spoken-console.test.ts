import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../../../src/base/clock.ts'
import { Decimal } from '../../../../src/domain/money.ts'
import { createCommands } from '../../../../src/store/commands.ts'
import type { DeskState } from '../../../../src/store/desk.ts'
import { usualLooks } from '../../../../src/store/looks.ts'
import { createDeskStore } from '../../../../src/store/store.ts'
import { openConsole } from '../../../../src/ui/console/open-console.tsx'
import { deskNowMs, deskState } from '../../../fakes/desk-state.ts'
import { eventually } from '../../../fakes/eventually.ts'
import { quietPort } from '../../../fakes/quiet-port.ts'
import { createFakeTerminal } from '../../../fakes/terminal.ts'

/** A desk that speaks, in a terminal in memory. */
function spoken(more: Partial<DeskState> = {}) {
  const state = deskState({ unknownWrites: [], looks: { ...usualLooks, isSpoken: true }, ...more })
  const store = createDeskStore(state)
  const commands = createCommands({ store, port: quietPort(deskNowMs), exit: () => undefined })
  const terminal = createFakeTerminal(100, 50)
  const { stdin, stdout } = terminal
  const env = { TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  const opened = openConsole({ store, commands, stdin, stdout, clock: systemClock, env, onExit: () => undefined })
  if (!opened.ok) throw new Error(opened.error)
  onTestFinished(opened.value.close)
  // Everything since the start, also what has scrolled away.
  const all = (): string => stdout.written.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').trimEnd()
  let heard = 0
  /** Waits for words among what was said since it was last asked, and hands all of that over. */
  const hears = async (words: string): Promise<string> => {
    await eventually(() => expect(all().slice(heard)).toContain(words))
    const since = all().slice(heard)
    heard = all().length
    return since
  }
  return { ...terminal, store, hears, all }
}

test('it begins with where one is, on the main screen, without frames and without colors', async () => {
  const { hears, stdout, isAlternateScreen } = spoken()
  const said = await hears('Cursor at')
  expect(said).toContain('pitdesk, PRACTICE, mode ARMED.')
  expect(said).toContain('best bid 64210.50 for 0.7330, best ask 64211.00 for 0.4120, spread 0.50, last 64210.50.')
  expect(said).toContain('Cursor at 64209.50: bid 1.9400, own buy 0.0500.')
  expect(isAlternateScreen()).toBe(false)
  expect(stdout.written).not.toMatch(/[\u2500-\u259f]|\u001b\[[0-9;]*[1-9][0-9;]*m/)
})

test.each([
  [{ lock: { kind: 'covered', sentence: 'A desk with a lock starts locked.' }, lockMethod: 'passphrase' }, 'LOCKED'],
  [{ focus: 'orders' }, '2 Orders'],
] satisfies [Partial<DeskState>, string][])('it begins where the desk begins, with %j too', async (start, words) => {
  const { hears } = spoken(start)
  expect(await hears(words)).toContain('pitdesk, PRACTICE, mode ARMED.')
})

test('a step of the cursor is one sentence, and a pane’s number reads the pane, as often as it is pressed', async () => {
  const { hears, press } = spoken()
  await hears('Cursor at')
  press('j')
  expect((await hears('64209.00')).trim()).toBe('64209.00: bid 0.3050.')
  press('4')
  expect(await hears('value in USD')).toContain('4 Balances')
  press('4')
  expect(await hears('value in USD')).toContain('4 Balances')
})

test('Ctrl-L reads again what one is in, where a screen would be drawn again', async () => {
  const { hears, press, all } = spoken()
  await hears('Cursor at')
  press('\u000c')
  expect(await hears('Cursor at')).toContain('best bid 64210.50')
  press(':')
  await hears('What to do')
  press('\u000c')
  await hears('What to do')
  expect(all()).not.toContain('\u000f')
})

test('what the palette understands of a line is said, with what warns of it, and what it asks', async () => {
  const { hears, press } = spoken()
  await hears('Cursor at')
  press(':')
  await hears(': empty')
  for (const letter of 'buy 0.1 btc @ 64 gtd 20261231 post') press(letter)
  const said = await hears('until the end of Thu 31 Dec 2026 UTC, post only.')
  expect(said).toContain('= Buy 0.1 BTC-USD with a limit price of 64,')
  expect(said).toContain('! Look again: the limit price 64.00 is far off')
  expect(said).not.toContain('post, a sentence')
  // A blank behind a word is no empty field.
  press(' ')
  expect(await hears(': buy 0.1 btc @ 64 gtd 20261231 post')).not.toContain('empty')
  press('\u0015')
  for (const letter of 'reduce 50%') press(letter)
  expect(await hears('Chosen: flatten btc-usd 50%')).toContain('! "reduce" of a part is flatten and the part here')
})

test('the gateway is read list by list: what waits, then each order', async () => {
  const { hears, press } = spoken()
  await hears('Cursor at')
  press('6')
  const inbox = await hears('ord_16')
  expect(inbox).toContain('6 in front: Gateway inbox, unread 2, stuck 1, conflict 1')
  expect(inbox).toMatch(/ord_18, SELL, COMPLETED, .*, PENDING late, /)
  press('6')
  expect(await hears('in front: Sums')).toMatch(/USD, in, FAILED/)
})

test('columns are parted by a comma each, cells by none, and lists beside each other are read one at a time', async () => {
  const { hears, press } = spoken()
  await hears('Cursor at')
  press('2')
  const orders = await hears('REJECTED')
  expect(orders).toMatch(/\nID, CLIENT ID, SYMBOL, SIDE, TYPE, QTY\/LEFT, PRICE, AVG, FILL, AGE, STATE/)
  expect(orders).toMatch(/\n9912041, [^,]*, BTC-USD, BUY, LIMIT, .*\.0500\/\.0500, 64209\.50, -, 0%, 3m, OPEN\n/)
  press('9')
  expect(await hears('LTC-USD')).toMatch(/XLM-USD, 0\.1102, -0\.9, HALT, (-, )?1200345 XLM/)
  press('5')
  const withdrawals = await hears('5 ')
  expect(withdrawals).toMatch(/in front: Withdrawals/)
  expect(withdrawals).not.toMatch(/ADDRESS/)
})

test('the first book is read as soon as it is there', async () => {
  const full = deskState()
  const { hears, store } = spoken({ books: new Map() })
  await hears('Ladder BTC-USD: waiting for the book.')
  const book = full.books.get('BTC-USD')?.value
  if (!book) throw new Error('no book')
  store.dispatch({ type: 'book', symbol: 'BTC-USD', book, atMs: deskNowMs })
  await hears('best bid 64210.50 for 0.7330')
})

test('data that comes ten times a second is not repeated, and nothing that was said is written again', async () => {
  const { hears, store, stdout, press } = spoken()
  await hears('Cursor at')
  const before = stdout.written.length
  const book = store.getState().books.get('BTC-USD')?.value
  if (!book) throw new Error('no book')
  for (let beat = 1; beat <= 50; beat += 1) {
    const bids = book.bids.map((level) => ({ ...level, quantity: new Decimal(beat) }))
    store.dispatch({ type: 'book', symbol: 'BTC-USD', book: { ...book, bids }, atMs: deskNowMs + beat * 100 })
    store.dispatch({ type: 'ticked', nowMs: deskNowMs + beat * 100 })
  }
  press('j')
  await hears('64209.00: bid 50.0000.')
  expect(stdout.written.length - before).toBeLessThan(200)
})

test('what happens is told at once: the log, data that grows old and comes back, a halted symbol', async () => {
  const { hears, store } = spoken()
  await hears('Cursor at')
  store.dispatch({ type: 'noted', level: 'good', text: 'Fill BUY 0.0100 BTC-USD.', atMs: deskNowMs })
  await hears('Fill BUY 0.0100 BTC-USD.')
  for (let seconds = 1; seconds <= 8; seconds += 1)
    store.dispatch({ type: 'ticked', nowMs: deskNowMs + seconds * 1_000 })
  await hears('STALE: book. Old data, do not rely on it.')
  const { instruments, books } = store.getState()
  const book = books.get('BTC-USD')?.value
  if (!book) throw new Error('no book')
  store.dispatch({ type: 'book', symbol: 'BTC-USD', book, atMs: deskNowMs + 8_000 })
  await hears('Fresh again: book.')
  const known = new Map(instruments.value)
  const bitcoin = known.get('BTC-USD')
  if (bitcoin === undefined) throw new Error('no symbol')
  known.set('BTC-USD', { ...bitcoin, status: 'halt' })
  store.dispatch({
    type: 'instruments',
    instruments: known,
    atMs: deskNowMs + 8_000,
  })
  await hears('BTC-USD is halted now.')
})

test('another symbol in the second ladder is read as one in the first', async () => {
  const { hears, press, store } = spoken({ symbol2: 'XLM-USD', view: { layout: 'ladders', isZoomed: false } })
  await hears('Cursor at')
  press('1')
  await hears('Ladder XLM-USD')
  store.dispatch({ type: 'symbolChosen', symbol: 'ETH-USD', atMs: deskNowMs })
  await hears('Ladder ETH-USD')
})

test('a ticket is read field by field, its checks and its end too', async () => {
  const { hears, press } = spoken()
  await hears('Cursor at')
  press('b')
  expect(await hears('Enter review')).toMatch(/Ticket BUY LIMIT BTC-USD[\s\S]*Chosen: qty/)
  press('\u0015')
  await hears('Chosen: qty, empty')
  for (const digit of '0.1') press(digit)
  // What was blocked is blocked no more.
  await hears('Chosen: qty, 0.1, lot 0.0001\nOK ')
  press('\u0015')
  await hears('Chosen: qty, empty')
  press('9')
  await hears('Chosen: qty, 9,')
  press('\r')
  await hears('Blocked: needs')
  press('\u001b')
  await hears('Cursor at')
})

test('a lock is opened letter by letter without its ages, and its answer is told once', async () => {
  const { hears, press, store } = spoken({ lock: { kind: 'covered', sentence: '' }, lockMethod: 'passphrase' })
  await hears('Enter asks for the passphrase')
  const later = () => store.dispatch({ type: 'ticked', nowMs: store.getState().nowMs + 300 })
  press('\r')
  await hears('Passphrase: empty')
  later()
  press('h')
  await hears('Passphrase: typed')
  for (const letter of 'unter') {
    later()
    press(letter)
  }
  later()
  press('\r')
  expect(await hears('Checking')).not.toContain('PRACTICE')
  store.dispatch({ type: 'lockAnswered', answer: { kind: 'wrong', waitMs: 1_000 }, atMs: deskNowMs })
  later()
  press('\r')
  const said = await hears('Passphrase: empty')
  expect(said.match(/Wrong passphrase/g)).toHaveLength(1)
  expect(said).not.toMatch(/PRACTICE|LOCKED|Working orders/)
})

test('behind a lock no line of the log is heard, but the counts, and how many there were once it opens', async () => {
  const { hears, press, store, all } = spoken({ lockMethod: 'passphrase' })
  await hears('Cursor at')
  store.dispatch({ type: 'lockCovered', sentence: 'Idle 60 s.', atMs: deskNowMs })
  await hears('Locked. Idle 60 s.')
  store.dispatch({ type: 'noted', level: 'good', text: 'Fill BUY 0.0100 BTC-USD @ 64,210.00.', atMs: deskNowMs })
  store.dispatch({ type: 'orders', orders: [], atMs: deskNowMs })
  await hears('Working orders: 0')
  press('\r')
  expect(await hears('Passphrase: empty')).not.toContain('Working orders')
  store.dispatch({ type: 'lockAnswered', answer: { kind: 'wrong', waitMs: 0 }, atMs: deskNowMs })
  await hears('Lock: Wrong passphrase or code.')
  store.dispatch({ type: 'lockAnswered', answer: { kind: 'opened' }, atMs: deskNowMs })
  // Of the fill: what the lock said itself was heard.
  expect(await hears('see 7 Log.')).toContain('While locked: 1 new, ')
  expect(all()).not.toContain('Fill BUY')
})

test('keys, one after the other, and only those that hold what is typed', async () => {
  const { hears, press } = spoken()
  await hears('Cursor at')
  press('?')
  const said = await hears('THEMES:')
  expect(said).toMatch(/LADDER:\nb: buy at cursor or bid\.\n/)
  expect(said).toContain('x: cancel own in the row, sends or cancels orders.')
  press('theme')
  await hears('Keys with theme:')
  // The first takes the filter away, the second one the help.
  press('\u001b')
  await hears('Keys. Type')
  press('\u001b')
  await hears('Ladder BTC-USD, open.')
})

test('a list that opens is read once, a step in it is its row', async () => {
  const { hears, press } = spoken()
  await hears('Cursor at')
  press('t')
  expect(await hears('mono')).toContain('Chosen: auto (dark here), in use')
  press('j')
  expect((await hears('Chosen')).trim()).toBe('Chosen: dark')
})

test('a sentence of a dialog is one line however it is wrapped there', async () => {
  const { hears, press } = spoken({ terminal: { ...deskState().terminal, hangUp: 'cancel' } })
  await hears('Cursor at')
  press('q')
  const said = await hears('Quit now?')
  expect(said).toContain('on_hangup cancels at a hang-up only: quitting keeps orders working.\n')
})

test('the terminal is asked nothing: its answers and reports would outlive a desk that does not read them', async () => {
  const state = deskState({ unknownWrites: [], looks: { ...usualLooks, isSpoken: true } })
  const store = createDeskStore(state)
  const { stdin, stdout } = createFakeTerminal(100, 50)
  const env = { TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  const waiting = { store, commands: { leave: () => undefined } }
  const opened = openConsole({ ...waiting, stdin, stdout, clock: systemClock, env, onExit: () => undefined })
  if (!opened.ok) throw new Error(opened.error)
  onTestFinished(opened.value.close)
  opened.value.show({ store, commands: createCommands({ store, port: quietPort(deskNowMs), exit: () => undefined }) })
  await eventually(() => expect(stdout.written).toContain('Cursor at'))
  for (const question of ['\u001b[?1004h', '\u001b[c', '\u001b]11;?']) expect(stdout.written).not.toContain(question)
})

test('what has been said is let go: the next sentence is handed to the terminal alone, also after a week', async () => {
  const { store, hears, all } = spoken()
  await hears('Cursor at')
  const note = (text: string) => store.dispatch({ type: 'noted', level: 'good', text, atMs: deskNowMs })
  for (let count = 1; count <= 200; count += 1) note(`Fill number ${count}.`)
  await hears('Fill number 200.')
  const handedOver = vi.spyOn(Array.prototype, 'slice')
  onTestFinished(() => void handedOver.mockRestore())
  note('The last fill.')
  await hears('The last fill.')
  const lists = handedOver.mock.contexts.filter((list) => Array.isArray(list) && list.includes('The last fill.'))
  expect(lists.length).toBeGreaterThan(0)
  expect(Math.max(...lists.map((list) => (Array.isArray(list) ? list.length : 0)))).toBeLessThan(60)
  handedOver.mockRestore()
  const fills = all().match(/Fill number \d+\./g)
  expect(fills).toEqual(Array.from({ length: 200 }, (_, at) => `Fill number ${at + 1}.`))
})
