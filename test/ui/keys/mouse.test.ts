import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { usualTerminal } from '../../../src/store/terminal.ts'
import type { TicketField } from '../../../src/store/ticket/ticket.ts'
import { type PaneName, paneRow } from '../../../src/store/view/panes.ts'
import { actOnMouse, takesMouse } from '../../../src/ui/keys/mouse.ts'
import { arrangementOf, layoutFor, shownIn } from '../../../src/ui/panes/layout/layout.ts'
import { aFill } from '../../domain/alerts/fixtures.ts'
import { anOrder } from '../../fakes/orders.ts'
import { aDesk, type Desk, startMs } from '../../store/desk.ts'
import { plainScreen } from '../render-screen.tsx'

const size = { columns: 120, rows: 40 }

/** A desk on a screen of some size, with working orders, whose mouse is asked for. */
function atScreen(hasMouse = true) {
  const desk = aDesk('ARMED', { terminal: { ...usualTerminal, hasMouse } })
  const layout = layoutFor(size.columns, size.rows, arrangementOf(desk.store.getState()))
  if (layout.kind === 'tooSmall') throw new Error('too small')
  const { visiblePanes, ladderRowCount } = layout
  desk.store.dispatch({ type: 'resized', screen: { ...size, layouts: ['trade'], visiblePanes, ladderRowCount } })
  const orders = Array.from({ length: 30 }, (_, at) => anOrder({ orderId: String(at), clientOrderId: `c${at}` }))
  desk.store.dispatch({ type: 'orders', orders, atMs: startMs })
  return desk
}

/** The upper left cell of a pane. */
function cornerOf({ store }: Desk, name: string): { x: number; y: number } {
  const layout = layoutFor(size.columns, size.rows, arrangementOf(store.getState()))
  if (layout.kind === 'tooSmall') throw new Error('too small')
  let y = layout.top.length
  for (const band of layout.bands) {
    let x = 0
    for (const { width, slots } of band.columns) {
      let top = y
      for (const slot of slots) {
        if (shownIn(slot) === name) return { x, y: top }
        top += slot.height
      }
      x += width
    }
    y += band.height
  }
  throw new Error(`no ${name}`)
}

const act = (desk: Desk, kind: 'press' | 'wheelUp' | 'wheelDown', pane: string, line: number) => {
  const { x, y } = cornerOf(desk, pane)
  actOnMouse({ kind: 'mouse', act: kind, column: x + 3, row: y + 2 + line }, desk)
}
const stateOf = ({ store }: Desk) => store.getState()
const view = (desk: Desk) => stateOf(desk).tables.views.orders

test('a click goes to a pane and chooses the row under it; below the last one it chooses none', () => {
  const desk = atScreen()
  act(desk, 'press', 'orders', 1)
  expect([stateOf(desk).focus, view(desk).selectedKey]).toEqual(['orders', '1'])
  act(desk, 'press', 'orders', -1)
  expect(view(desk).selectedKey).toBe('1')
  desk.store.dispatch({ type: 'orders', orders: [anOrder({ orderId: '0' })], atMs: startMs })
  act(desk, 'press', 'orders', 3)
  expect(view(desk).selectedKey).toBe('1')
})

test('a click chooses the row as drawn, also above entries that cannot be read', () => {
  const desk = atScreen()
  const { store, commands } = desk
  const unreadable = ['a', 'b', 'c'].map((exOrdId) => ({ reason: 'odd', atMs: null, fields: { exOrdId } }))
  const orders = store.getState().orders.value ?? []
  store.dispatch({ type: 'orders', orders, unreadable, atMs: startMs })
  commands.focusPane('orders')
  commands.chooseRow('orders', '29', null)
  const { x, y } = cornerOf(desk, 'orders')
  const lines = plainScreen(store.getState(), size.columns, size.rows).split('\n')
  expect(lines.filter((line) => line.includes('? exOrdId'))).toHaveLength(3)
  const drawnIds = lines.slice(y + 2).map((line) => /^[>\s]*(\d+) /.exec(line.slice(x + 1))?.[1])
  expect(drawnIds[0]).toBeDefined()
  for (const [line, drawn] of drawnIds.slice(0, drawnIds.indexOf(undefined)).entries()) {
    commands.chooseRow('orders', '29', null)
    act(desk, 'press', 'orders', line)
    expect(view(desk).selectedKey).toBe(drawn)
  }
})

