import { withStop } from '../../base/text/plain-text.ts'
import { availableOf, heldAmount, unreadOf } from '../../domain/balance.ts'
import { formatQuantity, type Instrument, lotsAround } from '../../domain/market/instrument.ts'
import { Decimal, zero } from '../../domain/money.ts'
import { ownPosition } from '../../domain/orders/fills.ts'
import type { TicketRequest } from '../../domain/orders/sentence-clauses.ts'
import { readSymbolWord, wordAlone } from '../../domain/orders/sentence-words.ts'
import { shares } from '../../domain/orders/sizing.ts'
import { emptyTicket } from '../../domain/orders/ticket.ts'
import { type Side, sideNames } from '../../domain/side.ts'
import type { DeskState } from '../desk.ts'
import { openPlans } from '../plans/plans.ts'
import { orderContext, ordersWords, ticketReading } from './order-sentences.ts'
import { asked, type Reading, type SentenceReader, symbolsOf, wordsOf, wrong } from './sentence.ts'

/** The net quantity of a symbol's known fills, and the available and held amounts of its base. */
type Held = { net: Decimal; available: Decimal; held: Decimal }

/** Null while not loaded, or while the balance cannot be read. */
function heldIn(instrument: Instrument, state: DeskState): Held | null {
  const { value: fills } = state.fills
  const { value: balances } = state.balances
  const { base } = instrument
  if (fills === null || balances === null || unreadOf(base, balances, state.unreadable.balances?.entries).length > 0)
    return null
  const { netQuantity } = ownPosition(fills, instrument.symbol)
  const own = balances.find(({ currency }) => currency === instrument.base)
  return {
    net: netQuantity,
    available: lotsAround(availableOf(instrument.base, balances), instrument)[0],
    held: own === undefined ? zero : heldAmount(own),
  }
}

/** The symbol of a sentence with one word and an optional symbol. */
/** Words that name no symbol: `flatten my position now`. */
const fillers = new Set(['my', 'the', 'it', 'position', 'positions', 'now'])

function symbolAfter(line: string, verb: string, state: DeskState): Instrument | Reading {
  const [, ...words] = wordsOf(line).filter((word) => !fillers.has(word))
  const context = orderContext(state)
  const [name, extra] = words
  if (extra !== undefined) return wrong(`Say one symbol: ${verb}, or ${verb} ${context.symbol.toLowerCase()}.`)
  const word = name ?? context.symbol
  if (['all', 'everything', 'everywhere'].includes(word))
    return asked([`One symbol at a time: ${verb} which?`], [`${verb} ${context.symbol.toLowerCase()}`])
  const read = readSymbolWord(wordAlone(word), context)
  if (read?.ok === false)
    return asked(
      [withStop(read.error.text)],
      read.error.instead.map((each) => `${verb} ${each}`),
    )
  const instrument = read === undefined ? undefined : context.instruments.get(read.value)
  if (instrument !== undefined) return instrument
  return wrong(
    context.instruments.size === 0 ? 'The symbols are not loaded yet: wait.' : `Unknown symbol ${word.toUpperCase()}.`,
  )
}

const marketTicket = (instrument: Instrument, side: Side, quantity: Decimal): TicketRequest => {
  const form = emptyTicket(instrument, side)
  const quantityText = formatQuantity(quantity, instrument)
  return { form: { ...form, type: 'MARKET', timeInForce: 'IOC', quantityText }, size: null }
}

const notSent = 'Nothing is sent: the ticket shows it and reviews it first.'

/** A symbol's net fills and holdings, with the sentences about them. */
type Position = {
  instrument: Instrument
  net: Decimal
  available: Decimal
  /** Held by working orders and withdrawals. */
  held: Decimal
  /** The net fills and the holdings, a sentence each. */
  lines: readonly string[]
  /** Orders that keep working whatever happens to the position. */
  stays: readonly string[]
  text(quantity: Decimal): string
}

