import { expect, test } from 'vitest'
import type { HubPerson } from '../../../src/domain/hub/person.ts'
import { Decimal } from '../../../src/domain/money.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import type { PlanNow } from '../../../src/domain/plans/news.ts'
import type { DeskState } from '../../../src/store/desk.ts'
import { headerRow } from '../../../src/ui/console/header-row.ts'
import { keymap } from '../../../src/ui/keys/keymap.ts'
import { confirmCancelRows, haltQuestion, quitWords } from '../../../src/ui/overlays/confirm.tsx'
import { planCancelRows, planReviewRows } from '../../../src/ui/overlays/plan-review-rows.ts'
import { plansContent } from '../../../src/ui/panes/plans-pane.tsx'
import { plansSource } from '../../../src/ui/tables/plans-table.ts'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { anOrder } from '../../fakes/orders.ts'
import { enteringPlan, ocoTerms, planAfter, protectedPlan, seen, sent, somePlans, tenth } from '../../fakes/plans.ts'
import { plainScreen } from '../render-screen.tsx'
import { texts } from '../rows.ts'

const room = { columns: 80, rows: 24 }

test('whose plan it is stands in the list and in the question whether it is to end, at a hub alone', () => {
  const now = protectedPlan()
  const { planId } = now.plan
  const desk = (person: string | null) => {
    const plans = { ...deskState().plans, owner: person === null ? ('desk' as const) : ('hub' as const) }
    return deskState({ plans: { ...plans, list: [{ ...now, plan: { ...now.plan, person } }] } })
  }
  const asked = (person: string | null) =>
    texts(planCancelRows(desk(person), { kind: 'planCancel', planId, how: null }, [], room)).join('\n')
  expect(asked('anna')).toContain(`End plan ${planId} of anna?`)
  expect(asked(null)).toContain(`End plan ${planId}?`)
  const listed = (person: string | null, width = 118) => plansContent(desk(person), width, 10)
  // On the smallest screen too what the plan is in stands there.
  for (const width of [38, 34]) expect(texts(listed('anna', width).rows)[0]).toContain('STATE')
  expect(texts(listed('anna').rows).join('\n')).toMatch(/WHOSE[\s\S]*anna/)
  expect(texts([listed('anna').note])).toEqual([
    expect.stringContaining('carried out by the hub, unknown to the exchange'),
  ])
  expect(texts(listed(null).rows).join('\n')).not.toContain('WHOSE')
})

test('the list shows what each plan waits for and since when it is bare, its foot how long swaps took, a row each order', () => {
  const plans = { ...somePlans(), swaps: { count: 93, medianMs: 64, longestMs: 463 } }
  const state = deskState({ plans })
  const { rows, foot = [], note } = plansContent(state, 160, 12)
  const listed = texts(rows).join('\n')
  expect(listed).toContain('The stop rests at 63,000.00')
  expect(listed).toContain('the stop was canceled, and not by the plan')
  expect(listed).toMatch(/12:0\d/)
  expect(texts([foot]).join()).toMatch(/cancel to new order: .*64 ms.*463 ms.*93/)
  expect(texts([note]).join()).toContain('carried out here')
  const inHalt = plansContent({ ...state, mode: { kind: 'HALTED' } }, 160, 12)
  expect(texts([inHalt.note]).join()).toContain('HALTED: they may only cancel, nothing else follows')
  const details = plansSource.details(state, 'p1') ?? []
  expect(details.map(({ text }) => text).join('\n')).toMatch(
    /SELL 0\.05\d* STOP at 63,000\.00, working \(PENDING\), .*9912050/,
  )
  const refused = { ...protectedPlan(), refused: 'the exchange is halted' }
  const ofRefused = deskState({ plans: somePlans(refused) })
  expect(texts(plansContent(ofRefused, 160, 12).rows).join()).toContain('the exchange is halted')
  const silent = deskState({ plans: { ...plans, owner: 'hubSilent' } })
  expect(texts([plansContent(silent, 160, 12).note]).join()).toContain('the hub does not answer: as last heard')
})

test('plans are counted in the header, loudly where one is bare or held, and a halt says how many it holds', () => {
  const header = (list: readonly PlanNow[]) => texts([headerRow(deskState({ plans: somePlans(...list) }), 180)]).join()
  expect(header([protectedPlan()])).toMatch(/plans 1(?!,)/)
  expect(header([])).toContain('plans 2, 1 not protected since 12:03')
  const orders = [anOrder({ orderId: '9912050', clientOrderId: 'own-stop', symbol: 'BTC-USD' })]
  const state = deskState({ plans: somePlans(protectedPlan()), orders: { ...deskState().orders, value: orders } })
  expect(haltQuestion(state, { kind: 'halt', symbol: 'BTC-USD', typed: '' })).toContain(
    '1 plan holds until you resume or end it: what it protected may be bare.',
  )
})

