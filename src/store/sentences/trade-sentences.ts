import { err, ok, type Result } from '../../base/result.ts'
import { toCompare } from '../../base/text/plain-text.ts'
import { dayMs, utcDayStart, utcSecond } from '../../base/text/time-text.ts'
import { readAmountText, readShortAmount, splitCurrency } from '../../domain/amount-text.ts'
import { mayPlace } from '../../domain/desk/mode.ts'
import { otherNameOf } from '../../domain/market/other-names.ts'
import { type PeriodAsked, readPeriod } from '../../domain/statement/movement.ts'
import type { WhitelistEntry } from '../../domain/transfers/transfer.ts'
import { exchangeNow } from '../clock.ts'
import type { DeskState } from '../desk.ts'
import type { StatementForm } from '../exports.ts'
import { modeSentence } from '../mode.ts'
import { depositCurrencies, hasNoAddress } from '../transfers/deposit-commands.ts'
import type { WithdrawForm } from '../transfers/withdraw.ts'
import { beneficiariesOf, withdrawCurrencies } from '../transfers/withdraw-reading.ts'
import { asked, type Reading, type SentenceReader, wordsOf, wrong } from './sentence.ts'

/** An example sentence with an existing entry: of the currency, else of any; with the given amount if it is certain. */
function withdrawHint(state: DeskState, code: string, amount: string | null = null): string {
  const entries = beneficiariesOf(state, code, '')
  const [entry] = entries.length > 0 ? entries : (state.whitelist.value ?? [])
  if (entry === undefined) return "No whitelist entry yet: add one on the exchange's web page."
  const to = /\s/.test(entry.name) || entry.name === '' ? entry.whitelistId : entry.name
  const currency = (entry.currency ?? code).toLowerCase()
  if (amount !== null) {
    if (entries.length === 0) return noEntries(code)
    const others = entries.length > 1 ? ` ${code} has ${entriesText(entries)}.` : ''
    return `Say: withdraw ${amount} ${currency} to ${to}.${others}`
  }
  return `Say: withdraw 0.5 ${currency} to ${to}, or withdraw all ${currency} to ${to}.`
}

const noEntries = (currency: string): string =>
  `No whitelist entry for ${currency}: add entries on the exchange's web page.`

const entriesText = (entries: readonly WhitelistEntry[]): string =>
  entries
    .map(({ name, whitelistId }) => `${name} (${whitelistId})`)
    .slice(0, 6)
    .join(', ')

/** The entry with this id or whole name; the id precedes. An error text for several or none. */
function readBeneficiary(text: string, entries: readonly WhitelistEntry[], currency: string): WhitelistEntry | string {
  const named = toCompare(text)
  const byId = entries.find(({ whitelistId }) => toCompare(whitelistId) === named)
  if (byId !== undefined) return byId
  const byName = entries.filter(({ name }) => toCompare(name) === named)
  const [only, ...others] = byName
  if (only !== undefined && others.length === 0) return only
  if (only !== undefined) {
    const ids = byName.map(({ whitelistId }) => whitelistId)
    return `${byName.length} entries are called ${only.name}: say the id, ${ids.join(' or ')}.`
  }
  return entries.length === 0
    ? noEntries(currency)
    : `No whitelist entry ${text} for ${currency}. It has ${entriesText(entries)}.`
}

function withdrawReading(form: Partial<WithdrawForm>, lines: readonly string[]): Reading {
  return {
    kind: 'understood',
    lines,
    enter: 'fills the form; nothing is sent',
    run: (commands) => commands.openWithdraw(form),
  }
}

/** `: XBT is BTC here`, for a currency with another name elsewhere. */
function otherCode(code: string, currencies: readonly string[]): string {
  const other = otherNameOf(code)?.toUpperCase()
  return other !== undefined && currencies.includes(other) ? `: ${code.toUpperCase()} is ${other} here` : ''
}

/** Words for the whole balance. */
const allWords = ['all', 'max', 'everything']
/** A number joined with its currency, `0.5btc`, `1kusd`. */
const joined = /^([.,\d]+[km](?=[a-z]{3})|[.,\d]+)([a-z]{2,10})$/i
/** A share of the balance, or a part of one coin: only the user knows which. */
const shareWord = /^(half|quarter|third|[.,\d]+%)$/i
const thousands = /^\p{Sc}?[.,\d]+[km]$/iu

/** The amount of a withdrawal; thousands such as `1k` only in counter currencies. */
function readWithdrawn(text: string, currency: string, state: DeskState): ReturnType<typeof readAmountText> {
  const use = { what: 'amount', unit: currency === '' ? null : currency } as const
  const isPaidIn = [...(state.instruments.value?.values() ?? [])].some(({ counter }) => counter === currency)
  return isPaidIn && thousands.test(text) ? readShortAmount(text, use) : readAmountText(text, use)
}

