import { expect, test } from 'vitest'
import { Decimal } from '../../../src/domain/money.ts'
import { aged, type DraftedOrder } from '../../../src/domain/orders/drafted-order.ts'
import { sendsAtOnce } from '../../../src/store/ticket/ticket-reading.ts'
import { anOrderDraft } from '../../fakes/drafts.ts'
import { noLimits } from '../../fakes/limits.ts'
import { aDraft } from '../../fakes/orders.ts'
import { aDesk, type Desk, startMs } from '../desk.ts'

const notice = ({ store }: Desk) => store.getState().notice?.text
const stage = ({ store }: Desk) => store.getState().ticket?.stage
const limit = aDraft({ orderQuantity: new Decimal('0.005'), limitPrice: new Decimal('64209.00') })
const drafted = (change: Partial<DraftedOrder> = {}) => anOrderDraft({ createdAtMs: startMs, order: limit, ...change })
const keep = ({ store }: Desk, ...drafts: DraftedOrder[]) =>
  store.dispatch({ type: 'orderDraftsChanged', drafts, atMs: startMs })

/** A desk that has one draft under review for longer than a key repeats. */
function reviewing(settings: Parameters<typeof aDesk>[1] = {}): Desk {
  const desk = aDesk('ARMED', settings)
  keep(desk, drafted())
  desk.commands.reviewOrderDraft()
  expect(stage(desk)).toBe('review')
  desk.wait(200)
  return desk
}

test('the one draft that waits is reviewed without a choice, and Enter sends that draft and nothing else', () => {
  const desk = reviewing()
  desk.commands.sendTicket()
  desk.commands.sendTicket()
  expect(desk.sent).toEqual(['send draft abc234: BUY 0.005'])
})

test('of several one is to be selected first', () => {
  const desk = aDesk()
  keep(desk, drafted({ draftId: 'abc234' }), drafted({ draftId: 'def567' }))
  desk.commands.reviewOrderDraft()
  expect(notice(desk)).toMatch(/^No draft is selected: .* select one of 2\.$/)
  expect(stage(desk)).toBeUndefined()
})

test('a book that goes stale over the review stops a draft, which waits as before', () => {
  const desk = reviewing()
  desk.wait(6_000)
  desk.commands.sendTicket()
  expect(notice(desk)).toMatch(/^Not sent: book 6 s old: wait for fresh data\./)
  expect(desk.sent).toEqual([])
  expect(desk.store.getState().orderDrafts).toMatchObject([{ state: { kind: 'draft' } }])
})

test('a desk that went SAFE, was halted or locked over the review sends no draft', () => {
  const acts: readonly ((desk: Desk) => void)[] = [
    ({ commands }) => commands.toggleArmed(),
    ({ store }) => store.dispatch({ type: 'modeChanged', mode: { kind: 'HALTED' }, atMs: startMs }),
    ({ commands }) => commands.lock(),
  ]
  for (const act of acts) {
    const desk = reviewing()
    act(desk)
    desk.commands.sendTicket()
    expect(desk.sent.filter((each) => each.startsWith('send'))).toEqual([])
  }
})

test('where an order of its size goes at one key, a draft still has its review', () => {
  const desk = aDesk('ARMED', { limits: noLimits, entry: { confirmAboveUsd: new Decimal(500), sizes: new Map() } })
  keep(desk, drafted())
  desk.commands.reviewOrderDraft()
  expect([stage(desk), notice(desk)]).toEqual(['review', expect.stringContaining('a draft is always reviewed')])
  const { ticket } = desk.store.getState()
  if (ticket === null) throw new Error('no ticket')
  expect(sendsAtOnce(desk.store.getState(), ticket.form)).toBe(false)
  const { drafted: _, ...own } = ticket
  expect(sendsAtOnce({ ...desk.store.getState(), ticket: own }, own.form)).toBe(true)
  desk.wait(200)
  desk.commands.sendTicketAtOnce()
  expect([desk.sent, notice(desk)]).toEqual([[], expect.stringMatching(/^Not sent: a draft is always reviewed/)])
})

test('what came and what expired is told of in a sentence, with its order and by whom', () => {
  const desk = aDesk()
  keep(desk, drafted())
  expect(notice(desk)).toBe('New draft abc234 by mcp claude: BUY 0.0050 BTC-USD LIMIT @ 64,209.00. See 2 Orders.')
  keep(desk, aged(drafted(), startMs + 3_600_000))
  expect(notice(desk)).toBe('Expired: draft abc234 by mcp claude: BUY 0.0050 BTC-USD LIMIT @ 64,209.00.')
})
