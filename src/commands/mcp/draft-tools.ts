import { xdgFolders } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { withoutStop } from '../../base/text/plain-text.ts'
import { minuteMs } from '../../base/text/time-text.ts'
import { openDrafts, openOrderDrafts, openWithdrawalTerms, readJournal } from '../../desk/account/account.ts'
import { keepOrderDraft, keepWithdrawalDraft } from '../../desk/account/prepare.ts'
import { type Draft, dropped, isEnded, whyNotADraft } from '../../domain/draft.ts'
import { orderChecks } from '../../domain/orders/checks/pre-trade.ts'
import { aged, type DraftedOrder, lifeMaxMs, lifeMinMs } from '../../domain/orders/drafted-order.ts'
import { timesInForce } from '../../domain/orders/order.ts'
import { sides } from '../../domain/side.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { withdrawalReview } from '../../domain/transfers/withdrawal-review.ts'
import { openDeskLock } from '../../lock/desk-lock.ts'
import { missing, withDraft } from '../../services/draft-list.ts'
import { fetchReviewContext } from '../../services/transfers/withdrawal-guard.ts'
import { readCurrency } from '../cli/arguments.ts'
import type { Fields } from '../cli/exit-codes.ts'
import { draftFields } from '../read/account.ts'
import { orderDraftFields } from '../read/order-drafts.ts'
import { withdrawalDraft } from '../schema/account.ts'
import { flag, type JsonSchema, maybe, rowOf, text, whole, word } from '../schema/kinds.ts'
import { accept, checks as checksSchema, orderDraft } from '../schema/trading.ts'
import { fetchCheckContext } from '../write/check-context.ts'
import { blockText, checkFields, type Judgement, orderAcceptance, withdrawalAcceptance } from '../write/checks.ts'
import { readAmount, readDraft } from '../write/order-draft.ts'
import { faultText } from '../write/order-keep.ts'
import { findEntry } from '../write/withdraw.ts'
import { isAtHub } from './agent.ts'
import { symbolInput } from './read-tools.ts'
import { type Asking, asArguments, type Input, type Tool, type ToolFault, usageFault } from './tool.ts'

/** Maximum waiting drafts of agents, whatever their names: more would only bury the important ones. */
export const agentDraftsMax = 20

const nothingSent = 'Nothing was sent. A person reviews it in the desk and sends it, or discards it.'

const notSent = (message: string): ToolFault => ({ kind: 'notSent', message })
const failed = (message: string): ToolFault => ({ kind: 'failed', message })

const full = `${agentDraftsMax} drafts of agents wait already: a person has to send or discard some, or discard_draft`

/** True for an agent's draft: no user and no script has such a name. */
const isOfAgents = (by: string | undefined): boolean => by?.startsWith('mcp ') === true

type Waiting = { orders: number; withdrawals: number }

const waitingOrders = (drafts: readonly DraftedOrder[], nowMs: number): number =>
  drafts.map((draft) => aged(draft, nowMs)).filter((draft) => isOfAgents(draft.by) && !isEnded(draft)).length

const waitingWithdrawals = (drafts: readonly WithdrawalDraft[]): number =>
  drafts.filter((draft) => isOfAgents(draft.origin) && !isEnded(draft)).length

/** The number of agents' waiting drafts on this machine. The error is a sentence about one of the files. */
async function fetchWaiting({ agent: { account, tools } }: Asking): Promise<Result<Waiting>> {
  const orders = await openOrderDrafts(account, tools).read()
  if (!orders.ok) return orders
  const withdrawals = await openDrafts(account, tools).read()
  if (!withdrawals.ok) return withdrawals
  return ok({
    orders: waitingOrders(orders.value, tools.clock.wallMs()),
    withdrawals: waitingWithdrawals(withdrawals.value),
  })
}

const roomFor = (waiting: number): Result<null> => (waiting < agentDraftsMax ? ok(null) : err(full))

const notKept = (error: string): Result<never, ToolFault> => err(error === full ? notSent(full) : failed(error))

const amountInput = (about: string): JsonSchema => ({
  ...text(`${about}; plain digits, such as 0.05`),
  pattern: '^\\d{1,30}(\\.\\d{1,30})?$',
})
const reasonInput = { ...text('why, in a sentence or two: the person who reviews it reads it'), maxLength: 200 }

/** The answer to a new draft. */
const draftedSchema = (draft: JsonSchema): JsonSchema =>
  rowOf({
    draft,
    isSent: { type: 'boolean', const: false, description: 'always false: only a person sends' },
    checks: checksSchema,
    accept,
    blocked: maybe(text('why it could not be sent as things stand, a clause')),
    next: text('what happens now, a sentence'),
  })

function drafted(draft: Fields, checks: readonly Judgement[], words: readonly string[]): Fields {
  const blocked = blockText(checks)
  return {
    draft,
    isSent: false,
    checks: checks.map(checkFields),
    accept: words,
    blocked: blocked === '' ? null : blocked,
    next: nothingSent,
  }
}

