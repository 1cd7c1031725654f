import { expect, test } from 'vitest'
import { recordedNow } from '../../../src/domain/plans/news.ts'
import type { Plan } from '../../../src/domain/plans/plan.ts'
import { createPlansBeside } from '../../../src/services/plans/plans-beside.ts'
import { amount } from '../../fakes/amounts.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { enteringPlan, heldPlan, ocoTerms, planAfter, protectedPlan, sent, stopSent } from '../../fakes/plans.ts'

/** A desk that looks at the record of plans of another process. */
function aDeskBeside() {
  const clock = new FakeClock(Date.UTC(2026, 10, 20, 13))
  const told: string[] = []
  const beside = createPlansBeside({ clock, tell: ({ level, text }) => told.push(`${level}: ${text}`) })
  return {
    ...{ told, beside, clock },
    look: (...plans: readonly Plan[]) => beside.look(plans.map((plan) => recordedNow(plan, clock.wallMs()))),
  }
}

const { plan: safe } = protectedPlan()
const { plan: held } = heldPlan('p1')
const exited = { event: 'ended', how: 'done', why: 'Fully exited: 0.05' } as const
/** A stop that was sent, and of which nothing is known yet. */
const underWay = planAfter('p1', ocoTerms, stopSent('own-stop'))

test('a plan that is held is told once, and again where it was well in between', () => {
  const { told, look } = aDeskBeside()
  look(safe)
  look(held)
  look(held)
  const sentence = 'bad: Plan p1: Held: the stop 9912050 was canceled or moved by hand. Resume or cancel it.'
  expect(told).toEqual([`${sentence} Not protected since 2026-11-20 12:03:00 UTC.`])
  look(safe)
  look(held)
  expect(told).toHaveLength(2)
})

test('a step that is under way is not told of; what has no answer, and nothing rests for, is within five seconds', async () => {
  const { told, look, clock } = aDeskBeside()
  look(safe)
  look(underWay)
  look(safe)
  await clock.advance(5_000)
  look(underWay)
  await clock.advance(4_999)
  look(underWay)
  expect(told).toEqual([])
  await clock.advance(1)
  look(underWay)
  look(underWay)
  expect(told).toEqual([
    expect.stringMatching(/^bad: Plan p1: The outcome of an order .* Perhaps not protected since /),
  ])
})

test('what refuses a step is told at once, without its figures changing a word', () => {
  const { told, look } = aDeskBeside()
  look(safe)
  const refused = (why: string): Plan => ({ ...safe, said: { why: `The target waits: ${why}`, refused: why } })
  look(refused('1,639.48 USD is too much'))
  look(refused('640.10 USD is too much'))
  expect(told).toEqual(['warn: Plan p1: The target waits: 1,639.48 USD is too much.'])
})

test('an end is told of plans that were open, or began, while the desk looked on, as bad where something is left', () => {
  const { told, look } = aDeskBeside()
  const before = planAfter('p0', ocoTerms, exited)
  look(before, safe)
  expect(told).toEqual([])
  const left: Plan = { ...safe, ended: { how: 'left', why: 'Ended by a user; left at the exchange: 9912050', atMs: 1 } }
  const short = planAfter('p2', ocoTerms, exited)
  look(before, left, { ...short, terms: { ...ocoTerms, quantity: amount('0') } })
  look(before, left, { ...short, terms: { ...ocoTerms, quantity: amount('0') } })
  expect(told).toEqual([
    'bad: Plan p1 has ended: Ended by a user; left at the exchange: 9912050.',
    'good: Plan p2 has ended: Fully exited: 0.05.',
  ])
})

test('what this desk told while the plans ran here is not told anew when another process goes on with them', () => {
  const { told, look, beside } = aDeskBeside()
  beside.seen([heldPlan('p1')])
  look(held)
  expect(told).toEqual([])
  // But what comes of it is, also where that is the first that it sees.
  look({ ...held, ended: { how: 'left', why: 'Ended by a user', atMs: 1 } })
  expect(told).toEqual(['bad: Plan p1 has ended: Ended by a user.'])
})

test('what had no answer before the plans ran here counts anew after it', async () => {
  const { told, look, beside, clock } = aDeskBeside()
  look(underWay)
  await clock.advance(4_000)
  beside.seen([protectedPlan()])
  look(underWay)
  await clock.advance(4_999)
  look(underWay)
  expect(told).toEqual([])
  await clock.advance(1)
  look(underWay)
  expect(told).toHaveLength(1)
})

test('what had no answer yet as the plans stopped here, and has none elsewhere, is told of', async () => {
  const { told, look, beside, clock } = aDeskBeside()
  look(safe)
  beside.seen([recordedNow(underWay, clock.wallMs())])
  look(underWay)
  await clock.advance(5_000)
  look(underWay)
  look(underWay)
  expect(told).toEqual([
    expect.stringMatching(/^bad: Plan p1: The outcome of an order .* Perhaps not protected since /),
  ])
})

test('an entry without an answer is told of after five seconds as well, though it leaves nothing bare', async () => {
  const { told, look, clock } = aDeskBeside()
  const { plan } = enteringPlan('p1', 'own-entry')
  look(plan)
  const entering = planAfter('p1', plan.terms, sent('own-entry', 'entry'))
  look(entering)
  await clock.advance(4_999)
  look(entering)
  expect(told).toEqual([])
  await clock.advance(1)
  look(entering)
  expect(told).toEqual([expect.stringMatching(/^warn: Plan p1: The outcome of an order /)])
})

test('what refuses the stop of a plan that is bare is told at once', () => {
  const { told, look } = aDeskBeside()
  look(planAfter('p1', ocoTerms))
  look({ ...planAfter('p1', ocoTerms), said: { why: 'The stop waits: no rules', refused: 'no rules' } })
  expect(told).toEqual([expect.stringMatching(/^bad: Plan p1: The stop waits: no rules\. Not protected since /)])
})

test('the first look tells what needs a person, and an end where the plan ran here before', () => {
  const first = aDeskBeside()
  first.look(held)
  expect(first.told).toHaveLength(1)
  const ran = aDeskBeside()
  ran.beside.seen([protectedPlan()])
  ran.look({ ...safe, ended: { how: 'done', why: 'Fully exited: 0.05', atMs: 1 } })
  expect(ran.told).toHaveLength(1)
})
