import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { systemClock } from '../../src/base/clock.ts'
import type { WriteEvent } from '../../src/domain/desk/events.ts'
import { isWorking } from '../../src/domain/orders/order.ts'
import type { WithdrawalDraft } from '../../src/domain/transfers/draft.ts'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import { takeLock } from '../../src/journal/locks.ts'
import { createClientOrderIds, createDraftIds, createTrading, type Trading } from '../../src/services/trading.ts'
import { createDraftsFile } from '../../src/state-files/drafts-file.ts'
import { connect } from './connect.ts'
import { draftOf, drillCurrency, hurriedPace, isMoved, movedPriceOf, requestOf } from './setting.ts'
import { cancelSubject, moveSubject, observed, orderSubject, Standings, withdrawalSubject } from './work.ts'

export type ClientSetting = {
  exchangeUrl: string
  token: string
  folder: string
  orders: number
  withdrawals: number
}

/** Small, so that the drill rotates its files too. */
const rotateBytes = 60_000
const workersCount = 8

/**
 * A desk without a screen that places, cancels and withdraws until everything on its list is done, and ends then.
 * Killed and started again it goes on from what the journal says. It plays the person too, who believes the evidence.
 */
export async function runClient(setting: ClientSetting): Promise<void> {
  const { exchangeUrl, token, folder, orders, withdrawals } = setting
  const { client, close } = connect(exchangeUrl, token)
  const now = () => systemClock.now()
  const file = await openFileJournal({ folder, exchange: 'practice', now, randomBytes, rotateBytes })
  const standings = new Standings(await file.history(0))
  const journal = observed(file, standings)
  const stopping = new AbortController()
  const beside: Promise<unknown>[] = []
  const trading: Trading = createTrading(client, {
    clock: systemClock,
    random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
    signal: stopping.signal,
    journal,
    guard: () => [],
    withdrawalGuard: () => Promise.resolve(null),
    drafts: createDraftsFile({
      ...{ path: join(folder, '..', 'drafts.json'), account: 'drill', takeLock, clock: systemClock },
    }),
    newDraftId: createDraftIds(randomBytes),
    onDrafts: () => {},
    track: (work) => void beside.push(work),
    newClientOrderId: createClientOrderIds(randomBytes),
    emit: (event: WriteEvent) => {
      if (event.type === 'writeQuestion') {
        void trading.reconciliation.decide(event.key, event.question.verdicts[0] ?? 'notPlaced')
      }
    },
    skewMs: () => 0,
    onWritten: () => {},
    onFound: () => {},
    pace: hurriedPace,
  })
  const looking = trading.reconciliation.run()
  await trading.withdrawals.takeUp()
  process.stdout.write('ready\n')
  const beneficiary = await findBeneficiary(client)
  const orderItems = Array.from({ length: orders }, (_, item) => () => workOrder(trading, client, standings, item))
  const moneyItems = Array.from(
    { length: withdrawals },
    (_, item) => () => workWithdrawal(trading, standings, item, beneficiary),
  )
  const items = [...orderItems, ...moneyItems].values()
  const worker = async () => {
    for (const item of items) await item()
  }
  await Promise.all(Array.from({ length: workersCount }, worker))
  stopping.abort()
  await looking
  await Promise.all(beside)
  await trading.withdrawals.takeUp()
  await close()
  await journal.close()
}

type Client = ReturnType<typeof connect>['client']

/** Asks again while the exchange does not answer as it should. */
async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (attempt === 20) throw error
    }
  }
}

async function findBeneficiary(client: Client): Promise<string> {
  const [entry] = (await persistently(() => client.fetchWhitelistOf(drillCurrency))).entries
  if (entry === undefined) throw new Error('the trader has no wallet of its own')
  return entry.whitelistId
}

/**
 * Places an order, perhaps moves it, and cancels it: each as often as it takes until one try has taken effect, and
 * never beside an open one.
 */
async function workOrder(trading: Trading, client: Client, standings: Standings, item: number): Promise<void> {
  const { orders } = trading
  const subject = orderSubject(item)
  const placed = await until(standings, subject, () => orders.submit(draftOf(item)))
  if (placed === null) throw new Error(`order ${item} was placed without an id`)
  const last = isMoved(item) ? await workMove(trading, client, standings, { item, orderId: placed }) : placed
  if (last !== null) await until(standings, cancelSubject(last), () => orders.cancel(last))
}

/**
 * The id of the moved order; null when the old one is canceled and no new one took its place, which a move may come
 * to.
 */
async function workMove(
  { orders }: Trading,
  client: Client,
  standings: Standings,
  { item, orderId }: { item: number; orderId: string },
): Promise<string | null> {
  for (;;) {
    await standings.settled(moveSubject(orderId))
    const fate = standings.get(moveSubject(orderId))
    if (fate?.kind === 'took') return fate.id
    if (fate !== undefined && !(await isStillWorking(client, orderId))) return null
    await orders.move({ orderId, whole: { ...draftOf(item), limitPrice: movedPriceOf(item) } })
  }
}

async function isStillWorking(client: Client, orderId: string): Promise<boolean> {
  return isWorking(await persistently(() => client.fetchOrder(orderId)))
}

/**
 * Prepares a withdrawal and sends it: as often as it takes until one has taken effect. One that an earlier desk
 * prepared and that has not left is sent as it is; for one that is certain not to have left after it was tried, a new
 * one is prepared.
 */
async function workWithdrawal({ withdrawals }: Trading, standings: Standings, item: number, to: string): Promise<void> {
  const { currency, amount } = requestOf(item, to)
  const content = { currency, amount, beneficiary: { whitelistId: to, name: '' }, note: null }
  await until(standings, withdrawalSubject(item), async () => {
    const kept = await withdrawals.look()
    if (!kept.ok) throw new Error(kept.error)
    const isReady = ({ amount, state }: WithdrawalDraft) =>
      state.kind === 'draft' && amount.toString() === content.amount.toString()
    const draftId = kept.value.find(isReady)?.draftId ?? withdrawals.newDraftId()
    await withdrawals.save(draftId, { ...content, wantsApproval: false })
    await withdrawals.send(draftId, [])
  })
}

async function until(standings: Standings, subject: string, attempt: () => Promise<unknown>): Promise<string | null> {
  for (;;) {
    await standings.settled(subject)
    const fate = standings.get(subject)
    if (fate?.kind === 'took') return fate.id
    await attempt()
  }
}
