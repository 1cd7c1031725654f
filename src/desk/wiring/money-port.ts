import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Clock } from '../../base/clock.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { capital, withoutStop } from '../../base/text/plain-text.ts'
import { lockRefusal } from '../../domain/desk/lock.ts'
import { modeReason } from '../../domain/desk/mode.ts'
import { defaultWithdrawalLimits } from '../../domain/limits.ts'
import { orderBounds } from '../../domain/orders/beyond-order.ts'
import type { PeriodAsked } from '../../domain/statement/movement.ts'
import { type Statement, statementFields, statementHead, statementRows } from '../../domain/statement/statement.ts'
import type { WithdrawalDraft } from '../../domain/transfers/draft.ts'
import type { DepositAddress } from '../../domain/transfers/transfer.ts'
import type { WriteJournal } from '../../journal/entry.ts'
import type { DeskLock } from '../../lock/desk-lock.ts'
import { failureNotice } from '../../services/failure-sentences.ts'
import { withRecorded } from '../../services/history/recorded.ts'
import { draftSeenAt } from '../../services/orders/draft-elsewhere.ts'
import type { OrderListClient } from '../../services/orders/order-pages.ts'
import type { OrderDraftsKeeper, OrderQueue } from '../../services/orders/order-queue.ts'
import { fetchStatement, type StatementClient } from '../../services/statement.ts'
import { createDraftIds, type Trading, type TradingContext } from '../../services/trading.ts'
import type { FirmQueue } from '../../services/transfers/firm-queue.ts'
import { draftLeftElsewhere } from '../../services/transfers/left-elsewhere.ts'
import type { WithdrawalDraftsKeeper } from '../../services/transfers/withdrawal-drafts.ts'
import {
  createWithdrawalGuard,
  type WithdrawalGuardClient,
  type WithdrawalTermsSource,
} from '../../services/transfers/withdrawal-guard.ts'
import type { WithdrawalQueue, WithdrawalQueueContext } from '../../services/transfers/withdrawal-queue.ts'
import type { CostsFile } from '../../state-files/costs-file.ts'
import { createCsvExport, createJsonExport } from '../../state-files/exports.ts'
import { exchangeNow, wallSkewMs } from '../../store/clock.ts'
import type { DeskPort } from '../../store/commands.ts'
import { type CostsPort, costsAnswered } from '../../store/costs.ts'
import type { DeskStore } from '../../store/desk.ts'
import { type StatementForm, statementAnswered, type WrittenStatement } from '../../store/exports.ts'
import { jsonLinePieces } from '../../wire/json-pieces.ts'
import type { DeskHistory } from '../desk-options.ts'

type WithdrawalPortOptions = {
  /** True when a hub sends: the hub itself checks doubts about refused withdrawals. */
  isBehindHub?: boolean
  /** The drafts of the desk's profile. */
  drafts: WithdrawalDraftsKeeper
  /** The order drafts of the desk's profile; none are saved unless given. */
  orderDrafts?: OrderDraftsKeeper | undefined
  /** Limits, memory and approver at the moment of sending; only the limits of the venue's kind unless given. */
  withdrawalTerms?: WithdrawalTermsSource | undefined
  journal: WriteJournal
  clock: Clock
  randomBytes: (count: number) => Uint8Array
}

type QueueParts = Pick<
  WithdrawalQueueContext,
  'drafts' | 'newDraftId' | 'withdrawalGuard' | 'stoppedNow' | 'onDrafts'
> &
  Pick<TradingContext, 'orderDrafts' | 'onOrderDrafts' | 'draftSeen'>