/** Why this profile cannot draft, or that there are too many drafts; null when another one is allowed. */
async function noRoom(asking: Asking): Promise<ToolFault | null> {
  const { settings } = asking.agent.session
  if (settings.isMonitor) return notSent(`profile ${settings.profileName} only watches: nothing is drafted`)
  const waiting = await fetchWaiting(asking)
  if (!waiting.ok) return failed(waiting.error)
  return roomFor(waiting.value.orders + waiting.value.withdrawals).ok ? null : notSent(full)
}

/** The command's flags by the names of the tool's fields. */
const orderFlags = { limit: 'limitPrice', stop: 'stopPrice', tif: 'timeInForce', expire: 'expireDate' } as const
const orderInput = (input: Input): Input => ({
  ...input,
  ...Object.fromEntries(
    Object.entries(orderFlags).flatMap(([name, field]) => (field in input ? [[name, input[field]]] : [])),
  ),
  ...('minQuantity' in input ? { 'min-quantity': input.minQuantity } : {}),
  ...('postOnly' in input ? { 'post-only': input.postOnly } : {}),
})

async function draftOrder(input: Input, asking: Asking): Promise<Result<Fields, ToolFault>> {
  const { agent, signal, origin } = asking
  const order = readDraft(asArguments(orderInput(input), ['side', 'quantity', 'symbol']))
  if (!order.ok) return err(usageFault(order.error))
  const refused = await noRoom(asking)
  if (refused !== null) return err(refused)
  const { tools, account, session } = agent
  const journal = readJournal(account, agent.io)
  const context = await fetchCheckContext(order.value.symbol, session, journal, { ...tools, signal })
  const checks = orderChecks(order.value, context)
  const fault = faultText(checks)
  if (fault !== '') return err(notSent(`not drafted: ${fault}`))
  const lifeMs = typeof input.minutes === 'number' ? input.minutes * minuteMs : session.settings.orderDraftLifeMs
  const reason = typeof input.reason === 'string' ? input.reason : null
  // Other agents may have added drafts meanwhile: counted again, and those of this kind under the file's lock.
  const waiting = await fetchWaiting(asking)
  if (!waiting.ok) return err(failed(waiting.error))
  const content = { order: order.value, by: origin, reason, lifeMs }
  const kept = await keepOrderDraft(account, tools, content, (drafts) =>
    roomFor(waiting.value.withdrawals + waitingOrders(drafts, tools.clock.wallMs())),
  )
  return kept.ok
    ? ok(drafted(orderDraftFields(kept.value, tools.clock.wallMs()), checks, orderAcceptance.wordsOf(checks)))
    : notKept(kept.error)
}

const atHub =
  'behind a hub drafts of withdrawals are those of the firm, and no program makes one: a person drafts it in the desk'

async function draftWithdrawal(input: Input, asking: Asking): Promise<Result<Fields, ToolFault>> {
  const { agent, signal, origin } = asking
  const { session, account, tools, io } = agent
  if (isAtHub(agent)) return err(notSent(atHub))
  const asked = readWithdrawal(input)
  if (!asked.ok) return err(usageFault(asked.error))
  const refused = await noRoom(asking)
  if (refused !== null) return err(refused)
  const { currency, amount, to } = asked.value
  const entry = findEntry(to, currency, await session.client.fetchWhitelist(signal))
  if (!entry.ok) return err(notSent(entry.error))
  const { whitelistId, name } = entry.value
  const lock = await openDeskLock(xdgFolders(io.environment).state, tools.clock)
  if (!lock.ok) return err(failed(withoutStop(lock.error)))
  const own = openWithdrawalTerms(session.settings, account, lock.value, tools)
  const context = await fetchReviewContext(session.client, {
    ...{ journal: readJournal(account, io), clock: tools.clock, skewMs: session.skewMs, signal },
    // An agent's look does not make an entry known to the user: the memory of the whitelist stays unchanged.
    terms: () => own.withdrawalTerms(null),
  })
  const request = { currency, amount, beneficiary: whitelistId }
  const checks = withdrawalReview({ request, approval: null, draftedName: null }, context)
  const wantsApproval = checks.some(({ rule, level }) => rule === 'approval' && level !== 'ok')
  const waiting = await fetchWaiting(asking)
  if (!waiting.ok) return err(failed(waiting.error))
  const reason = typeof input.reason === 'string' ? input.reason : null
  const content = { currency, amount, beneficiary: { whitelistId, name }, wantsApproval, by: origin, reason }
  const kept = await keepWithdrawalDraft(account, tools, content, (drafts) =>
    roomFor(waiting.value.orders + waitingWithdrawals(drafts)),
  )
  return kept.ok
    ? ok(drafted(draftFields(kept.value), checks, withdrawalAcceptance.wordsOf(checks)))
    : notKept(kept.error)
}

