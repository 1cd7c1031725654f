import { expect, test } from 'vitest'
import { tones } from '../../../src/themes/tones.ts'
import { readColorDepth, readGlyphSet, sgr } from '../../../src/ui/terminal/colors.ts'
import { paint } from '../../../src/ui/text/paint.ts'
import { readTheme } from '../../../src/ui/text/theme.ts'

test.each([
  [{ TERM: 'xterm', COLORTERM: 'truecolor' }, 'true'],
  [{ TERM: 'xterm-256color' }, '256'],
  [{ TERM: 'xterm' }, '16'],
  [{ TERM: 'linux' }, '16'],
  [{ TERM: 'xterm-mono', COLORTERM: 'truecolor' }, 'attributes'],
  [{ TERM: 'linux-m' }, 'attributes'],
  [{}, '16'],
  [{ TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1' }, 'attributes'],
  [{ TERM: 'xterm-256color', NO_COLOR: '' }, '256'],
  [{ TERM: 'xterm', FORCE_COLOR: '3' }, 'true'],
  [{ TERM: 'xterm', FORCE_COLOR: '3', NO_COLOR: '1' }, 'attributes'],
  [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 'plain'],
])('%j shows %s', (env, depth) => {
  expect(readColorDepth(env)).toBe(depth)
})

test.each([
  [{ TERM: 'xterm', LANG: 'en_US.UTF-8' }, 'unicode'],
  [{ TERM: 'xterm' }, 'unicode'],
  [{ TERM: 'xterm', LANG: 'C' }, 'ascii'],
  [{ TERM: 'xterm', LANG: 'C', LC_ALL: 'C.UTF-8' }, 'unicode'],
  [{ TERM: 'linux', LANG: 'en_US.UTF-8' }, 'ascii'],
])('%j draws frames of %s', (env, glyphs) => {
  expect(readGlyphSet(env)).toBe(glyphs)
})

test('one style in every depth', () => {
  const style = { fg: '#5fd78f', bg: '#c4261d', ansi: 'brightGreen', ansiBg: 'red', bold: true }
  expect(sgr(style, 'true')).toBe('\u001b[1;38;2;95;215;143;48;2;196;38;29m')
  expect(sgr(style, '256')).toBe('\u001b[1;38;5;78;48;5;160m')
  expect(sgr(style, '16')).toBe('\u001b[1;92;41m')
  expect(sgr(style, 'attributes')).toBe('\u001b[1;7m')
  expect(sgr(style, 'plain')).toBe('')
})

test('a color that a theme misspells is no color, and never a broken sequence', () => {
  expect(sgr({ fg: 'greenish', ansi: 'greenish' }, 'true')).toBe('')
  expect(sgr({ fg: '#12345', ansi: 'bright' }, '16')).toBe('')
})

test('practice and live, bid and ask, armed and safe look different in every depth that has colors', () => {
  for (const env of [{ COLORTERM: 'truecolor' }, { TERM: 'xterm-256color' }, { TERM: 'xterm' }]) {
    const { on } = readTheme(env)
    for (const [one, other] of [
      ['practice', 'live'],
      ['bid', 'ask'],
      ['armed', 'safe'],
      ['good', 'bad'],
    ] as const)
      expect(on[one]).not.toBe(on[other])
  }
})

test('every tone that is switched on is switched off at the end of its text', () => {
  const theme = readTheme({ COLORTERM: 'truecolor' })
  const painted = tones.map((tone) => paint([{ text: 'x', tone }], theme)).filter((text) => text !== 'x')
  expect(painted.length).toBeGreaterThan(tones.length / 2)
  for (const text of painted) expect(text).toMatch(/^\u001b\[[\d;]+mx\u001b\[0m$/)
})