/** The parts of a desk's queue: the store gets every draft, and nothing is sent while the desk is not armed. */
export function queueParts(
  options: WithdrawalPortOptions,
  desk: { store: DeskStore; client: WithdrawalGuardClient & OrderListClient; signal: AbortSignal },
): QueueParts {
  const { drafts, journal, clock, randomBytes, isBehindHub = false } = options
  const { store, client, signal } = desk
  const usual = () =>
    Promise.resolve({ limits: defaultWithdrawalLimits[store.getState().venue.kind], memory: null, approver: null })
  const terms = options.withdrawalTerms ?? usual
  const mode = () => store.getState().mode
  const skewMs = () => wallSkewMs(store.getState())
  const guard = createWithdrawalGuard(client, { journal, clock, skewMs, signal, terms, mode, isBehindHub })
  const elsewhere = (draft: WithdrawalDraft) => draftLeftElsewhere(draft, { client, journal, skewMs: skewMs(), signal })
  return {
    drafts,
    newDraftId: createDraftIds(randomBytes),
    // A hub has one record of all withdrawals and orders sent.
    withdrawalGuard: async (draft, confirmed, seen) =>
      (isBehindHub ? null : await elsewhere(draft)) ?? (await guard(draft, confirmed, seen)),
    ...(isBehindHub ? {} : { draftSeen: draftSeenAt(client, { skewMs, signal, clock }) }),
    stoppedNow: () => modeReason(mode()),
    onDrafts: (kept) => store.dispatch({ type: 'draftsChanged', drafts: kept, atMs: clock.now() }),
    orderDrafts: options.orderDrafts,
    onOrderDrafts: (kept) => store.dispatch({ type: 'orderDraftsChanged', drafts: kept, atMs: clock.now() }),
  }
}

type Desk = { store: DeskStore; clock: Clock }
type DraftParts = Desk & { queue: WithdrawalQueue; orderDrafts: OrderQueue; track: (work: Promise<unknown>) => void }

type DraftPort = Pick<
  DeskPort,
  'sendOrderDraft' | 'dropOrderDraft' | 'newDraftId' | 'saveDraft' | 'dropDraft' | 'sendDraft'
>

/** The user's actions on drafts. A refusal becomes a notice; a success arrives as `draftsChanged`. */
function draftPort({ queue, orderDrafts, track, ...desk }: DraftParts): DraftPort {
  const told = (work: Promise<Result<unknown>>) => track(work.then((done) => tellTrouble(done, desk)))
  /** The last save of a draft: it is sent once that is on disk. */
  const saves = new Map<string, Promise<Result<unknown>>>()
  const send = async (...[draftId, confirmed, seen]: Parameters<WithdrawalQueue['send']>) => {
    const saving = saves.get(draftId)
    const saved = await saving
    if (saved?.ok !== false) {
      await queue.send(draftId, confirmed, seen)
      return
    }
    // The change was what the user reviewed; a later review shows the draft as it is on disk.
    if (saves.get(draftId) === saving) saves.delete(draftId)
    tellTrouble(err(`Draft ${draftId} was not sent: its last change was not kept. Review it again.`), desk)
  }
  return {
    newDraftId: () => queue.newDraftId(),
    saveDraft(draftId, content) {
      const saved = queue.save(draftId, content)
      saves.set(draftId, saved)
      told(saved)
      // A failed save stays until it has kept the draft from being sent. Never rejects.
      void saved.then(({ ok: isKept }) => {
        if (isKept && saves.get(draftId) === saved) saves.delete(draftId)
      })
    },
    dropDraft: (draftId) => told(queue.drop(draftId)),
    sendOrderDraft: (draftId, reviewed) => track(orderDrafts.send(draftId, reviewed)),
    dropOrderDraft: (draftId) => told(orderDrafts.drop(draftId)),
    // The queue itself reports the result, also when it was not sent.
    sendDraft: (draftId, confirmed, seen) => track(send(draftId, confirmed, seen)),
  }
}

/** Takes over drafts saved or half sent by earlier desks, and stated costs. */
export async function takeUpKept(
  { withdrawals, orderDrafts }: Pick<Trading, 'withdrawals' | 'orderDrafts'>,
  costs: CostsFile | undefined,
  desk: Desk,
): Promise<void> {
  await readCosts(costs, desk)
  tellTrouble(await withdrawals.takeUp(), desk)
  tellTrouble(await orderDrafts.takeUp(), desk)
}

function tellTrouble(done: Result<unknown>, { store, clock }: Desk): void {
  if (done.ok) return
  const text = `${capital(withoutStop(done.error))}.`
  store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now() })
}

type SecretsPort = Pick<DeskPort, 'tryLock' | 'renewLock' | 'approveDraft' | 'draftTerms' | 'decideDraft'>

type FormParts = {
  lock: DeskLock
  queue: Pick<WithdrawalQueue, 'approve'>
  firm: FirmQueue | null
  track: (work: Promise<unknown>) => void
}

