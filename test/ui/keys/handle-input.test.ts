import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import type { OrderDraft } from '../../../src/domain/orders/order.ts'
import { emptyTicket } from '../../../src/domain/orders/ticket.ts'
import { createCommands } from '../../../src/store/commands.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { paneTable } from '../../../src/store/view/panes.ts'
import { tooSmallRows } from '../../../src/ui/console/blocking-screens.tsx'
import { act, handleInput } from '../../../src/ui/keys/handle-input.ts'
import { keymap } from '../../../src/ui/keys/keymap.ts'
import { shortReviewNow } from '../../../src/ui/panes/ticket/review.ts'
import { ticketContent } from '../../../src/ui/panes/ticket/ticket-pane.tsx'
import { createKeyTokenizer } from '../../../src/ui/terminal/key-tokenizer.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { bitcoin, deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { noLimits } from '../../fakes/limits.ts'
import { recordingPort } from '../../fakes/recording-port.ts'
import { onScreen } from '../render-screen.tsx'

/** A desk of the given size that is driven by bytes alone, and what it asked of the exchange. */
function desk(state: DeskState = deskState(), columns = 80, rows = 24) {
  const store = createDeskStore(onScreen(state, columns, rows))
  const asked: string[] = []
  const sent: OrderDraft[] = []
  let nowMs = deskNowMs
  const port = {
    ...recordingPort(() => nowMs, asked),
    submitOrder: (draft: OrderDraft) => {
      sent.push(draft)
    },
  }
  const commands = createCommands({ store, port, exit: () => asked.push('exit') })
  const tokenizer = createKeyTokenizer()
  const take = (bytes: string) => {
    for (const event of tokenizer.push(bytes)) handleInput(event, store, commands)
  }
  const pressEscape = () => {
    take('\u001b')
    for (const event of tokenizer.flush()) handleInput(event, store, commands)
  }
  const wait = (ms: number) => {
    nowMs += ms
  }
  return { store, commands, state: () => store.getState(), take, pressEscape, wait, asked, sent }
}

/** Lines of a review that are still to be seen, below those on screen. */
const hiddenInReview = (state: DeskState): number => shortReviewNow(state)?.hiddenBelow ?? 0

test('three keys in one chunk are three acts, each in the state the one before left', () => {
  const { take, state } = desk()
  take('jjb')
  expect(state().ladder.cursorPrice?.toFixed(2)).toBe('64208.50')
  expect(state().ticket).toMatchObject({ stage: 'edit', form: { side: 'BUY', priceText: '64208.50' } })
})

test('an order by keys alone: size, review, and the Enter that sends', () => {
  const { take, state, wait, sent } = desk()
  take('b\u00150.05\r')
  expect(state().ticket?.stage).toBe('review')
  // The repeat of the Enter that opened the review.
  take('\r')
  expect(sent).toEqual([])
  wait(200)
  take('\r')
  expect(sent.map(({ side, orderQuantity, limitPrice }) => `${side} ${orderQuantity} @ ${limitPrice}`)).toEqual([
    'BUY 0.05 @ 64209.5',
  ])
})

test('in a move k and m behind digits are thousands and millions, and everywhere else the keys they are', () => {
  const { take, state, pressEscape, commands } = desk()
  commands.chooseRow('orders', '9912041', null)
  commands.moveSelectedOrder()
  const at = () => `${state().move?.price} ${state().move?.priceText}`
  expect(at()).toBe('64209.5 null')
  take('64k')
  expect(at()).toBe('64000 64k')
  take('\u00150')
  expect(at()).toBe('64209.5 0')
  take('\u0015k')
  expect(at()).toBe('64210 null')
  take('+2tj')
  expect(at()).toBe('64210 null')
  take('\t1k')
  expect(state().move?.quantityText).toBe('1k')
  pressEscape()
  take('b\t\u001564k')
  expect(state().ticket?.form.priceText).toBe('64k')
})

test('a paste goes into the field, and an Enter or a K in it is text', () => {
  const { take, state, sent, asked } = desk()
  take('b\u001b[200~0.0250\r\r\u001b[201~')
  expect(state().ticket).toMatchObject({ stage: 'edit', form: { quantityText: '0.025' } })
  take('\u001b[200~K\r\u001b[201~')
  expect(state().overlay).toBeNull()
  expect([...sent, ...asked]).toEqual([])
})

test('a paste with no field open does nothing, and says so', () => {
  const { take, state } = desk()
  const before = state()
  take('\u001b[200~b\rKq\u0003\u001b[201~')
  const { notice, log, ...rest } = state()
  expect(notice?.text).toBe('Paste ignored: no field takes text here.')
  expect({ ...rest, notice: before.notice, log: before.log }).toEqual(before)
  expect(log).not.toBe(before.log)
})

