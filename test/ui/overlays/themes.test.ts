import { expect, test } from 'vitest'
import { usualLooks } from '../../../src/store/looks.ts'
import { usualTheme } from '../../../src/themes/built-in.ts'
import { keymap } from '../../../src/ui/keys/keymap.ts'
import { themesRows } from '../../../src/ui/overlays/themes.tsx'
import { rowText } from '../../../src/ui/text/row.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { plainScreen } from '../render-screen.tsx'

test('the list names every theme, marks the one that is drawn and the one in use, and shows what matters most', () => {
  const rows = themesRows(usualLooks, 'light', 12, keymap).map((row) => rowText(row).trimEnd())
  expect(rows).toEqual([
    '  auto (dark here)         in use',
    '  dark',
    '> light',
    '  high-contrast',
    '  colour-blind-safe',
    '  mono',
    '',
    ' BID 1.25 ASK 0.80 own B.05 last*',
    ' good WARN BAD old label key',
    '  PRACTICE   LIVE   ARMED',
    '  SAFE   HALTED   MONITOR',
    ' Down choose  Enter keep  Esc close',
  ])
})

test('of many themes the marked one is always on the list', () => {
  const own = Array.from({ length: 40 }, (_, at) => ({ ...usualTheme, name: `own-${at}` }))
  const looks = { ...usualLooks, themes: [...usualLooks.themes, ...own] }
  const rows = themesRows(looks, 'own-39', 12, keymap).map(rowText)
  expect(rows.some((text) => text.startsWith('> own-39'))).toBe(true)
  expect(rows).toHaveLength(12)
})

test.each([
  [80, 24],
  [120, 40],
  [200, 60],
] as const)('at %i by %i most of the desk stays in view beside the list', (columns, rows) => {
  const overlay = { kind: 'themes', selected: 'dark' } as const
  const lines = plainScreen(deskState({ overlay }), columns, rows).split('\n')
  expect(lines.filter((line) => line.includes('║') || line.includes('╔')).length).toBeLessThanOrEqual(14)
  expect(lines.join('\n')).toContain('1 Ladder BTC-USD')
  expect(lines.at(-1)).toContain('Enter keep')
})

test('its keys are drawn as they are bound', () => {
  const overlay = { kind: 'themes', selected: 'dark' } as const
  const reboundKeys = new Map([['themeDown', ['n']]])
  const lines = plainScreen(deskState({ overlay, reboundKeys }), 120, 40).split('\n')
  const keys = lines.filter((line) => line.includes('║') && line.includes('Enter keep'))
  expect(keys).toEqual([expect.stringContaining(' n choose  Enter keep')])
})
