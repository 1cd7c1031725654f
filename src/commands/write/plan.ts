import { err, ok, type Result } from '../../base/result.ts'
import { Secret } from '../../base/secret.ts'
import { ofTypedName } from '../../base/text/nearest-name.ts'
import { plainText, withoutStop } from '../../base/text/plain-text.ts'
import { accountOf } from '../../desk/account/account-folder.ts'
import { fetchToken } from '../../desk/account/profile.ts'
import { leftPlansText } from '../../desk/plans/left-plans.ts'
import { isHubToken } from '../../desk/wiring/behind-hub.ts'
import { plainWidth } from '../../domain/amount-text.ts'
import { amountsIn } from '../../domain/market/amounts.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Check } from '../../domain/orders/checks/check.ts'
import type { PlanPrice } from '../../domain/plans/facts.ts'
import { isResumable, type PlanNow, runsAlready } from '../../domain/plans/news.ts'
import { unknownFillText } from '../../domain/plans/next-step.ts'
import { draftsOf, type Plan, type PlanRequest, sumsOf } from '../../domain/plans/plan.ts'
import { newestChecked, planOrderChecks } from '../../domain/plans/plan-checks.ts'
import { planExamples, readPlanSentence } from '../../domain/plans/sentence.ts'
import { type PlanTerms, termsText } from '../../domain/plans/terms.ts'
import { isPlanOwned, lostText, missingText } from '../../journal/plan-file.ts'
import type { PlanAnswer } from '../../journal/plan-requests.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import {
  done,
  type Ending,
  exitCodes,
  type Fields,
  failed,
  failure,
  settingsFailure,
  wrongUsage,
} from '../cli/exit-codes.ts'
import { amount, type Column, formOf, list, one, printReading, scaled, text, time } from '../cli/output.ts'
import { type Consent, confirmed, consentOf } from '../cli/prompt.ts'
import { placeOf, readProfile, withSession } from '../cli/session.ts'
import { agree, showDry } from './agreement.ts'
import { fetchCheckContext } from './check-context.ts'
import { type AcceptWord, orderAcceptance } from './checks.ts'
import { tellPlanEnd } from './plan-end.ts'
import { inPlanScales, shownTerms } from './plan-figures.ts'
import { hubPlans, isKeptHere, localPlans, type PlanKeeper, seesHub } from './plan-keeper.ts'
import { notTaken, tellOwner } from './plan-owner.ts'
import { type Instruments, priceNow, readEdit, readNewPlan } from './plan-words.ts'
import { type WriteScene, withWriting } from './with-writing.ts'

const columns: readonly Column[] = [
  text('plan', 'PLAN'),
  time('begun', 'BEGUN (UTC)', 3),
  text('terms', 'TERMS'),
  text('state', 'STATE'),
  scaled('quantity', amount('entered', 'ENTERED', 2)),
  scaled('quantity', amount('left', 'LEFT', 1)),
  time('uncoveredSince', 'NO STOP SINCE (UTC)', 4),
  text('why', 'WHY'),
]

/** The end of every sentence about plans: the exchange does not know them. */
const onThisSide = ({ isAtHub }: Pick<PlanKeeper, 'isAtHub'>): string =>
  `A plan exists on this side only: it acts while ${isAtHub ? 'the hub runs' : 'a watch or a desk runs'}.`

/** A plan's fields for scripts; amounts as text, exact. */
function fieldsOf({ plan, state, why, refused }: PlanNow): Fields {
  const { planId, person, atMs, terms, uncoveredSinceMs } = plan
  const { entered, left } = sumsOf(plan)
  return {
    ...{
      plan: planId,
      begun: atMs,
      kind: terms.kind,
      terms: termsText(
        terms,
        amountsIn(undefined, (value) => value.toFixed()),
      ),
    },
    ...{ state, why, refused, uncoveredSince: uncoveredSinceMs },
    // Sums that depend on unreported fills are marked as such.
    ...{ entered, left, uncounted: unknownFillText(plan) },
    ...(person === null ? {} : { person }),
  }
}

