import { capital, plainText, withoutCapital } from '../../base/text/plain-text.ts'
import { knownAvailable } from '../../domain/balance.ts'
import { mayCancel } from '../../domain/desk/mode.ts'
import { keyOf } from '../../domain/desk/session.ts'
import { amountsOf } from '../../domain/market/amounts.ts'
import { wordsOf as wordsOfSentence } from '../../domain/orders/sentence-words.ts'
import { isResumable, type PlanNow, runsAlready } from '../../domain/plans/news.ts'
import { planOutlook, swapsText, thisSideOnly } from '../../domain/plans/outlook.ts'
import { nextPlanWords } from '../../domain/plans/said.ts'
import {
  type PlanSentenceContext,
  planExamples,
  planWords,
  readPlanChange,
  readPlanSentence,
} from '../../domain/plans/sentence.ts'
import { type PlanKind, type PlanTerms, termsText } from '../../domain/plans/terms.ts'
import type { DeskState } from '../desk.ts'
import { modeSentence } from '../mode.ts'
import { outlookMarket, planChecks } from '../plans/plan-checks.ts'
import { isPlansAtHub, openPlans, type PlanOwner, planOf } from '../plans/plans.ts'
import { orderContext } from './order-sentences.ts'
import { asked, type Reading, type SentenceReader, wordsOf, wrong } from './sentence.ts'

const planContext = (state: DeskState): PlanSentenceContext => ({
  ...orderContext(state),
  priceOf: (symbol) => outlookMarket(state, symbol).price,
  availableOf: (currency) => knownAvailable(currency, state.balances.value, state.unreadable.balances?.entries),
  swap: state.entry,
})

/** A MONITOR or HALTED desk makes no plan; a SAFE one shows what it would do. */
const refusalOf = (state: DeskState): string | null =>
  state.mode.kind === 'MONITOR' || state.mode.kind === 'HALTED' ? modeSentence(state) : null

/** A plan's effect in words, with every complaint; `planId` null for a new one. */
function reviewReading(terms: PlanTerms, planId: string | null, state: DeskState): Reading {
  const instrument = state.instruments.value?.get(terms.symbol)
  if (instrument === undefined) return wrong(`The rules of ${terms.symbol} are not loaded yet: wait.`)
  const plan = planId === null ? null : (planOf(state, planId)?.plan ?? null)
  const { does, here, cannot, worst } = planOutlook(terms, instrument, outlookMarket(state, terms.symbol), plan)
  const complaints = planChecks(state, { terms, planId }).flatMap(({ level, text }) =>
    level === 'ok' ? [] : [`Look again: ${text}.`],
  )
  return {
    kind: 'understood',
    lines: [...does, worst, here, ...cannot],
    warnings: complaints,
    enter: planId === null ? 'reviews the plan; nothing is sent' : `reviews the change of ${planId}; nothing is sent`,
    run: (commands) => commands.reviewPlan(terms, planId),
  }
}

function readNew(line: string, state: DeskState): Reading | null {
  const first = wordsOf(line)[0] ?? ''
  if (!Object.hasOwn(planWords, first)) return null
  const refusal = refusalOf(state)
  if (refusal !== null) return wrong(refusal)
  const read = readPlanSentence(line, planContext(state))
  if (read === null) return null
  return read.ok ? reviewReading(read.value, null, state) : asked([plainText(read.error.text)], read.error.instead)
}

const reader = (kind: PlanKind, help: string): SentenceReader => ({
  name: kind === 'trailing' ? 'trail' : kind,
  help,
  example: planExamples[kind],
  starts: Object.keys(planWords).filter((word) => planWords[word] === kind),
  read: (line, state) => (planWords[wordsOf(line)[0] ?? ''] === kind ? readNew(line, state) : null),
  words(line, state) {
    const context = orderContext(state)
    const whole = wordsOfSentence(line.slice(0, line.lastIndexOf(' ') + 1), context)
    return nextPlanWords(whole.slice(1), kind, context)
  },
})

/** A sentence that names a plan: `cancel plan p1`. */
function ofPlan(word: string | undefined, example: string, state: DeskState): PlanNow | Reading {
  const ids = openPlans(state).map(({ plan }) => plan.planId)
  const has = ids.length === 0 ? 'No plan is open.' : `Open: ${ids.slice(-8).join(', ')}.`
  if (word === undefined)
    return asked(
      ['Which plan?', has],
      ids.slice(-3).map((id) => example.replace('p1', id)),
    )
  const now = planOf(state, word)
  if (now === undefined) return wrong(`There is no plan ${plainText(word).slice(0, 24)}. ${has}`)
  return now.plan.ended === null ? now : wrong(`Plan ${word} has ended: ${withoutCapital(now.plan.ended.why)}.`)
}

const isReading = (value: PlanNow | Reading): value is Reading => 'kind' in value

const lineOf = ({ plan, why }: PlanNow, state: DeskState): string =>
  `${plan.planId}: ${termsText(plan.terms, amountsOf(plan.terms.symbol, state.instruments.value))}. ${why}.`

/** Without an optional `plan` before the id. */
const afterPlan = (words: readonly string[]): readonly string[] => (words[0] === 'plan' ? words.slice(1) : words)

/** `p12`: the form of a plan's id. */
const planName = /^p\d+$/

