import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { emptyTicket } from '../../../src/domain/orders/ticket.ts'
import { createCommands } from '../../../src/store/commands.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { arrived } from '../../../src/store/feeds/feed.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { handleInput } from '../../../src/ui/keys/handle-input.ts'
import { createKeyTokenizer } from '../../../src/ui/terminal/key-tokenizer.ts'
import { bitcoin, deskNowMs, deskState, orderFrom } from '../../fakes/desk-state.ts'
import { noLimits } from '../../fakes/limits.ts'
import { aMoveForm } from '../../fakes/moves.ts'
import { ocoTerms } from '../../fakes/plans.ts'
import { recordingPort } from '../../fakes/recording-port.ts'
import { onScreen, plainScreen } from '../render-screen.tsx'

const down = '\u001b[B'

/** A desk on the smallest full screen, driven by bytes; `lookFor` pages down until nothing is left. */
function desk(state: DeskState) {
  const store = createDeskStore(onScreen(state, 80, 24))
  const asked: string[] = []
  const plans = {
    add: async () => {
      asked.push('plan')
      return { ok: true, value: 'p1' } as const
    },
  }
  const port = { ...recordingPort(() => deskNowMs, asked), plans: plans as never }
  const commands = createCommands({ store, port, exit: () => undefined })
  const tokenizer = createKeyTokenizer()
  const take = (bytes: string) => {
    for (const event of tokenizer.push(bytes)) handleInput(event, store, commands)
  }
  const screen = () => plainScreen(store.getState(), 80, 24)
  return { store, asked, take, screen, notice: () => store.getState().notice?.text ?? '' }
}

/** Eight orders that move together, more than the place of an order holds. */
function manyMoves() {
  const orders = Array.from({ length: 8 }, (_, at) =>
    orderFrom({ orderId: `77${at}`, clientOrderId: `own77${at}`, limitPrice: new Decimal(64_200 - at) }),
  )
  const [order, ...others] = orders
  if (order === undefined) throw new Error('an order was expected')
  const form = aMoveForm(order, new Decimal('64195'), { others, scope: 'side' })
  const move = { stage: 'review', ...form, reviewedAtMs: 0, confirmed: [] } as const
  return deskState({ orders: arrived(orders, deskNowMs), unknownWrites: [], limits: noLimits, move })
}

test('a move of more orders than its place shows is sent once every one of them was on screen', () => {
  const { take, screen, asked, notice } = desk(manyMoves())
  take('\r')
  expect(notice()).toMatch(/^Not sent: Down shows \d+ more lines\.$/)
  expect(asked).toEqual([])
  let seen = screen()
  expect(seen).toMatch(/\d+ more: Down/)
  for (let step = 0; step < 20 && / more: Down/.test(screen()); step += 1) {
    take(down)
    seen += screen()
  }
  for (let at = 0; at < 8; at += 1) expect(seen).toContain(`order 77${at}`)
  expect(seen).toContain('Enter SEND')
  take('\r')
  expect(asked.join()).toContain('move')
})

test('warnings of an order that have no room on a full screen are seen before it is sent', () => {
  const form = {
    ...emptyTicket(bitcoin, 'BUY'),
    ...({ type: 'STOPLIMIT', timeInForce: 'GTC' } as const),
    ...{ quantityText: '0.0500', priceText: '64980.00', stopText: '64212.00' },
  }
  const soft = { soft: new Decimal('0.1'), hard: null }
  const limits = { ...noLimits, orderNotionalUsd: { soft: new Decimal(10), hard: null }, collarPercent: soft }
  const ticket = { stage: 'review', form, field: 'price', reviewedAtMs: 0, confirmed: [], retyped: '' } as const
  const venue = { kind: 'live', profileName: 'main' } as const
  const { take, screen, store, notice } = desk(deskState({ unknownWrites: [], limits, venue, ticket }))
  expect(screen()).toMatch(/\d+ more: Down/)
  take('Y')
  expect(notice()).toMatch(/^Not sent: Down shows \d+ more lines?\.$/)
  expect(store.getState().ticket).toMatchObject({ confirmed: [] })
  for (let step = 0; step < 20 && / more: Down/.test(screen()); step += 1) take(down)
  expect(screen()).toContain('Enter SEND')
  take('Y')
  expect(store.getState().ticket).toMatchObject({ confirmed: [{ rule: 'orderValue' }, { rule: 'collar' }] })
})

test('a plan whose review goes on below is made once its end was on screen, and names the key that confirms', () => {
  const soft = { soft: new Decimal(10), hard: null }
  const limits = { ...noLimits, orderNotionalUsd: soft, collarPercent: { soft: new Decimal('0.1'), hard: null } }
  const overlay = { kind: 'planReview', terms: ocoTerms, planId: null, openedAtMs: 0, confirmed: [] } as const
  const reboundKeys = new Map([['confirmPlanLimits', ['L']]])
  const state = deskState({ unknownWrites: [], limits, overlay, reboundKeys })
  const { take, screen, asked, notice, store } = desk(state)
  const isLong = () => / more below: Down/.test(screen())
  expect(isLong()).toBe(true)
  take('L\r')
  expect(notice()).toMatch(/^Not sent: Down shows \d+ more lines?\.$/)
  expect(asked).toEqual([])
  for (let step = 0; step < 20 && isLong(); step += 1) take(down)
  take('\r')
  expect(notice()).toMatch(/type L, then Enter/)
  take('L\r')
  expect(asked).toEqual(['plan'])
  expect(store.getState().overlay).toBeNull()
})
