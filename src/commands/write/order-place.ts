import { ExchangeError, isNotFound } from '../../api/errors.ts'
import { elapsedMaxMs, momentOf } from '../../base/clock.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { plainWidth, readTypedAmount } from '../../domain/amount-text.ts'
import type { Instruments } from '../../domain/market/amounts.ts'
import { midPrice } from '../../domain/market/book.ts'
import { type Check, unconfirmed } from '../../domain/orders/checks/check.ts'
import { type CheckContext, orderChecks } from '../../domain/orders/checks/pre-trade.ts'
import type { OrderDraft } from '../../domain/orders/order.ts'
import type { Venue } from '../../store/mode.ts'
import { pointsDoubt } from '../../store/sentences/points.ts'
import { orderSentence } from '../../ui/text/trade-words.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { fromNewOrder } from '../../wire/order-requests.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { commandLine } from '../cli/command-line.ts'
import { type Ending, exitCodes, failure, wrongUsage } from '../cli/exit-codes.ts'
import { consentOf } from '../cli/prompt.ts'
import { type Agreement, agree, showDry } from './agreement.ts'
import { fetchCheckContext } from './check-context.ts'
import { blockText, orderAcceptance } from './checks.ts'
import { readDraft } from './order-draft.ts'
import { type Kept, keep, readKept } from './order-keep.ts'
import { outlookLines } from './order-outlook.ts'
import { earlierOrder, isClientOrderId, nothing, sentUnder, tellOutcome, usedBefore } from './order-result.ts'
import { unknownSymbol } from './unknown-symbol.ts'
import { type WriteScene, withWriting } from './with-writing.ts'
import { freshMs } from './writing.ts'

/** Why the requested output cannot be CSV, as a clause; null when it can. */
export const formFault = (given: Pick<Arguments, 'has'>): string | null => {
  const act = ['dry-run', 'draft'].find((name) => given.has(name))
  return act !== undefined && given.has('csv') ? `--${act} tells of checks, which no CSV has: use --json` : null
}

/** Places one order after the same checks as a ticket's, and prints its outcome. */
export const runOrderPlace: Run = (given, io, tools) => {
  const draft = readDraft(given)
  if (!draft.ok) return Promise.resolve(wrongUsage(draft.error))
  const accepted = orderAcceptance.read(given)
  if (!accepted.ok) return Promise.resolve(wrongUsage(accepted.error))
  const clientOrderId = given.value('client-order-id') ?? null
  if (clientOrderId !== null && !isClientOrderId(clientOrderId))
    return Promise.resolve(wrongUsage('--client-order-id takes 1 to 20 letters and digits'))
  const unprintable = formFault(given)
  if (unprintable !== null) return Promise.resolve(wrongUsage(unprintable))
  const kept = readKept(given)
  if (!kept.ok) return Promise.resolve(wrongUsage(kept.error))
  const isDry = given.has('dry-run') || given.has('draft')
  const consent = isDry ? ({ ok: true, value: 'given' } as const) : consentOf(given, io)
  if (!consent.ok) return Promise.resolve(wrongUsage(consent.error))
  return withWriting({ given, io, tools, isDry }, (scene) => {
    const agreement = { consent: consent.value, accepted: accepted.value }
    const placing: Placing = { ...scene, draft: draft.value, clientOrderId, agreement }
    return knownSymbol(placing, () => {
      if (kept.value !== null) return keepJudged(placing, kept.value)
      return isDry ? dryRun(placing) : place(placing)
    })
  })
}

export type Placing = WriteScene & {
  draft: OrderDraft
  /** A script's own id, by which it can ask again; null to generate one. */
  clientOrderId: string | null
  /** The draft it is sent from; missing for a direct order. */
  draftId?: string
  agreement: Agreement
}

/** The command that places the same order in another symbol; null when the symbol comes from a draft. */
function placeIn(typed: string, { words, typedFlags }: Arguments): ((symbol: string) => string) | null {
  const [side = '', quantity = '', symbol = ''] = words
  if (symbol.toUpperCase() !== typed) return null
  return (meant) => commandLine('order place', [side, quantity, meant], typedFlags)
}

