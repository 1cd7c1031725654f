import { someNamed } from '../../base/text/plain-text.ts'
import { dayMs, utcText } from '../../base/text/time-text.ts'
import { readWrittenTime } from '../../base/text/written-time.ts'
import { readAmountText, readShortAmount } from '../../domain/amount-text.ts'
import { areApart } from '../../domain/apart.ts'
import { type Decimal, exactProduct, formatGrouped, zero } from '../../domain/money.ts'
import type { StatedCost } from '../../domain/positions/position.ts'
import { costDay, costText } from '../../domain/positions/stated-costs.ts'
import { wallNow } from '../clock.ts'
import type { DeskState } from '../desk.ts'
import { unitValue } from '../positions.ts'
import { asked, type Reading, type SentenceReader, wrong } from './sentence.ts'

const costHint =
  'Say: cost btc 0.5 @ 60000 (USD for 1 BTC). A day after it, such as 2026-11-01, means what was held then; ' +
  'cost btc lists stated costs.'
/** For an ambiguous amount only its readings are shown. */
const hintFor = (kind: string): string[] => (kind === 'ambiguous' ? [] : [costHint])

/** Currencies that may have a cost: all held or traded ones except USD. */
function costCurrencies(state: DeskState): string[] {
  const held = (state.balances.value ?? []).map(({ currency }) => currency)
  const traded = [...(state.instruments.value?.values() ?? [])].map(({ base }) => base)
  return [...new Set([...held, ...traded])].filter((currency) => currency !== 'USD')
}

/** The moment of a day's holdings: its last millisecond, or now. A text is an error. */
function readMoment(day: string | undefined, nowMs: number): number | string {
  if (day === undefined) return nowMs
  const read = readWrittenTime(day, nowMs)
  if (!read.ok) return `${day} ${read.error}.`
  const { startMs, endMs } = read.value
  return startMs > nowMs ? `${day} is not over yet: leave the day out for now.` : Math.min(endMs, nowMs)
}

const forgetWord = 'forget'
/** The last word of a cost that may be a correction: it replaces the one before, or adds to it. */
const placeWords = ['instead', 'also'] as const
type PlaceWord = (typeof placeWords)[number]
/** The last word that confirms a price far from the market. */
const surelyWord = 'exactly'

/** `at the end of 2026-11-01 (UTC)`, or for a moment within a day `at 2026-11-01 14:00:00 UTC`. */
const momentSaid = (atMs: number): string =>
  atMs % dayMs === dayMs - 1 ? `at the end of ${utcText(atMs).slice(0, 10)} (UTC)` : `at ${utcText(atMs)}`

const inAll = ({ quantity, usdEach }: StatedCost): string => {
  const cost = exactProduct(quantity, usdEach)
  return formatGrouped(cost, Math.max(2, cost.decimalPlaces()))
}
/** Replaces the account's amounts in private mode; amounts to be confirmed are shown in full. */
const hidden = '***'

const forDay = (stated: StatedCost): string => `${costText(stated)}, for what was held on ${costDay(stated)} (UTC)`

function understood(stated: StatedCost, when: string, before: StatedCost | null): Reading {
  const counts = `Counts for the oldest ${stated.currency} of unknown cost held ${when}.`
  return {
    kind: 'understood',
    lines: [
      `${costText(stated)}, ${inAll(stated)} USD in all.`,
      ...(before === null ? [counts] : [`In place of ${forDay(before)}.`]),
    ],
    enter: 'keeps it for positions and P&L; nothing is sent',
    run: (commands) => commands.changeCosts({ forget: before === null ? [] : [before], state: stated }),
  }
}

/** Units of a currency held at unknown cost; null while positions are not computed. */
const unknownOf = ({ positions: { reckoned } }: DeskState, currency: string): Decimal | null =>
  reckoned === null
    ? null
    : (reckoned.positions.find((each) => each.currency === currency)?.quantityOfUnknownCost ?? zero)