/** The tabs of all places that several panes share, as drawn: the pane, and where on the screen its digit stands. */
function tabsDrawn({ store }: Desk, columns: number, rows: number) {
  const state = store.getState()
  const lines = plainScreen(state, columns, rows).split('\n')
  const layout = layoutFor(columns, rows, arrangementOf(state))
  if (layout.kind === 'tooSmall') throw new Error('too small')
  const tabs: { pane: PaneName; column: number; row: number }[] = []
  let row = layout.top.length
  for (const { columns: across, height } of layout.bands) {
    let x = 0
    for (const { width, slots } of across) {
      let top = row
      for (const slot of slots) {
        const words = [...(lines[top] ?? '').slice(x, x + width).matchAll(/[^\s[\]]+/g)]
        for (const pane of slot.kind === 'tabs' ? slot.panes : []) {
          const word = words.splice(0, words.findIndex(([text]) => text === paneRow(pane).digit) + 1).at(-1)
          tabs.push({ pane, column: x + (word?.index ?? 0), row: top })
        }
        top += slot.height
      }
      x += width
    }
    row += height
  }
  return { lines, tabs }
}

test.each([
  ['trade', 80, 24],
  ['trade', 120, 40],
  ['lists', 80, 24],
  ['chart', 200, 60],
  ['ladders', 100, 30],
  ['ladders', 200, 60],
] as const)('a click on a tab goes to its pane: %s at %i by %i', (layout, columns, rows) => {
  const desk = atScreen()
  const placed = layoutFor(columns, rows, arrangementOf(stateOf(desk)))
  if (placed.kind === 'tooSmall') throw new Error('too small')
  const { visiblePanes, ladderRowCount } = placed
  desk.store.dispatch({ type: 'resized', screen: { columns, rows, layouts: [layout], visiblePanes, ladderRowCount } })
  desk.store.dispatch({ type: 'layoutChosen', layout })
  const { tabs } = tabsDrawn(desk, columns, rows)
  expect(tabs.length).toBeGreaterThan(3)
  for (const { pane } of tabs) {
    // What is in front changes how the names beside it are shortened.
    const drawn = tabsDrawn(desk, columns, rows)
    const tab = drawn.tabs.find((each) => each.pane === pane) ?? { column: 0, row: 0 }
    const event = { kind: 'mouse', act: 'press', column: tab.column, row: tab.row } as const
    actOnMouse(event, { ...desk, textOf: (row) => drawn.lines[row] ?? '' })
    expect(stateOf(desk).focus).toBe(pane)
  }
})

test('a click beside the tabs, or where the line is not known, goes to the pane in front', () => {
  const desk = atScreen()
  const { x, y } = cornerOf(desk, 'orders')
  const goesTo = (column: number, textOf?: (row: number) => string) => {
    desk.store.dispatch({ type: 'paneFocused', pane: 'fills' })
    actOnMouse(
      { kind: 'mouse', act: 'press', column: x + column, row: y },
      textOf === undefined ? desk : { ...desk, textOf },
    )
    return stateOf(desk).focus
  }
  const drawn = () => `${' '.repeat(x)}┌ [2 Orders (30)]  T Plans  STALE 4 s ───┐`
  expect([2, 19, 25, 27, 32, 38].map((column) => goesTo(column, drawn))).toEqual([
    ...['orders', 'plans', 'plans', 'orders', 'orders', 'orders'],
  ])
  expect(goesTo(19)).toBe('orders')
})