/** Runs, and reports an unlisted symbol with the fact that nothing was sent. */
export async function knownSymbol({ draft, given, io, session }: Placing, run: () => Promise<Ending>): Promise<Ending> {
  try {
    return await run()
  } catch (error) {
    // A question before sending, about something the exchange does not know.
    if (!isNotFound(error) || !(error instanceof ExchangeError) || error.outcome !== null) throw error
    const symbols = [...(await session.client.fetchSymbols(io.signal)).instruments.keys()]
    if (symbols.includes(draft.symbol)) throw error
    return unknownSymbol({ symbol: draft.symbol, symbols, nothing, again: placeIn(draft.symbol, given) })
  }
}

export type Judged = { context: CheckContext; checks: Check[]; sentence: string }

/** Like `judge`, for the first look: warns of digits that may be meant otherwise before anything is said or asked. */
async function judgeFirst(placing: Placing): Promise<Judged> {
  const judged = await judge(placing)
  const warning = placing.draftId === undefined ? pointsWarning(placing.given, judged.context) : null
  if (warning !== null) placing.io.printError(plainText(`Warning: ${warning}`))
  return judged
}

/**
 * The warning about an amount like `10.000` of an order placed by a command; null for none. A script's point is a
 * decimal one, so the order goes with it, where the palette and a plan's words ask: what is taken has to be said.
 */
function pointsWarning(given: Pick<Arguments, 'words' | 'value'>, context: CheckContext): string | null {
  const { instrument, book } = context
  if (instrument.kind !== 'fresh') return null
  const { symbol } = instrument.value
  const [side = '', quantity = ''] = given.words
  const prices = (['limit', 'stop'] as const).flatMap((name) => {
    const typed = given.value(name)
    return typed === undefined ? [] : [name, typed]
  })
  const line = plainWidth([side, quantity, symbol.toLowerCase(), ...prices].join(' '))
  const doubt = pointsDoubt(line, {
    context: { instruments: new Map([[symbol, instrument.value]]), symbol, bookOf: () => null },
    priceOf: () => (book.kind === 'fresh' ? midPrice(book.value) : null),
    isUnderstood: () => true,
  })
  if (doubt === null) return null
  const [small, large] = doubt.words
  return `"${doubt.text}" is read as ${small}, its point as a decimal one. If ${large} is meant, write ${large}.`
}

/** Requests everything that the order depends on, and checks it. */
async function judge({ draft, io, tools, session, writing }: Placing): Promise<Judged> {
  const context = await fetchCheckContext(draft.symbol, session, writing.journal, { ...tools, signal: io.signal })
  const checks = orderChecks(draft, context)
  const { profileName, venueKind: kind } = session.settings
  const venue: Venue = { profileName, kind }
  const sentence = context.instrument.kind === 'fresh' ? orderSentence(draft, context.instrument.value, venue) : ''
  return { context, checks, sentence: plainText(sentence) }
}

const keepJudged = async (placing: Placing, how: Kept): Promise<Ending> => keep(await judgeFirst(placing), how, placing)

export async function dryRun(placing: Placing): Promise<Ending> {
  const { draft, clientOrderId } = placing
  const before = clientOrderId === null ? null : await usedBefore({ draft, clientOrderId }, placing)
  if (before !== null) return before
  const { checks, sentence } = await judgeFirst(placing)
  const { clOrdId, ...fields } = fromNewOrder({ ...draft, clientOrderId: clientOrderId ?? 'madeWhenItIsSent' })
  const request = clientOrderId === null ? fields : { clOrdId, ...fields }
  const line = `POST /orders ${jsonLine(request)}${clientOrderId === null ? ' with a clOrdId of its own' : ''}`
  return await showDry(
    { would: `Would send: ${sentence}`, line, request, checks, acceptance: orderAcceptance },
    placing,
  )
}