/** Why a text is not an amount to withdraw, if there is more to say than that; otherwise null. */
function whyNoAmount(text: string): string | null {
  if (shareWord.test(text)) return `"${text}" of what is not certain: type the amount itself.`
  return thousands.test(text) ? `Type all digits of the amount: "${text}" is not one.` : null
}

/** The words after `withdraw` in order: also for `0.5btc to NAME`, `btc 0.5 to NAME` and `all of my btc to NAME`. */
function withdrawWords(line: string, state: DeskState): string[] {
  const currencies = withdrawCurrencies(state, '')
  const [, ...typed] = line.trim().split(/\s+/)
  const toAt = typed.findIndex((word) => word.toLowerCase() === 'to')
  const before = toAt === -1 ? typed : typed.slice(0, toAt)
  const said = before
    .filter((word) => !['of', 'my', 'the'].includes(word.toLowerCase()))
    .filter((word, at) => at > 0 || !/^an?$/i.test(word))
    .flatMap((word) => joined.exec(word)?.slice(1) ?? [word])
  const [first = '', second = ''] = said
  const isTurned =
    currencies.includes(first.toUpperCase()) && (/\d/.test(second) || allWords.includes(second.toLowerCase()))
  const [amount = '', named = '', ...rest] = isTurned ? [second, first, ...said.slice(2)] : said
  // `$500` alone implies its currency.
  const code = named === '' && /^\p{Sc}/u.test(amount) ? (splitCurrency(amount).currency ?? '') : named
  const behind = toAt === -1 ? rest : [...rest, ...typed.slice(toAt)]
  return amount === '' && behind.length === 0 ? [] : [amount, code, ...behind]
}

/** The digits of the amount to withdraw, or `all`; an error is the reading of the line. */
function amountToWithdraw(text: string, currency: string, state: DeskState): Result<string, Reading> {
  if (allWords.includes(text.toLowerCase())) return ok('all')
  const hint = withdrawHint(state, currency)
  const read = readWithdrawn(text, currency, state)
  if (read.ok) return read.value.gt(0) ? ok(read.value.toFixed()) : err(wrong('The amount must be above zero.', hint))
  const { kind, text: fault } = read.error
  // For an ambiguous amount only its readings are shown: they are the remedy.
  if (kind === 'ambiguous') return err(wrong(`The amount ${fault}.`))
  const why = kind === 'unreadable' ? whyNoAmount(text) : null
  if (why !== null) return err(wrong(why, withdrawHint(state, currency, 'AMOUNT')))
  return err(wrong(`${kind === 'currency' ? '' : 'The amount '}${fault}.`, hint))
}

const incomplete = (missing: string, hint: string): Reading => ({
  ...wrong(`Incomplete: ${missing}`, hint),
  isIncomplete: true,
})

function readWithdrawal(line: string, state: DeskState): Reading {
  const words = withdrawWords(line, state)
  const [amountText = '', code = '', to, ...name] = words
  if (words.length === 0) return withdrawReading({}, ['Open the withdrawal form.'])
  const currency = code.toUpperCase()
  const amount = amountToWithdraw(amountText, currency, state)
  if (!amount.ok) return amount.error
  if (currency === '') return incomplete('currency missing.', withdrawHint(state, currency))
  const currencies = withdrawCurrencies(state, '')
  if (!currencies.includes(currency))
    return wrong(
      `No ${currency} to withdraw${otherCode(code, currencies)}. Currencies: ${currencies.slice(0, 8).join(', ')}.`,
    )
  if (to?.toLowerCase() !== 'to' || name.length === 0)
    return incomplete('beneficiary missing.', withdrawHint(state, currency, amount.value))
  if (state.whitelist.value === null) return wrong('The whitelist is not loaded yet: wait.')
  const entry = readBeneficiary(name.join(' '), beneficiariesOf(state, currency, ''), currency)
  if (typeof entry === 'string') return wrong(entry)
  const isAll = amount.value === 'all'
  const what = isAll ? `all available ${currency}, less the fee,` : `${amount.value} ${currency}`
  const form: Partial<WithdrawForm> = {
    currency,
    whitelistId: entry.whitelistId,
    how: isAll ? 'all' : 'amount',
    amountText: isAll ? '' : amount.value,
  }
  return withdrawReading(form, [`Withdraw ${what} to ${entry.name} (${entry.whitelistId}).`])
}

