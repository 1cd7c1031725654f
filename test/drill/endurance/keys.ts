import type { Random } from '../../../src/sandbox/market/random.ts'

const esc = '\u001b'
const enter = '\r'
const tab = '\t'
const arrows = ['A', 'B', 'C', 'D'].map((letter) => `${esc}[${letter}`)
const paging = [`${esc}[5~`, `${esc}[6~`]

/** What changes nothing at the exchange. Quitting is not among it. */
const harmless = [...'1234567890zvpgtA/?:c+-3jkhl.u', ...arrows, ...paging, tab, esc, esc, enter]

/** What may: buying, selling, cancelling, moving, arming, halting, words in the palette. */
const trading = [...'bsxmLKnywYe%', '\u007f', '\u0015']

/** A far bid, so that it rests, typed as a sentence; then the ticket, its review, and the order out. */
const farBid = [':', 'buy 0.001 btc-usd @ 50000', enter, enter, enter]
const takeBack = [':', 'cancel all btc-usd', enter, 'x']

/** The next key of somebody who presses whatever comes to hand; several where a thing takes several. */
export function keysAtRandom(chance: Random): readonly string[] {
  const draw = chance.uniform()
  if (draw < 0.02) return [esc, esc, esc, ...farBid]
  if (draw < 0.04) return [esc, esc, esc, ...takeBack]
  const keys = draw < 0.8 ? harmless : trading
  return [keys[chance.integer(0, keys.length - 1)] ?? esc]
}

/** Sizes of terminals, the too small one and the wall among them. */
export function sizeAtRandom(chance: Random): { columns: number; rows: number } {
  const known = [
    { columns: 80, rows: 24 },
    { columns: 120, rows: 40 },
    { columns: 200, rows: 60 },
  ]
  const one = known[chance.integer(0, known.length - 1)]
  if (one !== undefined && chance.chance(0.6)) return one
  return { columns: chance.integer(20, 220), rows: chance.integer(5, 70) }
}

/** Out of whatever is open, as far as keys lead. */
export const wayOut: readonly string[] = [esc, esc, esc, esc]