test('Esc gives the keys back to the ladder', () => {
  const { take, pressEscape, state } = desk()
  take('s')
  take('1')
  expect(state().focus).toBe('ladder')
  pressEscape()
  expect(state().ticket).toBeNull()
  take('2')
  expect(state().focus).toBe('orders')
})

test('x cancels the own orders of the row in the ladder, and the chosen one in the list', () => {
  const { take, asked } = desk()
  take('x')
  expect(asked).toEqual(['cancel 9912041'])
  take('2jjjx')
  expect(asked).toEqual(['cancel 9912041', 'history older', 'cancel 9912017'])
})

test('K asks, Enter cancels all of the symbol, Esc leaves them', () => {
  const { take, pressEscape, asked, state } = desk()
  take('K')
  pressEscape()
  take('\r')
  expect(asked).toEqual([])
  take('K\r')
  expect(asked).toEqual(['cancel all BTC-USD'])
  expect(state().overlay).toBeNull()
})

test('over a frozen picture Enter in the palette takes what is marked there, which is as the desk is now', () => {
  const picture = { kind: 'frozen', shown: deskState({ unknownWrites: [] }), sinceMs: deskNowMs } as const
  const { take, state } = desk(deskState({ picture }))
  take(':resolve an\r')
  expect(state().overlay).toBeNull()
  expect(state().notice?.text).not.toContain('nothing to resolve')
})

test('Tab walks all panes, also those behind a tab, and back again', () => {
  const { take, state } = desk()
  const walked = Array.from({ length: 14 }, () => {
    take('\t')
    return state().focus
  })
  expect(walked).toEqual([
    'orders',
    'fills',
    'balances',
    'transfers',
    'gateway',
    'log',
    'chart',
    'tickers',
    'session',
    'positions',
    'equity',
    'plans',
    'ladder',
    'orders',
  ])
  take('\u001b[Z')
  expect(state().focus).toBe('ladder')
})

test('b and s open a ticket from every pane, but in the gateway and the transfers, where one of them means something else', () => {
  const { take, state, commands } = desk()
  for (const { pane } of paneTable) {
    for (const [key, side] of [
      ['b', 'BUY'],
      ['s', 'SELL'],
    ] as const) {
      commands.focusPane(pane)
      take(key)
      const isOther = ['b gateway', 's transfers'].includes(`${key} ${pane}`)
      expect(state().ticket?.form.side ?? null, `${key} in ${pane}`).toBe(isOther ? null : side)
      commands.closeOverlay()
      commands.backFromTicket()
      expect(state().ticket).toBeNull()
    }
  }
})

test('the symbol switcher takes letters, also those that are keys elsewhere', () => {
  const { take, state } = desk()
  take('gshib\r')
  expect(state().symbol).toBe('SHIB-USD')
  expect(state().overlay).toBeNull()
})

test('on a screen that is too small orders can still be canceled, one or all, and no ticket opens', () => {
  const { take, asked, state } = desk(deskState({ unknownWrites: [] }), 60, 11)
  take('jjxbs1')
  expect(asked).toEqual(['cancel 9912017'])
  expect(state().ticket).toBeNull()
  take('K\r')
  expect(asked).toEqual(['cancel 9912017', 'cancel all BTC-USD'])
})

test('a screen of a few lines shows the row of its cursor, and acts on no other', () => {
  const shown = (state: DeskState) => tooSmallRows(state, state.screen).map((row) => rowText(row).trimEnd())
  for (const [columns, rows] of [
    [20, 5],
    [24, 3],
    [39, 4],
    [60, 5],
  ] as const) {
    const { take, asked, state } = desk(deskState({ unknownWrites: [] }), columns, rows)
    take('x')
    expect(asked).toEqual([])
    const why = columns < 60 ? 'Select: j/k.' : 'No order is selected: j and k select one.'
    expect(shown(state()).join('\n')).toContain(why)
    take('jj')
    const cursor = shown(state()).filter((row) => row.startsWith('>'))
    expect([columns, rows, cursor.map((row) => row.slice(0, 8))]).toEqual([columns, rows, ['>9912017']])
    expect(shown(state())).toHaveLength(rows)
    take('x')
    expect(asked).toEqual(['cancel 9912017'])
  }
  const { take, asked, state } = desk(deskState({ unknownWrites: [] }), 20, 2)
  take('jx')
  expect(asked).toEqual([])
  expect(state().tables.views.orders.selectedKey).toBeNull()
  expect(shown(state()).join('\n')).toContain('No row shown.')
  take('K\r')
  expect(asked).toEqual(['cancel all BTC-USD'])
})