function readWithdrawal(input: Input) {
  const given = asArguments(input)
  const currency = readCurrency('the currency', given.value('currency'))
  if (!currency.ok) return currency
  const isAll = input.max === true
  const typed = given.value('amount')
  if ((typed === undefined) !== isAll) return err('give an amount, or max: true for all that is available')
  const [code, to] = [currency.value ?? '', given.value('to') ?? '']
  if (typed === undefined) return ok({ currency: code, to, amount: 'max' as const })
  const amount = readAmount('the amount', typed, { what: 'amount', unit: code })
  return amount.ok ? ok({ currency: code, to, amount: amount.value }) : amount
}

/** Drops the draft, if this agent made it. */
const ownDropped = <D extends Draft>(draft: D, by: string | undefined, origin: string, nowMs: number): Result<D> => {
  if (by !== origin) return err('it was made by somebody else, and an agent discards only its own drafts')
  const over = whyNotADraft(draft, 'discarded')
  return over === null ? dropped(draft, nowMs) : err(over)
}

async function discardDraft(input: Input, { agent, origin }: Asking): Promise<Result<Fields, ToolFault>> {
  const { account, tools } = agent
  const draftId = `${input.draftId}`
  const nowMs = tools.clock.wallMs()
  const change = <D extends Draft>(
    drafts: readonly D[],
    byOf: (draft: D) => string | undefined,
  ): Result<readonly D[]> => {
    const found = drafts.find((each) => each.draftId === draftId)
    if (found === undefined) return missing(draftId)
    const gone = ownDropped(found, byOf(found), origin, nowMs)
    return gone.ok ? ok(withDraft(drafts, gone.value, nowMs)) : gone
  }
  const orders = openOrderDrafts(account, tools)
  const known = await orders.read()
  if (!known.ok) return err(failed(known.error))
  const written = known.value.some((each) => each.draftId === draftId)
    ? await orders.update((drafts) =>
        change(
          drafts.map((each) => aged(each, nowMs)),
          ({ by }) => by,
        ),
      )
    : await openDrafts(account, tools).update((drafts) => change(drafts, ({ origin: by }) => by))
  if (!written.ok) return err(notSent(notDiscarded(written.error)))
  const draft = written.value.find((each) => each.draftId === draftId)
  return draft === undefined
    ? err(notSent(notDiscarded('it is no longer kept')))
    : ok({ draftId, state: draft.state.kind })
}

const notDiscarded = (why: string): string => `not discarded: ${withoutStop(why)}`

const discarded = rowOf({ draftId: text('the draft'), state: word(['dropped'], 'it is discarded') })
const ofDrafts = { kind: 'draft', from: 'exchange', staleAfterMs: 60_000 } as const
const prepares =
  'Prepares only: it is kept on this machine for a person, who reviews and sends it in the desk, or discards it. It ' +
  `is checked as it would be when it is sent, and the answer says what the checks say. At most ${agentDraftsMax} ` +
  'drafts of agents wait at once.'

/** The tools that prepare drafts. */
export const draftTools: readonly Tool[] = [
  {
    ...{
      ...ofDrafts,
      name: 'draft_order',
      title: 'Draft an order',
      value: draftedSchema(orderDraft),
      draft: draftOrder,
    },
    about: `Drafts an order. ${prepares} It expires as the profile says, or after "minutes".`,
    input: {
      side: word(sides, 'BUY or SELL'),
      quantity: amountInput('quantity, in the base currency'),
      symbol: symbolInput,
      market: flag('true: a market order'),
      limitPrice: amountInput('limit price, in the counter currency'),
      stopPrice: amountInput('stop trigger, in the counter currency'),
      timeInForce: word(timesInForce, 'how long it stays'),
      expireDate: { ...text('last day of a GTD order: 2026-11-20'), pattern: '^\\d{4}-?\\d{2}-?\\d{2}$' },
      minQuantity: amountInput('least quantity to fill, in the base currency'),
      postOnly: flag('true: only as a maker'),
      minutes: {
        ...whole('the draft expires after so many minutes'),
        minimum: lifeMinMs / minuteMs,
        maximum: lifeMaxMs / minuteMs,
      },
      reason: reasonInput,
    },
    required: ['side', 'quantity', 'symbol'],
  },
  {
    ...{ ...ofDrafts, name: 'draft_withdrawal', title: 'Draft a withdrawal', value: draftedSchema(withdrawalDraft) },
    draft: draftWithdrawal,
    about: `Drafts a withdrawal to an entry of the whitelist. ${prepares} Not behind a hub.`,
    input: {
      currency: { ...text('the currency, such as BTC'), maxLength: 20 },
      amount: amountInput('amount, in the currency'),
      max: flag('true: all that is available less the fee, in the place of an amount'),
      to: { ...text('id or name of an entry of the whitelist'), maxLength: 100 },
      reason: reasonInput,
    },
    required: ['currency', 'to'],
  },
  {
    ...{ ...ofDrafts, from: 'records', name: 'discard_draft', title: 'Discard a draft', value: discarded },
    draft: discardDraft,
    about: 'Discards a draft that this agent made. Those of persons, scripts and other agents stay.',
    input: { draftId: { ...text('the id of the draft'), pattern: '^[A-Za-z0-9-]{1,64}$' } },
    required: ['draftId'],
  },
]