const ordersOf = ({ orders, ended }: Plan): Fields[] =>
  orders.map(({ clientOrderId, orderId, role, standing, status, filled, draft, reason, atMs }) => ({
    ...{
      time: atMs,
      role,
      clOrdId: clientOrderId,
      exOrdId: orderId === null ? null : BigInt(orderId),
      // Orders left by an ended plan are not followed: their last state may be outdated.
      ...(ended !== null && standing === 'working' ? { standing: 'left', status: null } : { standing, status }),
    },
    ...{ ordType: draft.type, side: draft.side, orderQty: draft.orderQuantity, price: draft.limitPrice },
    ...{ stopPx: draft.stopPrice, cumQty: filled, text: reason },
  }))

type Shown = { keeper: PlanKeeper; folder: string }

/**
 * Shows plans from their keeper: the account's folder, without a call or a running process, or the hub in front of the
 * exchange.
 */
async function withPlans(
  given: Arguments,
  io: Parameters<Run>[1],
  tools: Parameters<Run>[2],
  show: (shown: Shown) => Promise<Ending>,
): Promise<Ending> {
  const settings = readProfile(given, io)
  if (!settings.ok) return settingsFailure(settings.error)
  const isOwn = settings.value.exchange.kind === 'own'
  const token = isOwn ? ok(new Secret('')) : await fetchToken(settings.value, io, tools)
  if (!token.ok) return failed(token.error)
  const { folder } = accountOf(settings.value, token.value, io)
  const context = { tools, signal: io.signal }
  const showLocal = async (): Promise<Ending> => {
    const keeper = localPlans(folder, context)
    return keeper.ok ? await show({ keeper: keeper.value, folder }) : failed(keeper.error)
  }
  if (isOwn || isKeptHere(folder)) return await showLocal()
  return await withSession(given, { io, tools, mayWrite: false }, async ({ client }) => {
    const isHub = await seesHub(client, tools.clock, io.signal)
    if (isHub === true) {
      const left = leftPlansText(folder, settings.value.profileName, io)
      if (left !== null) io.printError(left)
      return await show({ keeper: await hubPlans(client, context), folder })
    }
    // A hub's plans are only there: an empty list would claim there are none.
    if (isHub === null && isHubToken(token.value))
      return failure('unreachable', 'the hub does not answer: its plans are not known')
    if (isHub === null) io.printError('The exchange does not answer. Where a hub does, its plans are not shown.')
    return await showLocal()
  })
}

/** Lists the plans of the account. */
export const runPlanList: Run = (given, io, tools) =>
  withPlans(given, io, tools, async ({ keeper, folder }) => {
    const plans = keeper.plans.filter(({ plan }) => plan.ended === null || given.has('all'))
    const form = formOf(given, io.stdout)
    const all = keeper.isAtHub ? [...columns, text('person', 'BEGUN BY')] : columns
    await printReading(list(plans.map(fieldsOf), 'No open plans.'), all, form, io)
    for (const planId of keeper.lost) io.printError(lostText(planId))
    const { damagedCount, missingNumber } = keeper
    if (missingNumber > 0) io.printError(missingText(missingNumber))
    if (damagedCount > 0)
      io.printError(
        `Lines of the record of plans that cannot be read: ${damagedCount}. What is listed may be outdated.`,
      )
    if (plans.length > 0 && !keeper.isAtHub) tellOwner(folder, tools, io.printError)
    return keeper.lost.length + damagedCount + missingNumber === 0 ? done : { code: exitCodes.failed }
  })

const orderColumns: readonly Column[] = [
  time('time', 'TIME (UTC)', 2),
  text('role', 'ROLE'),
  text('exOrdId', 'ID', 1),
  text('clOrdId', 'CLIENT ID', 4),
  text('ordType', 'TYPE', 3),
  text('side', 'SIDE', 3),
  scaled('quantity', amount('orderQty', 'QUANTITY')),
  scaled('price', amount('price', 'PRICE')),
  scaled('price', amount('stopPx', 'STOP')),
  text('standing', 'STANDING'),
  scaled('quantity', amount('cumQty', 'FILLED')),
  text('text', 'REASON', 5),
]

const planMissing = 'plan missing: pitdesk plan list shows them'

