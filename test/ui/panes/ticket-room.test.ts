import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayPlace } from '../../../src/domain/desk/mode.ts'
import { defaultLimits } from '../../../src/domain/limits.ts'
import { orderTypes, timesInForce } from '../../../src/domain/orders/order.ts'
import { timesInForceOf } from '../../../src/domain/orders/order-fields.ts'
import type { TicketForm } from '../../../src/domain/orders/ticket.ts'
import { sides } from '../../../src/domain/side.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import type { TicketState } from '../../../src/store/ticket/ticket.ts'
import { keymapOf } from '../../../src/ui/keys/keymap.ts'
import { layoutFor } from '../../../src/ui/panes/layout/layout.ts'
import { stacked } from '../../../src/ui/panes/ticket/ticket-layout.ts'
import { ticketContent as ticketContentWith } from '../../../src/ui/panes/ticket/ticket-pane.tsx'
import { rowText, rowWidth, span } from '../../../src/ui/text/row.ts'
import { bitcoin, deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { runs } from '../../fakes/runs.ts'

type Room = { width: number; rowCount: number }
/** With the keys as the state has them bound. */
const ticketContent = (state: DeskState, ticket: TicketState, size: Room) =>
  ticketContentWith(state, ticket, { ...size, bindings: keymapOf(state) })

const quantityText = fc.constantFrom(
  '',
  '0.05',
  '0.0500',
  '0.05005',
  '9',
  '150000',
  '0,05',
  '1.2.3',
  '12345678901234567890123',
)
const priceText = fc.constantFrom('', '64209.50', '64209.53', '64211', '1', '99999999.50', '0', '64,209.50', '-5')
const formOf = (quantity: fc.Arbitrary<string>): fc.Arbitrary<TicketForm> =>
  fc
    .record({
      side: fc.constantFrom(...sides),
      type: fc.constantFrom(...orderTypes),
      quantityText: quantity,
      priceText,
      stopText: priceText,
      timeInForce: fc.constantFrom(...timesInForce),
      expireText: fc.constantFrom('', '20261231', '20250101', '2026-12-31', 'x'),
      minimumText: quantityText,
      postOnly: fc.boolean(),
      isProtected: fc.boolean(),
      lossText: priceText,
      targetText: priceText,
    })
    .map((form) => ({ ...form, symbol: bitcoin.symbol }))
    .filter((form) => timesInForceOf(form.type).includes(form.timeInForce))
const anyForm = formOf(quantityText)
/** With a quantity that an order of this account may have: any other is blocked, whatever stands beside it. */
const soundForm = formOf(fc.constantFrom('0.05', '0.0500', '9'))

const ticketOf = (form: fc.Arbitrary<TicketForm>, stages: readonly TicketState['stage'][]): fc.Arbitrary<TicketState> =>
  fc.tuple(form, fc.constantFrom(...stages)).map(([form, stage]) => {
    if (stage === 'review')
      return { stage, form, field: 'quantity', reviewedAtMs: deskNowMs, confirmed: [], retyped: '0.0' }
    return stage === 'edit' ? { stage, form, field: 'quantity' } : { stage: 'sending', form, field: 'quantity' }
  })

const anyTicket = ticketOf(anyForm, ['edit', 'review', 'sending'])

const size = fc.record({ width: fc.integer({ min: 28, max: 70 }), rowCount: fc.integer({ min: 8, max: 30 }) })
const states = [
  deskState({ limits: defaultLimits.live }),
  deskState({ mode: { kind: 'SAFE' }, limits: defaultLimits.live }),
  deskState({ nowMs: deskNowMs + 60_000 }),
  deskState({ books: new Map(), tickers: { value: null, atMs: null, failure: null } }),
]

test('whatever stands in the ticket, no line is wider than its place and the keys are always there', () => {
  fc.assert(
    fc.property(anyTicket, size, fc.constantFrom(...states), (ticket, room, state) => {
      const { rows } = ticketContent(state, ticket, room)
      expect(rows.length).toBeLessThanOrEqual(room.rowCount)
      for (const row of rows) expect(rowWidth(row), rowText(row)).toBeLessThanOrEqual(room.width)
      // A what-if is not reviewed: it says what arms the desk, where that is possible.
      const next = mayPlace(state.mode) ? 'Enter review' : ''
      if (ticket.stage === 'edit') expect(rowText(rows.at(-1) ?? [])).toContain(next)
      if (ticket.stage === 'review') expect(rowText(rows.at(-1) ?? [])).toContain('Enter SEND')
    }),
    { numRuns: runs(150, 500) },
  )
})

test('an order that breaks no rule shows what it costs, what it leaves and its fee in the smallest place there is', () => {
  const whole = { width: 28, rowCount: 11 }
  fc.assert(
    fc.property(soundForm, (form) => {
      const ticket: TicketState = { stage: 'edit', form, field: 'quantity' }
      const { rows, foot } = ticketContent(deskState(), ticket, whole)
      fc.pre(rowText(foot ?? []).startsWith('OK'))
      const text = rows.map(rowText).join('\n')
      for (const label of [form.side === 'BUY' ? ' cost ' : ' value ', ' left ', ' fee ']) expect(text).toContain(label)
    }),
    { numRuns: 100, maxSkipsPerRun: 1_000 },
  )
})

/** The lines of an order's place on a terminal, and its width, inside the frame. */
function roomAt(columns: number, rows: number) {
  const arrangement = { focus: 'ladder', layout: 'trade', isZoomed: false, hasTicket: true } as const
  const layout = layoutFor(columns, rows, arrangement)
  const slots =
    layout.kind === 'desk' ? layout.bands.flatMap((each) => each.columns.flatMap((column) => column.slots)) : []
  const place = slots.find(({ kind }) => kind === 'ticket')
  if (place === undefined) throw new Error('there is no place for an order')
  return { width: place.width - 2, rowCount: place.height - 2 }
}

test.each([
  [120, 40],
  [160, 45],
  [200, 60],
])('%i x %i: whatever is warned of, an order says all it comes to', (columns, rows) => {
  const room = roomAt(columns, rows)
  const labels = /^ (cost|value|when|then|fills|left|short|fee|dist) /
  const said = (ticket: TicketState, at: number, rowCount: number) => {
    const { rows, foot } = ticketContent(states[at] ?? deskState(), ticket, { ...room, rowCount })
    // What blocks is told of first; nothing of it is sent.
    fc.pre(!rowText(foot ?? []).includes('BLOCK'))
    return rows.map(rowText).flatMap((row) => labels.exec(row)?.[1] ?? [])
  }
  fc.assert(
    fc.property(ticketOf(soundForm, ['edit', 'review']), fc.constantFrom(0, 1), (ticket, at) => {
      expect(said(ticket, at, room.rowCount)).toEqual(said(ticket, at, 80))
    }),
    { numRuns: runs(100, 300), maxSkipsPerRun: 1_000 },
  )
})

test('one number counts every line of complaints and summary that has no room', () => {
  const lines = (count: number, name: string) => Array.from({ length: count }, (_, at) => [span(`${name} ${at}`)])
  const sections = { head: lines(2, 'head'), complaints: lines(9, 'block'), summary: lines(4, 'sum'), extra: [] }
  for (let rowCount = 3; rowCount < 20; rowCount += 1) {
    const { rows, hiddenCount } = stacked({ ...sections, keys: [span('keys')] }, rowCount)
    const texts = rows.map(rowText)
    expect(texts).toHaveLength(rowCount)
    expect(texts.join('\n')).not.toMatch(/more|hidden/)
    expect(texts.filter((text) => /block|sum/.test(text))).toHaveLength(9 + 4 - hiddenCount)
  }
})