test('a compact screen buys, sells and cancels at the cursor, and says why it moves nothing', () => {
  const { take, asked, state, pressEscape } = desk(deskState({ unknownWrites: [] }), 40, 12)
  take('b')
  expect(state().ticket).toMatchObject({ stage: 'edit', form: { side: 'BUY' } })
  pressEscape()
  take('m')
  expect(state().move).toBeNull()
  expect(state().notice?.text).toContain('A move needs 80x24 cells')
  take('x')
  expect(asked).toEqual(['cancel 9912041'])
  take('K\r')
  expect(asked).toEqual(['cancel 9912041', 'cancel all BTC-USD'])
})

test('a review of which lines have no room is not sent, and its limits are not confirmed', () => {
  const form = {
    ...emptyTicket(bitcoin, 'BUY'),
    ...({ type: 'STOPLIMIT', timeInForce: 'GTC' } as const),
    ...{ quantityText: '0.0500', priceText: '64215.03', stopText: '64212.00' },
  }
  const live = { unknownWrites: [], venue: { kind: 'live', profileName: 'main' } } as const
  const ticket = { stage: 'review', form, field: 'price', reviewedAtMs: 0, confirmed: [], retyped: '' } as const
  const { take, state, sent } = desk(deskState({ ...live, ticket }), 40, 12)
  expect(hiddenInReview(onScreen(deskState({ ...live, ticket }), 80, 24))).toBe(0)
  expect(hiddenInReview(state())).toBeGreaterThan(0)
  for (const key of ['Y', '\r']) {
    take(key)
    expect(state().notice?.text).toMatch(/^Not sent: Down shows \d more lines?\.$/)
  }
  expect(state().ticket).toEqual(ticket)
  expect(sent).toEqual([])
})

test('a long review on a compact screen is sent once its last line was on screen', () => {
  const form = {
    ...emptyTicket(bitcoin, 'BUY'),
    ...({ type: 'STOPLIMIT', timeInForce: 'GTC' } as const),
    ...{ quantityText: '0.0500', priceText: '64215.00', stopText: '64212.00' },
  }
  const live = { unknownWrites: [], limits: noLimits, venue: { kind: 'live', profileName: 'main' } } as const
  const ticket = { stage: 'review', form, field: 'price', reviewedAtMs: 0, confirmed: [], retyped: '' } as const
  const { take, state, sent } = desk(deskState({ ...live, ticket }), 40, 12)
  const seen = new Set<string>()
  const look = () => {
    const { ticket: open } = state()
    if (open === null) return
    const { rows } = ticketContent(state(), open, { width: 38, rowCount: 7, bindings: keymap })
    for (const row of rows) seen.add(rowText(row).trim().split(' ')[0] ?? '')
  }
  look()
  take('\r')
  expect(sent).toEqual([])
  for (let left = 5; left > 0 && hiddenInReview(state()) > 0; left -= 1) {
    take('\u001b[B')
    look()
  }
  for (const word of ['BUY', 'stop', 'limit', 'when', 'then', 'left', 'fee']) expect(seen).toContain(word)
  take('\r')
  expect(sent).toHaveLength(1)
})

test('what blocks a ticket is read line by line where lines are few, and a change shows the first ones again', () => {
  const form = { ...emptyTicket(bitcoin, 'BUY'), quantityText: '500.00005', priceText: '64209.75' }
  const ticket = { stage: 'edit', form, field: 'quantity', isTyped: true } as const
  const { take, state } = desk(deskState({ unknownWrites: [], limits: noLimits, ticket }), 40, 12)
  const screen = () => {
    const { ticket: open } = state()
    if (open === null) throw new Error('no ticket')
    const { rows, foot } = ticketContent(state(), open, { width: 38, rowCount: 7, bindings: keymap })
    return { rows: rows.map(rowText), foot: rowText(foot ?? []) }
  }
  const first = screen()
  expect(first.foot).toMatch(/^BLOCK \d+.* \d+ more: End$/)
  const blocks = Number(/BLOCK (\d+)/.exec(first.foot)?.[1])
  const seen = new Set(first.rows)
  for (let left = 20; left > 0 && screen().foot.includes('more: End'); left -= 1) {
    take('\u001b[F')
    for (const row of screen().rows) seen.add(row)
  }
  expect([...seen].filter((row) => row.startsWith(' BLOCK'))).toHaveLength(blocks)
  expect(screen().foot).toMatch(/End: first lines$/)
  take('\u001b[F')
  expect(screen()).toEqual(first)
  take('\u001b[F')
  take('5')
  expect(state().ticket).not.toHaveProperty('top')
})