/** Shows one plan with its orders. */
export const runPlanShow: Run = (given, io, tools) => {
  const [planId] = given.words
  if (planId === undefined) return Promise.resolve(wrongUsage(planMissing))
  return withPlans(given, io, tools, async ({ keeper, folder }) => {
    const now = ofTypedName(keeper.plans, ({ plan }) => plan.planId, planId)
    if (now === undefined && keeper.lost.includes(planId)) return failed(withoutStop(lostText(planId)))
    if (now === undefined) return failed(`there is no plan ${plainText(planId)}: pitdesk plan list --all shows them`)
    const { plan } = now
    const fields = fieldsOf(now)
    const form = formOf(given, io.stdout)
    if (form === 'json')
      await io.print(jsonLine({ ...fields, swapsMs: plan.swaps.map(Math.round), orders: ordersOf(plan) }))
    else {
      if (form === 'table')
        await printReading(one({ ...fields, terms: shownTerms(plan) }), inPlanScales(columns, plan), form, io)
      await printReading(list(ordersOf(plan), 'No orders yet.'), inPlanScales(orderColumns, plan), form, io)
    }
    if (plan.ended === null && !keeper.isAtHub) tellOwner(folder, tools, io.printError)
    return done
  })
}

type Asking = WriteScene & { consent: Consent; keeper: PlanKeeper; instruments: Instruments }

/** Opens what a request needs, once a process is known to run the plans. */
function withOwner(
  doing: string,
  given: Arguments,
  io: Parameters<Run>[1],
  tools: Parameters<Run>[2],
  run: (asking: Asking) => Promise<Ending>,
): Promise<Ending> {
  const isDry = given.has('dry-run')
  const consent: Result<Consent> = isDry ? ok('given') : consentOf(given, io, doing)
  if (!consent.ok) return Promise.resolve(wrongUsage(consent.error))
  return withWriting({ given, io, tools, isDry }, async (scene) => {
    const { settings, token, client } = scene.session
    const { folder } = accountOf(settings, token, io)
    const context = { tools, signal: io.signal }
    const owned = isPlanOwned(folder)
    if (!owned.ok) return failed(`whether plans run here cannot be seen: ${owned.error}`)
    const { instruments } = await client.fetchSymbols(io.signal)
    // If a process of this machine runs them, no hub does.
    const keeper = !owned.value && client.isShared() ? ok(await hubPlans(client, context)) : localPlans(folder, context)
    if (!keeper.ok) return failed(keeper.error)
    const isOwnerless = !keeper.value.isAtHub && !owned.value
    if (isOwnerless && !isDry) return tellAnswer({ kind: 'noOwner' }, '', scene)
    const ending = await run({ ...scene, consent: consent.value, keeper: keeper.value, instruments })
    if (isOwnerless && ending.code === done.code)
      io.printError('No watch or desk runs the plans of this account now: without one it is refused.')
    return ending
  })
}

const kinds = Object.values(planExamples).map((example) => example.split(' ')[0])
const usage = `a plan reads: ${planExamples.bracket}; its first word is one of ${kinds.join(', ')}`

/** Without symbols a sentence shows only whether it begins like a plan. */
const noNames = { instruments: new Map(), symbol: '', bookOf: () => null, priceOf: () => null, availableOf: () => null }

/** Begins a plan: reviewed and confirmed here, run by the watch, desk or hub. */
export const runPlanAdd: Run = (given, io, tools) => {
  if (given.words.length === 0) return Promise.resolve(wrongUsage(usage))
  const accepted = orderAcceptance.read(given)
  if (!accepted.ok) return Promise.resolve(wrongUsage(accepted.error))
  const words = plainWidth(given.words.join(' '))
  // A sentence that is not a plan with any symbols is refused before any call.
  if (readPlanSentence(words, noNames) === null) return Promise.resolve(wrongUsage(usage))
  return withOwner('begin the plan', given, io, tools, async (asking) => {
    const { session, instruments, keeper } = asking
    const read = await readNewPlan(words, instruments, asking)
    if (read === null) return wrongUsage(usage)
    if (!read.ok) return wrongUsage(withoutStop(plainText(read.error)))
    const terms = read.value
    const checks = await checksOf({ terms, planId: null }, asking)
    const known = keeper.plans.map(({ plan }) => plan)
    const after = newestChecked(terms, known, session.settings.limits)
    const what = `Plan: ${wordsOf(terms, instruments)} on ${placeOf(session)}`
    if (given.has('dry-run'))
      return await showDry(
        {
          would: what,
          line: onThisSide(keeper),
          request: { terms: wordsOf(terms, instruments) },
          checks,
          acceptance: orderAcceptance,
        },
        asking,
      )
    const agreed = await agree(
      {
        ...{
          checks,
          acceptance: orderAcceptance,
          nothing: 'Nothing was planned.',
          unconfirmed: 'nothing was planned.',
        },
        question: `${what}\n${onThisSide(keeper)}\nType yes to begin it:`,
        isYes: (typed) => typed === 'yes',
      },
      { consent: asking.consent, accepted: accepted.value },
      asking,
    )
    return agreed.ok ? await ask({ ask: 'add', terms, after }, 'begun', asking) : agreed.error
  })
}

