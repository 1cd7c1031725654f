import { expect, test } from 'vitest'
import { err, ok } from '../../../src/base/result.ts'
import { emptyTicket } from '../../../src/domain/orders/ticket.ts'
import { begunPlan } from '../../../src/domain/plans/plan.ts'
import type { PlanTerms } from '../../../src/domain/plans/terms.ts'
import { createCommands } from '../../../src/store/commands.ts'
import { arrived } from '../../../src/store/feeds/feed.ts'
import { outlookMarket, planChecks } from '../../../src/store/plans/plan-checks.ts'
import type { PlansPort } from '../../../src/store/plans/plans.ts'
import { planAlarm } from '../../../src/store/plans/plans.ts'
import { amount } from '../../fakes/amounts.ts'
import { aBalance } from '../../fakes/balances.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { settle } from '../../fakes/fake-clock.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { anOrder } from '../../fakes/orders.ts'
import { heldPlan, lateEntry, ocoTerms, protectedPlan } from '../../fakes/plans.ts'
import { quietPort } from '../../fakes/quiet-port.ts'
import { aDesk, startMs } from '../desk.ts'
import { tabTo } from '../ticket/ticket-scene.ts'

/** A desk whose plans are carried out by a port that writes down what it is asked. */
function aPlanDesk(mode: 'ARMED' | 'SAFE' | 'HALTED' = 'ARMED', answers: Partial<PlansPort> = {}) {
  const desk = aDesk(mode)
  const sent: string[] = []
  let nowMs = startMs
  const say = (text: string) => {
    sent.push(text)
  }
  const done = <T>(text: string, value: T) => {
    say(text)
    return Promise.resolve(ok(value))
  }
  const plans: PlansPort = {
    add: (terms, after) => done(`add ${terms.kind} ${terms.quantity.toFixed()} after ${after}`, 'p7'),
    cancel: (id, how) => done(`cancel ${id} ${how}`, null),
    edit: (id, terms) => done(`edit ${id} ${terms.quantity.toFixed()}`, null),
    resume: (id) => done(`resume ${id}`, null),
    ...answers,
  }
  const port = {
    ...quietPort(startMs),
    cancelOrders: (ids: readonly string[]) => say(`orders ${ids.join()}`),
    now: () => nowMs,
    plans,
  }
  const commands = createCommands({ store: desk.store, port, exit: () => undefined })
  desk.store.dispatch({ type: 'plans', owner: 'desk', plans: [protectedPlan(), heldPlan()] })
  return {
    store: desk.store,
    commands,
    sent,
    wait: (ms: number) => (nowMs += ms),
    notice: () => desk.store.getState().notice?.text ?? '',
  }
}

test('a plan like one that has just begun wants a Y, and is made then', async () => {
  const { commands, sent, wait, notice, store } = aPlanDesk()
  store.dispatch({
    type: 'plans',
    owner: 'desk',
    plans: [{ ...protectedPlan(), plan: begunPlan('p1', ocoTerms, startMs) }],
  })
  commands.reviewPlan(ocoTerms, null)
  wait(200)
  commands.sendPlan()
  expect([sent, notice()]).toEqual([[], expect.stringContaining('plan p1 is the same, begun ')])
  commands.confirmPlanLimits()
  wait(200)
  commands.sendPlan()
  await settle()
  expect(sent).toEqual(['add oco 0.05 after 1'])
})
/** Amounts as text. */
const said = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

test('a plan is reviewed, and made by a second Enter that is no repeat of the first', async () => {
  const { commands, sent, wait, notice, store } = aPlanDesk()
  commands.reviewPlan(ocoTerms, null)
  commands.sendPlan()
  expect(sent).toEqual([])
  wait(200)
  commands.sendPlan()
  commands.sendPlan()
  await settle()
  expect(sent).toEqual(['add oco 0.05 after 2'])
  expect(store.getState().overlay).toBeNull()
  expect(notice()).toBe('Plan p7 begins. It exists on this side only.')
})

test.each(['SAFE', 'HALTED'] as const)('%s sends no plan and resumes none', (mode) => {
  const { commands, sent, wait, notice } = aPlanDesk(mode)
  commands.reviewPlan(ocoTerms, null)
  wait(200)
  commands.sendPlan()
  expect(notice()).toContain(mode)
  commands.closeOverlay()
  commands.resumePlan('p2')
  expect(notice()).toMatch(new RegExp(`^The desk is ${mode}: .*L`))
  expect(sent).toEqual([])
})