const statedOf = ({ statedCosts }: DeskState, currency: string): readonly StatedCost[] =>
  statedCosts.filter((each) => each.currency === currency)

/** Maximum costs listed by number: the others are only counted. */
const listedMax = 6

/** A currency's stated costs, and its holdings of unknown cost. */
function listing(currency: string, state: DeskState): Reading {
  const [costs, unknown] = [statedOf(state, currency), unknownOf(state, currency)]
  const { isPrivate } = state.looks
  const shownUnits = (units: Decimal) => (isPrivate ? hidden : units.toFixed())
  const shownCost = (each: StatedCost) =>
    isPrivate ? `${hidden} ${currency}, for what was held on ${costDay(each)} (UTC)` : forDay(each)
  const name = currency.toLowerCase()
  const held =
    unknown === null
      ? `How much ${currency} is held at unknown cost is not computed yet.`
      : unknown.isZero()
        ? `No ${currency} is held at unknown cost.`
        : `${shownUnits(unknown)} ${currency} is held at unknown cost: cost ${name} ${shownUnits(unknown)} @ PRICE states it.`
  const more = costs.length - listedMax
  return {
    kind: 'understood',
    lines: [
      held,
      ...costs.slice(0, listedMax).map((each, at) => `${at + 1}: ${shownCost(each)}.`),
      ...(more > 0 ? [`And ${more} more.`] : []),
      costs.length === 0
        ? 'No cost is stated.'
        : `To take one back: cost ${name} ${forgetWord} ${costs.length > 1 ? 'NUMBER' : ''}`.trim(),
    ],
    enter: 'changes nothing',
    run: () => undefined,
  }
}

/** Removes a stated cost by its number in the list, all of them, or the only one. */
function readForget(currency: string, [which, ...rest]: readonly string[], state: DeskState): Reading {
  const costs = statedOf(state, currency)
  const line = `cost ${currency.toLowerCase()} ${forgetWord}`
  if (rest.length > 0) return wrong(`Not understood: ${rest.join(' ').slice(0, 40)}.`, `Say: ${line} 1`)
  const [only, ...others] = costs
  if (only === undefined) return wrong(`No cost of ${currency} is stated.`)
  if (which === undefined && others.length > 0) {
    const lines = costs.slice(0, listedMax).map((each, at) => `${at + 1}: ${forDay(each)}.`)
    return asked(['Which one?', ...lines], [...lines.map((_, at) => `${line} ${at + 1}`), `${line} all`])
  }
  const isAll = which?.toLowerCase() === 'all'
  const at = /^\d{1,6}$/.test(which ?? '1') ? Number(which ?? 1) : 0
  const one = costs[at - 1]
  if (!isAll && one === undefined)
    return wrong(
      `There is no cost ${which ?? ''} of ${currency}: ${costs.length} ${costs.length === 1 ? 'is' : 'are'} stated.`,
    )
  const forget = isAll || one === undefined ? costs : [one]
  const counted = forget.length === 1 ? [] : [`${forget.length} stated costs in all.`]
  return {
    kind: 'understood',
    lines: [
      ...forget.slice(0, listedMax).map((each) => `Remove: ${forDay(each)}.`),
      ...counted,
      `What it counted for is of unknown cost again.`,
    ],
    enter: 'takes it back for positions and P&L; nothing is sent',
    run: (commands) => commands.changeCosts({ forget, state: null }),
  }
}

