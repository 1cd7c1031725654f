import { err, ok, type Result } from '../../base/result.ts'
import { type FeedName, feeds } from '../../domain/desk/feeds.ts'
import { orderStatuses } from '../../domain/orders/order.ts'
import { pnlFields } from '../../domain/positions/pnl-fields.ts'
import { costMethods } from '../../domain/positions/position.ts'
import type { Fields } from '../cli/exit-codes.ts'
import type { Pages, Reading } from '../cli/output.ts'
import { accountReads } from '../read/account.ts'
import { marketReads } from '../read/market.ts'
import { orderReads } from '../read/orders.ts'
import { readPnl } from '../read/pnl.ts'
import type { Read } from '../read/read-command.ts'
import { checkTimes } from '../read/report-period.ts'
import * as account from '../schema/account.ts'
import { type JsonSchema, text, whole, word } from '../schema/kinds.ts'
import * as trading from '../schema/trading.ts'
import { type Asking, asArguments, endingFault, type Input, type Tool, type ToolFault, usageFault } from './tool.ts'

export const symbolInput = { ...text('a symbol, such as BTC-USD'), maxLength: 40 }
const currencyInput = { ...text('a currency, such as BTC'), maxLength: 20 }
const timeText = 'UTC: 2026-11-20, 2026-11-20T14:00, today, yesterday, 7d (so long back)'
export const timeInputs: Readonly<Record<string, JsonSchema>> = {
  from: { ...text(`not older than this, ${timeText}`), maxLength: 40 },
  to: { ...text(`not newer than this, ${timeText}`), maxLength: 40 },
}
const idInput = { ...text('an id of the exchange: digits'), pattern: '^\\d{1,19}$' }

type Shape = Pick<Tool, 'name' | 'title' | 'about' | 'input' | 'required'> & {
  feed?: FeedName
  /** Fields that the command takes as words. */
  words?: readonly string[]
  schema: JsonSchema
}

/** Data that is not a feed of a desk seldom changes. */
const usualStaleMs = 60_000

const commonOf = ({ feed, words: _words, schema: _schema, ...row }: Shape) => ({
  ...row,
  from: 'exchange' as const,
  staleAfterMs: feed === undefined ? usualStaleMs : feeds[feed].staleAfterMs,
})

/** Reads the same as the matching command. */
async function readingOf<Query>(
  read: Read<Query>,
  shape: Shape,
  input: Input,
  asking: Asking,
): Promise<Result<Reading, ToolFault>> {
  const { agent, signal, note } = asking
  const query = read.query(asArguments(input, shape.words), agent.tools.clock.wallMs())
  if (!query.ok) return err(usageFault(query.error))
  const io = { ...agent.io, printError: note }
  const context = { form: 'json', io, signal, onPage: () => undefined, leftOut: note } as const
  const reading = await read.fetch(query.value, agent.session, context)
  return 'code' in reading ? err(endingFault(reading)) : ok(reading)
}

const listTool = <Query>(read: Read<Query>, shape: Shape, more: Input = {}): Tool => ({
  ...commonOf(shape),
  kind: 'list',
  item: shape.schema,
  async pages({ limit: _limit, cursor: _cursor, ...input }, asking) {
    // It is read during the lifetime of its cursor, which is longer than this question's.
    const signal = asking.agent.io.signal
    const reading = await readingOf(read, shape, { ...input, ...more }, { ...asking, signal })
    return reading.ok ? ok(pagesOf(reading.value)) : reading
  },
})

const pagesOf = (reading: Reading): Pages => (reading.kind === 'list' ? reading.pages : [reading.rows])

const oneTool = <Query>(read: Read<Query>, shape: Shape, usual: Input = {}): Tool => ({
  ...commonOf(shape),
  kind: 'one',
  value: shape.schema,
  async read(input, asking) {
    const reading = await readingOf(read, shape, { ...usual, ...input }, asking)
    if (!reading.ok) return reading
    return reading.value.kind === 'one' ? ok(valueIn(reading.value.value)) : err(usageFault('the answer is a list'))
  },
})

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const valueIn = (value: unknown): Fields => (isFields(value) ? value : {})

