import { type Decimal, exactPlus, zero } from '../money.ts'
import type { Lot, Match, Way } from './position.ts'
import { fromUnits } from './scaled.ts'

/** What brought units in or took them out. */
export type Entry = { atMs: number | null; id: string; symbol: string | null }

/** What is held of a currency by lots of one symbol, in units of their scales. */
export type HeldUnits = { quantity: bigint; known: bigint; cost: bigint }

/** Units that came in together, as long as some are there: see `Lot`. Amounts are whole units of their scale. */
export type OpenLot = {
  entry: Entry
  /** What it is a part of. */
  held: HeldUnits
  way: Way
  quantity: bigint
  cost: bigint | null
  /** Null: the price of the fill itself. */
  source: string | null
  /** The deposit that they came by, which learns of a cost that is stated later. */
  transfer: BookedTransfer | null
  /** Units of it whose cost was stated, the first stated first; they stand before it, used up before `splitHead`. */
  split?: OpenLot[]
  splitHead?: number
}

/** What stands in the place of a lot, the oldest units first. */
export const partsOf = (lot: OpenLot): OpenLot[] =>
  lot.split === undefined ? [lot] : [...lot.split.slice(lot.splitHead), lot]

/** The oldest of them. */
export const firstPart = (lot: OpenLot): OpenLot => lot.split?.[lot.splitHead ?? 0] ?? lot

/** One currency of the account. */
export type Holding = {
  currency: string
  /** Decimals of its units. */
  scale: number
  /** The oldest first; those before `head` are used up. With average cost only those of unknown cost are here. */
  lots: OpenLot[]
  head: number
  /** No lot before this one is of unknown cost. */
  unknownFrom: number
  /** With average cost: all of known cost, together. */
  pool: OpenLot | null
  /** What its lots come to, by the symbol that they came in by; null: by a transfer, or at an average. */
  held: Map<string | null, HeldUnits>
  quantity: bigint
  /** What the lines of the statement come to. */
  net: bigint
  /** What went out and had never come in. */
  short: bigint
}

// A million fills make as many matches. Each keeps whole units, and makes a Decimal of one when it is looked at: all of
// them beforehand take longer than everything else together.

const usdOf = (units: bigint | null, scale: number): Decimal | null => (units === null ? null : fromUnits(units, scale))

/** The fill whose own price is in USD says what it is worth. */
const sourceOf = (usd: bigint | null, source: string | null, { id }: Pick<Entry, 'id'>): string | null =>
  usd === null ? null : (source ?? `fill ${id}`)

type MatchParts = {
  /** Null: nobody knows where the units came from. */
  opened: Entry | null
  closed: Entry
  way: Way
  quantity: bigint
  cost: bigint | null
  proceeds: bigint | null
  source: string | null
}

/** A match whose amounts are made when they are read. */
export class BookedMatch implements Match {
  readonly #holding: Holding
  readonly #opened: Entry | null
  readonly #closed: Entry
  readonly #source: string | null
  // What is kept goes on in the scales of its moment, whatever room the books get later.
  readonly #scale: number
  readonly #usdScale: number
  readonly closedBy: Way
  readonly quantityUnits: bigint
  /** In units of the books' scale of USD, as `proceeds`. */
  readonly cost: bigint | null
  readonly proceeds: bigint | null

  constructor({ opened, closed, way, quantity, cost, proceeds, source }: MatchParts, holding: Holding, scale: number) {
    this.#holding = holding
    this.#opened = opened
    this.#closed = closed
    this.#source = source
    this.#scale = holding.scale
    this.#usdScale = scale
    this.closedBy = way
    this.quantityUnits = quantity
    this.cost = cost
    this.proceeds = proceeds
  }