test('what blocks an order blocks a plan, and says why', () => {
  const { commands, sent, wait, notice } = aPlanDesk()
  commands.reviewPlan({ ...ocoTerms, quantity: amount('50') }, null)
  wait(200)
  commands.sendPlan()
  expect(sent).toEqual([])
  expect(notice()).toBe('Nothing was planned: the review says what blocks it.')
})

test('a refusal is told in its own words', async () => {
  const { commands, wait, notice } = aPlanDesk('ARMED', { add: () => Promise.resolve(err('The disk is full.')) })
  commands.reviewPlan(ocoTerms, null)
  wait(200)
  commands.sendPlan()
  await settle()
  expect(notice()).toBe('The disk is full.')
})

test('a change and a going on say which terms were shown, whatever the plan has become while the question was open', async () => {
  const asked: unknown[] = []
  const note = (...of: unknown[]) => {
    asked.push(of)
    return Promise.resolve(err('Plan p1 was changed meanwhile: look at it again. Nothing was done.'))
  }
  const { store, commands, wait, notice } = aPlanDesk('ARMED', { edit: note, resume: note })
  const shown = protectedPlan()
  const { terms } = shown.plan
  const wider = { ...ocoTerms, quantity: amount('0.3') }
  commands.reviewPlan(wider, 'p1')
  const elsewhere = { ...ocoTerms, quantity: amount('0.2') }
  const plans = [{ ...shown, plan: { ...shown.plan, terms: elsewhere } }, heldPlan()]
  store.dispatch({ type: 'plans', owner: 'desk', plans })
  wait(200)
  commands.sendPlan()
  await settle()
  expect(notice()).toContain('was changed meanwhile')
  commands.resumePlan('p2')
  expect(asked).toEqual([
    ['p1', wider, terms],
    ['p2', heldPlan().plan.terms],
  ])
})

test('an end is asked about; leaving its orders is another answer', async () => {
  const { commands, sent, store } = aPlanDesk('HALTED')
  commands.askCancelPlan('p1', 'leave')
  commands.cancelPlan('takeBack')
  expect(sent).toEqual([])
  commands.cancelPlan('leave')
  commands.askCancelPlan('p1', null)
  commands.cancelPlan('takeBack')
  await settle()
  expect(sent).toEqual(['cancel p1 leave', 'cancel p1 takeBack'])
  expect(store.getState().overlay).toBeNull()
})

test('only what is held goes on by a word', () => {
  const { commands, sent, notice } = aPlanDesk()
  commands.resumePlan('p1')
  expect(notice()).toBe('Plan p1 is running already: nothing to resume.')
  commands.resumePlan('p9')
  expect(notice()).toBe('There is no plan p9.')
  commands.resumePlan('p2')
  expect(sent).toEqual(['resume p2'])
})

test('a held plan whose market entry is due is asked about first, and only the answer resumes it', () => {
  const { store, commands, sent, wait } = aPlanDesk()
  store.dispatch({ type: 'plans', owner: 'desk', plans: [lateEntry()] })
  commands.resumePlan('p3')
  const { terms: seen } = lateEntry().plan
  const question = { kind: 'planResume', planId: 'p3', seen, openedAtMs: startMs }
  expect([sent, store.getState().overlay]).toEqual([[], question])
  // The key that asked is no answer, neither is one pressed before anybody can have read the question.
  commands.resumePlan('p3')
  commands.confirmResumePlan()
  expect(sent).toEqual([])
  commands.closeOverlay()
  commands.confirmResumePlan()
  expect(sent).toEqual([])
  commands.resumePlan('p3')
  wait(200)
  commands.confirmResumePlan()
  expect([sent, store.getState().overlay]).toEqual([['resume p3'], null])
})