const wordsOf = (terms: PlanTerms, instruments: ReadonlyMap<string, Instrument>): string =>
  termsText(terms, amountsIn(instruments.get(terms.symbol)))

/** The present checks of a new or changed plan's first orders: each later step is checked when due. */
async function checksOf(
  of: { terms: PlanTerms; planId: string | null },
  { session, writing, keeper, io, tools }: Asking,
): Promise<Check[]> {
  const context = await fetchCheckContext(of.terms.symbol, session, writing.journal, { ...tools, signal: io.signal })
  const nowMs = tools.clock.wallMs()
  const instrument = context.instrument.kind === 'fresh' ? context.instrument.value : null
  const price: PlanPrice =
    'value' in context.book
      ? priceNow(instrument, context.book.value, nowMs)
      : { kind: 'unknown', why: 'the book is not known', sinceMs: nowMs }
  const facts = { nowMs, instrument, price, blindMs: 0, hasBudget: true, judge: () => null }
  const plans = keeper.plans.map(({ plan }) => plan)
  const ownDrafts = new Map([...draftsOf(plans), ...context.ownDrafts])
  return planOrderChecks({ ...of, plans }, facts, { ...context, ownDrafts })
}

/** Ends a plan and cancels its orders; with --leave the orders stay. */
export const runPlanCancel: Run = (given, io, tools) => {
  const how = given.has('leave') ? 'leave' : 'takeBack'
  const doing = ({ planId, terms }: Plan) => {
    if (how === 'leave') return `End plan ${planId}, and leave its orders at the exchange`
    // A scale has no stop.
    return `Cancel plan ${planId} and its orders${terms.kind === 'scale' ? '' : ', its stop too'}`
  }
  return change(given, io, tools, doing, ({ plan }) => ok({ ask: 'cancel', planId: plan.planId, how }))
}

/** Resumes a held plan. */
export const runPlanResume: Run = (given, io, tools) =>
  change(
    given,
    io,
    tools,
    (plan) => `Resume plan ${plan.planId}`,
    (now) => {
      const { planId } = now.plan
      const waits = 'one of its orders has an unknown outcome, and it sends nothing until that is resolved.'
      if (now.state === 'unsettled') return err(failure('notSent', `plan ${planId}: ${waits} ${nothing}`))
      if (!isResumable(now)) return err(failure('notSent', `${runsAlready(planId)}. ${nothing}`))
      return ok({ ask: 'resume', planId, seen: now.plan.terms })
    },
  )

/** Changes quantity, prices and distances of a plan. */
export const runPlanEdit: Run = (given, io, tools) =>
  change(
    given,
    io,
    tools,
    (plan) => `Change plan ${plan.planId}`,
    async ({ plan }, asking) => {
      const words = plainWidth(given.words.slice(1).join(' '))
      const terms = await readEdit(words, plan.terms, asking.instruments, asking)
      return terms.ok
        ? ok({ ask: 'edit', planId: plan.planId, terms: terms.value, seen: plan.terms })
        : err(wrongUsage(withoutStop(plainText(terms.error))))
    },
  )

type Asked = (now: PlanNow, asking: Asking) => Result<PlanRequest, Ending> | Promise<Result<PlanRequest, Ending>>

