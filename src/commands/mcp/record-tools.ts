import { err, ok, type Result } from '../../base/result.ts'
import { openDrafts, openOrderDrafts } from '../../desk/account/account.ts'
import { accountJournalFolder } from '../../desk/account/account-folder.ts'
import { dutyPlace, seeWatch } from '../../desk/duties/duty-place.ts'
import { isHubToken } from '../../desk/wiring/behind-hub.ts'
import { watchFields } from '../../domain/desk/duties.ts'
import { Decimal } from '../../domain/money.ts'
import { aged, isListed } from '../../domain/orders/drafted-order.ts'
import { type HistoryFile, openHistory } from '../../history/history-file.ts'
import { JournalError } from '../../journal/entry.ts'
import { readSymbol, readTime, readTimes } from '../cli/arguments.ts'
import type { Fields } from '../cli/exit-codes.ts'
import type { Pages } from '../cli/output.ts'
import { draftFields } from '../read/account.ts'
import { historyLists, type Kept, unreadableText } from '../read/history.ts'
import { accountEntries } from '../read/journal.ts'
import { orderDraftFields } from '../read/order-drafts.ts'
import * as account from '../schema/account.ts'
import { amount, flag, type JsonSchema, listOf, maybe, rowOf, text, time, whole } from '../schema/kinds.ts'
import { watchStatus } from '../schema/other.ts'
import * as trading from '../schema/trading.ts'
import { type Agent, isAtHub } from './agent.ts'
import { rowsMax } from './lists.ts'
import { symbolInput, timeInputs } from './read-tools.ts'
import { type Asking, asArguments, type Input, type Tool, type ToolFault, usageFault } from './tool.ts'

/** Records are as new as the desk that wrote them: their age is given, but they never count as stale. */
const ofRecords = { from: 'records', staleAfterMs: Number.MAX_SAFE_INTEGER } as const

const failedFault = (message: string): ToolFault => ({ kind: 'failed', message })

/** Reads from the account's history, and closes it: no file stays open while the next page is awaited. */
function takenRows(file: HistoryFile, rows: Iterable<Fields>): Pages {
  const taken: Fields[] = []
  try {
    for (const row of rows) {
      taken.push(row)
      if (taken.length > rowsMax) break
    }
  } finally {
    file.close()
  }
  return [taken]
}

function historyTool(
  name: keyof typeof historyLists,
  shape: Pick<Tool, 'title' | 'about' | 'input' | 'required'> & { item: JsonSchema },
): Tool {
  const { item, ...row } = shape
  return {
    ...{ kind: 'list', name: `history_${name}`, ...ofRecords, ...row, item },
    async pages(input, { agent, note }) {
      const given = asArguments(input)
      const times = readTimes(given, agent.tools.clock.wallMs())
      if (!times.ok) return err(usageFault(times.error))
      const kept = keptOf(name, input)
      if (!kept.ok) return kept
      const file = openHistory(agent.account.folder, { isReadOnly: true })
      if (!file.ok) return err(failedFault(file.error.message))
      const { fromMs = 0, toMs = Number.MAX_SAFE_INTEGER } = times.value
      if (name === 'fills' && !file.value.isFillsWhole) note('Not all fills have been read from the exchange yet.')
      if (name === 'fills' && file.value.unreadableFills > 0) note(`Left out: ${unreadableText(file.value)}.`)
      return ok(takenRows(file.value, kept.value.rows(file.value, { fromMs, toMs })))
    },
  }
}

function keptOf(name: keyof typeof historyLists, input: Input): Result<Kept, ToolFault> {
  const list = historyLists[name]
  if (typeof list !== 'function') return ok(list)
  const symbol = readSymbol(asArguments(input).value('symbol'))
  if (!symbol.ok || symbol.value === undefined) return err(usageFault('symbol missing, such as BTC-USD'))
  return ok(list(symbol.value))
}

const historySize: Tool = {
  ...{ kind: 'one', name: 'history', title: 'What is recorded', ...ofRecords, input: {} },
  about: 'How much desks on this machine recorded of the account: prices, equity, fills, ended orders.',
  value: account.historySize,
  read(_input, { agent }) {
    const file = openHistory(agent.account.folder, { isReadOnly: true })
    if (!file.ok) return Promise.resolve(err(failedFault(file.error.message)))
    try {
      const { path, isFillsWhole } = file.value
      return Promise.resolve(ok({ path, ...file.value.size(), isFillsWhole }))
    } finally {
      file.value.close()
    }
  },
}

