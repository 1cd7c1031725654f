import { costMethods, markPrices } from '../../domain/positions/position.ts'
import { movementKinds } from '../../domain/statement/movement.ts'
import { depositStates, withdrawalStatuses } from '../../domain/transfers/transfer.ts'
import type { HistorySize } from '../../history/thinning.ts'
import type { fromBalance } from '../../wire/account.ts'
import type { fromDeposit, fromWithdrawal } from '../../wire/transfers.ts'
import { amount, flag, listOf, maybe, rowOf, text, time, whole, word } from './kinds.ts'
import { accept, checks } from './trading.ts'

type Names<From extends (...given: never[]) => object> = keyof ReturnType<From> & string

const currency = text('the currency, such as BTC')
const usd = (about: string) => amount(`${about}, USD`)

export const fees = rowOf<'makerRate' | 'takerRate' | 'volumeInUSD'>({
  makerRate: amount('fee of a maker as a fraction: 0.002 is 0.2%'),
  takerRate: amount('fee of a taker as a fraction'),
  volumeInUSD: usd('what the rates depend on: volume of 30 days'),
})

export const balance = rowOf<Names<typeof fromBalance> | 'account'>({
  account: text('the account, such as primary'),
  currency,
  balance: amount('what is there, in the currency'),
  available: amount('what of it is not held by orders or transfers, in the currency'),
  balance_local: amount('the balance in the local currency of the account'),
  available_local: amount('what is available, in the local currency of the account'),
  rate: amount('what one unit is worth in the local currency'),
})

export const deposit = rowOf<Names<typeof fromDeposit>>({
  depositId: text('the id'),
  amount: amount('amount, in the currency'),
  currency,
  address: text('the address it came to'),
  txHash: maybe(text('the transaction')),
  state: word(depositStates, 'how far it has come'),
  timestamp: maybe(time('when it was seen')),
})

export const depositAddress = rowOf<'currency' | 'type' | 'address' | 'tag'>({
  currency,
  type: text('the kind of address'),
  address: text('the address, without its tag'),
  tag: maybe(text('has to go with every payment: without it the money is lost')),
})

export const whitelistEntry = rowOf<'whitelistId' | 'name' | 'currency'>({
  whitelistId: text('the id of the beneficiary'),
  name: text('what it is called'),
  currency: maybe(text('the one currency it takes; missing: not said')),
})

const reportedWithdrawal = {
  withdrawalId: maybe(text('the id; missing where the exchange gave none')),
  amount: amount('amount, in the currency'),
  fee: maybe(amount('fee of the exchange, in the currency')),
  currency,
  beneficiary: text('the id of the beneficiary'),
  state: maybe(word(withdrawalStatuses, 'how far it has come')),
  timestamp: maybe(time('when it was requested')),
}
export const withdrawal = rowOf<Names<typeof fromWithdrawal>>(reportedWithdrawal)

const sendMax = maybe(flag('true: all that is available less the fee; amount is missing then'))

/** The output of `withdraw`: for an earlier withdrawal only the recorded fields. */
export const sentWithdrawal = rowOf<Names<typeof fromWithdrawal> | 'sendMax'>({
  ...reportedWithdrawal,
  amount: maybe(amount('amount, in the currency')),
  sendMax,
})

export const withdrawalDryRun = rowOf<'request' | 'checks' | 'accept'>({
  request: rowOf(
    {
      amount: maybe(amount('amount, in the currency')),
      beneficiary: text('the id of the beneficiary'),
      currency,
      sendMax,
    },
    'the request as it would be sent',
  ),
  checks,
  accept,
})

export const withdrawalDraft = rowOf({
  draftId: text('the id of the draft'),
  currency,
  amount: maybe(amount('amount, in the currency')),
  sendMax,
  beneficiary: text('the id of the beneficiary'),
  name: text('what the whitelist called it when the draft was saved'),
  state: word(
    ['draft', 'sending', 'unknown', 'sent', 'refused', 'notPlaced', 'notSent', 'dropped', 'expired'],
    'unknown: it may have left',
  ),
  approval: word(['none', 'wanted', 'given'], 'whether the approver has agreed'),
  approvedBy: maybe(text('who agreed')),
  madeBy: maybe(text('who drafted it at a hub, or the program that did here, such as mcp NAME; missing: a person')),
  reason: maybe(text('why it was not taken')),
  withdrawalId: maybe(text('of one that was sent')),
  note: maybe(text('a note of whoever drafted it')),
  key: maybe(text('the key of --key')),
  timestamp: time('when it was drafted'),
})