test('the wheel scrolls the list under it, and lets go of a row that leaves the screen', () => {
  const desk = atScreen()
  const fills = Array.from({ length: 30 }, (_, at) => aFill({ execId: `e${at}`, timestampMs: startMs - at }))
  desk.store.dispatch({ type: 'fills', fills, atMs: startMs })
  const seen = () => {
    const { top, selectedKey } = stateOf(desk).tables.views.fills
    return [top?.at ?? 0, selectedKey]
  }
  act(desk, 'wheelUp', 'fills', 1)
  expect(seen()).toEqual([0, null])
  act(desk, 'press', 'fills', 4)
  act(desk, 'wheelDown', 'fills', 0)
  expect(seen()).toEqual([3, 'e4'])
  act(desk, 'wheelDown', 'fills', 0)
  expect(seen()).toEqual([6, null])
  act(desk, 'press', 'fills', 0)
  expect(seen()).toEqual([6, 'e6'])
  for (let count = 0; count < 20; count += 1) act(desk, 'wheelUp', 'fills', 0)
  expect(seen()[0]).toBe(0)
})

test('a click puts the cursor of the ladder on the price of the row, the wheel moves the scale alone', () => {
  const desk = atScreen()
  desk.commands.centerLadder()
  const { centerPrice } = stateOf(desk).ladder
  const half = Math.floor(stateOf(desk).screen.ladderRowCount / 2)
  act(desk, 'press', 'ladder', half - 2)
  expect(
    stateOf(desk)
      .ladder.cursorPrice?.minus(centerPrice ?? 0)
      .toFixed(),
  ).toBe('1')
  act(desk, 'wheelDown', 'ladder', 5)
  expect(
    stateOf(desk)
      .ladder.centerPrice?.minus(centerPrice ?? 0)
      .toFixed(),
  ).toBe('-1.5')
  expect(
    stateOf(desk)
      .ladder.cursorPrice?.minus(centerPrice ?? 0)
      .toFixed(),
  ).toBe('1')
  for (let count = 0; count < 10; count += 1) act(desk, 'wheelDown', 'ladder', 5)
  expect(stateOf(desk).ladder.cursorPrice).toBeNull()
})

test('while an order is written a click fills its price, and nothing once it is reviewed', () => {
  const desk = atScreen()
  desk.commands.centerLadder()
  desk.commands.openTicket('BUY')
  const price = () => stateOf(desk).ticket?.form.priceText
  const half = Math.floor(stateOf(desk).screen.ladderRowCount / 2)
  const before = price()
  act(desk, 'press', 'ladder', half + 2)
  const filled = price()
  expect(filled).not.toBe(before)
  act(desk, 'press', 'orders', 1)
  expect([stateOf(desk).focus, view(desk).selectedKey]).toEqual(['ladder', null])
  desk.commands.reviewTicket()
  expect(stateOf(desk).ticket?.stage).toBe('review')
  act(desk, 'press', 'ladder', half + 5)
  expect([price(), stateOf(desk).ticket?.stage]).toEqual([filled, 'review'])
})

/** A stop-limit order being written, with a field in focus. */
function writing(field: TicketField) {
  const desk = atScreen()
  desk.commands.centerLadder()
  desk.commands.openTicket('SELL')
  const opened = stateOf(desk).ticket?.form
  if (opened === undefined) throw new Error('no ticket')
  const stop = { ...opened, orderType: 'STOPLIMIT', stopText: '64000', priceText: '63900' } as const
  desk.store.dispatch({ type: 'ticketChanged', form: stop })
  desk.store.dispatch({ type: 'ticketFieldChosen', field })
  act(desk, 'press', 'ladder', 1)
  const { centerPrice } = stateOf(desk).ladder
  const form = stateOf(desk).ticket?.form
  const above = centerPrice?.plus((Math.floor(stateOf(desk).screen.ladderRowCount / 2) - 1) / 2).toFixed(2)
  return { stop: form?.stopText, price: form?.priceText, above }
}

test('a click fills the price that has the focus: the stop of a stop-limit order, not its limit', () => {
  const atStop = writing('stop')
  expect([atStop.stop, atStop.price]).toEqual([atStop.above, '63900'])
  for (const field of ['price', 'quantity'] as const) {
    const elsewhere = writing(field)
    expect([elsewhere.stop, elsewhere.price]).toEqual(['64000', elsewhere.above])
  }
})