test('a question about a plan that is resumed resumes nothing once the desk is HALTED or the plan goes on', () => {
  const { store, commands, sent, wait, notice } = aPlanDesk()
  store.dispatch({ type: 'plans', owner: 'desk', plans: [lateEntry()] })
  commands.resumePlan('p3')
  wait(200)
  store.dispatch({ type: 'modeChanged', mode: { kind: 'HALTED' }, atMs: startMs })
  commands.confirmResumePlan()
  expect(notice()).toBe('The desk is HALTED: only cancels go out. Press L to arm it again.')
  store.dispatch({ type: 'modeChanged', mode: { kind: 'ARMED' }, atMs: startMs })
  store.dispatch({ type: 'plans', owner: 'desk', plans: [{ ...lateEntry(), state: 'entering' }] })
  commands.confirmResumePlan()
  expect(notice()).toBe('Plan p3 is running already: nothing to resume.')
  expect(sent).toEqual([])
})

test('a plan that is bare is counted with its time', () => {
  const { store } = aPlanDesk()
  expect(planAlarm(store.getState())).toEqual({ open: 2, bare: 1, held: 1, bareSinceMs: Date.UTC(2026, 10, 20, 12, 3) })
})

test("a plan's order is not canceled by hand without a word", () => {
  const { commands, sent, store } = aPlanDesk()
  const orders = [
    anOrder({ orderId: '1', clientOrderId: 'own-stop' }),
    anOrder({ orderId: '2', clientOrderId: 'mine' }),
  ]
  store.dispatch({ type: 'orders', orders, atMs: startMs })
  commands.chooseRow('orders', '1', null)
  commands.cancelSelectedOrder()
  expect(sent).toEqual([])
  expect(store.getState().overlay).toMatchObject({ kind: 'confirmCancel', target: { orderIds: ['1'] } })
  commands.confirmCancel()
  commands.chooseRow('orders', '2', null)
  commands.cancelSelectedOrder()
  expect(sent).toEqual(['orders 1', 'orders 2'])
})

test("a plan's own writes leave a ticket that waits for its answer alone", () => {
  const { store } = aPlanDesk()
  const [order] = protectedPlan().plan.orders
  if (order === undefined) throw new Error('a plan without orders')
  const { draft } = order
  store.dispatch({ type: 'ticketOpened', form: emptyTicket({ symbol: 'BTC-USD' }, 'BUY'), field: 'quantity' })
  store.dispatch({ type: 'ticketSending' })
  const outcome = { kind: 'rejected', clientOrderId: 'own-stop', reason: 'no funds' } as const
  store.dispatch({ type: 'orderNotSent', draft, reason: 'collar', isOfPlan: true, atMs: startMs })
  store.dispatch({ type: 'orderOutcome', draft, outcome, isOfPlan: true, atMs: startMs })
  expect(store.getState().ticket?.stage).toBe('sending')
  expect(store.getState().log.map(({ text }) => text)).toContain('Order rejected: no funds. Nothing was placed.')
  store.dispatch({ type: 'orderOutcome', draft, outcome, atMs: startMs })
  expect(store.getState().ticket?.stage).toBe('edit')
})

/** What a review of a bracket says of its rules, with the market at 64,210.50. */
function bracketChecks(entryPrice: string | null, stopPrice: string, targetPrice: string, stopLimit?: string) {
  const { store } = aPlanDesk()
  const { nearBy, backBy } = ocoTerms as Extract<typeof ocoTerms, { kind: 'oco' }>
  const legs = { stopPrice: amount(stopPrice), targetPrice: amount(targetPrice), nearBy, backBy }
  const terms: PlanTerms = {
    ...{ kind: 'bracket', symbol: 'BTC-USD', side: 'BUY', quantity: amount('0.05'), ...legs },
    entryPrice: entryPrice === null ? null : amount(entryPrice),
    stopLimit: stopLimit === undefined ? null : amount(stopLimit),
  }
  const checks = planChecks(store.getState(), { terms, planId: null })
  return checks.flatMap(({ level, text }) => (level === 'ok' ? [] : [`${level}: ${text}`]))
}

test('a bracket whose entry would fill beyond its stop or target is not made: it would be stopped out at once', () => {
  const refused = 'block: the entry would fill at about 64210.50, which is not between stop and target'
  expect(bracketChecks(null, '65000', '66000')).toEqual([refused])
  expect(bracketChecks(null, '63000', '64000')).toEqual([refused])
  expect(bracketChecks('65500', '65000', '66000')).toContain(refused)
  expect(bracketChecks(null, '63000', '66000')).toEqual([])
  expect(bracketChecks('63500', '63000', '64000')).toEqual([])
})

