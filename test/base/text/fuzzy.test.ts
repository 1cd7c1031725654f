import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzzyFind, fuzzyMatch } from '../../../src/base/text/fuzzy.ts'

/** The text with what matched in brackets. */
const marked = (query: string, text: string): string | null => {
  const match = fuzzyMatch(query, text)
  if (match === null) return null
  return [...text].map((letter, at) => (match.positions.includes(at) ? `[${letter}]` : letter)).join('')
}

/** Every way to place the letters, one after the other: what the quick search is held against. */
const isSubsequence = (query: string, text: string): boolean => {
  let at = 0
  for (const letter of text.toLowerCase()) if (letter === query[at]) at += 1
  return at === query.length
}

test('starts of words win over letters inside them, and neighbours over letters apart', () => {
  expect(marked('cr', 'cancel own in the row')).toBe('[c]ancel own in the [r]ow')
  expect(marked('eth', 'BTC-ETH the other')).toBe('BTC-[E][T][H] the other')
  expect(marked('btcu', 'BTC-USD')).toBe('[B][T][C]-[U]SD')
  expect(marked('go lad', 'go to Ladder')).toBe('[g][o] to [L][a][d]der')
})

test('the best way to place the letters is found, not the first', () => {
  expect(marked('row', 'arrow cancels the row')).toBe('arrow cancels the [r][o][w]')
  expect(marked('usd', 'USDC-USD')).toBe('[U][S][D]C-USD')
})

test('what is typed in part finds its symbol first', () => {
  const symbols = ['ETHW-BTC', 'BTC-ETH', 'ETH-USD', 'TETHER-USD']
  expect(fuzzyFind('eth', symbols, (each) => each).map(({ item }) => item)[0]).toBe('ETHW-BTC')
  expect(fuzzyFind('ethu', symbols, (each) => each).map(({ item }) => item)[0]).toBe('ETH-USD')
  expect(fuzzyFind('zz', symbols, (each) => each)).toEqual([])
})

test('nothing typed keeps everything in its order', () => {
  const items = ['c', 'a', 'b']
  expect(fuzzyFind('  ', items, (each) => each).map(({ item }) => item)).toEqual(items)
})

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-', ' ', 'A'), maxLength: 24 })

test('it matches exactly when the letters stand in their order, and marks those letters', () => {
  fc.assert(
    fc.property(letters, letters, (query, text) => {
      const wanted = query.toLowerCase().replaceAll(' ', '')
      const match = fuzzyMatch(query, text)
      expect(match !== null).toBe(isSubsequence(wanted, text))
      if (match === null) return
      expect(match.positions.map((at) => text.charAt(at).toLowerCase()).join('')).toBe(wanted)
      expect(match.positions).toEqual([...new Set(match.positions)].toSorted((left, right) => left - right))
    }),
  )
})

test('no placement of the letters scores higher than the one found', () => {
  /** All placements, each scored by the same rules written the plain way. */
  const best = (wanted: string, text: string): number => {
    const points = (at: number) => {
      const here = text.charAt(at)
      const before = text.charAt(at - 1)
      const starts = /\w/.test(here) && (!/\w/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(here)))
      return starts ? 8 : 0
    }
    const from = (index: number, last: number | null): number => {
      if (index === wanted.length) return 0
      let most = Number.NEGATIVE_INFINITY
      for (let at = last === null ? 0 : last + 1; at < text.length; at += 1) {
        if (text.charAt(at).toLowerCase() !== wanted[index]) continue
        const join = last === null ? Math.max(-4, -at) : at === last + 1 ? 5 : -(at - last - 1)
        most = Math.max(most, points(at) + join + from(index + 1, at))
      }
      return most
    }
    return from(0, null)
  }
  const short = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '-'), maxLength: 9 })
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 }), short, (query, text) => {
      const match = fuzzyMatch(query, text)
      if (match === null) expect(best(query, text)).toBe(Number.NEGATIVE_INFINITY)
      else expect(match.score).toBe(best(query, text))
    }),
    { numRuns: 500 },
  )
})

test('a text of any length and any characters is read in a bounded time', () => {
  expect(fuzzyMatch('x', 'a'.repeat(100_000))).toBeNull()
  expect(fuzzyMatch('İ', 'İstanbul')?.positions).toEqual([0])
})
