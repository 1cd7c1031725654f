import { randomBytes } from 'node:crypto'
import { systemClock } from '../../src/clock.ts'
import type { WriteEvent } from '../../src/domain/desk-events.ts'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import { createClientOrderIds } from '../../src/services/client-order-id.ts'
import { createTrading, type Trading } from '../../src/services/trading.ts'
import { connect } from './connect.ts'
import { draftOf, drillCurrency, hurriedPace, requestOf } from './setting.ts'
import { cancelSubject, observed, orderSubject, Standings, withdrawalSubject } from './work.ts'

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
 * A desk without a screen that places, cancels and withdraws until everything on its list is done, and ends then. Killed and
 * started again it goes on from what the journal says. It plays the person too, who believes the evidence.
 */
export async function runClient(setting: ClientSetting): Promise<void> {
  const { exchangeUrl, token, folder, orders, withdrawals } = setting
  const { client, close } = connect(exchangeUrl, token)
  const now = () => systemClock.now()
  const file = await openFileJournal({ folder, exchange: 'practice', now, randomBytes, rotateBytes })
  const standings = new Standings(await file.history(0))
  const journal = observed(file, standings)
  const stopping = new AbortController()
  const trading: Trading = createTrading(client, {
    clock: systemClock,
    random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
    signal: stopping.signal,
    journal,
    guard: () => [],
    newClientOrderId: createClientOrderIds(randomBytes),
    emit: (event: WriteEvent) => {
      if (event.type === 'unsettledQuestion') {
        void trading.reconciliation.decide(event.key, event.question.verdicts[0] ?? 'notPlaced')
      }
    },
    skewMs: () => 0,
    onWritten: () => {},
    onFound: () => {},
    pace: hurriedPace,
  })
  const looking = trading.reconciliation.run()
  process.stdout.write('ready\n')
  const beneficiary = await findBeneficiary(client)
  const orderItems = Array.from({ length: orders }, (_, item) => () => workOrder(trading, standings, item))
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
  await close()
  await journal.close()
}

async function findBeneficiary(client: ReturnType<typeof connect>['client']): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const [entry] = await client.fetchWhitelistOf(drillCurrency)
      if (entry === undefined) throw new Error('the trader has no wallet of its own')
      return entry.whitelistId
    } catch (error) {
      if (attempt === 20) throw error
    }
  }
}

/** Places an order and cancels it: each as often as it takes until one try has taken effect, and never beside an open one. */
async function workOrder({ orders }: Trading, standings: Standings, item: number): Promise<void> {
  const subject = orderSubject(item)
  const placed = await until(standings, subject, () => orders.submit(draftOf(item)))
  if (placed === null) throw new Error(`order ${item} was placed without an id`)
  await until(standings, cancelSubject(placed), () => orders.cancel(placed))
}

async function workWithdrawal({ withdrawals }: Trading, standings: Standings, item: number, to: string): Promise<void> {
  await until(standings, withdrawalSubject(item), () => withdrawals.withdraw(requestOf(item, to)))
}

async function until(standings: Standings, subject: string, attempt: () => Promise<unknown>): Promise<string | null> {
  for (;;) {
    await standings.settled(subject)
    const fate = standings.get(subject)
    if (fate?.kind === 'took') return fate.id
    await attempt()
  }
}