  get usdScale() {
    return this.#usdScale
  }
  get currency() {
    return this.#holding.currency
  }
  get symbol() {
    return this.#closed.symbol
  }
  get quantity() {
    return fromUnits(this.quantityUnits, this.#scale)
  }
  get openedId() {
    return this.#opened?.id ?? ''
  }
  get openedAtMs() {
    return this.#opened?.atMs ?? null
  }
  get closedId() {
    return this.#closed.id
  }
  get closedAtMs() {
    return this.#closed.atMs
  }
  get costUsd() {
    return usdOf(this.cost, this.#usdScale)
  }
  get proceedsUsd() {
    return usdOf(this.proceeds, this.#usdScale)
  }
  get proceedsSource() {
    return sourceOf(this.proceeds, this.#source, this.#closed)
  }
  get realizedUsd() {
    return this.cost === null || this.proceeds === null ? null : fromUnits(this.proceeds - this.cost, this.#usdScale)
  }
}

/** A lot of books that are closed; its amounts are made when they are read. */
export class BookedLot implements Lot {
  readonly #lot: Readonly<OpenLot>
  readonly #holding: Holding
  readonly #usdScale: number

  constructor(lot: OpenLot, holding: Holding, usdScale: number) {
    this.#lot = lot
    this.#holding = holding
    this.#usdScale = usdScale
  }

  get currency() {
    return this.#holding.currency
  }
  get openedId() {
    return this.#lot.entry.id
  }
  get openedBy() {
    return this.#lot.way
  }
  get openedAtMs() {
    return this.#lot.entry.atMs
  }
  get quantity() {
    return fromUnits(this.#lot.quantity, this.#holding.scale)
  }
  get costUsd() {
    return usdOf(this.#lot.cost, this.#usdScale)
  }
  get costSource() {
    return sourceOf(this.#lot.cost, this.#lot.source, this.#lot.entry)
  }
}

/** A fee of an execution or a withdrawal. */
export class BookedFee {
  readonly #entry: Entry
  readonly #holding: Holding
  readonly #quantity: bigint
  readonly #scale: number
  /** In units of the books' scale of USD; null: nobody knows what it was worth. */
  readonly usd: bigint | null
  readonly usdScale: number

  constructor(
    entry: Entry,
    holding: Holding,
    quantity: bigint,
    { usd, usdScale }: Pick<BookedFee, 'usd' | 'usdScale'>,
  ) {
    this.#entry = entry
    this.#holding = holding
    this.#quantity = quantity
    this.#scale = holding.scale
    this.usd = usd
    this.usdScale = usdScale
  }

  get currency() {
    return this.#holding.currency
  }
  /** Null: of a withdrawal. */
  get symbol() {
    return this.#entry.symbol
  }
  get id() {
    return this.#entry.id
  }
  get atMs() {
    return this.#entry.atMs
  }
  /** In its own currency, positive; below zero it was paid to the account. */
  get quantity() {
    return fromUnits(this.#quantity, this.#scale)
  }
  get feeUsd() {
    return usdOf(this.usd, this.usdScale)
  }
}

type TransferParts = {
  way: 'deposit' | 'withdrawal'
  holding: Holding
  quantity: bigint
  entry: Entry
}

/** Money that came in or went out, at its cost. */
export class BookedTransfer {
  readonly #parts: TransferParts
  readonly #scale: number
  #known: Decimal = zero
  #cost: Decimal | null = null

  constructor(parts: TransferParts) {
    this.#parts = parts
    this.#scale = parts.holding.scale
  }

  /** Notes the cost of some of its units, in units of the scales that its currency and USD have now. */
  learn(quantity: bigint, cost: bigint, usdScale: number): void {
    this.#known = exactPlus(this.#known, fromUnits(quantity, this.#parts.holding.scale))
    this.#cost = exactPlus(this.#cost ?? zero, fromUnits(cost, usdScale))
  }

  get way() {
    return this.#parts.way
  }
  get currency() {
    return this.#parts.holding.currency
  }
  get id() {
    return this.#parts.entry.id
  }
  get atMs() {
    return this.#parts.entry.atMs
  }
  get quantity() {
    return fromUnits(this.#parts.quantity, this.#scale)
  }
  /** Of the units whose cost is known; null where that is none of them. */
  get costUsd() {
    return this.#cost
  }
  get quantityOfUnknownCost() {
    return exactPlus(this.quantity, this.#known.neg())
  }
}

/** The units of lots that came in by a symbol. */
export function heldBy({ held }: Holding, symbol: string | null): HeldUnits {
  const known = held.get(symbol)
  if (known !== undefined) return known
  const made = { quantity: 0n, known: 0n, cost: 0n }
  held.set(symbol, made)
  return made
}

/** Units of a lot come in (`sign` 1) or go out (−1), with their part of its cost. */
export function count({ held }: OpenLot, units: bigint, cost: bigint | null, sign: 1n | -1n): void {
  held.quantity += sign * units
  if (cost === null) return
  held.known += sign * units
  held.cost += sign * cost
}

/** Has the units of a holding with more decimals: `factor` more of the smaller ones are as much. */
export function widenUnits(holding: Holding, lots: readonly OpenLot[], factor: bigint, scale: number): void {
  holding.scale = scale
  for (const name of ['quantity', 'net', 'short'] as const) holding[name] *= factor
  for (const lot of lots) lot.quantity *= factor
  for (const held of holding.held.values()) {
    held.quantity *= factor
    held.known *= factor
  }
}