function positionIn(line: string, verb: string, state: DeskState): Position | Reading {
  const instrument = symbolAfter(line, verb, state)
  if ('kind' in instrument) return instrument
  const held = heldIn(instrument, state)
  if (held === null) return wrong(`Fills and the balance of ${instrument.base} are not loaded yet: wait.`)
  const { net, available } = held
  const { symbol, base } = instrument
  const text = (quantity: Decimal) => `${formatQuantity(quantity, instrument)} ${base}`
  const working = (state.orders.value ?? []).filter((order) => order.symbol === symbol).length
  const stay = `${ordersWords(working, null, symbol)} stay${working === 1 ? 's' : ''}`
  const besides = held.held.gt(0) ? ` and ${text(held.held)} held` : ''
  const traded = net.isZero() ? 'nothing open' : `${text(net.abs())} ${net.gt(0) ? 'bought' : 'sold'}`
  return {
    ...{ instrument, ...held, text },
    lines: [
      `${symbol} is spot: it has no positions, only what you hold and what you traded.`,
      `Fills known here come to ${traded}; you have ${text(available)} available${besides}.`,
    ],
    stays: working === 0 ? [] : [`Your ${stay}: cancel all ${symbol.toLowerCase()} takes them back.`],
  }
}

/** The order that closes the known fills, `times` over; null when they net to zero. */
const againstFills = ({ net }: Position, times = 1) =>
  net.isZero() ? null : ({ side: net.gt(0) ? 'SELL' : 'BUY', quantity: net.abs().times(times) } as const)

type Against = { side: Side; quantity: Decimal }

/** True when closing the known fills sells everything held: then both are the same. */
const isOfAllHeld = (ofNet: Against | null, { available }: Position): boolean =>
  ofNet?.side === 'SELL' && ofNet.quantity.gte(available)

/** The closing or reversing order, as a line. */
const lineOf = ({ side, quantity }: Against, instrument: Instrument): string =>
  `${sideNames[side]} ${formatQuantity(quantity, instrument)} ${instrument.symbol.toLowerCase()} market`

/** Fills and holdings differ: asks which of the two the order is for. */
const askWhichOne = ({ instrument, lines }: Position, ofNet: Against): Reading =>
  asked(
    [...lines, 'Which one is meant?'],
    [lineOf(ofNet, instrument), `sell all ${instrument.symbol.toLowerCase()} market`],
  )

function positionReading(position: Position, { side, quantity }: Against, state: DeskState) {
  const { instrument, lines, stays, text } = position
  const does = `${side === 'SELL' ? 'Sell' : 'Buy'} ${text(quantity)} at the market. ${notSent}`
  return ticketReading(marketTicket(instrument, side, quantity), [does, ...lines, ...stays], state)
}

/** The known fills net to zero, but something is held that was not traded here: asks instead of guessing. */
function askWhetherHeld({ instrument, lines, text, available }: Position): Reading {
  const name = instrument.symbol.toLowerCase()
  return asked(
    [...lines, `There is nothing to flatten of what you traded. Is what you hold meant, all ${text(available)}?`],
    [`sell all ${name} market`],
  )
}

/** Nothing can be sold: if working orders hold the balance, offers the lines that cancel them. */
function nothingToSell({ instrument, lines, held, text }: Position, state: DeskState): Reading {
  const { symbol } = instrument
  const sells = (state.orders.value ?? []).filter((order) => order.symbol === symbol && order.side === 'SELL')
  if (held.lte(0) || sells.length === 0) return wrong(...lines, 'Nothing to flatten.')
  const plans = openPlans(state).flatMap(({ plan }) => (plan.terms.symbol === symbol ? [plan.planId] : []))
  const verbs = sells.length === 1 ? `holds ${text(held)}: take it` : `hold ${text(held)}: take them`
  const first = plans.map((planId) => `cancel plan ${planId}`)
  return asked(
    [...lines, `Your ${ordersWords(sells.length, 'SELL', symbol)} ${verbs} back first, then flatten.`],
    first.length > 0 ? first : [`cancel sells ${symbol.toLowerCase()}`],
  )
}

const hundred = new Decimal(100)

/** `50%`, `half`: the share of the position, in percent. */
function shareOf(word: string): Decimal | null {
  const [, digits] = /^(\d{1,2}(?:\.\d+)?)%$/.exec(word) ?? []
  if (digits !== undefined) return new Decimal(digits)
  return word === 'half' || word === 'quarter' ? (shares[word] ?? null) : null
}