test('a stop limit of a bracket that may not fill is warned of, as that of every stop', () => {
  expect(bracketChecks(null, '63000', '66000', '63500')).toEqual([
    'warn: limit may not fill once triggered: 63000.00 or less would',
  ])
})

test('a target that the market has passed is warned of', () => {
  const { store } = aPlanDesk()
  const terms = { ...ocoTerms, stopPrice: amount('60000'), targetPrice: amount('64000') } as PlanTerms
  const [check] = planChecks(store.getState(), { terms, planId: null }).filter(({ level }) => level !== 'ok')
  expect(check).toEqual({ rule: 'stop', level: 'warn', text: 'target trades at once: the market is at 64210.50' })
})

test('a plan is changed though its own orders hold all that can be sold; more than that is not there', () => {
  const { store } = aPlanDesk()
  const balances = [aBalance('USD', '12004.11'), aBalance('BTC', '0')]
  store.dispatch({ type: 'balances', balances, atMs: startMs })
  const levels = (quantity: string, planId: string | null) =>
    planChecks(store.getState(), { terms: { ...ocoTerms, quantity: amount(quantity) }, planId })
      .filter(({ level }) => level === 'block')
      .map(({ rule }) => rule)
  expect(levels('0.05', null)).toEqual(['funds'])
  expect(levels('0.05', 'p1')).toEqual([])
  expect(levels('0.06', 'p1')).toEqual(['funds'])
})

test('a stop that triggers at once is warned of when a plan is changed', () => {
  const { store } = aPlanDesk()
  const terms = { ...ocoTerms, stopPrice: amount('65000') } as PlanTerms
  const checks = planChecks(store.getState(), { terms, planId: 'p1' })
  expect(checks.find(({ rule }) => rule === 'stop')).toMatchObject({ level: 'warn' })
})

/** A ticket with stop and target, as it is typed. */
function aBracketTicket(desk: ReturnType<typeof aPlanDesk>, legs: { loss: string; target: string }) {
  const { commands, store } = desk
  const type = (field: 'price' | 'quantity' | 'loss' | 'target', text: string) => {
    tabTo(desk, field)
    commands.clearTicketField()
    for (const character of text) commands.typeIntoTicket(character)
  }
  commands.openTicket('BUY')
  type('quantity', '0.05')
  type('price', '64200')
  commands.toggleProtection()
  expect(store.getState().ticket).toMatchObject({ field: 'loss' })
  type('loss', legs.loss)
  type('target', legs.target)
  return { type, form: () => store.getState().ticket?.form }
}

test('a ticket with stop and target is reviewed as a bracket, and never as its entry alone', async () => {
  const desk = aPlanDesk()
  const { commands, store, sent, wait } = desk
  aBracketTicket(desk, { loss: '63,000.00', target: '66k' })
  commands.reviewTicket()
  expect(store.getState().ticket?.stage).toBe('edit')
  commands.reviewTicketPlan()
  expect(store.getState().overlay).toMatchObject({ kind: 'planReview', planId: null })
  const { overlay } = store.getState()
  expect(overlay?.kind === 'planReview' ? said(overlay.terms) : null).toMatchObject({
    ...{
      kind: 'bracket',
      side: 'BUY',
      quantity: '0.05',
      entryPrice: '64200',
      stopPrice: '63000',
      targetPrice: '66000',
    },
    stopLimit: null,
  })
  wait(200)
  commands.sendPlan()
  await settle()
  expect(sent).toEqual(['add bracket 0.05 after 2'])
  expect([store.getState().ticket, store.getState().overlay]).toEqual([null, null])
})

test.each([
  ['', '66000', 'stop'],
  ['63000', 'abc', 'target'],
  ['66000', '63000', 'the target must be above the stop'],
  ['64500', '66000', 'The entry must be between stop and target'],
  ['63000.13', '66000', 'tick'],
])('a ticket with the stop %j and the target %j says what is wrong, and reviews nothing', (loss, target, said) => {
  const desk = aPlanDesk()
  aBracketTicket(desk, { loss, target })
  desk.commands.reviewTicketPlan()
  expect(desk.store.getState().overlay).toBeNull()
  expect(desk.notice()).toContain(said)
})