const fillsUsed = rowOf(
  { count: whole('fills that it is made of'), recordedCount: whole('those of them that were on record here') },
  'where the fills come from',
)
const period = {
  from: time('the beginning; 0: that of the account'),
  to: time('the end'),
  soFar: maybe(flag('true: the end that was asked for is not over yet')),
}
const missing = listOf(text('a sentence'), 'what is missing and in none of the sums')

export const statement = rowOf({
  ...period,
  currencies: listOf(
    rowOf({
      currency,
      opening: amount('at the beginning, in the currency'),
      deposits: amount('came in'),
      withdrawals: amount('went out: negative'),
      withdrawalFees: amount('fees of withdrawals: negative'),
      bought: amount('bought'),
      sold: amount('sold: negative'),
      tradeFees: amount('fees of trades: negative'),
      changes: amount('all of these together'),
      closing: amount('at the end: opening and changes'),
      inFlight: amount('on its way now, and still in the balance'),
      after: amount('what changed after the end'),
      balance: maybe(amount('what the exchange says is there now')),
      check: text('agrees, off by an amount, or not known'),
      difference: maybe(amount('by how much the books and the balance differ')),
    }),
  ),
  movements: listOf(
    rowOf({
      timestamp: maybe(time('when; missing where the exchange does not say')),
      kind: word(movementKinds, 'what it is'),
      id: text('of the deposit, the withdrawal or the execution'),
      currency,
      amount: amount('as the exchange names it, in the currency: never negative'),
      change: amount('what the balance gained by it, in the currency'),
      state: maybe(text('of a transfer')),
      symbol: maybe(text('of a fill')),
      price: maybe(amount('of a fill, in its counter currency')),
    }),
  ),
  fills: fillsUsed,
  missing,
})

const realized = {
  realizedUsd: maybe(usd('realized; missing: nothing of it is known')),
  feesUsd: maybe(usd('fees; missing: nothing of it is known')),
  proceedsOfUnknownCostUsd: maybe(usd('what units of unknown cost were sold for')),
  unknownCostCount: whole('sales of units of unknown cost'),
  unknownCount: whole('matches of which nothing is known'),
  unknownFeeCount: whole('fees of unknown worth'),
}

const pnlCurrency = rowOf({
  currency,
  quantity: amount('what is held, in the currency'),
  costUsd: maybe(usd('what it had cost; missing: not known')),
  averageCostUsd: maybe(usd('cost of one unit, rounded to 8 decimals')),
  quantityOfUnknownCost: amount('what of it has no known cost, in the currency'),
  markUsd: maybe(usd('what one unit is worth; missing: not known')),
  markSource: maybe(text('where that is known from')),
  worthUsd: maybe(usd('what is held is worth')),
  unrealizedUsd: maybe(usd('worth less cost')),
  startMarkUsd: maybe(usd('what one unit was worth at the beginning')),
  startMarkSource: maybe(text('where that is known from')),
  startWorthUsd: maybe(usd('what was held at the beginning was worth')),
  startUnrealizedUsd: maybe(usd('worth less cost at the beginning')),
  unrealizedChangeUsd: maybe(usd('change of it over the period')),
  ...realized,
  quantityOfUnknownValue: amount('what went out at an unknown value, in the currency'),
  depositsUsd: maybe(usd('cost of what came in')),
  withdrawalsUsd: maybe(usd('cost of what went out')),
  depositedOfUnknownCost: amount('came in at unknown cost, in the currency'),
  withdrawnOfUnknownCost: amount('went out at unknown cost, in the currency'),
})

const pnlTotal = rowOf({
  costUsd: maybe(usd('what holdings had cost')),
  worthUsd: maybe(usd('what holdings are worth')),
  unvaluedCount: whole('currencies of unknown worth'),
  unrealizedUsd: maybe(usd('worth less cost')),
  unclearCount: whole('currencies whose gain is not wholly known'),
  startWorthUsd: maybe(usd('worth at the beginning')),
  startUnvaluedCount: whole('currencies of unknown worth then'),
  worthChangeUsd: maybe(usd('change of worth')),
  startUnrealizedUsd: maybe(usd('worth less cost at the beginning')),
  startUnclearCount: whole('currencies whose gain was not wholly known then'),
  unrealizedChangeUsd: maybe(usd('change of it')),
  ...realized,
  depositsUsd: maybe(usd('cost of what came in')),
  withdrawalsUsd: maybe(usd('cost of what went out')),
  unknownTransferCount: whole('currencies with transfers of unknown cost'),
})

