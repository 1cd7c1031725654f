import type { Random } from '../../../src/base/random.ts'

const esc = '\u001b'
const enter = '\r'
const tab = '\t'
const arrows = ['A', 'B', 'C', 'D'].map((letter) => `${esc}[${letter}`)
const paging = [`${esc}[5~`, `${esc}[6~`]

/** What changes nothing at the exchange. Quitting is not among it. */
const harmless = [...'1234567890zvpgtA/?:c+-3jkhl.u', ...arrows, ...paging, tab, esc, esc, enter]

/** What may: buying, selling, cancelling, moving, words in the palette. */
const trading = [...'bsxmnywYe%', '\u007f', '\u0015']

/** A moment without a key: Enter that comes right after Enter is one held down, and sends nothing. */
export const pause = ''
export const pauseMs = 900

/** A far bid, so that it rests, typed as a sentence; then the ticket, its review, and the order out. */
const farBid = [':', ...'buy 0.001 btc-usd @ 61000', enter, pause, enter, pause, enter, pause]
const takeBack = [':', ...'cancel all btc-usd', enter, 'x']

/** Out of whatever is open, as far as keys lead. */
export const wayOut: readonly string[] = [esc, esc, esc, esc]

/**
 * What belongs together, each with the chance that it is next: an order, orders taken back, armed or safe, halted and
 * armed again, locked.
 */
const together: ReadonlyArray<readonly [chance: number, keys: readonly string[]]> = [
  [0.02, [...wayOut, ...farBid]],
  [0.02, [...wayOut, ...takeBack]],
  [0.02, [...wayOut, 'L']],
  [0.005, [...wayOut, 'K', enter, esc, 'L']],
  [0.005, [...wayOut, 'Z', enter]],
]

/** The next key of somebody who presses whatever comes to hand; several where a thing takes several. */
export function keysAtRandom(chance: Random): readonly string[] {
  let draw = chance.uniform()
  for (const [share, keys] of together) {
    if (draw < share) return keys
    draw -= share
  }
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