const journalTool: Tool = {
  ...{ kind: 'list', name: 'journal', title: 'Journal', ...ofRecords },
  about:
    'Every write that desks and commands on this machine sent to this account, and its outcome, the oldest first. A ' +
    'result that begins with UNKNOWN may be live.',
  input: {
    open: flag('only writes whose outcome is unknown'),
    since: { ...text('not older than this: 90m, 12h, 7d, 2026-11-20; 7d unless given'), maxLength: 40 },
  },
  item: account.journalEntry,
  async pages(input, { agent, note }) {
    const given = asArguments({ since: input.open === true ? '0' : '7d', ...input })
    const isOpenOnly = given.has('open')
    const since = isOpenOnly && input.since === undefined ? ok(0) : readTime(given, 'since', agent.tools.clock.wallMs())
    if (!since.ok) return err(usageFault(since.error))
    const { profileName } = agent.account
    const taken: Fields[] = []
    const folder = accountJournalFolder(agent.account)
    const wanted = { sinceMs: since.value ?? 0, isOpenOnly }
    for await (const rows of accountEntries(folder, profileName, wanted, note)) {
      taken.push(...rows)
      if (taken.length > rowsMax) break
    }
    return ok([taken])
  },
}

const bounds = (about: string, unit: (text: string) => JsonSchema) =>
  rowOf({ soft: maybe(unit('needs confirmation from here on')), hard: maybe(unit('at most')) }, about)
const usd = (about: string) => amount(`${about}, USD`)
const orderLimits = {
  orderNotionalUsd: bounds('value of one order', usd),
  dayNotionalUsd: bounds('value of the day: fills, what works, and the order', usd),
  openOrders: bounds('working orders', whole),
  collarPercent: bounds('distance of the price from the mid, percent of the mid', (about) => amount(about)),
  duplicateWithinMs: whole('a duplicate within this time is blocked, ms; 0: never'),
}

const limitsSchema = rowOf({
  ...orderLimits,
  perSymbol: listOf(
    rowOf({
      symbol: text('for this symbol'),
      ...Object.fromEntries(Object.entries(orderLimits).map(([name, schema]) => [name, maybe(schema)])),
    }),
    'what counts for a symbol in the place of the general limits, or beside them',
  ),
  withdrawals: rowOf({
    dayUsd: bounds('value of all that leaves on a UTC day', usd),
    dayPerCurrency: listOf(
      rowOf({ currency: text('the currency'), ...{ soft: maybe(amount('in it')), hard: maybe(amount('in it')) } }),
    ),
    approval: text('never, always, or the value in USD from which a second person has to agree'),
  }),
})

/** A limit as JSON: amounts stay amounts, missing ones are left out. */
const plain = (value: unknown): Fields =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {}).flatMap(
      ([name, inner]: [string, unknown]): [string, Fields[string]][] => {
        if (inner === null || inner === undefined || inner instanceof Map) return []
        if (typeof inner === 'number' || typeof inner === 'string' || Decimal.isDecimal(inner)) return [[name, inner]]
        return typeof inner === 'object' ? [[name, plain(inner)]] : []
      },
    ),
  )

const limitsTool: Tool = {
  ...{ kind: 'one', name: 'limits', title: 'Limits', ...ofRecords, input: {} },
  about: 'The limits of this profile, which every order and withdrawal is checked against before a person can send it.',
  value: limitsSchema,
  read(_input, { agent }) {
    const { perSymbol, withdrawals, ...general } = agent.session.settings.limits
    const { approval, dayPerCurrency, dayUsd } = withdrawals
    return Promise.resolve(
      ok({
        ...plain(general),
        perSymbol: [...perSymbol].map(([symbol, limits]) => ({ symbol, ...plain(limits) })),
        withdrawals: {
          dayUsd: plain(dayUsd),
          dayPerCurrency: [...dayPerCurrency].map(([currency, each]) => ({ currency, ...plain(each) })),
          approval: approval.kind === 'fromUsd' ? approval.usd.toFixed() : approval.kind,
        },
      }),
    )
  },
}

const orderDraftsTool: Tool = {
  ...{
    kind: 'list',
    name: 'order_drafts',
    title: 'Drafts of orders',
    ...ofRecords,
    input: {},
    item: trading.orderDraft,
  },
  about:
    'Drafts of orders on this machine, and what became of them within a day. Only a person sends one, in the desk.',
  async pages(_input, { agent }) {
    const nowMs = agent.tools.clock.wallMs()
    const drafts = await openOrderDrafts(agent.account, agent.tools).read()
    if (!drafts.ok) return err(failedFault(drafts.error))
    const listed = drafts.value.map((draft) => aged(draft, nowMs)).filter((draft) => isListed(draft, nowMs))
    return ok([listed.map((draft) => orderDraftFields(draft, nowMs))])
  },
}

const withdrawalDraftsTool: Tool = {
  ...{ kind: 'list', name: 'withdrawal_drafts', title: 'Drafts of withdrawals', ...ofRecords, input: {} },
  about: 'Drafts of withdrawals, of this machine or of the hub. Only a person sends one, in the desk.',
  item: account.withdrawalDraft,
  async pages(_input, { agent, signal, note }) {
    if (isHubToken(agent.session.token)) {
      const { drafts, unreadable } = await agent.session.client.fetchHubDrafts(signal)
      for (const { reason } of unreadable) note(`A draft of the hub cannot be read: ${reason}.`)
      return ok([drafts.map(draftFields)])
    }
    const drafts = await openDrafts(agent.account, agent.tools).read()
    return drafts.ok ? ok([drafts.value.map(draftFields)]) : err(failedFault(drafts.error))
  },
}

