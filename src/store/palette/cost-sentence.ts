import { dayMs, utcText } from '../../base/time-text.ts'
import { readWrittenTime } from '../../base/written-time.ts'
import { readAmountText, readShortAmount } from '../../domain/amount-text.ts'
import { type Decimal, exactProduct, formatGrouped } from '../../domain/money.ts'
import type { StatedCost } from '../../domain/positions/position.ts'
import { wallNow } from '../clock.ts'
import { costText } from '../costs.ts'
import type { DeskState } from '../desk.ts'
import { asked, type Reading, type SentenceReader, wrong } from './sentence.ts'

const costHint = 'Say: cost btc 0.5 @ 60000, and a day behind it for what was held then.'

/** What may have a cost: everything that is held or traded, but USD. */
function costCurrencies(state: DeskState): string[] {
  const held = (state.balances.value ?? []).map(({ currency }) => currency)
  const traded = [...(state.instruments.value?.values() ?? [])].map(({ base }) => base)
  return [...new Set([...held, ...traded])].filter((currency) => currency !== 'USD')
}

/** Until when a day's holdings count: its last millisecond, or now. */
function readMoment(day: string | undefined, nowMs: number): number | string {
  if (day === undefined) return nowMs
  const read = readWrittenTime(day, nowMs)
  if (!read.ok) return `${day} ${read.error}.`
  const { startMs, endMs } = read.value
  return startMs > nowMs ? `${day} is not over yet: leave the day out for now.` : Math.min(endMs, nowMs)
}

/** `at the end of 2026-11-01 (UTC)`, or of a moment within a day `at 2026-11-01 14:00:00 UTC`. */
const momentSaid = (atMs: number): string =>
  atMs % dayMs === dayMs - 1 ? `at the end of ${utcText(atMs).slice(0, 10)} (UTC)` : `at ${utcText(atMs)}`

const understood = (stated: StatedCost, day: string | undefined): Reading => {
  const { currency, quantity, usdEach } = stated
  const cost = exactProduct(quantity, usdEach)
  return {
    kind: 'understood',
    lines: [
      `${costText(stated)}, ${formatGrouped(cost, Math.max(2, cost.decimalPlaces()))} USD in all.`,
      `Counts for the oldest ${currency} of unknown cost held ${day === undefined ? 'now' : momentSaid(stated.atMs)}.`,
    ],
    enter: 'keeps it for positions and P&L; nothing is sent',
    run: (commands) => commands.stateCost(stated),
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
  if (code === '' || amountText === '') return wrong('Incomplete.', costHint)
  const currency = code.toUpperCase()
  if (currency === 'USD') return wrong('USD has no cost: it is worth 1 of itself.')
  if (!known.includes(currency))
    return wrong(`Unknown currency ${currency}. Currencies: ${known.slice(0, 8).join(', ')}.`)
  const quantity = readAmountText(amountText, { what: 'quantity', unit: currency })
  if (!quantity.ok) return wrong(`The quantity ${quantity.error.text}.`, costHint)
  if (quantity.value.lte(0)) return wrong('The quantity must be above zero.')
  if (sign !== '@' && sign.toLowerCase() !== 'at') {
    if (sign === '') return wrong('Incomplete: price missing.', costHint)
    return asked(['What one cost stands behind an @.'], [['cost', code, amountText, '@', sign, ...behind].join(' ')])
  }
  return withPrice({ currency, quantity: quantity.value }, behind, state)
}

function withPrice(
  { currency, quantity }: { currency: string; quantity: Decimal },
  [priceText = '', day, ...rest]: readonly string[],
  state: DeskState,
): Reading {
  if (rest.length > 0) return wrong(`Not understood: ${rest.join(' ').slice(0, 40)}.`, costHint)
  const price = readShortAmount(priceText, { what: 'price', unit: 'USD' })
  if (!price.ok) return wrong(`The price ${price.error.text}.`, costHint)
  if (price.value.lt(0)) return wrong('The price must not be below zero.')
  const atMs = readMoment(day, wallNow(state))
  return typeof atMs === 'string' ? wrong(atMs) : understood({ currency, quantity, usdEach: price.value, atMs }, day)
}

export const costSentence: SentenceReader = {
  name: 'cost',
  help: 'what a deposit had cost, for positions and P&L',
  example: 'cost btc 0.5 @ 60000',
  starts: ['cost'],
  read: readCost,
  words(line, state) {
    const typed = line.trimStart().split(/\s+/).length
    return typed === 2 ? costCurrencies(state).map((currency) => currency.toLowerCase()) : typed === 4 ? ['@'] : []
  },
}