function change(
  given: Arguments,
  io: Parameters<Run>[1],
  tools: Parameters<Run>[2],
  doing: (plan: Plan) => string,
  askedOf: Asked,
): Promise<Ending> {
  const [typed] = given.words
  if (typed === undefined) return Promise.resolve(wrongUsage(planMissing))
  const accepted = orderAcceptance.read(given)
  if (!accepted.ok) return Promise.resolve(wrongUsage(accepted.error))
  return withOwner('change the plan', given, io, tools, async (asking) => {
    const { keeper, instruments } = asking
    const now = ofTypedName(keeper.plans, ({ plan: { planId } }) => planId, typed)
    if (now === undefined) return failure('notSent', `there is no plan ${plainText(typed)}. Nothing was changed.`)
    const { plan } = now
    const { planId } = plan
    if (plan.ended !== null) return failure('notSent', `plan ${planId} has ended: ${plan.ended.why}.`)
    const asked = await askedOf(now, asking)
    if (!asked.ok) return asked.error
    const after = asked.value.ask === 'edit' ? ` to ${wordsOf(asked.value.terms, instruments)}` : ''
    const what = `${doing(plan)}: ${wordsOf(plan.terms, instruments)}${after}`
    const question = `${what} on ${placeOf(asking.session)}\nType yes:`
    const asks = { question: plainText(question), isYes: (typed: string) => typed === 'yes' }
    // A cancel always passes; changes that may send need every check and the lock.
    const refused =
      asked.value.ask === 'cancel'
        ? await unconfirmedOf(asks, asking)
        : await disagreedOf({ asks, asked: asked.value, plan, accepted: accepted.value }, asking)
    if (refused !== null) return refused
    if (asked.value.ask !== 'cancel') return await ask(asked.value, doneWords[asked.value.ask], asking)
    const answer = await keeper.ask(asked.value)
    if (answer.kind !== 'done') return await tellAnswer(answer, '', asking)
    return await tellPlanEnd({ before: plan, how: asked.value.how, keeper }, asking)
  })
}

type Question = { question: string; isYes: (typed: string) => boolean }

const nothing = 'Nothing was changed.'
const unconfirmed = 'nothing was changed.'

async function unconfirmedOf(asks: Question, { consent, io }: Asking): Promise<Ending | null> {
  return (await confirmed(consent, io, asks)) ? null : failure('notSent', `not confirmed: ${unconfirmed}`)
}

/** The refusal of a change that may send orders; null when confirmed. */
async function disagreedOf(
  {
    asks,
    asked,
    plan,
    accepted,
  }: { asks: Question; asked: PlanRequest; plan: Plan; accepted: ReadonlySet<AcceptWord> },
  asking: Asking,
): Promise<Ending | null> {
  const checks = asked.ask === 'edit' ? await checksOf({ terms: asked.terms, planId: plan.planId }, asking) : []
  const said = { checks, acceptance: orderAcceptance, nothing, unconfirmed, ...asks }
  const agreed = await agree(said, { consent: asking.consent, accepted }, asking)
  return agreed.ok ? null : agreed.error
}

const doneWords = { add: 'begun', edit: 'changed', resume: 'goes on' } as const

async function ask(asked: PlanRequest, word: string, scene: Asking): Promise<Ending> {
  return await tellAnswer(await scene.keeper.ask(asked), word, scene)
}

/** The answer to a request, with the exit code that says what it means for the money. */
async function tellAnswer(
  answer: PlanAnswer,
  word: string,
  { given, io }: Pick<WriteScene, 'given' | 'io'>,
): Promise<Ending> {
  switch (answer.kind) {
    case 'done': {
      const did = `Plan ${answer.planId} ${word === 'goes on' ? word : `is ${word}`}.`
      const isTable = formOf(given, io.stdout) === 'table'
      await io.print(isTable ? did : jsonLine({ plan: answer.planId, outcome: word }))
      return { ...done, did }
    }
    case 'refused':
      return failure(
        answer.isForbidden === true ? 'rejected' : 'notSent',
        plainText(answer.sentence.replace(/\.$/, '')),
      )
    case 'noOwner':
      return failure('notSent', 'no watch or desk runs the plans of this account. Nothing was changed.', {
        todo: 'Start pitdesk watch, or open the desk, and repeat it.',
      })
    case 'notTaken':
      return notTaken(answer.stopped)
    case 'unknown':
      return failure('unknown', 'the process that runs the plans did not answer: it may have been done.', {
        todo: 'Look at pitdesk plan list before you repeat it.',
      })
  }
}
