import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { builtInThemes, usualTheme } from '../../src/themes/built-in.ts'
import { themeJsonSchema, themeSchema } from '../../src/themes/read-theme-file.ts'
import { contrast, drawnTones, type ThemeFile, type Tone, tones } from '../../src/themes/tones.ts'
import { readColorDepth } from '../../src/ui/terminal/colors.ts'
import { createTheme } from '../../src/ui/text/theme.ts'
import { distance } from './colors.ts'

const named = (name: string): ThemeFile => builtInThemes.find((theme) => theme.name === name) ?? usualTheme
const colored = builtInThemes.flatMap(({ background, ...theme }) =>
  background === undefined ? [] : [{ ...theme, background }],
)

test('the color arithmetic of these tests: black on white, and two colors that only some can tell apart', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 1)
  expect(distance('#5fd78f', '#ff7b72', 'usual')).toBeGreaterThan(80)
  expect(distance('#a08a00', '#b07a00', 'deuteranopia')).toBeLessThan(10)
})

test.each(builtInThemes.map((theme) => [theme.name, theme] as const))(
  '%s is in themes/ and keeps to the schema',
  (name) => {
    const text: unknown = JSON.parse(readFileSync(`themes/${name}.json`, 'utf8'))
    expect(themeSchema.safeParse(text).success).toBe(true)
    expect(Object.keys(named(name).tones)).toEqual([...tones])
  },
)

test('the published schema is the one that themes are checked against', () => {
  expect(JSON.parse(readFileSync('themes/theme.schema.json', 'utf8'))).toEqual(themeJsonSchema())
})

describe.each(colored.map((theme) => [theme.name, theme] as const))('%s', (name, { background, tones: styles }) => {
  const least = name === 'high-contrast' ? 7 : 4.5

  test(`every word has a contrast of at least ${least} against what is behind it`, () => {
    const weak = tones.flatMap((tone) => {
      const { fg, bg } = styles[tone]
      if (fg === undefined || drawnTones.includes(tone)) return []
      const ratio = contrast(fg, bg ?? background)
      return ratio >= least ? [] : [`${tone} ${ratio.toFixed(2)}`]
    })
    expect(weak).toEqual([])
  })

  test('frames can be seen, bars are there and stay behind the numbers', () => {
    expect(contrast(styles.border.fg ?? '', background)).toBeGreaterThanOrEqual(3)
    expect(contrast(styles.focusBorder.fg ?? '', background)).toBeGreaterThanOrEqual(4.5)
    for (const bar of ['bidBar', 'askBar'] as const) {
      const { fg = '', bg = '' } = styles[bar]
      // As a ground behind numbers, and where a terminal has no such ground as signs beside them.
      expect(contrast(bg, background)).toBeGreaterThan(1.15)
      expect(contrast(bg, background)).toBeLessThan(1.7)
      expect(contrast(fg, background)).toBeGreaterThan(1.5)
    }
  })

  test(`what is written over a bar of depth has a contrast of at least ${least}`, () => {
    for (const [bar, side] of [
      ['bidBar', 'bid'],
      ['askBar', 'ask'],
    ] as const) {
      const { fg = '', bg = '' } = styles[bar]
      const inks = ([side, 'grew', 'shrank', 'last', 'warn'] as const).flatMap((tone) => styles[tone].fg ?? [])
      const weak = [fg, ...inks].filter((ink) => contrast(ink, bg) < least)
      expect(weak).toEqual([])
    }
  })
})

const pairs = [
  ['bid', 'ask', 'fg'],
  ['good', 'bad', 'fg'],
  ['bidBar', 'askBar', 'bg'],
  ['armed', 'safe', 'bg'],
  ['practice', 'live', 'bg'],
] as const

describe.each(['usual', 'deuteranopia', 'protanopia'] as const)('seen with %s sight', (sight) => {
  test.each(pairs)('%s and %s of the colour-blind-safe theme are far apart', (one, other, ground) => {
    const { tones: styles } = named('colour-blind-safe')
    expect(distance(styles[one][ground] ?? '', styles[other][ground] ?? '', sight)).toBeGreaterThan(30)
  })
})

test('the dark theme is not colour-blind-safe, and the simulation says so', () => {
  const { tones: styles } = usualTheme
  const seen = distance(styles.bid.fg ?? '', styles.ask.fg ?? '', 'deuteranopia')
  expect(seen).toBeLessThan(distance(styles.bid.fg ?? '', styles.ask.fg ?? '', 'usual') / 2)
})

const modes = ['monitor', 'safe', 'armed', 'halted'] as const
const different: readonly (readonly [Tone, Tone])[] = [
  ['practice', 'live'],
  ...modes.flatMap((one, at) => modes.slice(at + 1).map((other) => [one, other] as const)),
]

describe.each(builtInThemes.map((theme) => [theme.name, theme] as const))('%s', (name, file) => {
  const environments = [{ COLORTERM: 'truecolor' }, { TERM: 'xterm-256color' }, { TERM: 'xterm' }]

  test('venues and modes look different wherever there are colors', () => {
    for (const environment of environments) {
      const { on } = createTheme(file, readColorDepth(environment), 'unicode', true)
      for (const [one, other] of different) expect(on[one], `${one} and ${other}`).not.toBe(on[other])
      if (name !== 'mono') expect(on.bid).not.toBe(on.ask)
    }
  })

  test('no color but what it names: mono has none', () => {
    const { on } = createTheme(named('mono'), 'true', 'unicode', true)
    for (const tone of tones) expect(on[tone]).toMatch(/^(\u001b\[[1247;]+m)?$/)
  })
})