/** The lock and the approver for a withdrawal's form. Typed text is only compared with them, and stored nowhere. */
function withdrawFormPort({ lock, queue, firm, track }: FormParts): SecretsPort {
  const decide = async (seen: WithdrawalDraft, reason: string | null): Promise<Result<string>> => {
    if (firm === null) return err('Drafts of this machine are approved by a passphrase.')
    const decided = await (reason === null ? firm.agree(seen) : firm.reject(seen, reason))
    if (!decided.ok) return err(`${capital(withoutStop(decided.error))}.`)
    const { draftId, approval, state } = decided.value
    if (state.kind === 'refused') return ok(`Draft ${draftId}: ${state.reason}.`)
    return ok(`Draft ${draftId} is approved${approval.kind === 'given' ? ` by ${approval.by}` : ''}: it may be sent.`)
  }
  const approve = async (seen: WithdrawalDraft, typed: string): Promise<Result<null>> => {
    const answer = await lock.approve(typed)
    if (answer.kind !== 'approved') return err(lockRefusal(answer))
    const approved = await queue.approve(seen, answer.by)
    return approved.ok ? ok(null) : err(`${capital(withoutStop(approved.error))}.`)
  }
  return {
    renewLock: (then) => track(lock.renew().then(then)),
    tryLock: (typed, then) => track(lock.open(typed).then(then)),
    draftTerms: (seen) => firm?.termsOf(seen) ?? null,
    decideDraft: (seen, reason, then) => track(decide(seen, reason).then(then)),
    approveDraft: (seen, typed, then) => track(approve(seen, typed).then(then)),
  }
}

type Terms = {
  withdrawalTerms?: WithdrawalTermsSource | undefined
  onWithdrawn?: ((whitelistId: string) => Promise<unknown>) | undefined
  clock: Clock
}

/**
 * Gives the form the queue's terms: at the start, and after each change of whitelist or drafts. A beneficiary of a
 * draft sent during this is known from then on.
 */
export function followTerms(
  store: DeskStore,
  { withdrawalTerms, onWithdrawn, clock }: Terms,
  track: (work: Promise<unknown>) => void,
): void {
  if (withdrawalTerms === undefined) return
  const take = async () => {
    const terms = await answered(() => withdrawalTerms(store.getState().whitelist.value))
    // An unanswered hub is asked again at the next change, and before sending.
    if (terms === null) return
    const { trouble = null, ...rules } = terms
    store.dispatch({ type: 'withdrawalRulesChanged', rules })
    if (trouble !== null) store.dispatch({ type: 'noted', level: 'warn', text: trouble, atMs: clock.now() })
  }
  store.subscribe(({ whitelist, drafts }, before) => {
    if (onWithdrawn !== undefined)
      for (const whitelistId of newlySent(drafts, before.drafts)) track(onWithdrawn(whitelistId))
    if (whitelist.value !== before.whitelist.value || drafts !== before.drafts) track(take())
  })
  track(take())
}

/** Null when the service did not answer. */
async function answered<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ExchangeError) return null
    throw error
  }
}

/** The beneficiaries of drafts sent just now. One first seen as sent may be old, and its entry renamed since. */
function newlySent(drafts: readonly WithdrawalDraft[], before: readonly WithdrawalDraft[]): string[] {
  if (drafts === before) return []
  const waited = new Set(before.filter(({ state }) => state.kind !== 'sent').map(({ draftId }) => draftId))
  return drafts.flatMap(({ draftId, state, beneficiary }) =>
    state.kind === 'sent' && waited.has(draftId) ? [beneficiary.whitelistId] : [],
  )
}

type Options = {
  exportsFolder: string
  costs?: CostsFile
  history?: DeskHistory
  copy?: (text: string) => boolean
  clock: Clock
}
type Parts = {
  client: ExchangeClient
  trading: Pick<Trading, 'withdrawals' | 'orderDrafts' | 'firm'>
  lock: DeskLock
  store: DeskStore
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
}

export type MoneyPort = ReturnType<typeof depositPort> &
  ReturnType<typeof statementPort> &
  ReturnType<typeof withdrawFormPort> &
  DraftPort &
  CostsPort

