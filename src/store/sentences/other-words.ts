import { standingOf } from '../../domain/alerts/watch.ts'
import { keyOf } from '../../domain/desk/session.ts'
import { notOffered, stopLimitNames } from '../../domain/orders/sentence-foreign.ts'
import type { DeskState } from '../desk.ts'
import { haltEnd } from '../mode.ts'
import { alertLine, orderContext } from './order-sentences.ts'
import { asked, type Reading, wordsOf } from './sentence.ts'

/** A word of other desks: the explanation, and the lines that do the same here, with `rest` after it. */
type OtherWord = {
  why: string | ((rest: string, state: DeskState) => string)
  lines(rest: string, symbol: string): readonly string[]
  /** Alone, or without a known line after it, it is only part of a name. */
  needsLine?: true
  /** Alone it is part of a name, with anything after it it is not. */
  isName?: true
}

/** `50%`, `half`: a share of the position. */
const partWord = /(?<![.\d])(\d{1,2}(?:\.\d+)?\s*%|half|quarter)(?!\S)/
const plainly = (rest: string): string =>
  rest
    .replaceAll(/\b(my|the|positions?|out|of|off|up|by|down|risk|longs?|shorts?)\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Flatten by a share, `50% btc` and `btc 50%`: flatten then asks what of. */
function partLine(rest: string, symbol: string): string | null {
  const [, part] = partWord.exec(rest) ?? []
  if (part === undefined) return null
  return `flatten ${plainly(rest.replace(partWord, ' ')) || symbol} ${part.replaceAll(' ', '')}`
}
const ofPart = 'of a part is flatten and the part here: it asks what of, and the order goes by a ticket.'

/** The line without what only says that all, or an order, is meant: `eth` of `all my eth orders`. */
const namedIn = (rest: string): string => plainly(rest.replaceAll(/\b(all|everything|in|orders?)\b/g, ' '))
const orderId = /^\d+$/
/** A number; not `1inch`, which is a symbol's name. */
const amountWord = /(?<!\S)(?:\d[\d.,]*(?!\S)|\d*[.,]\d)/
const isOfAmount = (rest: string): boolean => amountWord.test(rest) && !/\borders?\b/.test(rest)

/** Out of what was sold short is a buy: `close short 0.1 btc`. */
const sideOut = (rest: string): string => (/\bshorts?\b/.test(rest) ? 'buy' : 'sell')

const outOf: OtherWord = {
  why: (rest) =>
    partWord.test(rest)
      ? ofPart
      : isOfAmount(rest)
        ? `of an amount is an order here: ${sideOut(rest)} 0.1 btc market.`
        : sideOut(rest) === 'buy'
          ? 'is flatten here: it buys back what was sold, and sells what was bought.'
          : 'is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders.',
  lines: (rest, symbol) => {
    const part = partLine(rest, symbol)
    if (part !== null) return [part]
    const named = namedIn(rest)
    const ofId = orderId.test(named) ? [`cancel ${named}`] : []
    if (isOfAmount(rest))
      return [...ofId, `${sideOut(rest)} ${ofId.length > 0 ? `${named} ${symbol}` : plainly(rest)} market`]
    if (ofId.length > 0) return ofId
    return /\borders?\b/.test(rest)
      ? [`cancel all ${named}`.trim(), ...(named === '' ? [`cancel all ${symbol}`] : [])]
      : /\b(all|everything)\b/.test(rest)
        ? [`flatten ${named || symbol}`, `cancel all ${named}`.trim()]
        : [`flatten ${plainly(rest) || symbol}`]
  },
}
/** `cover 0.1 btc`: out of a short, without saying so. */
const cover: OtherWord = {
  why: (rest, state) => whyOf(outOf, `short ${rest}`, state),
  lines: (rest, symbol) => outOf.lines(`short ${rest}`, symbol),
}
const reduce: OtherWord = {
  why: (rest) =>
    partWord.test(rest) ? ofPart : `is an order here: ${sideOut(rest)} 0.1 btc market, or flatten btc 50%.`,
  lines(rest, symbol) {
    const part = partLine(rest, symbol)
    if (part !== null) return [part]
    return /\d/.test(rest) ? [`${sideOut(rest)} ${plainly(rest)} market`] : []
  },
}
/** `join the bid 0.1`, `hit the bid 0.1`, `lift 0.1`: an order at a price of the book, with the side it implies. */
const atTouch = (sideOf: (isOffer: boolean) => 'buy' | 'sell', touchOf: (isOffer: boolean) => string): OtherWord => ({
  why: (rest) => {
    const isOffer = /\b(ask|offer)\b/.test(rest)
    return `is ${sideOf(isOffer)} at the ${touchOf(isOffer)} here: ${sideOf(isOffer)} 0.1 btc @ ${touchOf(isOffer)}.`
  },
  lines: (rest, symbol) => {
    const isOffer = /\b(ask|offer)\b/.test(rest)
    const amount = plainly(rest.replaceAll(/\b(best|bid|ask|offer|for|with|at|market|price)\b|@/g, ' '))
    if (!/[\d%]|\b(half|all|max)\b/.test(amount)) return []
    const named = /^\S+$/.test(amount) ? `${amount} ${symbol}` : amount
    return [`${sideOf(isOffer)} ${named} @ ${touchOf(isOffer)}`]
  },
})
const join = atTouch(
  (isOffer) => (isOffer ? 'sell' : 'buy'),
  (isOffer) => (isOffer ? 'ask' : 'bid'),
)
const hit = atTouch(
  () => 'sell',
  () => 'bid',
)
const lift = atTouch(
  () => 'buy',
  () => 'ask',
)
/** `hit the offer 0.1`: the verb says the one side and the price the other, and only the user knows which is meant. */
const orElse = (usual: OtherWord, other: OtherWord, { named, why }: { named: RegExp; why: string }): OtherWord => ({
  why: (rest, state) => (named.test(rest) ? why : whyOf(usual, rest, state)),
  lines: (rest, symbol) => (named.test(rest) ? [other, usual] : [usual]).flatMap((word) => word.lines(rest, symbol)),
})
const hitting = orElse(hit, lift, {
  named: /\b(ask|offer)\b/,
  why: 'is sell at the bid here, and who takes the offer buys: which one?',
})
const lifting = orElse(lift, hit, {
  named: /\bbid\b/,
  why: 'is buy at the ask here, and who takes the bid sells: which one?',
})
/** `limit buy 0.1 64000`, `market sell half`: the type of an order before its side. */
const byType = (type: 'limit' | 'market'): OtherWord => ({
  why: 'comes later: an order begins with buy or sell.',
  lines: (rest) => (/^(buy|sell|b|s)\s/.test(rest) ? [type === 'market' ? `${rest} market` : rest] : []),
  needsLine: true,
})
/** Of `notOffered`. */
const notHere: OtherWord = {
  why: 'is not an order here. There are limit, market, stop and stop-limit, and plans: bracket, oco, trail and scale.',
  lines: () => [],
}
const overRange: OtherWord = {
  why: 'is scale here: several limits over a range of prices.',
  lines: (rest) => (/\d/.test(rest) ? [`scale ${rest}`] : []),
  needsLine: true,
}
const moving: OtherWord = {
  why: (_, { reboundKeys }) =>
    `is a key here: choose an order in 2 Orders and press ${keyOf(reboundKeys, 'moveSelected')}. ` +
    'What a plan waits for is changed by edit plan p1 stop 63500.',
  lines: () => [],
}
/** `tp 66000 sl 63000`: a target with the stop of the same position. */
const targetAndStop =
  /^(?:profit\s+)?(?:(?:at|@)\s*)?([.\d]\S*)\s+(?:and\s+)?(?:stop[\s-]?loss|stop|sl)\s+(?:(?:at|@)\s*)?([.\d]\S*)$/
const target: OtherWord = {
  why: 'is a limit order here, above the market to sell. A stop and a target together are an oco.',
  lines: (rest, symbol) => {
    const [, profit, loss] = targetAndStop.exec(rest) ?? []
    if (loss !== undefined) return [`oco sell all ${symbol} stop ${loss} target ${profit}`]
    const [, price] = /^(?:profit\s+)?(?:(?:at|@)\s*)?([.\d]\S*)$/.exec(rest) ?? []
    return price === undefined ? [] : [`sell all ${symbol} @ ${price}`]
  },
}
/** `take profit 66000` is a price, `take the offer 0.1` an order against that side of the book. */
const taking: OtherWord = {
  why: (rest, state) => ofTaking(rest, (word) => `${word === target ? 'profit ' : ''}${whyOf(word, rest, state)}`),
  lines: (rest, symbol) => ofTaking(rest, (word) => word.lines(rest, symbol)),
}
const ofTaking = <T>(rest: string, use: (word: OtherWord) => T): T =>
  use(/^profits?\b/.test(rest) ? target : /\bbid\b/.test(rest) ? hit : lift)
/** `spend $500 on btc`: a number alone is money, never a quantity. */
const spending: OtherWord = {
  why: 'is buy here, with the currency beside the money: buy $500 btc.',
  lines: (rest) => {
    const [, money = '', symbol] =
      /^(\p{Sc}?[.\d][^\s%]*)(?:\s+(?:usd|dollars?|bucks))?\s+(?:on|in|into)\s+(\S+)$/u.exec(rest) ?? []
    return symbol === undefined ? [] : [`buy ${/^[.\d]/.test(money) ? '$' : ''}${money} ${symbol}`]
  },
}
const otherName = (name: string): OtherWord => ({
  why: `is ${name} here.`,
  lines: (rest) => [`${name} ${rest}`.trim()],
})
/** Alone `bid` is a price, and no order. */
const named = (name: string): OtherWord => ({
  ...otherName(name),
  lines: (rest) => (rest === '' ? [] : [`${name} ${rest}`]),
  isName: true,
})
/** `mute fills`, `mute alert 3`: one alert's end; a snooze is of all, for a time. */
const muting: OtherWord = {
  why: (rest) =>
    alertEnd(rest) === null ? 'is snooze here, of all alerts for a time.' : 'of an alert is alert off here.',
  lines: (rest) => [alertEnd(rest) ?? `snooze ${/^(?:\d\S*$|off\b)/.test(rest) ? rest : (timeIn(rest) ?? '10m')}`],
}
/** `for 1 hour`, `alerts 1h30m`: the time as snooze takes it. */
const timeIn = (rest: string): string | undefined =>
  /(?<!\S)(?:\d+\s?[smh][a-z]*\s?)+(?!\S)/.exec(rest)?.[0].replaceAll(/\s|(?<=[smh])[a-z]+/g, '')
const alertEnd = (rest: string): string | null => {
  const what = rest.replaceAll(/\b(?:the|alerts?)\b/g, ' ').trim()
  return (/\d/.test(rest) ? alertLine(rest) : null) ?? (standingOf(what) === undefined ? null : `alert ${what} off`)
}
const takeBack: OtherWord = {
  why: (rest) => (alertLine(rest) === null ? 'is cancel here, and that asks first.' : 'of an alert is alert off here.'),
  lines: (rest) => [alertLine(rest) ?? `cancel ${rest === '' ? 'all' : rest}`],
}
/** Alone it is part of names: `delete the alert`. */
const takeBackNamed: OtherWord = {
  ...takeBack,
  lines: (rest) => (rest === '' ? [] : [alertLine(rest) ?? `cancel ${rest}`]),
  needsLine: true,
}
/** `unsnooze`, `unhalt`, `end plan p1`: words that undo one are no slips of it. */
const endSnooze: OtherWord = { why: 'is snooze off here.', lines: () => ['snooze off'] }
const endHalt: OtherWord = { why: (_, state) => `is ${haltEnd(state)}`, lines: () => [] }
const ending: OtherWord = {
  why: (rest, state) =>
    /\bhalt\b/.test(rest) ? `of a halt is ${haltEnd(state)}` : 'is snooze off, or cancel plan p1, here.',
  lines: (rest) => (/\bsnooze\b/.test(rest) ? ['snooze off'] : /^(?:the )?plan\b/.test(rest) ? [`cancel ${rest}`] : []),
  isName: true,
}
const pausing: OtherWord = {
  why: 'is disarm here: no new order goes out, and working ones stay.',
  lines: (rest) => (rest === '' || stopsAll.test(rest) ? ['disarm'] : []),
  needsLine: true,
}
/** The scope of a cancel-all as the command takes it: `--symbol btc`, `--every-symbol`. */
const cancelScope = (rest: string): string => rest.replaceAll(/--(every-symbol|symbol|yes)\b/g, ' ').trim()
const cancelAll: OtherWord = {
  why: 'is cancel all here, and that asks first.',
  lines: (rest) => [`cancel all ${cancelScope(rest)}`.trim()],
}
const panic: OtherWord = { ...cancelAll, lines: () => ['cancel all'] }
const bySize: OtherWord = {
  why: 'says how much, and an order begins with buy or sell: buy btc risk $200 stop 63000.',
  lines: (rest, symbol) => (/\bstop\b/.test(rest) ? [`buy ${symbol} risk ${rest}`] : []),
}
/** `stop everything`: the trader means the desk, not a price. */
const stopsAll = /^(everything|all|it|now|trading|trade|buying|selling|the desk|all trading|(all )?(my )?orders)$/
/** `buy 0.1 btc at 65000 limit 65100`: behind an amount a price and another one, the stop first. */
const stopThenLimit = new RegExp(
  '^((?:buy|sell)\\s(?:\\S+\\s+)*?\\S*(?:\\d|half|all)\\S*(?:\\s+(?!limit|at\\b)[a-z]\\S*)*?)' +
    '\\s+(?:(?:at|@)\\s*)?([.\\d]\\S*)\\s+(?:limit\\s*)?(?:(?:at|@)\\s*)?([.\\d]\\S*)$',
)
/** `sl 63000 tp 66000`. */
const stopAndTarget = /^([.\d]\S*)\s+(?:and\s+)?(?:target|tp|take[\s-]?profit)\s+(?:(?:at|@)\s*)?([.\d]\S*)$/
/** `stop-limit sell 0.1 btc 63000 62900`: with one price it is half an order, and no plain stop. */
const byStopLimit = {
  why: 'has two prices, and an order begins with buy or sell: sell 0.1 btc stop 63000 limit 62900.',
  lines(rest: string): readonly string[] {
    const [, order, stop, limit] = stopThenLimit.exec(rest) ?? []
    return order === undefined ? [] : [`${order} stop ${stop} limit ${limit}`]
  },
}
const limitFirst = /^limit\s+/
const isStopLimit = (rest: string): boolean => limitFirst.test(rest)
/** `stop plan p1`, `stop snooze`: no price either. */
const isOfOther = (rest: string): boolean => /^(?:the )?(?:plan\b|snooze$|halt$)/.test(rest)
const byStop: OtherWord = {
  why(rest, state) {
    if (isOfOther(rest)) return whyOf(ending, rest, state)
    if (isStopLimit(rest)) return byStopLimit.why
    return stopsAll.test(rest)
      ? 'is halt here: it asks, cancels and lets nothing new out. cancel all cancels only.'
      : 'says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000.'
  },
  lines(rest, symbol) {
    if (stopsAll.test(rest)) return ['halt', 'cancel all']
    if (isOfOther(rest)) return ending.lines(rest, symbol)
    if (isStopLimit(rest)) return byStopLimit.lines(rest.replace(limitFirst, ''))
    const behind = rest.replace(/^loss\s+/, '').replace(/^(at|@)\s*/, '')
    if (/^[.\d]\S*$/.test(behind)) return [`sell all ${symbol} stop ${behind}`]
    const [, loss, profit] = stopAndTarget.exec(behind) ?? []
    if (profit !== undefined) return [`oco sell all ${symbol} stop ${loss} target ${profit}`]
    const limited = byStopLimit.lines(behind)
    if (limited.length > 0) return limited
    const [, order, price] = /^((?:buy|sell)\s.*?\S)\s+(?:(?:at|@)\s*)?([.\d]\S*)$/.exec(behind) ?? []
    return order === undefined ? [] : [`${order} stop ${price}`]
  },
}
const breakeven: OtherWord = {
  why:
    'is not a price here: what your own fills cost on average stands below the ladder. ' +
    'Say: sell 0.1 btc stop 63000.',
  lines: () => [],
}
/** `0.1 btc to cold storage`, `all btc to …`: a withdrawal, not an order. */
const isLeaving = (rest: string): boolean => /^(\p{Sc}?[.\d]|all\b).*\bto\b/u.test(rest)
const sending: OtherWord = {
  why: (rest) =>
    isLeaving(rest)
      ? 'is withdraw here: the form opens, and nothing is sent before its review.'
      : 'is not a command: orders are sent from their review. Type the order (buy 0.1 btc), then Enter, Enter, Enter.',
  lines: (rest) => (isLeaving(rest) ? [`withdraw ${rest}`] : []),
}
/** Only for a desk on its own practice exchange; elsewhere the explanation says so. */
const ofOwnPractice: OtherWord = {
  why:
    'is for a desk on its own practice exchange; this one is on the exchange of its profile. One that runs apart ' +
    'takes it in a shell: pitdesk sandbox admin.',
  lines: () => [],
}
/** Several words for one thing. */
const each = (words: readonly string[], one: OtherWord): Readonly<Record<string, OtherWord>> =>
  Object.fromEntries(words.map((word) => [word, one]))

const otherWords: Readonly<Record<string, OtherWord>> = {
  ...each(['close', 'exit', 'liquidate', 'dump', 'square', 'unwind'], outOf),
  ...{ reduce, trim: reduce, cover, spend: spending, invest: spending },
  ...each(['purchase', 'acquire', 'bot', 'by'], otherName('buy')),
  ...each(['offload', 'unload', 'sld', 'sale'], otherName('sell')),
  ...{ bid: named('buy'), offer: named('sell'), mute: muting, silence: muting },
  ...each(['alarm', 'warn', 'remind'], otherName('alert')),
  ...{ wd: otherName('withdraw'), flip: otherName('reverse') },
  ...each(['move', 'raise', 'lower', 'bump', 'chase', 'adjust'], { ...moving, isName: true }),
  ...each(['amend', 'modify', 'reprice', 'replace', 'improve'], moving),
  ...{ join, hit: hitting, lift: lifting, take: taking, tp: target, limit: byType('limit'), market: byType('market') },
  ...{ mkt: byType('market'), ladder: overRange, grid: overRange, breakeven, risk: bySize },
  ...each(notOffered, notHere),
  ...{ unsnooze: endSnooze, unmute: endSnooze, unhalt: endHalt, end: ending, pause: pausing },
  ...{ kill: takeBack, pull: takeBack, delete: takeBackNamed, remove: takeBackNamed },
  ...{ cancelall: cancelAll, 'cancel-all': cancelAll, panic },
  ...each(['stop', 'sl', 'stop-loss', 'stoploss'], byStop),
  ...each(stopLimitNames, byStopLimit),
  ...{ practice: ofOwnPractice, send: sending, submit: sending },
  ...each(['transfer', 'wire', 'pay'], { ...sending, needsLine: true }),
}

const whyOf = ({ why }: OtherWord, rest: string, state: DeskState): string =>
  typeof why === 'string' ? why : why(rest, state)

/** A line that begins with a word of other desks. */
export function readOtherWord(line: string, state: DeskState): Reading | null {
  const [first = '', ...words] = wordsOf(line)
  const other = Object.hasOwn(otherWords, first) ? otherWords[first] : undefined
  if (other === undefined) return null
  const rest = words.join(' ')
  const why = whyOf(other, rest, state)
  const lines = other.lines(rest, orderContext(state).symbol.toLowerCase())
  const isName = lines.length === 0 && (other.needsLine === true || (other.isName === true && rest === ''))
  return isName ? null : asked([`"${first}" ${why}`], lines)
}