test('what a cancel by hand does to a plan of another person says that they resume or end it, not who cancels', () => {
  const begun = (now: PlanNow, person: string) => ({ ...now, plan: { ...now.plan, person } })
  const second = begun(protectedPlan(), 'ada')
  const other = { ...second, plan: { ...second.plan, planId: 'p2', orders: renamed(second, 'own-stop', 'other-stop') } }
  const stops = [
    anOrder({ orderId: '9912050', clientOrderId: 'own-stop' }),
    anOrder({ orderId: '9912051', clientOrderId: 'other-stop' }),
  ]
  const halts = (name: string, ...plans: readonly PlanNow[]) => {
    const hub: HubPerson = { name, role: 'trader', account: null, halted: null, limits: null }
    const atHub = { ...somePlans(...plans), owner: 'hub' as const }
    return deskState({ plans: atHub, hub, orders: { ...deskState().orders, value: stops.slice(0, plans.length) } })
  }
  const halted = (state: DeskState) => haltQuestion(state, { kind: 'halt', symbol: 'BTC-USD', typed: '' })
  const asked = (state: DeskState) =>
    texts(confirmCancelRows(state, { kind: 'orders', orderIds: ['9912050'], words: 'order 9912050' }, keymap, null))
      .join(' ')
      .replaceAll(/\s+/g, ' ')
  const ofAda = begun(protectedPlan(), 'ada')
  expect(halted(halts('bob', ofAda))).toContain(
    ' 1 plan holds until ada resumes or ends it: what it protected may be bare.',
  )
  expect(asked(halts('bob', ofAda))).toContain(
    'By hand it holds the plan until ada resumes or ends it: what it protected may be bare.',
  )
  expect(asked(halts('ada', ofAda))).toContain('what it protected may be bare: cancel plan ends it.')
  expect(halted(halts('bob', ofAda, other))).toContain(' 2 plans hold until ada resumes or ends them: ')
  expect(halted(halts('bob', begun(protectedPlan(), 'bob'), other))).toContain(
    ' 2 plans hold until those who began them resume or end them: ',
  )
  expect(halted(halts('ada', ofAda, other))).toContain(' 2 plans hold until you resume or end them: ')
})

/** The orders of a plan, one of them under another client order id. */
const renamed = ({ plan }: PlanNow, from: string, to: string) =>
  plan.orders.map((order) => (order.clientOrderId === from ? { ...order, clientOrderId: to } : order))

test('the question before a quit says what its cancel of all does to plans, as a halt does', () => {
  const orders = [
    anOrder({ orderId: '9912050', clientOrderId: 'own-stop' }),
    anOrder({ orderId: '9912051', clientOrderId: 'own-entry' }),
  ]
  const asked = (cancelSentAtMs: number | null, more: Partial<DeskState> = {}) =>
    quitWords(
      deskState({
        plans: somePlans(protectedPlan(), enteringPlan('p2', 'own-entry')),
        orders: { ...deskState().orders, value: orders },
        overlay: { kind: 'confirmQuit', cancelSentAtMs },
        ...more,
      }),
    ).filter((text) => text.startsWith('CANCEL ALL'))
  expect(asked(null)).toEqual([
    'CANCEL ALL: 1 plan holds until you resume or end it: what it protected may be bare.',
    'CANCEL ALL: 1 plan ends: it has nothing to protect.',
  ])
  // Where it is sent there is nothing left to decide, and a desk that only watches does not offer it.
  expect(asked(deskNowMs)).toEqual([])
  expect(asked(null, { mode: { kind: 'MONITOR' } })).toEqual([])
})