function readCost(line: string, state: DeskState): Reading | null {
  const [first = '', ...words] = line.trim().replace(/@/g, ' @ ').split(/\s+/)
  if (first.toLowerCase() !== 'cost') return null
  const known = costCurrencies(state)
  const isName = (word = '') => known.includes(word.toUpperCase())
  // Both `cost btc 0.5` and `cost 0.5 btc`.
  const [code = '', amountText = ''] = !isName(words[0]) && isName(words[1]) ? [words[1], words[0]] : words
  const [sign = '', ...behind] = words.slice(2)
  if (code === '') return wrong('Incomplete.', ...unknownLines(state), costHint)
  const currency = code.toUpperCase()
  if (currency === 'USD') return wrong('USD has no cost: it is worth 1 of itself.')
  if (!known.includes(currency))
    return wrong(`Unknown currency ${currency}. Currencies: ${known.slice(0, 8).join(', ')}.`)
  if (amountText === '') return listing(currency, state)
  if (amountText.toLowerCase() === forgetWord) return readForget(currency, words.slice(2), state)
  const quantity = readAmountText(amountText, { what: 'quantity', unit: currency })
  if (!quantity.ok) {
    const { kind, text } = quantity.error
    return wrong(`${kind === 'currency' ? '' : 'The quantity '}${text}.`, ...hintFor(kind))
  }
  if (quantity.value.lte(0)) return wrong('The quantity must be above zero.')
  if (sign !== '@' && sign.toLowerCase() !== 'at') {
    if (sign === '')
      return wrong(`Incomplete: what did 1 ${currency} cost in USD? Say: cost ${code} ${amountText} @ PRICE.`)
    const line = ['cost', code, amountText, '@', sign, ...behind].join(' ')
    // `for 30000` may be the cost of the whole quantity.
    const isPrice = /^\p{Sc}?[.\d]/u.test(sign) && !behind.includes('@')
    return asked(['What one cost stands behind an @.'], isPrice ? [line] : [])
  }
  return withPrice({ currency, quantity: quantity.value }, behind, state)
}

/** Holdings of unknown cost, in one line; nothing if all costs are known. */
function unknownLines({ positions: { reckoned }, looks }: DeskState): string[] {
  const unknown = (reckoned?.positions ?? []).filter(({ quantityOfUnknownCost }) => !quantityOfUnknownCost.isZero())
  const named = unknown.map(
    ({ currency, quantityOfUnknownCost: units }) => `${looks.isPrivate ? hidden : units.toFixed()} ${currency}`,
  )
  return named.length === 0 ? [] : [`Held at unknown cost: ${someNamed(named, 4)}.`]
}

function withPrice(
  { currency, quantity }: { currency: string; quantity: Decimal },
  [priceText = '', ...behind]: readonly string[],
  state: DeskState,
): Reading {
  // `60000 usd`: a currency behind the price belongs to it, and is no day.
  const counters = [...(state.instruments.value?.values() ?? [])].map(({ counter }) => counter)
  const unit = ['USD', ...costCurrencies(state), ...counters].find((each) => each === behind[0]?.toUpperCase())
  const said = unit === undefined ? behind : behind.slice(1)
  const words = said.filter((word) => word.toLowerCase() !== surelyWord)
  const place = placeWords.find((each) => each === words.at(-1)?.toLowerCase())
  const [day, ...rest] = place === undefined ? words : words.slice(0, -1)
  if (rest.length > 0) return wrong(`Not understood: ${rest.join(' ').slice(0, 40)}.`, costHint)
  const written = unit === undefined || unit === 'USD' ? priceText : `${priceText} ${unit}`
  const price = readShortAmount(written, { what: 'price', unit: 'USD' })
  if (!price.ok) {
    const { kind, text } = price.error
    return wrong(`${kind === 'currency' ? '' : 'The price '}${text}.`, ...hintFor(kind))
  }
  if (price.value.lt(0)) return wrong('The price must not be below zero.')
  const far = said.length > words.length ? null : farText(currency, price.value, state)
  if (far !== null) {
    const line = (each: Decimal, ...more: string[]) =>
      ['cost', currency.toLowerCase(), quantity.toFixed(), '@', each.toFixed(), ...words, ...more].join(' ')
    // A thousands point reads as a decimal point: `60.000`.
    const thousands = price.value.times(1_000)
    const isMeant = /^\d{1,3}\.\d{3}$/.test(priceText) && farText(currency, thousands, state) === null
    return asked([far], [...(isMeant ? [line(thousands)] : []), line(price.value, surelyWord)])
  }
  const atMs = readMoment(day, wallNow(state))
  if (typeof atMs === 'string') return wrong(atMs)
  return inPlace({ currency, quantity, usdEach: price.value, atMs }, { day, place }, state)
}

