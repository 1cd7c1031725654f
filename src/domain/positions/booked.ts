import { type Decimal, exactPlus, zero } from '../money.ts'
import { fromUnits } from '../scaled.ts'
import type { Lot, Match, Way } from './position.ts'

/** The entry that brought units in or took them out. */
export type Entry = { atMs: number | null; id: string; symbol: string | null }

/** The holdings of a currency in lots of one symbol, in units of their scales. */
export type HeldUnits = { quantity: bigint; known: bigint; cost: bigint }

/** Units that came in together, while any are left: see `Lot`. Amounts are whole units of their scale. */
export type OpenLot = {
  entry: Entry
  /** The holdings it is part of. */
  held: HeldUnits
  way: Way
  quantity: bigint
  cost: bigint | null
  /** Null when it is the price of the fill itself. */
  source: string | null
  /** The deposit they came by, to which a cost stated later is added. */
  transfer: BookedTransfer | null
  /**
   * Units whose cost was stated, the first stated first; they precede the lot, and those before `splitHead` are used
   * up.
   */
  split?: OpenLot[]
  splitHead?: number
}

/** The parts of a lot, oldest units first. */
export const partsOf = (lot: OpenLot): OpenLot[] =>
  lot.split === undefined ? [lot] : [...lot.split.slice(lot.splitHead), lot]

/** The oldest part. */
export const firstPart = (lot: OpenLot): OpenLot => lot.split?.[lot.splitHead ?? 0] ?? lot

/** A currency of the account. */
export type Holding = {
  currency: string
  /** Decimals of its units. */
  scale: number
  /** Oldest first; those before `head` are used up. With average cost, only lots of unknown cost. */
  lots: OpenLot[]
  head: number
  /** No lot before this index has an unknown cost. */
  unknownFrom: number
  /** With average cost: all units of known cost, together. */
  pool: OpenLot | null
  /** The sums of its lots, by the symbol they came in by; null for transfers and average cost. */
  held: Map<string | null, HeldUnits>
  quantity: bigint
  /** The sum of the statement's entries. */
  net: bigint
  /** Units that went out without ever having come in. */
  short: bigint
}

// A million fills make as many matches. Each stores whole units and creates a Decimal only when read, because creating
// all of them takes longer than everything else together.

const usdOf = (units: bigint | null, scale: number): Decimal | null => (units === null ? null : fromUnits(units, scale))

/** A fill whose own price is in USD is the source of its value. */
const sourceOf = (usd: bigint | null, source: string | null, { id }: Pick<Entry, 'id'>): string | null =>
  usd === null ? null : (source ?? `fill ${id}`)

type MatchParts = {
  /** Null when the origin of the units is unknown. */
  opened: Entry | null
  closed: Entry
  way: Way
  quantity: bigint
  cost: bigint | null
  proceeds: bigint | null
  source: string | null
}

/** A match whose amounts are created when read. */
export class BookedMatch implements Match {
  readonly #holding: Holding
  readonly #opened: Entry | null
  readonly #closed: Entry
  readonly #source: string | null
  // Keeps the scale of its creation, even if the books' scales grow later.
  readonly #scale: number
  readonly #usdScale: number
  readonly closedBy: Way
  readonly quantityUnits: bigint
  /** In units of the books' USD scale, like `proceeds`. */
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

/** A lot of closed books; its amounts are created when read. */
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
  /** In units of the books' USD scale; null when its value is unknown. */
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
  /** Null for a withdrawal. */
  get symbol() {
    return this.#entry.symbol
  }
  get id() {
    return this.#entry.id
  }
  get atMs() {
    return this.#entry.atMs
  }
  /** In its own currency; positive, or below zero when paid to the account. */
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

/** A transfer at its cost. */
export class BookedTransfer {
  readonly #parts: TransferParts
  readonly #scale: number
  #known: Decimal = zero
  #cost: Decimal | null = null

  constructor(parts: TransferParts) {
    this.#parts = parts
    this.#scale = parts.holding.scale
  }

  /** Records the cost of some of its units, in units of the present scales of its currency and USD. */
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
  /** The cost of units with a known cost; null when there are none. */
  get costUsd() {
    return this.#cost
  }
  get quantityOfUnknownCost() {
    return exactPlus(this.quantity, this.#known.neg())
  }
}

/** The holdings of lots that came in by a symbol. */
export function heldBy({ held }: Holding, symbol: string | null): HeldUnits {
  const known = held.get(symbol)
  if (known !== undefined) return known
  const made = { quantity: 0n, known: 0n, cost: 0n }
  held.set(symbol, made)
  return made
}

/** Counts units of a lot coming in (`sign` 1) or going out (−1), with their part of its cost. */
export function count({ held }: OpenLot, units: bigint, cost: bigint | null, sign: 1n | -1n): void {
  held.quantity += sign * units
  if (cost === null) return
  held.known += sign * units
  held.cost += sign * cost
}

/** Rescales a holding to more decimals: amounts in its units grow by `factor`. */
export function widenUnits(holding: Holding, lots: readonly OpenLot[], factor: bigint, scale: number): void {
  holding.scale = scale
  for (const name of ['quantity', 'net', 'short'] as const) holding[name] *= factor
  for (const lot of lots) lot.quantity *= factor
  for (const held of holding.held.values()) {
    held.quantity *= factor
    held.known *= factor
  }
}
