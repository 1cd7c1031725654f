import { createUnderWay } from '../compose/under-way.ts'
import { scalesOf } from '../domain/amounts-of.ts'
import { block, type Check } from '../domain/check.ts'
import type { WriteEvent } from '../domain/desk-events.ts'
import type { Order, OrderDraft } from '../domain/order.ts'
import { plainText } from '../domain/plain-text.ts'
import type { CheckContext } from '../domain/pre-trade.ts'
import { ok, type Result } from '../domain/result.ts'
import type { WithdrawalReviewContext } from '../domain/transfers/withdrawal-review.ts'
import type { WriteJournal } from '../journal/entry.ts'
import { createClientOrderIds } from '../services/client-order-id.ts'
import { describeIntent } from '../services/describe-intent.ts'
import { createDraftIds } from '../services/draft-id.ts'
import { createLimitGuard } from '../services/limit-guard.ts'
import { createTrading, type Trading } from '../services/trading.ts'
import { createWithdrawalGuard, fetchReviewContext } from '../services/withdrawal-guard.ts'
import { openAccount, openAccountJournal, openDrafts } from './account.ts'
import type { CommandTools } from './command.ts'
import type { CommandIo } from './io.ts'
import type { Session } from './session.ts'
import { openOwnTerms } from './withdrawal-terms.ts'

/** What a one-shot command writes with: the same entry, journal and reconciliation as the console's. */
export type Writing = {
  trading: Trading
  journal: WriteJournal
  /** What orders are held against once more in the moment they leave; until then none may. */
  judgedBy(context: CheckContext): void
  /** Everything that a withdrawal is held against, asked for now; the same once more when it is sent. Throws `ExchangeError`. */
  withdrawalContext(): Promise<WithdrawalReviewContext>
  /** Looks for writes without an answer until they are settled, only a person can say more, or it takes too long. */
  settle(patienceMs: number): Promise<void>
  /** The order with this client order id, if looking for it has found it. */
  found(clientOrderId: string): Order | undefined
  close(): Promise<void>
}

const beatMs = 200
/** What earlier commands left open is looked for this long before a new write goes out. */
const earlierPatienceMs = 5_000
/** What this command left open: longer than the exchange's reports take to be trusted. */
export const ownPatienceMs = 30_000

/** Opens the journal of the session's account, and first settles what commands before this one left without an answer. */
export async function openWriting(session: Session, io: CommandIo, tools: CommandTools): Promise<Result<Writing>> {
  const { clock, random } = tools
  const account = await openAccount(session.settings, session.token, io, tools)
  if (!account.ok) return account
  for (const notice of account.value.notices) io.complain(plainText(notice))
  const opened = await openAccountJournal(account.value.account, io, tools)
  if (!opened.ok) return opened
  const journal = opened.value
  const stop = new AbortController()
  const foundOrders = new Map<string, Order>()
  const asked = new Set<string>()
  const { track, ended } = createUnderWay((error) => io.crash(error))
  const own = await openOwnTerms(session.settings, account.value.account, io, tools)
  const tellTrouble = (sentence: string) => io.complain(`${plainText(sentence)}.`)
  const emit = (event: WriteEvent) => {
    if (event.type === 'settled') io.complain(plainText(event.sentence))
    if (event.type === 'journalTrouble') tellTrouble(event.sentence)
    if (event.type === 'withdrawalOutcome' && event.outcome.kind === 'accepted')
      track(own.onWithdrawn(event.request.beneficiary))
    if (event.type === 'unsettledQuestion' && !asked.has(event.key)) {
      asked.add(event.key)
      io.complain(plainText(`${event.question.evidence} A person has to decide: open the console.`))
    }
  }
  journal.listen(tellTrouble)
  let known: CheckContext | null = null
  const guard = (draft: OrderDraft): Check[] => {
    const context = known
    if (context === null) return [block('freshness', 'the order was not checked')]
    return createLimitGuard(() => ({ ...context, nowMs: clock.now() }))(draft)
  }
  const judging = { journal, clock, signal: stop.signal, terms: own.withdrawalTerms }
  const trading = createTrading(session.client, {
    guard,
    scalesOf: () => scalesOf(known?.instrument.kind === 'fresh' ? known.instrument.value : undefined),
    drafts: openDrafts(account.value.account, tools),
    newDraftId: createDraftIds(tools.randomBytes),
    withdrawalGuard: createWithdrawalGuard(session.client, judging),
    onDrafts: () => undefined,
    track,
    clock,
    random,
    signal: stop.signal,
    journal,
    newClientOrderId: createClientOrderIds(tools.randomBytes),
    emit,
    skewMs: () => session.skewMs(),
    onWritten: () => undefined,
    onFound: (order) => foundOrders.set(order.clientOrderId, order),
  })
  let running: Promise<void> | null = null
  const sought = () => journal.open().filter(({ outcome }) => outcome?.kind === 'unknown')
  const settle = async (patienceMs: number) => {
    running ??= trading.reconciliation.run()
    const endMs = clock.now() + patienceMs
    while (sought().length > asked.size && clock.now() < endMs && !io.signal.aborted) {
      await clock.sleep(beatMs, io.signal)
    }
  }
  if (sought().length > 0) {
    await settle(earlierPatienceMs)
    for (const { intent } of sought()) io.complain(plainText(`Still without an answer: ${describeIntent(intent)}.`))
  }
  return ok({
    trading,
    journal,
    judgedBy(context) {
      known = context
    },
    withdrawalContext: () => fetchReviewContext(session.client, judging),
    settle,
    found: (clientOrderId) => foundOrders.get(clientOrderId),
    async close() {
      stop.abort()
      await running
      await ended()
      await journal.close()
    },
  })
}