export const withdrawSentence: SentenceReader = {
  name: 'withdraw',
  help: 'fills the form, sends nothing: 0.5 btc to NAME',
  example: 'withdraw',
  starts: ['withdraw'],
  read(line, state) {
    if (wordsOf(line)[0] !== 'withdraw') return null
    return state.mode.kind === 'MONITOR' ? wrong(modeSentence(state)) : readWithdrawal(line, state)
  },
  words(line, state) {
    const words = wordsOf(line)
    if (words.length <= 2) return ['all']
    if (words.length === 3) return withdrawCurrencies(state, '')
    if (words.length === 4) return ['to']
    const entries = beneficiariesOf(state, (words[2] ?? '').toUpperCase(), '')
    return entries.map(({ name, whitelistId }) => (/\s/.test(name) || name === '' ? whitelistId : name))
  },
}

export const depositSentence: SentenceReader = {
  name: 'deposit',
  help: 'the deposit address of a currency',
  example: 'deposit btc',
  starts: ['deposit'],
  read(line, state) {
    const [first, code, ...rest] = wordsOf(line)
    if (first !== 'deposit') return null
    if (!mayPlace(state.mode)) return wrong(modeSentence(state))
    if (code === undefined)
      return {
        kind: 'understood',
        lines: ['Choose a currency to deposit.'],
        enter: 'lists the currencies',
        run: (commands) => commands.openDeposit(),
      }
    const currency = code.toUpperCase()
    const known = depositCurrencies(state, '')
    if (rest.length === 0 && hasNoAddress(currency))
      return wrong(
        `${currency} has no deposit address here. Currencies that have one: ${known.slice(0, 8).join(', ')}.`,
      )
    if (rest.length > 0 || !known.includes(currency))
      return wrong(
        `Unknown currency ${[code, ...rest].join(' ').toUpperCase()}. Currencies: ${known.slice(0, 8).join(', ')}.`,
      )
    return {
      kind: 'understood',
      lines: [`Show the deposit address of ${currency}.`],
      enter: 'asks the exchange for it',
      run: (commands) => commands.askDepositAddress(currency),
    }
  },
  words: (_, state) => depositCurrencies(state, ''),
}

/** `7 days`, `last 30 days`. */
const spanInWords = /^(?:(?:the )?(?:last|past) )?(\d{1,4}) ?([dhw])(?:ays?|ours?|eeks?)$/

const forms: readonly StatementForm[] = ['csv', 'json']

const day = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/** A period in words before the request, with whole days. */
function periodSaid({ fromMs, toMs }: PeriodAsked, nowMs: number): string {
  const isDay = fromMs === utcDayStart(fromMs) && toMs !== null && toMs % dayMs === dayMs - 1
  if (fromMs === 0) return 'from the first entry to now'
  const last = isDay ? day(toMs) : toMs === null ? 'now' : utcSecond(toMs)
  const soFar = toMs !== null && toMs > nowMs ? ', so far' : ''
  return `from ${isDay ? day(fromMs) : utcSecond(fromMs)} to ${last} (UTC)${soFar}`
}

function readStatement(line: string, state: DeskState): Reading | null {
  const [first, ...words] = wordsOf(line)
  if (first !== 'statement') return null
  const saidForm = forms.find((each) => each === words.at(-1))
  const times = saidForm === undefined ? words : words.slice(0, -1)
  const form = saidForm ?? 'csv'
  const [, count, unit = ''] = spanInWords.exec(times.join(' ')) ?? []
  if (count !== undefined) {
    const meant = [first, count + unit, ...(saidForm === undefined ? [] : [saidForm])].join(' ')
    return asked(['A time so long back is one word: 7d, 12h, 2w.'], [meant])
  }
  if (times.length > 2)
    return wrong('Say the first and the last day: statement 2026-11-01 2026-11-20, and json for JSON.')
  const nowMs = exchangeNow(state)
  const period = readPeriod(times, nowMs)
  if (!period.ok) return wrong(`${period.error}.`)
  return {
    kind: 'understood',
    lines: [
      `Deposits, withdrawals, fills and fees ${periodSaid(period.value, nowMs)}, added up by currency.`,
      'Compared with the balances; it reports any difference.',
    ],
    enter: `writes a ${form === 'csv' ? 'CSV' : 'JSON'} file and says where it is`,
    run: (commands) => commands.exportStatement(period.value, form),
  }
}

/** Likely days: the first of this month, and today; by the exchange's clock, like the sentence. */
function statementWords(line: string, state: DeskState): readonly string[] {
  const typed = line.trimStart().split(/\s+/).length
  if (typed > 3) return forms
  const today = day(exchangeNow(state))
  return typed === 3 ? [today] : [`${today.slice(0, 7)}-01`, today]
}

export const statementSentence: SentenceReader = {
  name: 'statement',
  help: 'deposits, withdrawals, fills and fees between two days, as a file',
  example: 'statement 2026-11-01 2026-11-20',
  starts: ['statement'],
  read: readStatement,
  words: statementWords,
}