const ages = listOf(
  rowOf({
    tool: text('the tool'),
    readAt: time('when its last answer was read'),
    ageMs: whole('how old that is now, ms'),
    isStale: flag('whether that is too old to act by'),
  }),
  'what was read in this session',
)
const statusTool: Tool = {
  ...{ kind: 'one', name: 'status', title: 'Status', ...ofRecords, input: {} },
  about:
    'Which account this is, whether it is play money, whether a desk or a watch runs on it, how many writes have an ' +
    'unknown outcome, how old what was read is, and how many calls are allowed. Asks no exchange.',
  value: rowOf({
    profile: text('the profile'),
    exchange: maybe(text('its address')),
    isPractice: flag('true: play money'),
    isReadOnly: flag('true: the profile only watches, and nothing can be drafted'),
    isHub: flag('true: a hub is between, which answers for the exchange'),
    isDeskBeside: flag('true: a desk or a watch of the account runs on this machine'),
    watch: maybe(watchStatus),
    callsPerSecond: text('calls a second that are allowed just now'),
    restMs: whole('no calls for so long, because the exchange refused one for being one too many, ms'),
    exchangeAheadMs: maybe(whole("how far the exchange's clock is ahead of this machine's, ms")),
    unknownWrites: maybe(whole('writes that may be live: see journal with open; missing: the journal cannot be read')),
    ages,
  }),
  async read(_input, { agent, note }) {
    const { session, pace } = agent
    const { callsPerSecond, isDeskBeside, restMs } = pace.reading()
    const skewMs = session.skewMs()
    return ok({
      profile: session.settings.profileName,
      exchange: agent.account.address,
      isPractice: session.settings.venueKind === 'practice',
      isReadOnly: session.settings.isMonitor,
      isHub: isAtHub(agent),
      isDeskBeside,
      watch: await watchOf(agent, note),
      ...{ callsPerSecond: `${callsPerSecond}`, restMs: Math.round(restMs) },
      exchangeAheadMs: skewMs === null ? null : Math.round(skewMs),
      unknownWrites: await unknownCount(agent, note),
      ages: agesOf(agent),
    })
  },
}

async function watchOf({ account: of, tools }: Agent, note: Asking['note']): Promise<Fields | null> {
  const watch = await seeWatch(dutyPlace(of))
  if (!watch.ok) note(`Whether a watch runs cannot be seen: ${watch.error}.`)
  return !watch.ok || watch.value === null ? null : watchFields(watch.value.status, tools.clock.wallMs())
}

async function unknownCount(agent: Agent, note: Asking['note']): Promise<number | null> {
  try {
    let count = 0
    const wanted = { sinceMs: 0, isOpenOnly: true }
    for await (const rows of accountEntries(accountJournalFolder(agent.account), '', wanted, note)) count += rows.length
    return count
  } catch (error) {
    if (!(error instanceof JournalError)) throw error
    note(error.message)
    return null
  }
}

function agesOf({ lastReads, tools }: Agent): Fields[] {
  const nowMs = tools.clock.now()
  return [...lastReads].map(([tool, { atMs, staleAfterMs }]) => ({
    tool,
    readAt: Math.round(tools.clock.wallMs() - (nowMs - atMs)),
    ageMs: Math.round(nowMs - atMs),
    isStale: nowMs - atMs > staleAfterMs,
  }))
}

/** Tools for the records on this machine, and its status. */
export const recordTools: readonly Tool[] = [
  statusTool,
  journalTool,
  orderDraftsTool,
  withdrawalDraftsTool,
  limitsTool,
  historySize,
  historyTool('bars', {
    ...{
      title: 'Recorded prices',
      about: 'Prices as desks recorded them, the oldest first: bars of a minute, older ones longer.',
    },
    ...{ input: { symbol: symbolInput, ...timeInputs }, required: ['symbol'], item: account.bar },
  }),
  historyTool('equity', {
    ...{ title: 'Recorded equity', about: 'Worth of the account in USD as desks recorded it, the oldest first.' },
    ...{ input: timeInputs, item: account.equity },
  }),
  historyTool('fills', {
    ...{ title: 'Recorded fills', about: 'Every own fill that desks recorded, the oldest first.' },
    ...{ input: timeInputs, item: trading.fill },
  }),
  historyTool('orders', {
    ...{ title: 'Recorded orders', about: 'Orders that have ended, as desks recorded them, the oldest first.' },
    ...{ input: timeInputs, item: trading.plainOrder },
  }),
]