test('one key sends no order of which lines have no room, as on a screen that became small in the beat', () => {
  const form = { ...emptyTicket(bitcoin, 'BUY'), quantityText: '0.0500', priceText: '64100.00' }
  const ticket = { stage: 'review', form, field: 'price', reviewedAtMs: 0, confirmed: [], retyped: '' } as const
  const entry = { confirmAboveUsd: new Decimal(1_000_000), sizes: new Map() }
  const at = (columns: number, rows: number) => {
    const now = deskState({ unknownWrites: [], ticket, entry, limits: noLimits })
    return desk(now, columns, rows)
  }
  const large = at(80, 24)
  act('sendAtOnce', '', large.store, large.commands)
  expect(large.sent).toHaveLength(1)
  for (const [columns, rows] of [
    [40, 8],
    [20, 5],
  ] as const) {
    const small = at(columns, rows)
    act('sendAtOnce', '', small.store, small.commands)
    expect([columns, small.sent]).toEqual([columns, []])
    expect(small.state().notice?.text).toMatch(/^Not sent: Down shows \d+ more lines\./)
  }
})

test('a ticket that the screen grew too small for takes no keys and loses no text', () => {
  const { take, store, state } = desk()
  take('b\u00150.07')
  store.dispatch({ type: 'resized', screen: { ...state().screen, columns: 39 } })
  take('99\r')
  store.dispatch({ type: 'resized', screen: { ...state().screen, columns: 80 } })
  expect(state().ticket).toMatchObject({ stage: 'edit', form: { quantityText: '0.07' } })
})

test('Esc closes a ticket that the screen grew too small for, from its review too: no key meets it later', () => {
  const { take, pressEscape, store, state, asked } = desk()
  for (const keys of ['b', 'b\u00150.07\r']) {
    take(keys)
    expect(state().ticket).not.toBeNull()
    store.dispatch({ type: 'resized', screen: { ...state().screen, columns: 39 } })
    pressEscape()
    expect(state().ticket).toBeNull()
    store.dispatch({ type: 'resized', screen: { ...state().screen, columns: 80 } })
  }
  take(':')
  store.dispatch({ type: 'resized', screen: { ...state().screen, columns: 39 } })
  pressEscape()
  expect(state().overlay).toBeNull()
  expect(asked).toEqual([])
})

test('q asks while something is not settled, Ctrl-C does not', () => {
  const asking = desk()
  asking.take('q')
  expect(asking.asked).toEqual([])
  expect(asking.state().overlay).toEqual({ kind: 'confirmQuit', cancelSentAtMs: null })
  asking.take('\r')
  expect(asking.asked).toEqual(['exit'])
  const leaving = desk()
  leaving.take('b\u0003')
  expect(leaving.asked).toEqual(['exit'])
})

test('keys without a meaning, reports of the terminal and Alt with a dangerous key change nothing', () => {
  const { take, state, asked } = desk()
  const before = state()
  take('\u001b[24;80R\u001b[I\u001bx\u001bK\u001b[15~!é\u0001')
  expect(state()).toBe(before)
  expect(asked).toEqual([])
})

test('keys of panes that the wall does not show mean nothing there', () => {
  const { state, take, asked } = desk(deskState({ view: { layout: 'monitor', isZoomed: false } }), 120, 40)
  const before = state()
  take('jjxc+-')
  expect(state()).toEqual(before)
  expect(asked).toEqual([])
})

test('from the wall a digit brings its pane alone, and z goes back to the wall', () => {
  const { state, take } = desk(deskState({ view: { layout: 'monitor', isZoomed: false }, focus: 'transfers' }), 120, 40)
  const { transferList } = state()
  take('5')
  expect(state()).toMatchObject({ focus: 'transfers', transferList, view: { layout: 'monitor', isZoomed: true } })
  take('2')
  expect(state()).toMatchObject({ focus: 'orders', view: { layout: 'monitor', isZoomed: true } })
  take('z')
  expect(state().view).toEqual({ layout: 'monitor', isZoomed: false })
})

test('no key acts on a draft or a body that a filter hides', () => {
  const hidden = (pane: 'withdrawals' | 'quarantine', selectedKey: string, filter: string) => {
    const { tables } = deskState()
    const view = { ...tables.views[pane], selectedKey, filter }
    return { ...tables, views: { ...tables.views, [pane]: view } }
  }
  const { drafts, gateway } = deskState()
  const draftId = drafts[0]?.draftId ?? ''
  const drop = (filter: string) => {
    const tables = hidden('withdrawals', draftId, filter)
    const { take, asked } = desk(deskState({ focus: 'transfers', transferList: 'withdrawals', tables }))
    take('x')
    return asked.filter((each) => each.startsWith('drop'))
  }
  expect(drop('')).toEqual([`drop ${draftId}`])
  expect(drop('nothing')).toEqual([])
  const body = gateway.inbox.quarantine[0]
  const replay = (filter: string) => {
    const tables = hidden('quarantine', `${body?.sequence}`, filter)
    const { take, asked } = desk(deskState({ focus: 'gateway', gateway: { ...gateway, list: 'quarantine' }, tables }))
    take('R')
    return asked
  }
  expect(replay('')).toEqual([`replay ${body?.sequence}`])
  expect(replay('nothing')).toEqual([])
})
