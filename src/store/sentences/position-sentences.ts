import { withStop } from '../../base/plain-text.ts'
import { availableOf, heldAmount } from '../../domain/balance.ts'
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

/** What the fills that are known have built up in a symbol, and what is available and what is held of its base. */
type Held = { net: Decimal; available: Decimal; held: Decimal }

/** Null: not loaded. */
function heldIn(instrument: Instrument, state: DeskState): Held | null {
  const { value: fills } = state.fills
  const { value: balances } = state.balances
  if (fills === null || balances === null) return null
  const { netQuantity } = ownPosition(fills, instrument.symbol)
  const own = balances.find(({ currency }) => currency === instrument.base)
  return {
    net: netQuantity,
    available: lotsAround(availableOf(instrument.base, balances), instrument)[0],
    held: own === undefined ? zero : heldAmount(own),
  }
}

/** The symbol that a sentence of one word and perhaps a symbol is about. */
function symbolAfter(line: string, verb: string, state: DeskState): Instrument | Reading {
  const [, ...words] = wordsOf(line).filter((word) => word !== 'my')
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

/** What the known fills left open in a symbol and what is held of it, in words, with the two ways to sell or buy it. */
type Position = {
  instrument: Instrument
  net: Decimal
  available: Decimal
  /** What working orders and withdrawals hold of it. */
  held: Decimal
  /** What the fills left open, and what is held, a sentence each. */
  lines: readonly string[]
  /** Orders that stay working whatever becomes of the position. */
  stays: readonly string[]
  text(quantity: Decimal): string
}

function positionIn(line: string, verb: string, state: DeskState): Position | Reading {
  const instrument = symbolAfter(line, verb, state)
  if ('kind' in instrument) return instrument
  const held = heldIn(instrument, state)
  if (held === null) return wrong('Fills and balances are not loaded yet: wait.')
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

/** What closes the fills known here, `times` over; null where they left nothing open. */
const againstFills = ({ net }: Position, times = 1) =>
  net.isZero() ? null : ({ side: net.gt(0) ? 'SELL' : 'BUY', quantity: net.abs().times(times) } as const)

type Against = { side: Side; quantity: Decimal }

/** Whether what closes the fills known here sells all that is held: then both are one. */
const isOfAllHeld = (ofNet: Against | null, { available }: Position): boolean =>
  ofNet?.side === 'SELL' && ofNet.quantity.gte(available)

/** The order that closes, or turns, what was traded, as a line. */
const lineOf = ({ side, quantity }: Against, instrument: Instrument): string =>
  `${sideNames[side]} ${formatQuantity(quantity, instrument)} ${instrument.symbol.toLowerCase()} market`

/** Fills and holdings tell different things: which of the two an order is to be made of is asked. */
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

/** No fill known here left anything open, and something is held: nobody traded it here, so nothing of it is guessed. */
function askWhetherHeld({ instrument, lines, text, available }: Position): Reading {
  const name = instrument.symbol.toLowerCase()
  return asked(
    [...lines, `There is nothing to flatten of what you traded. Is what you hold meant, all ${text(available)}?`],
    [`sell all ${name} market`],
  )
}

/** Nothing can be sold: where working orders hold what there is, the lines that take them back are on offer. */
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

/** `50%`, `half`: how much of what is open, in per cent. */
function shareOf(word: string): Decimal | null {
  const [, digits] = /^(\d{1,2}(?:\.\d+)?)%$/.exec(word) ?? []
  if (digits !== undefined) return new Decimal(digits)
  return word === 'half' || word === 'quarter' ? (shares[word] ?? null) : null
}

/**
 * A part of what is open. Of what the known fills left, and of what is held where that is something else: the order is
 * offered as a line, and which one is meant is asked.
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
 * Out of a symbol. A spot exchange has no positions: what the known fills left open and what is held are two things,
 * and where they differ it is asked which one is meant.
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
 * From bought to sold or back: twice what the known fills left open, where the exchange can do that at all. Who holds
 * more than that has bought it elsewhere, and is asked as by `flatten`.
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
  // To sell what is held would be no reversal, so that only the one line is on offer.
  if (available.gt(0))
    return asked([...lines, 'More is held than was traded here: is this meant?'], [lineOf(twice, instrument)])
  return positionReading(position, twice, state)
}

const positionReader = (starts: readonly string[], read: (line: string, state: DeskState) => Reading) => ({
  starts,
  // One symbol: behind it nothing follows.
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