/** The user's actions on deposits, withdrawals and the account's books. */
export function moneyPort({ exportsFolder, costs, history, copy, clock }: Options, parts: Parts): MoneyPort {
  const { client, trading, lock, store, signal, track } = parts
  const { withdrawals: queue, orderDrafts, firm } = trading
  const recorded = async () => (await history?.open({ isReadOnly: true })) ?? err(null)
  return {
    ...depositPort({ client, store, signal, track, copy }),
    ...statementPort({ client, history: recorded, exportsFolder, store, clock, signal, track }),
    ...costsPort({ costs, store, clock, track }),
    ...withdrawFormPort({ lock, queue, firm, track }),
    ...draftPort({ queue, orderDrafts, store, clock, track }),
  }
}

type CostsParts = Desk & { costs: CostsFile | undefined; track: (work: Promise<unknown>) => void }

const noCosts = err('This desk keeps no costs.')

/** Saves the user's stated costs, for all programs that show the account's positions. */
const costsPort = ({ costs, store, clock, track }: CostsParts): CostsPort => ({
  changeCosts: (change) =>
    track(
      (costs?.change(change) ?? Promise.resolve(noCosts)).then((kept) =>
        store.dispatchAll(costsAnswered(change, kept, clock.now())),
      ),
    ),
})

async function readCosts(costs: CostsFile | undefined, { store, clock }: Desk): Promise<void> {
  const read = await costs?.read()
  if (read === undefined) return
  if (read.ok) store.dispatch({ type: 'costsRead', costs: read.value })
  else store.dispatch({ type: 'noted', level: 'warn', text: read.error, atMs: clock.now() })
}

type DepositParts = {
  client: Pick<ExchangeClient, 'createDepositAddress'>
  store: DeskStore
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
  /** Copies text to the terminal's clipboard; false without a terminal that can. */
  copy?: ((text: string) => boolean) | undefined
}

/** The result of a read of the exchange, or the notice of its failure. */
async function failureTold<T>(read: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ExchangeError) return err(failureNotice(error))
    throw error
  }
}

/** Deposit addresses for the user. A request moves no money and may be repeated, so it is not in the journal. */
function depositPort(parts: DepositParts): Pick<DeskPort, 'fetchDepositAddress' | 'copyText'> {
  const { client, store, signal, track, copy = () => false } = parts
  const ask = (currency: string): Promise<Result<DepositAddress>> =>
    failureTold(async () => ok(await client.createDepositAddress(currency, signal)))
  return {
    fetchDepositAddress: (currency) =>
      track(ask(currency).then((answer) => store.dispatch({ type: 'depositAddressAnswered', currency, answer }))),
    copyText: copy,
  }
}

type StatementParts = {
  client: StatementClient
  /** Opens the account's recorded history, which is not requested again. */
  history: Parameters<typeof withRecorded>[0]
  exportsFolder: string
  store: DeskStore
  clock: Clock
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
}

const statementName = 'statement'

/** Exports the account's statement to a file, read from the exchange in the background. */
function statementPort(parts: StatementParts): Pick<DeskPort, 'exportStatement'> {
  const { client, history, exportsFolder, store, clock, signal, track } = parts
  const written = (statement: Statement, form: StatementForm): Promise<Result<{ path: string }>> =>
    form === 'csv'
      ? createCsvExport(exportsFolder, clock).write({
          name: statementName,
          head: statementHead,
          rows: statementRows(statement),
        })
      : createJsonExport(exportsFolder, clock).write(statementName, jsonLinePieces(statementFields(statement)))
  const make = async (period: PeriodAsked, form: StatementForm): Promise<Result<WrittenStatement>> => {
    const nowMs = () => exchangeNow(store.getState())
    const bounds = async () => {
      const { orders, endedOrders, ownDrafts } = store.getState()
      return orderBounds([...(orders.value ?? []), ...endedOrders], ownDrafts)
    }
    return withRecorded(
      history,
      (recorded) => fetchStatement(client, period, { signal, recorded, nowMs, bounds }),
      async (statement) => {
        const file = await written(statement, form)
        const { lineCount, missing } = statement
        const soFarMs = statement.period.isSoFar === true ? { soFarMs: statement.period.toMs } : {}
        return file.ok ? ok({ path: file.value.path, lineCount, missing, ...soFarMs }) : file
      },
    )
  }
  return {
    exportStatement: (period, form) =>
      track(
        failureTold(() => make(period, form)).then((answer) =>
          store.dispatchAll(statementAnswered(answer, clock.now())),
        ),
      ),
  }
}