test('while an order is moved a click gives its new price, from the quantity too, and nothing once it is reviewed', () => {
  const desk = atScreen()
  desk.commands.centerLadder()
  const centerPrice = stateOf(desk).ladder.centerPrice ?? new Decimal(0)
  const order = anOrder({ orderId: '7', clientOrderId: 'mine', limitPrice: centerPrice.minus(5) })
  desk.store.dispatch({ type: 'orders', orders: [order], atMs: startMs })
  desk.commands.moveOnlyOrder()
  const shown = () => stateOf(desk).ladder.centerPrice ?? new Decimal(0)
  const half = Math.floor(stateOf(desk).screen.ladderRowCount / 2)
  const at = () => [stateOf(desk).move?.price.toFixed(1), stateOf(desk).move?.field, stateOf(desk).move?.stage]
  act(desk, 'press', 'ladder', half + 2)
  expect(at()).toEqual([shown().minus(1).toFixed(1), 'price', 'choose'])
  desk.commands.typeIntoMove('6')
  desk.commands.nextMoveField()
  act(desk, 'press', 'ladder', half + 4)
  expect(at()).toEqual([shown().minus(2).toFixed(1), 'price', 'choose'])
  expect(stateOf(desk).move?.priceText).toBeNull()
  desk.commands.reviewMove()
  const reviewed = at()
  expect(reviewed[2]).toBe('review')
  act(desk, 'press', 'ladder', half + 1)
  expect([at(), desk.sent]).toEqual([reviewed, []])
})

test('nothing is done unasked, over an open question, and while a passphrase is typed', () => {
  const off = atScreen(false)
  act(off, 'press', 'orders', 1)
  expect([stateOf(off).focus, view(off).selectedKey]).toEqual(['ladder', null])
  const desk = atScreen()
  desk.commands.askHalt()
  const { overlay } = stateOf(desk)
  for (const kind of ['press', 'wheelDown'] as const) act(desk, kind, 'orders', 1)
  expect([stateOf(desk).overlay, view(desk).selectedKey, view(desk).top]).toEqual([overlay, null, null])
  const state = stateOf(desk)
  expect(takesMouse(state)).toBe(true)
  expect(takesMouse({ ...state, lock: { kind: 'typing', length: 3 } })).toBe(false)
  const secret = { kind: 'withdrawSecret', purpose: 'lock', length: 0, isChecking: false, sentence: null }
  expect(takesMouse({ ...state, overlay: secret as never })).toBe(false)
})

test('no clicks, wherever and whatever is open, send, cancel, arm, review or confirm', () => {
  const event = fc.record({
    kind: fc.constant('mouse' as const),
    act: fc.constantFrom('press' as const, 'wheelUp' as const, 'wheelDown' as const),
    column: fc.nat(130),
    row: fc.nat(45),
  })
  const opened: readonly ((desk: Desk) => void)[] = [
    () => {},
    ({ commands }) => commands.openTicket('SELL'),
    ({ commands }) => {
      commands.openTicket('BUY')
      commands.reviewTicket()
    },
    ({ commands }) => commands.askHalt(),
    ({ commands }) => commands.quit(),
    ({ commands }) => commands.openPalette(),
    ({ commands }) => commands.toggleArmed(),
  ]
  fc.assert(
    fc.property(fc.constantFrom(...opened), fc.array(event, { maxLength: 30 }), (open, events) => {
      const desk = atScreen()
      open(desk)
      const { ticket, overlay, mode } = stateOf(desk)
      const sent = [...desk.sent]
      for (const each of events) actOnMouse(each, desk)
      const after = stateOf(desk)
      expect([after.ticket?.stage, after.overlay, after.mode]).toEqual([ticket?.stage, overlay, mode])
      expect(desk.sent.filter((each) => /^(submit|cancel|move|decide|exit)/.test(each))).toEqual(
        sent.filter((each) => /^(submit|cancel|move|decide|exit)/.test(each)),
      )
    }),
  )
})