function readCancel(line: string, state: DeskState): Reading | null {
  const [first, ...words] = wordsOf(line)
  if (first !== 'cancel' && first !== 'cxl') return null
  if (words[0] !== 'plan' && !planName.test(words[0] ?? '')) return null
  const [id, how, extra] = afterPlan(words)
  if (extra !== undefined || (how !== undefined && how !== 'leave'))
    return wrong('Say: cancel plan p1, or cancel plan p1 leave, which leaves its orders.')
  if (!mayCancel(state.mode)) return wrong(modeSentence(state))
  const now = ofPlan(id, 'cancel plan p1', state)
  if (isReading(now)) return now
  const { planId } = now.plan
  const what =
    how === 'leave'
      ? 'Ends the plan. Its orders stay at the exchange, unmanaged.'
      : 'Ends the plan and cancels its orders.'
  return {
    kind: 'understood',
    lines: [lineOf(now, state), what],
    enter: 'asks once more before anything is sent',
    run: (commands) => commands.askCancelPlan(planId, how === 'leave' ? 'leave' : null),
  }
}

function readResume(line: string, state: DeskState): Reading | null {
  const [first, ...words] = wordsOf(line)
  if (first !== 'resume') return null
  const [id, extra] = afterPlan(words)
  if (extra !== undefined) return wrong('Say one plan: resume p1.')
  const refusal = refusalOf(state)
  if (refusal !== null) return wrong(refusal)
  const now = ofPlan(id, 'resume p1', state)
  if (isReading(now)) return now
  if (!isResumable(now)) return wrong(`${capital(runsAlready(now.plan.planId))}.`)
  return {
    kind: 'understood',
    lines: [lineOf(now, state), 'You have looked at its orders: it goes on from what they are.'],
    enter: 'resumes it: asks first where it may trade at once',
    actsAs: 'resumePlan',
    run: (commands) => commands.resumePlan(now.plan.planId),
  }
}

function readEdit(line: string, state: DeskState): Reading | null {
  const [first, ...words] = wordsOf(line)
  if (first !== 'edit') return null
  const refusal = refusalOf(state)
  if (refusal !== null) return wrong(refusal)
  const [id, ...change] = afterPlan(words)
  const now = ofPlan(id, 'edit plan p1', state)
  if (isReading(now)) {
    const key = keyOf(state.reboundKeys, 'moveSelected')
    const isOrder = now.kind === 'wrong' && id !== undefined && !planName.test(id)
    return isOrder ? wrong(...now.lines, `An order is moved with a key: choose it in 2 Orders and press ${key}.`) : now
  }
  const { planId, terms } = now.plan
  const read = readPlanChange(change.join(' '), terms, planContext(state))
  return read.ok ? reviewReading(read.value, planId, state) : asked([plainText(read.error.text)], read.error.instead)
}

const whoWords: Readonly<Record<PlanOwner, string>> = {
  desk: 'this desk carries them out',
  watch: 'the watch carries them out',
  otherDesk: 'another desk carries them out',
  silent: 'the process that carries them out is stopped or stuck',
  hub: 'the hub carries them out',
  hubSilent: 'the hub carries them out and does not answer now',
  nobody: 'no process runs plans here: start pitdesk watch',
}

function readPlans(line: string, state: DeskState): Reading | null {
  const words = wordsOf(line)
  // With a verb behind it is a command of the shell.
  if (words[0] !== 'plans' || words.length > 1) return null
  const open = openPlans(state)
  const { owner, swaps } = state.plans
  const isHalted = owner === 'desk' && state.mode.kind === 'HALTED'
  const who = isHalted ? 'this desk is HALTED, and they may only cancel' : whoWords[owner]
  return {
    kind: 'understood',
    lines: [
      `${open.length === 0 ? 'No plan is' : open.length === 1 ? '1 plan is' : `${open.length} plans are`} open; ${who}.`,
      ...open.slice(0, 6).map((now) => lineOf(now, state)),
      `Between a cancel and the new order's answer: ${swapsText(swaps)}.`,
      thisSideOnly(isPlansAtHub(state)),
    ],
    enter: 'shows them',
    run: (commands) => commands.focusPane('plans'),
  }
}

const openIds = (_line: string, state: DeskState): readonly string[] => openPlans(state).map(({ plan }) => plan.planId)

/** Sentences about plans; those that begin like an order's sentence come before it. */
export const planSentences: readonly SentenceReader[] = [
  reader('bracket', 'entry, then stop and target: reviews it, sends nothing'),
  reader('oco', 'stop and target of what you hold: reviews it, sends nothing'),
  reader('trailing', 'a stop that follows the price: reviews it, sends nothing'),
  reader('scale', 'limits over a range: reviews it, sends nothing'),
  {
    name: 'plans',
    help: 'the plans that are open',
    example: 'plans',
    starts: ['plans'],
    read: readPlans,
    words: () => [],
  },
  {
    name: 'cancel plan',
    help: 'ends a plan (asks); leave: its orders stay',
    example: 'cancel plan p1',
    starts: [],
    read: readCancel,
    words: openIds,
  },
  {
    name: 'resume',
    help: 'lets a plan that is held go on',
    example: 'resume p1',
    starts: ['resume'],
    read: readResume,
    words: openIds,
  },
  {
    name: 'edit',
    help: 'changes a plan: reviews it, sends nothing',
    example: 'edit plan p1 stop 63500',
    starts: ['edit'],
    read: readEdit,
    symbolOf: (line, state) => planOf(state, afterPlan(wordsOf(line).slice(1))[0] ?? '')?.plan.terms.symbol ?? null,
    words: openIds,
  },
]
