import { createHash } from 'node:crypto'

/** A seeded stream of random numbers: the same seed gives the same stream on every machine. Not for secrets. */
export type Random = {
  /** Uniform in [0, 1), 32 bits. */
  uniform(): number
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number
  /** Standard normal. */
  normal(): number
  /** Exponential with this mean. */
  exponential(mean: number): number
  /** At least 1, heavy-tailed: P(x > v) = v^-`tail`. */
  pareto(tail: number): number
  /** True with this probability. */
  chance(probability: number): boolean
}

/** FNV-1a; makes the streams of one seed independent by their names. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

/** splitmix32: spreads a seed over the four state words, which must not all be zero. */
function splitMix(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}

/** xoshiro128** by Blackman and Vigna: small, fast, and more than good enough for a simulation. */
function xoshiro(nextSeed: () => number): () => number {
  let a = nextSeed()
  let b = nextSeed()
  let c = nextSeed()
  let d = nextSeed()
  return () => {
    const scrambled = Math.imul(b, 5)
    const result = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result
  }
}

/** The stream named `name` of this seed (any whole number). */
export function createRandom(seed: number, name: string): Random {
  const low = seed >>> 0
  const high = Math.floor(seed / 2 ** 32) >>> 0
  const nextWord = xoshiro(splitMix((low ^ Math.imul(high, 0x85ebca6b) ^ hashText(name)) >>> 0))
  const uniform = () => nextWord() / 2 ** 32
  // 1 − uniform is never 0, whose logarithm is not a number.
  const exponential = (mean: number) => -mean * Math.log(1 - uniform())
  return {
    uniform,
    integer: (from, to) => from + Math.floor(uniform() * (to - from + 1)),
    normal: () => Math.sqrt(2 * exponential(1)) * Math.cos(2 * Math.PI * uniform()),
    exponential,
    pareto: (tail) => (1 - uniform()) ** (-1 / tail),
    chance: (probability) => uniform() < probability,
  }
}

/** The alphabet of ids without restrictions. */
export const lettersAndDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Creates a generator of ids of `length` characters, each character of `alphabet` (at most 256) equally likely. */
export function createRandomIds(
  alphabet: string,
  length: number,
  randomBytes: (count: number) => Uint8Array,
): () => string {
  // Bytes past the last whole multiple of the alphabet's length are skipped, because they would favor its first
  // characters.
  const fair = 256 - (256 % alphabet.length)
  return () => {
    let id = ''
    while (id.length < length) {
      for (const byte of randomBytes(length))
        if (byte < fair && id.length < length) id += alphabet[byte % alphabet.length]
    }
    return id
  }
}

/**
 * An id of `length` characters of `alphabet`, the same for the same text, that says nothing of it: as hard to guess as
 * the text is. At most 40 characters of a few dozen, as many as a digest has.
 */
export function derivedId(alphabet: string, length: number, text: string): string {
  const count = BigInt(alphabet.length)
  let rest = BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
  let id = ''
  for (; id.length < length; rest /= count) id += alphabet[Number(rest % count)]
  return id
}
