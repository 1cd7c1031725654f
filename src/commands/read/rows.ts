import { costMethods, markPrices } from '../../domain/positions/position.ts'
import {
  type CommandRow,
  currencyFlag,
  formFlags,
  pageFlags,
  readFlags,
  statusFlag,
  symbolFlag,
  timeFlags,
} from '../cli/command.ts'

/** One-shot reads of the market. */
export const marketRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'symbols',
    summary: 'the symbols with their trading rules and states',
    words: '[SYMBOL]',
    wordsMax: 1,
    flags: [symbolFlag, ...readFlags],
    notes: ['Sizes are whole numbers with a scale, as the exchange writes them: 50 with scale 2 is 0.50.'],
    load: async () => (await import('./market.ts')).runSymbols,
  },
  {
    kind: 'parsed',
    name: 'book',
    summary: 'the order book of a symbol',
    words: 'SYMBOL',
    wordsMax: 1,
    flags: [
      symbolFlag,
      { name: 'level', placeholder: 'LEVEL', meaning: 'by price (2) or order by order (3)', choices: ['2', '3'] },
      {
        name: 'depth',
        placeholder: 'COUNT',
        meaning: 'at most this many entries a side (all)',
        whole: [1, 999_999],
      },
      ...readFlags,
    ],
    notes: ['num is how many orders stand at a price; on level 3 it is the id of the one order.'],
    load: async () => (await import('./market.ts')).runBook,
  },
  {
    kind: 'parsed',
    name: 'tickers',
    summary: 'last prices and 24-hour volumes',
    words: '[SYMBOL]',
    wordsMax: 1,
    flags: [symbolFlag, ...readFlags],
    notes: [],
    load: async () => (await import('./market.ts')).runTickers,
  },
]