/** The rules of one symbol, for amounts in words. */
function rulesOf({ draft }: Placing, { instrument }: CheckContext): Instruments {
  return instrument.kind === 'fresh' ? new Map([[draft.symbol, instrument.value]]) : null
}

/** The outcome of the earlier order under the given id; null when there is none, or no id was given. */
const earlier = async (placing: Placing): Promise<Ending | null> =>
  placing.clientOrderId === null
    ? null
    : await earlierOrder({ draft: placing.draft, clientOrderId: placing.clientOrderId }, placing)

/**
 * Places the order, unless its id was used before: then the outcome of that one is the answer, also if it blocks this
 * one only now.
 */
export async function place(placing: Placing): Promise<Ending> {
  const before = await earlier(placing)
  if (before !== null) return before
  const ending = await placeNew(placing)
  const isHeld = ending.code === exitCodes.notSent && placing.clientOrderId !== null
  return (isHeld ? await earlier(placing) : null) ?? ending
}

async function placeNew(placing: Placing): Promise<Ending> {
  const { io, tools } = placing
  const asked = momentOf(tools.clock)
  const first = await judgeFirst(placing)
  const concerns = await agree(await askedOf(placing, first), placing.agreement, placing)
  if (!concerns.ok) return concerns.error
  const isOld = elapsedMaxMs(asked, momentOf(tools.clock)) > freshMs
  const last = isOld ? await judge(placing) : first
  // What was accepted by name holds for any figure, and an answer for the one that was shown.
  const isShown = placing.agreement.consent === 'asked'
  const agreed = isShown ? unconfirmed(first.checks, []) : concerns.value.map(({ rule }) => ({ rule }))
  const late = [...last.checks.filter(({ level }) => level === 'block'), ...unconfirmed(last.checks, agreed)]
  if (late.length > 0)
    return failure('notSent', `not sent, recheck failed: ${late.map(({ text }) => text).join('; ')}. ${nothing}`)
  if (io.signal.aborted) return failure('notSent', `ended before it was sent. ${nothing}`)
  return await send(placing, last.context)
}

/**
 * The question to the user, with the preview at present prices. As in a ticket, an unusual size is confirmed by typing
 * the quantity.
 */
async function askedOf(placing: Placing, { checks, context, sentence }: Judged) {
  const { draft, agreement } = placing
  const { orderQuantity } = draft
  const isUnusual = checks.some(({ rule, level }) => rule === 'unusual' && level === 'ask')
  const isSeen = agreement.consent === 'asked' && blockText(checks) === ''
  const outlook = isSeen ? outlookLines(draft, context) : []
  const typedWord = isUnusual ? `the quantity, ${orderQuantity},` : 'yes'
  return {
    checks,
    acceptance: orderAcceptance,
    question: [...outlook.map(plainText), sentence, `Type ${typedWord} to send it:`].join('\n'),
    isYes: (typed: string) => (isUnusual ? readTypedAmount(typed)?.eq(orderQuantity) === true : typed === 'yes'),
    nothing,
    unconfirmed: 'nothing was sent.',
  }
}

async function send(placing: Placing, context: CheckContext): Promise<Ending> {
  const { draft, clientOrderId, draftId, writing } = placing
  const { orders, orderDrafts } = writing.trading
  const rules = rulesOf(placing, context)
  writing.judgedBy(context)
  // No other process can begin a write now: any begun by another command or desk since the checks is on record.
  const lastLook = async () => {
    const isUsed = clientOrderId !== null && (await sentUnder(writing.journal, clientOrderId)).entry !== undefined
    return isUsed
      ? `client order id ${clientOrderId} was used meanwhile`
      : blockText(await writing.blocks(draft)) || null
  }
  const outcome =
    draftId === undefined
      ? await orders.submit(draft, { ...(clientOrderId === null ? {} : { clientOrderId }), lastLook })
      : await orderDrafts.send(draftId, draft, lastLook)
  return await tellOutcome(outcome, placing, rules)
}
