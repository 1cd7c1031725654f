import type { ParameterReader } from './query.ts'

const wholeNumber = /^-?\d{1,18}$/

/** Milliseconds since 1970. Any whole number will do: a time nobody has seen is a bound like any other. */
export const timeParameter: ParameterReader<number> = (text) =>
  wholeNumber.test(text) ? { value: Number(text) } : { must: 'must be a whole number of milliseconds since 1970' }

/** An int64 id, 0 and up. Ids past 2^53 were never given out; as a bound the nearest number serves for them. */
export const idParameter: ParameterReader<number> = (text) =>
  /^\d{1,19}$/.test(text) && BigInt(text) < 2n ** 63n
    ? { value: Number(text) }
    : { must: 'must be a whole number of 0 or more' }

/** A page size of at least 1; above the cap it is the cap. */
export function limitParameter(cap: number): ParameterReader<number> {
  return (text) =>
    /^\d{1,20}$/.test(text) && /[1-9]/.test(text)
      ? { value: Math.min(cap, Number(text)) }
      : { must: 'must be a whole number of 1 or more' }
}

/** One of a list of words. */
export function wordParameter<Word extends string>(words: readonly Word[]): ParameterReader<Word> {
  return (text) => {
    const value = words.find((word) => word === text)
    return value === undefined ? { must: `must be one of ${words.join(', ')}` } : { value }
  }
}

/** A symbol that is listed here. */
export function symbolParameter(isListed: (symbol: string) => boolean): ParameterReader<string> {
  return (text) => (isListed(text) ? { value: text } : { must: 'is not a symbol of this exchange' })
}