/** One-shot reads of the account. */
export const accountRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'orders',
    summary: 'working orders, or those in another state',
    words: '',
    wordsMax: 0,
    flags: [
      symbolFlag,
      statusFlag,
      ...timeFlags,
      ...pageFlags,
      {
        name: 'engine',
        placeholder: null,
        meaning: 'orders in every state, the oldest first, straight from the matching engine',
      },
      { name: 'after', placeholder: 'ID', meaning: 'with --engine: only orders after this id' },
      { name: 'watch', placeholder: null, meaning: 'streams changes as JSON lines until a signal' },
      ...readFlags,
    ],
    notes: [
      'Working orders are all listed unless --limit says how many. Of the others, and with --engine, it is 100.',
      'With --watch every line is one order: as first seen, at each change, and as it ended. After an outage of ' +
        'the exchange a line repeats an order only with something new in it. Where its reader has left, as after ' +
        '| head, it ends with the next change.',
    ],
    load: async () => (await import('./orders.ts')).runOrders,
  },
  {
    kind: 'parsed',
    name: 'fills',
    summary: 'executions of your orders, the newest first',
    words: '',
    wordsMax: 0,
    flags: [
      symbolFlag,
      ...timeFlags,
      { name: 'from-exec', placeholder: 'ID', meaning: 'from this execution id onwards' },
      { name: 'to-exec', placeholder: 'ID', meaning: 'up to this execution id' },
      ...pageFlags,
      ...readFlags,
    ],
    notes: [
      'feeCurrency is the counter currency of the symbol, in which the exchange charges its fees; in CSV it stands behind.',
    ],
    load: async () => (await import('./orders.ts')).runFills,
  },
  {
    kind: 'parsed',
    name: 'trades',
    summary: 'orders that have filled, wholly or in part, the newest first',
    words: '',
    wordsMax: 0,
    flags: [symbolFlag, ...timeFlags, ...pageFlags, ...readFlags],
    notes: [],
    load: async () => (await import('./orders.ts')).runTrades,
  },
  {
    kind: 'parsed',
    name: 'fees',
    summary: 'fee rates as fractions (0.002 is 0.2%), and the volume they depend on',
    words: '',
    wordsMax: 0,
    flags: readFlags,
    notes: [],
    load: async () => (await import('./account.ts')).runFees,
  },
  {
    kind: 'parsed',
    name: 'balances',
    summary: 'balances of the account',
    words: '',
    wordsMax: 0,
    flags: [
      currencyFlag,
      { name: 'account', placeholder: 'NAME', meaning: 'only this account (all; primary with --currency)' },
      ...readFlags,
    ],
    notes: [],
    load: async () => (await import('./account.ts')).runBalances,
  },
  {
    kind: 'parsed',
    name: 'deposits',
    summary: 'deposits, or the one with this id',
    words: '[ID]',
    wordsMax: 1,
    flags: [...timeFlags, ...readFlags],
    notes: [],
    load: async () => (await import('./account.ts')).runDeposits,
  },
  {
    kind: 'parsed',
    name: 'deposit-address',
    summary: 'the deposit address of a crypto currency, and its tag where it has one',
    words: 'CURRENCY',
    wordsMax: 1,
    flags: readFlags,
    notes: ['The address stays the same until it is used; the tag, where there is one, must go with every payment.'],
    load: async () => (await import('./account.ts')).runDepositAddress,
  },
  {
    kind: 'parsed',
    name: 'whitelist',
    summary: 'the beneficiaries that withdrawals may go to',
    words: '',
    wordsMax: 0,
    flags: [currencyFlag, ...readFlags],
    notes: [],
    load: async () => (await import('./account.ts')).runWhitelist,
  },
  {
    kind: 'parsed',
    name: 'withdrawals',
    summary: 'withdrawals, or the one with this id; or the drafts on this machine or at the hub',
    words: '[ID]',
    wordsMax: 1,
    flags: [
      ...timeFlags,
      {
        name: 'drafts',
        placeholder: null,
        meaning: 'drafts of this machine, or of the hub, and what became of them; asks no exchange',
      },
      ...readFlags,
    ],
    notes: [],
    load: async () => (await import('./account.ts')).runWithdrawals,
  },
  {
    kind: 'parsed',
    name: 'statement',
    summary: 'deposits, withdrawals, fills and fees between two times, added up and compared with the balances',
    words: '',
    wordsMax: 0,
    flags: [...timeFlags, ...readFlags],
    notes: [
      'Every sum is exact: opening and the lines of a currency come to its closing. A line has the time the ' +
        'exchange gives it, which for a transfer is when it was requested; a transfer in flight has changed nothing ' +
        'yet.',
      'The whole history of the account has to add up to its balances now. Where it does not, the statement says ' +
        'by how much.',
      'It ends with what the exchange knows, by its clock: "so far" where the end that was asked for is not over.',
      'Example: pitdesk statement --from 2026-11-01 --to 2026-11-20 --csv',
    ],
    load: async () => (await import('./statement.ts')).runStatement,
  },
  {
    kind: 'parsed',
    name: 'pnl',
    summary: 'positions at cost, realized and unrealized P&L, fees apart, by currency and symbol',
    words: '',
    wordsMax: 0,
    flags: [
      ...timeFlags,
      { name: 'method', placeholder: 'METHOD', meaning: 'how sales meet lots (cost_method)', choices: costMethods },
      {
        name: 'mark',
        placeholder: 'PRICE',
        meaning: 'what holdings are valued at now; past ones at last prices',
        choices: markPrices,
        standard: 'mid',
      },
      { name: 'lots', placeholder: null, meaning: 'also each match, fee and transfer, and the lots open at the end' },
      ...readFlags,
    ],
    notes: [
      'Made of the whole history of the account, to the last digit. Unknown amounts, such as the cost of a deposit, ' +
        'are named and in none of the sums; "cost btc 0.5 @ 60000" in the palette of the desk states them.',
      'All P&L is in USD. The period ends with what the exchange knows, by its clock: "so far" where the end that was ' +
        'asked for is not over.',
      'Sums in the table are rounded to cents; JSON and CSV have every digit. With --lots realizedUsd and feeUsd of ' +
        'the CSV add up to the sums without it.',
      'See "pitdesk help positions".',
      'Example: pitdesk pnl --from 2026-11-01 --to 2026-11-30 --lots --csv',
    ],
    load: async () => (await import('./pnl.ts')).runPnl,
  },
  {
    kind: 'parsed',
    name: 'history',
    summary: 'what desks on this machine recorded of the account: how much of each list, and how large the file is',
    words: '',
    wordsMax: 0,
    flags: [...readFlags],
    notes: ['It asks no exchange. "pitdesk history export" prints the lists.', 'Example: pitdesk history --json'],
    load: async () => (await import('./history.ts')).runHistory,
  },
  {
    kind: 'parsed',
    name: 'history export',
    summary: 'prices, equity, own fills or ended orders, as desks on this machine recorded them',
    words: '',
    wordsMax: 0,
    flags: [
      { name: 'bars', placeholder: 'SYMBOL', meaning: 'prices of this symbol: bars of a minute, older ones longer' },
      { name: 'equity', placeholder: null, meaning: 'worth of the account in USD, minute by minute' },
      { name: 'fills', placeholder: null, meaning: 'every own fill' },
      { name: 'orders', placeholder: null, meaning: 'orders that have ended' },
      ...timeFlags,
      ...readFlags,
    ],
    notes: [
      'One of --bars, --equity, --fills and --orders, the oldest first. It asks no exchange. A minute in which no desk ' +
        'looked has no bar: seconds says how much time a bar covers, looks how often its price was seen.',
      'Example: pitdesk history export --bars BTC-USD --from 2026-11-01 --csv',
    ],
    load: async () => (await import('./history.ts')).runHistoryExport,
  },
  {
    kind: 'parsed',
    name: 'journal',
    summary: 'every write and its outcome, from the journal on this machine',
    words: '',
    wordsMax: 0,
    flags: [
      { name: 'open', placeholder: null, meaning: 'only writes whose outcome is unknown' },
      { name: 'since', placeholder: 'TIME', meaning: 'not older than this, as for --from: 90m, 12h, 7d, 2026-11-20' },
      ...formFlags,
      { name: 'profile', placeholder: 'NAME', meaning: 'only this profile (all)' },
    ],
    notes: ['It asks no exchange, and shows what other desks on this machine have written too.'],
    load: async () => (await import('./journal.ts')).runJournal,
  },
]

/** One-shot reads of the payment gateway. */
export const gatewayRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'eligibility',
    summary: 'currencies, regions and payment methods of the payment gateway',
    words: 'currencies|regions|payment-methods',
    wordsMax: 1,
    wordChoices: ['currencies', 'regions', 'payment-methods'],
    flags: [
      { name: 'all', placeholder: null, meaning: 'with regions: also those that do not allow buying' },
      ...readFlags,
    ],
    notes: [
      'The gateway is gateway_base_url of the profile or PITDESK_GATEWAY_BASE_URL; its key is PITDESK_PARTNER_KEY, ' +
        'partner_key_file or partner_key_command.',
    ],
    load: async () => (await import('./eligibility.ts')).runEligibility,
  },
]