test('a halt and a cancel of all tell plans that end by it apart from those that it holds', () => {
  const plans = somePlans(protectedPlan(), enteringPlan('p2', 'own-entry'))
  const working = [
    anOrder({ orderId: '9912050', clientOrderId: 'own-stop' }),
    anOrder({ orderId: '9912051', clientOrderId: 'own-entry' }),
    anOrder({ orderId: '9912052', clientOrderId: 'nobodys' }),
  ]
  const on = (...orders: readonly Order[]) => deskState({ plans, orders: { ...deskState().orders, value: orders } })
  const halts = (...orders: readonly Order[]) =>
    haltQuestion(on(...orders), { kind: 'halt', symbol: 'BTC-USD', typed: '' })
  const cancels = (...orders: readonly Order[]) =>
    texts(confirmCancelRows(on(...orders), { kind: 'all', symbol: null }, keymap, null))
      .join(' ')
      .replaceAll(/\s+/g, ' ')
  const [stop, entry, other] = working
  if (stop === undefined || entry === undefined || other === undefined) throw new Error('three orders')
  const both =
    '1 plan holds until you resume or end it: what it protected may be bare. 1 plan ends: it has nothing to protect.'
  expect(halts(...working)).toContain(both)
  expect(cancels(...working)).toContain(both)
  expect(halts(entry)).toContain(' 1 plan ends: it has nothing to protect.')
  expect(halts(entry)).not.toContain('holds')
  expect(cancels(entry)).toContain(
    'It belongs to plan p2 (its entry). Without it the plan ends: it has nothing to protect.',
  )
  expect(halts(other)).not.toMatch(/plans? (holds?|ends?|goe?s?) /)
})

test('a review that a check blocks, or a desk that sends nothing, offers no Enter', () => {
  const { terms } = protectedPlan().plan
  const keysOf = (quantity: string, more: Partial<DeskState> = {}) => {
    const overlay = {
      kind: 'planReview',
      terms: { ...terms, quantity: new Decimal(quantity) },
      planId: null,
      openedAtMs: deskNowMs,
      confirmed: [],
    } as const
    return planReviewRows(deskState({ overlay, ...more }), keymap, { columns: 120, rows: 40 }).map(rowText)
  }
  expect(keysOf('0.01').at(-1)).toContain('CONFIRM THE PLAN')
  expect(keysOf('0.01', { mode: { kind: 'SAFE' } }).at(-1)).not.toContain('CONFIRM')
  const blocked = keysOf('100')
  expect(blocked.join()).toContain('✗ ')
  expect(blocked.at(-1)).not.toContain('CONFIRM')
  expect(blocked.at(-1)).toContain('Esc change nothing')
})

test('a question about the end of a plan of many orders keeps its warnings and its keys on the smallest desk', () => {
  const ids = Array.from({ length: 30 }, (_, at) => `own-slice-${at}`)
  const terms = { ...tenth, kind: 'scale', side: 'BUY', slices: [], postOnly: false } as const
  const orders = ids.flatMap((id, at) => [sent(id, 'slice', at), seen(id, { orderId: `9912${at}`, status: 'OPEN' })])
  const now = { ...protectedPlan(), plan: planAfter('p1', terms, ...orders) }
  const overlay = { kind: 'planCancel', planId: 'p1', how: 'leave' } as const
  const desk = (rows: number) => plainScreen(deskState({ plans: somePlans(now), overlay }), 80, rows).split('\n')
  for (const rows of [24, 30, 45]) {
    const lines = desk(rows)
    const bottom = lines.findIndex((line) => line.includes('╚'))
    // The notice line and the keys below it stay readable.
    expect(bottom).toBeLessThan(rows - 2)
    expect(lines[bottom - 1]).toContain('END, LEAVE ORDERS')
    const text = lines.join('\n')
    expect(text).toContain('Its orders are left where they are.')
    const shown = lines.filter((line) => /slice: BUY/.test(line)).length
    const more = Number(/and (\d+) more/.exec(text)?.[1] ?? 0)
    expect([shown > 8, shown + more]).toEqual([true, 30])
  }
})

test('a review that has no room for all its lines scrolls between the header and the notice line, blocks before what explains', () => {
  const terms = { ...ocoTerms, quantity: new Decimal('100') }
  const at = (top: number) => {
    const overlay = { kind: 'planReview', terms, planId: null, openedAtMs: 0, confirmed: [], top } as const
    return plainScreen(deskState({ overlay }), 80, 24).split('\n')
  }
  const first = at(0)
  expect(first[0]).toMatch(/^ ARMED /)
  const bottom = first.findIndex((line) => line.includes('╚'))
  expect(bottom).toBeGreaterThan(10)
  expect(bottom).toBeLessThan(22)
  expect(first.join('\n')).toContain('✗')
  expect(first.join('\n')).toMatch(/\d more below: Down/)
  const seen = Array.from({ length: 12 }, (_, top) => at(top))
    .flat()
    .join('\n')
  expect(seen).toContain('After a gap a stop trades')
  expect(first.join('\n')).toContain('Esc change nothing')
})