const symbolOf = maybe(text('the symbol; missing where there is none'))
const opened = {
  openedBy: maybe(text('how the lot came in')),
  openedId: maybe(text('of the execution or deposit')),
  opened: maybe(time('when it came in')),
}
const lotCost = maybe(usd('its cost; missing: not known'))
const quantity = amount('quantity, in the currency')

const lotLists = {
  matches: maybe(
    listOf(
      rowOf({
        ...{ currency, symbol: symbolOf, quantity, openedId: maybe(text('the lot')) },
        opened: maybe(time('when the lot came in')),
        closedBy: maybe(text('what took it out')),
        closedId: maybe(text('of the execution or withdrawal')),
        closed: maybe(time('when it went out')),
        ...{ costUsd: lotCost, proceedsUsd: maybe(usd('what it brought')), realizedUsd: maybe(usd('gain')) },
        source: maybe(text('where its worth is known from')),
      }),
      'with --lots',
    ),
  ),
  fees: maybe(
    listOf(
      rowOf({
        ...{ currency, symbol: symbolOf, quantity, closedId: maybe(text('of the execution or withdrawal')) },
        ...{ closed: maybe(time('when')), feeUsd: maybe(usd('its worth; missing: not known')) },
      }),
      'with --lots',
    ),
  ),
  transfers: maybe(
    listOf(
      rowOf({
        ...{ record: word(['deposit', 'withdrawal'], 'which way'), currency, quantity },
        openedId: maybe(text('of a deposit')),
        opened: maybe(time('when a deposit came in')),
        closedId: maybe(text('of a withdrawal')),
        closed: maybe(time('when a withdrawal went out')),
        costUsd: maybe(usd('cost of the units whose cost is known')),
        quantityOfUnknownCost: amount('units of unknown cost, in the currency'),
      }),
      'with --lots',
    ),
  ),
  lots: maybe(
    listOf(
      rowOf({
        ...{ currency, quantity, ...opened, costUsd: lotCost },
        source: maybe(text('where the cost is known from')),
      }),
      'with --lots: open at the end',
    ),
  ),
}

export const pnl = rowOf({
  ...period,
  method: word(costMethods, 'how sales meet lots'),
  mark: word([...markPrices, 'last'], 'what holdings are valued at'),
  total: pnlTotal,
  currencies: listOf(pnlCurrency),
  symbols: listOf(
    rowOf({
      symbol: symbolOf,
      name: text('the symbol, or "no symbol"'),
      held: listOf(rowOf({ currency, quantity })),
      costUsd: maybe(usd('cost of what is held of it; missing: not known')),
      unrealizedUsd: maybe(usd('worth less cost')),
      ...realized,
    }),
  ),
  stated: listOf(
    rowOf({
      ...{ currency, quantity, usdEach: usd('what a person stated one unit had cost') },
      counted: amount('units it counts for, in the currency'),
      timestamp: time('held at'),
    }),
  ),
  ...lotLists,
  fills: fillsUsed,
  missing,
})

export const historySize = rowOf<keyof HistorySize | 'path' | 'isFillsWhole'>({
  path: text('the file'),
  bytes: whole('its size in bytes'),
  fills: whole('own fills'),
  endedOrders: whole('orders that have ended'),
  bars: whole('bars of prices'),
  symbols: whole('symbols with bars'),
  equityPoints: whole('points of equity'),
  isFillsWhole: flag('whether every fill that the exchange lists is there'),
})

const price = (about: string) => amount(`${about}, in the counter currency`)
export const bar = rowOf({
  timestamp: time('when it begins'),
  seconds: whole('how much time it covers, s'),
  open: price('first price'),
  high: price('highest price'),
  low: price('lowest price'),
  close: price('last price'),
  looks: whole('how often the price was seen'),
  spread: maybe(price('spread')),
})

export const equity = rowOf({
  timestamp: time('the minute'),
  equityUsd: maybe(usd('worth of the account; missing: not wholly known')),
  knownUsd: maybe(usd('worth of what is known')),
  unknown: text('currencies of unknown worth, with spaces between; empty: none'),
})

export const journalEntry = rowOf({
  time: time('when it was written down'),
  profile: text('the profiles of the account, with spaces between'),
  kind: text('order, withdrawal and the like; kinds may be added'),
  what: text('what was sent, in words with every digit'),
  result: text('what became of it; UNKNOWN at the beginning: it may be live'),
  exchangeId: maybe(text("the exchange's id")),
  evidence: maybe(text('reason or evidence')),
  id: text('the id of the entry'),
})
