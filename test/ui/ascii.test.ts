import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { DeskState } from '../../src/store/desk.ts'
import { paneTable } from '../../src/store/view/panes.ts'
import { asciiFor, inAscii, paint } from '../../src/ui/text/paint.ts'
import { readTheme } from '../../src/ui/text/theme.ts'
import { deskState } from '../fakes/desk-state.ts'
import { renderScreen } from './render-screen.tsx'

const sources = readdirSync('src/ui', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => `${entry.parentPath}/${entry.name}`)

/** A file's text without comments: what is left may reach the screen. */
const code = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '')

test('every sign that the screen is drawn with has one of ASCII that stands for it', () => {
  const without = sources.flatMap((path) =>
    [...code(readFileSync(path, 'utf8')).matchAll(/[^\u0000-\u007e]/gu)]
      .filter(([sign]) => asciiFor(sign) === '?')
      .map(([sign]) => `${path}: ${sign}`),
  )
  expect(without).toEqual([])
})

test('signs that are made by their number have one too: braille and blocks, fuller ones darker', () => {
  const all = [0x2500, 0x2580, 0x2800].flatMap((first) =>
    Array.from({ length: first === 0x2580 ? 32 : first === 0x2500 ? 128 : 256 }, (_, at) =>
      asciiFor(String.fromCodePoint(first + at)),
    ),
  )
  expect(all.filter((sign) => !/^[ -~]$/.test(sign) || sign === '?')).toEqual([])
  expect(inAscii('▁▂▃▄▅▆▇█ ▏▌█ ░█')).toBe('___==### _=# _#')
  expect(inAscii('┌─┐│╔═╗ ┏━┓┃')).toBe('+-+|+-+ +-+|')
})

test('letters lose their marks, and what nothing stands for is a question mark of as many cells', () => {
  const theme = readTheme({ TERM: 'linux' })
  expect(paint([{ text: 'é ▲ … 金', tone: 'text' }], theme)).toBe('e ^ ~ ?')
})

const marks = (screen: string): number => screen.split('?').length

test.each(paneTable.map(({ pane }) => pane))(
  'a screen with the %s pane is ASCII alone, and nothing in it is lost',
  (pane) => {
    const state: DeskState = deskState({ focus: pane })
    for (const [columns, rows] of [
      [80, 24],
      [120, 40],
      [200, 60],
    ] as const) {
      const ascii = renderScreen(state, columns, rows, { TERM: 'dumb' })
      expect(ascii).toMatch(/^[\n -~]*$/)
      expect(marks(ascii)).toBe(marks(renderScreen(state, columns, rows)))
    }
  },
)