/** The sentence about a price far from a unit's present value; null for a near one, or an unknown value. */
function farText(currency: string, usdEach: Decimal, state: DeskState): string | null {
  const worth = unitValue(state, currency, 'mid')
  if (worth === null || usdEach.isZero() || !areApart(usdEach, worth.usd)) return null
  const apart = usdEach.gt(worth.usd) ? 'more than twice' : 'less than half of'
  const [said, now] = [usdEach, worth.usd].map((usd) =>
    formatGrouped(usd, usd.isInteger() ? 0 : Math.max(2, usd.decimalPlaces())),
  )
  return `${said} USD for 1 ${currency} is ${apart} what it is worth now, ${now}.`
}

/**
 * A second cost for the same quantity may correct the first, or be for other units. With enough holdings of unknown
 * cost both are possible, and the user decides; otherwise it is a correction.
 */
function inPlace(
  stated: StatedCost,
  { day, place }: { day: string | undefined; place: PlaceWord | undefined },
  state: DeskState,
): Reading {
  const { currency, quantity, usdEach } = stated
  const isThis = (each: StatedCost) =>
    each.quantity.eq(quantity) && (day === undefined || costDay(each) === costDay(stated))
  const before = statedOf(state, currency).filter(isThis)
  const when = day === undefined ? 'now' : momentSaid(stated.atMs)
  const isFar = farText(currency, usdEach, state) !== null
  const line = ['cost', currency.toLowerCase(), quantity.toFixed(), '@', usdEach.toFixed()]
    .concat(isFar ? surelyWord : [])
    .join(' ')
  const [only, ...others] = before
  if (place === 'also' || (only === undefined && place === undefined)) return understood(stated, when, null)
  if (only === undefined)
    return wrong(`No cost of ${quantity.toFixed()} ${currency} is stated${day === undefined ? '' : ` for ${day}`}.`)
  if (others.length > 0) {
    const days = [...new Set(before.map(costDay))]
    const ways = days.length === before.length ? days.map((each) => `${line} ${each} instead`) : []
    const own = day === undefined ? line : `${line} ${day}`
    return asked(
      [`${before.length} costs are stated for ${quantity.toFixed()} ${currency}. In the place of which one?`],
      [...ways.slice(0, listedMax), `${own} also`, `cost ${currency.toLowerCase()} ${forgetWord}`],
    )
  }
  if (only.usdEach.eq(usdEach) && place === undefined && !isMoreUnknown(state, stated))
    return wrong(`Stated already: ${forDay(only)}.`)
  // The correction keeps the original moment.
  const corrected = { ...stated, atMs: only.atMs }
  if (place === 'instead' || !isMoreUnknown(state, stated)) return understood(corrected, when, only)
  const own = day === undefined ? line : `${line} ${day}`
  return asked([`Stated before: ${forDay(only)}. In its place, or for other units?`], [`${own} instead`, `${own} also`])
}

/** True when this much is held at unknown cost, or that is not known yet. */
const isMoreUnknown = (state: DeskState, { currency, quantity }: StatedCost): boolean =>
  unknownOf(state, currency)?.gte(quantity) ?? true

export const costSentence: SentenceReader = {
  name: 'cost',
  help: 'what a deposit had cost, for positions and P&L',
  example: 'cost btc 0.5 @ 60000',
  starts: ['cost'],
  read: readCost,
  words(line, state) {
    const typed = line.trimStart().split(/\s+/).length
    const currencies = costCurrencies(state).map((currency) => currency.toLowerCase())
    return [[], [], currencies, [forgetWord], ['@'], [], placeWords, placeWords][typed] ?? []
  },
}