const pnlTool: Tool = {
  ...{ kind: 'one', name: 'pnl', title: 'Positions and P&L', from: 'exchange', staleAfterMs: usualStaleMs },
  about:
    'Positions at cost, realized and unrealized P&L in USD, fees apart, by currency and symbol. Made of the whole ' +
    'history of the account: the first answer may take a minute. What is unknown is said in "missing" and in none of ' +
    'the sums.',
  input: { ...timeInputs, method: word(costMethods, 'how sales meet lots (as set)') },
  value: account.pnl,
  async read(input, { agent, signal, note }) {
    const { clock } = agent.tools
    const given = asArguments(input)
    const times = checkTimes(given)
    if (!times.ok) return err(usageFault(times.error))
    const context = { clock, io: agent.io, signal, onPage: () => undefined }
    const read = await readPnl(given, agent.session, context, async ({ pnl }) => pnl)
    if (!read.ok) return err({ kind: read.error.isUsage ? 'usage' : 'failed', message: read.error.sentence })
    for (const sentence of read.value.faults) note(sentence)
    return ok(pnlFields(read.value, null))
  },
}

const { symbols, tickers, book } = marketReads
const { fees, balances, deposits, withdrawals, whitelist } = accountReads

/** Reads of the market and of the account, each the same as a command's. */
export const readTools: readonly Tool[] = [
  listTool(symbols, {
    ...{ name: 'symbols', title: 'Symbols', about: 'The symbols with their trading rules and states.' },
    ...{ input: { symbol: symbolInput }, schema: trading.symbol },
  }),
  oneTool(
    book,
    {
      ...{ name: 'book', title: 'Order book', about: 'The order book of a symbol, best prices first.', feed: 'book' },
      input: {
        symbol: symbolInput,
        level: { type: 'integer', enum: [2, 3], description: 'by price (2, usual) or order by order (3)' },
        depth: { ...whole('entries a side (20)'), minimum: 1, maximum: 200 },
      },
      ...{ required: ['symbol'], schema: trading.book },
    },
    { depth: 20 },
  ),
  listTool(tickers, {
    ...{ name: 'tickers', title: 'Tickers', about: 'Last prices and 24-hour volumes.', feed: 'tickers' },
    ...{ input: { symbol: symbolInput }, schema: trading.ticker },
  }),
  listTool(
    orderReads.orders,
    {
      ...{ name: 'orders', title: 'Orders', feed: 'orders' },
      about: 'Working orders of the account, or with status those in another state, the newest first.',
      input: { symbol: symbolInput, status: word(orderStatuses, 'orders in this state'), ...timeInputs },
      schema: trading.order,
    },
    { all: true },
  ),
  oneTool(orderReads.show, {
    ...{ name: 'order', title: 'One order', about: 'One order by its id.', feed: 'orders' },
    ...{ input: { id: idInput }, required: ['id'], words: ['id'], schema: trading.order },
  }),
  listTool(
    orderReads.fills,
    {
      ...{ name: 'fills', title: 'Fills', about: 'Executions of the account, the newest first.', feed: 'fills' },
      ...{ input: { symbol: symbolInput, ...timeInputs }, schema: trading.fill },
    },
    { all: true },
  ),
  listTool(
    orderReads.trades,
    {
      ...{ name: 'trades', title: 'Trades', feed: 'fills' },
      about: 'Orders that have filled, wholly or in part, the newest first.',
      ...{ input: { symbol: symbolInput, ...timeInputs }, schema: trading.order },
    },
    { all: true },
  ),
  pnlTool,
  listTool(balances, {
    ...{ name: 'balances', title: 'Balances', about: 'Balances of the account.', feed: 'balances' },
    ...{ input: { currency: currencyInput }, schema: account.balance },
  }),
  oneTool(fees, {
    ...{ name: 'fees', title: 'Fee rates', about: 'Fee rates as fractions: 0.002 is 0.2%.' },
    ...{ input: {}, schema: account.fees },
  }),
  listTool(deposits, {
    ...{ name: 'deposits', title: 'Deposits', about: 'Deposits.' },
    ...{ input: timeInputs, schema: account.deposit },
  }),
  listTool(withdrawals, {
    ...{ name: 'withdrawals', title: 'Withdrawals', about: 'Withdrawals, as the exchange has them.' },
    ...{ input: timeInputs, schema: account.withdrawal },
  }),
  listTool(whitelist, {
    ...{ name: 'whitelist', title: 'Whitelist', about: 'The beneficiaries that withdrawals may go to.' },
    ...{ input: { currency: currencyInput }, schema: account.whitelistEntry },
  }),
]