/**
 * A share of the position: of the known fills, and of the holdings if these differ. Offers the order as a line, and
 * asks which is meant.
 */
function readPart(line: string, word: string, percent: Decimal, state: DeskState): Reading {
  const position = positionIn(line, 'flatten', state)
  if ('kind' in position) return position
  const { instrument, lines, available } = position
  const ofNet = againstFills(position)
  const isSame = isOfAllHeld(ofNet, position)
  const quantity = ofNet === null ? null : lotsAround(ofNet.quantity.times(percent).div(hundred), instrument)[0]
  const ofFills = ofNet === null || quantity?.gt(0) !== true ? [] : [lineOf({ side: ofNet.side, quantity }, instrument)]
  const ofHeld = isSame || available.lte(0) ? [] : [`sell ${word} ${instrument.symbol.toLowerCase()} market`]
  const options = [...ofFills, ...ofHeld]
  if (options.length === 0) return wrong(...lines, 'Nothing to flatten, or less than a lot of it.')
  const which = options.length === 1 ? 'A part of it is an order of its own.' : 'A part of which one is meant?'
  return asked([...lines, which], options)
}

/**
 * Out of a symbol. A spot exchange has no positions: net fills and holdings are two things, and if they differ it asks
 * which is meant.
 */
function readFlatten(line: string, state: DeskState): Reading {
  const words = wordsOf(line)
  for (const word of words) {
    const percent = shareOf(word)
    if (percent !== null) return readPart(words.filter((each) => each !== word).join(' '), word, percent, state)
  }
  const position = positionIn(line, 'flatten', state)
  if ('kind' in position) return position
  const { available } = position
  const ofNet = againstFills(position)
  const isSame = isOfAllHeld(ofNet, position)
  if (available.lte(0) && ofNet?.side !== 'BUY') return nothingToSell(position, state)
  if (ofNet === null) return askWhetherHeld(position)
  if (!isSame && available.gt(0)) return askWhichOne(position, ofNet)
  return positionReading(position, isSame ? { side: 'SELL', quantity: available } : ofNet, state)
}

/**
 * From bought to sold or back: twice the net of the known fills, if the exchange allows it. With larger holdings,
 * bought elsewhere, it asks like `flatten`.
 */
function readReverse(line: string, state: DeskState): Reading {
  const position = positionIn(line, 'reverse', state)
  if ('kind' in position) return position
  const { instrument, net, available, lines, text } = position
  const twice = againstFills(position, 2)
  if (twice === null)
    return wrong(`Nothing to reverse: the fills known here leave nothing open in ${instrument.symbol}.`)
  if (twice.side === 'SELL' && twice.quantity.gt(available))
    return asked(
      [
        ...lines,
        `Reversing the ${text(net)} bought would sell ${text(twice.quantity)}: nothing can be sold that is not held.`,
      ],
      [`flatten ${instrument.symbol.toLowerCase()}`],
    )
  // Selling the holdings would not be a reversal, so only this line is offered.
  if (available.gt(0))
    return asked([...lines, 'More is held than was traded here: is this meant?'], [lineOf(twice, instrument)])
  return positionReading(position, twice, state)
}

const positionReader = (starts: readonly string[], read: (line: string, state: DeskState) => Reading) => ({
  starts,
  // One symbol; nothing follows it.
  words: (line: string, state: DeskState) => (line.trimStart().split(/\s+/).length > 2 ? [] : symbolsOf(state)),
  read: (line: string, state: DeskState) => (starts.includes(wordsOf(line)[0] ?? '') ? read(line, state) : null),
})

export const flattenSentence: SentenceReader = {
  ...positionReader(['flatten', 'flat'], readFlatten),
  name: 'flatten',
  help: 'fills a market ticket over what is open',
  example: 'flatten btc',
}

export const reverseSentence: SentenceReader = {
  ...positionReader(['reverse'], readReverse),
  name: 'reverse',
  help: 'fills a market ticket over twice what is open',
  example: 'reverse btc',
}