test('a stop and a target typed in per cent are so far from the entry, and never a share of the balance', () => {
  const desk = aPlanDesk()
  const { commands, store, notice } = desk
  const { type, form } = aBracketTicket(desk, { loss: '1', target: '' })
  tabTo(desk, 'loss')
  commands.clearTicketField()
  commands.typeIntoTicket('1')
  commands.shareOfAvailable()
  commands.nextTicketField(1)
  commands.typeIntoTicket('2')
  commands.shareOfAvailable()
  expect(form()).toMatchObject({ quantityText: '0.05', lossText: '1%', targetText: '2%' })
  // A second sign, and one without digits, change nothing.
  commands.shareOfAvailable()
  expect(notice()).toBe('Type the distance from the entry first, such as 1, then %.')
  expect(form()).toMatchObject({ quantityText: '0.05', lossText: '1%', targetText: '2%' })
  commands.reviewTicketPlan()
  const { overlay } = store.getState()
  expect(overlay?.kind === 'planReview' ? said(overlay.terms) : null).toMatchObject({
    ...{ quantity: '0.05', entryPrice: '64200', stopPrice: '63558', targetPrice: '65484' },
  })
  commands.closeOverlay()
  type('loss', '0')
  commands.shareOfAvailable()
  commands.reviewTicketPlan()
  expect(notice()).toContain('The stop must be more than 0% away')
  commands.pasteIntoTicket('1.5%')
  expect(form()).toMatchObject({ quantityText: '0.05', lossText: '1.5%' })
  commands.clearTicketField()
  for (const wide of '０．５') commands.typeIntoTicket(wide)
  commands.shareOfAvailable()
  expect(form()).toMatchObject({ quantityText: '0.05', lossText: '0.5%' })
  commands.pasteIntoTicket('２．５％')
  expect(form()).toMatchObject({ quantityText: '0.05', lossText: '2.5%' })
})

test('stop and target go with a limit or a market entry, and are kept while they are put away', () => {
  const desk = aPlanDesk()
  const { commands, store, notice } = desk
  const { form } = aBracketTicket(desk, { loss: '63000', target: '66000' })
  commands.toggleProtection()
  commands.reviewTicketPlan()
  expect(store.getState().overlay).toBeNull()
  commands.reviewTicket()
  expect(store.getState().ticket?.stage).toBe('review')
  commands.backFromTicket()
  commands.toggleProtection()
  expect(form()).toMatchObject({ isProtected: true, lossText: '63000', targetText: '66000' })
  tabTo(desk, 'type')
  commands.typeIntoTicket('s')
  commands.toggleProtection()
  commands.toggleProtection()
  expect(notice()).toContain('LIMIT or MARKET')
})

test("at a hub a trader is not asked about another's plan: it is said whose it is", () => {
  const { store, commands, sent, notice } = aPlanDesk()
  const hub = { name: 'bob', role: 'trader', account: null, halted: null, limits: null } as const
  store.dispatch({ type: 'hubKnown', person: hub, atMs: startMs })
  const of = (person: string) => {
    const now = protectedPlan()
    return { ...now, plan: { ...now.plan, person } }
  }
  store.dispatch({ type: 'plans', owner: 'hub', plans: [of('anna')] })
  const { planId } = protectedPlan().plan
  commands.askCancelPlan(planId, null)
  expect(store.getState().overlay).toBeNull()
  expect(notice()).toBe(
    `Plan ${planId} is of anna: only they change or end it, or an admin with: pitdesk plan cancel ${planId}.`,
  )
  commands.editPlan(planId)
  expect(store.getState().overlay).toBeNull()
  store.dispatch({ type: 'plans', owner: 'hub', plans: [of('bob')] })
  commands.askCancelPlan(planId, null)
  expect(store.getState().overlay).toMatchObject({ kind: 'planCancel', planId })
  expect(sent).toEqual([])
})

test('a plan priced in a coin is worth what nobody knows where every rate is one, and never dollars', () => {
  const inBitcoin = new Map([['ETH-BTC', anInstrument({ symbol: 'ETH-BTC', base: 'ETH', counter: 'BTC' })]])
  const rated = (rate: string) => {
    const balances = [aBalance('USD', '5'), aBalance('BTC', '1', { rate })]
    return outlookMarket(
      deskState({ balances: arrived(balances, deskNowMs), instruments: arrived(inBitcoin, deskNowMs) }),
      'ETH-BTC',
    ).usdRate
  }
  expect(rated('1')).toBeNull()
  expect(rated('64000')?.toFixed()).toBe('64000')
})
