import type { IBufferCell } from '@xterm/headless'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { createCommands } from '../../src/store/commands.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { builtInThemes } from '../../src/themes/built-in.ts'
import { contrast, isLightColor } from '../../src/themes/tones.ts'
import { openConsole } from '../../src/ui/console/open-console.tsx'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { eventually } from '../fakes/eventually.ts'
import { quietPort } from '../fakes/quiet-port.ts'
import { createFakeTerminal } from '../fakes/terminal.ts'

const [columns, rows] = [120, 40]
const environments = {
  true: { TERM: 'xterm-256color', COLORTERM: 'truecolor', LANG: 'C.UTF-8' },
  '256': { TERM: 'xterm-256color', LANG: 'C.UTF-8' },
  '16': { TERM: 'xterm', LANG: 'C.UTF-8' },
  attributes: { TERM: 'xterm-256color', COLORTERM: 'truecolor', NO_COLOR: '1', LANG: 'C.UTF-8' },
} as const
type Depth = keyof typeof environments

/** xterm's sixteen; every terminal has its own. */
const sixteen = [
  ...['#000000', '#cd0000', '#00cd00', '#cdcd00', '#0000ee', '#cd00cd', '#00cdcd', '#e5e5e5'],
  ...['#7f7f7f', '#ff0000', '#00ff00', '#ffff00', '#5c5cff', '#ff00ff', '#00ffff', '#ffffff'],
]
const hex = (parts: readonly number[]): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
const level = (step: number): number => (step === 0 ? 0 : 55 + 40 * step)

function paletteColour(index: number): string {
  if (index < 16) return sixteen[index] ?? ''
  if (index >= 232) return hex([0, 0, 0].map(() => 8 + 10 * (index - 232)))
  const at = index - 16
  return hex([Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map(level))
}

type Own = { ink: string; ground: string }

/** What is seen of a cell: its ink and what is behind it. Faint ink is shown at two thirds. */
function seen(cell: IBufferCell, own: Own): Own {
  const fg = cell.getFgColor()
  const bg = cell.getBgColor()
  let ink = cell.isFgDefault() ? own.ink : cell.isFgRGB() ? `#${fg.toString(16).padStart(6, '0')}` : paletteColour(fg)
  let ground = cell.isBgDefault()
    ? own.ground
    : cell.isBgRGB()
      ? `#${bg.toString(16).padStart(6, '0')}`
      : paletteColour(bg)
  if (cell.isInverse() !== 0) [ink, ground] = [ground, ink]
  if (cell.isDim() !== 0) {
    const parts = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    const behind = parts(ground)
    ink = hex(parts(ink).map((part, at) => (part * 2 + (behind[at] ?? 0)) / 3))
  }
  return { ink, ground }
}

type Opening = { theme: string; depth: Depth; ground: string | null; screenOutput?: 'cells' | 'lines' }

/** A desk on a terminal of this ground, drawn to the end. */
async function opened({ theme, depth, ground, screenOutput = 'cells' }: Opening) {
  const state = deskState({ unknownWrites: [] })
  const store = createDeskStore({ ...state, looks: { ...state.looks, theme, screenOutput } })
  const commands = createCommands({ store, port: quietPort(deskNowMs), exit: () => undefined })
  const terminal = createFakeTerminal(columns, rows, ground)
  const { stdin, stdout, screen } = terminal
  const env = environments[depth]
  const console = openConsole({ store, commands, stdin, stdout, clock: systemClock, env, onExit: () => undefined })
  if (!console.ok) throw new Error(console.error)
  onTestFinished(console.value.close)
  await eventually(() => expect(screen()).toContain('1 Ladder BTC-USD'))
  let notices = 0
  /** A notice, and with it on screen everything that was to be drawn before it. */
  const settled = async () => {
    notices += 1
    const text = `notice ${notices}`
    store.dispatch({ type: 'noted', level: 'info', text, atMs: deskNowMs })
    await eventually(() => expect(screen()).toContain(text))
  }
  await settled()
  return { ...terminal, store, settled, close: console.value.close }
}

type Opened = Awaited<ReturnType<typeof opened>>

/** Frames, bars and the lines of the chart are not read. */
const isRead = (text: string): boolean => text.trim() !== '' && !/[\u2500-\u259f\u2800-\u28ff]/.test(text)

/** The words that are hard to read as they are shown, with their contrast. */
function weakWords({ cellAt }: Opened, own: Own, least: number): string[] {
  const weak = new Set<string>()
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const cell = cellAt(column, row)
      if (cell === undefined || !isRead(cell.getChars())) continue
      const { ink, ground } = seen(cell, own)
      const ratio = contrast(ink, ground)
      if (ratio < least) weak.add(`${ink} on ${ground} ${ratio.toFixed(1)} at ${row},${column}`)
    }
  }
  return [...weak]
}

/** The grounds of all cells without words. */
function grounds({ cellAt }: Opened, own: Own): Set<string> {
  const all = new Set<string>()
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const cell = cellAt(column, row)
      if (cell !== undefined && cell.getChars().trim() === '') all.add(seen(cell, own).ground)
    }
  }
  return all
}

const terminals: readonly (readonly [string, Own])[] = [
  ['black', { ink: '#e5e5e5', ground: '#000000' }],
  ['white', { ink: '#000000', ground: '#ffffff' }],
  ['solarized dark', { ink: '#839496', ground: '#002b36' }],
  ['solarized light', { ink: '#586e75', ground: '#fdf6e3' }],
  ['grey', { ink: '#ffffff', ground: '#5a5a5a' }],
]
const least = (theme: string, depth: Depth): number =>
  depth === '16' || depth === 'attributes' ? 4 : theme === 'high-contrast' ? 7 : 4.5
const coloured = builtInThemes.filter(({ background }) => background !== undefined).map(({ name }) => name)

test.each(terminals)(
  'on a %s terminal every word can be read, in every theme',
  async (_, own) => {
    const told: Record<string, string[]> = {}
    for (const theme of ['auto', ...coloured]) {
      for (const depth of ['true', '256', '16'] as const) {
        for (const ground of [own.ground, null]) {
          const desk = await opened({ theme, depth, ground })
          const weak = weakWords(desk, own, least(theme, depth))
          desk.close()
          if (weak.length > 0) told[`${theme} ${depth} ${ground ?? 'mute'}`] = weak.slice(0, 5)
        }
      }
    }
    expect(told).toEqual({})
  },
  120_000,
)

test('without a choice the desk is light on a light ground and dark elsewhere, and neither paints', async () => {
  for (const [, own] of terminals.slice(0, 4)) {
    const desk = await opened({ theme: 'auto', depth: 'true', ground: own.ground })
    expect(desk.store.getState().looks).toMatchObject({ theme: 'auto', ground: own.ground })
    expect(desk.stdout.written).not.toMatch(isLightColor(own.ground) ? /48;2;255;255;255/ : /48;2;16;21;27/)
    expect(desk.stdout.written).toContain(isLightColor(own.ground) ? '38;2;17;107;51' : '38;2;95;215;143')
  }
})

test.each(['cells', 'lines'] as const)(
  'a theme that goes badly with the ground paints one, on every cell, and takes it off with the theme (%s)',
  async (screenOutput) => {
    const own = { ink: '#e5e5e5', ground: '#000000' }
    const desk = await opened({ theme: 'light', depth: 'true', ground: '#000000', screenOutput })
    expect(grounds(desk, own)).not.toContain('#000000')
    expect(grounds(desk, own)).toContain('#ffffff')
    expect(weakWords(desk, own, 4.5)).toEqual([])
    desk.store.dispatch({ type: 'themeChosen', name: 'dark' })
    await eventually(() => expect(grounds(desk, own)).toContain('#000000'))
    await desk.settled()
    expect(grounds(desk, own)).not.toContain('#ffffff')
    // A theme may differ in its ground alone: nothing else of the picture changes.
    const { themes } = desk.store.getState().looks
    const [dark] = themes
    if (dark === undefined) throw new Error('no theme')
    const mine = { ...dark, name: 'mine', background: '#ffff00' }
    desk.store.dispatch({ type: 'themesRead', themes: [mine], complaints: [], atMs: deskNowMs })
    desk.store.dispatch({ type: 'themeChosen', name: 'mine' })
    await desk.settled()
    const other = { ...mine, background: '#000022' }
    desk.store.dispatch({ type: 'themesRead', themes: [other], complaints: [], atMs: deskNowMs })
    await desk.settled()
    expect(weakWords(desk, own, 4.5)).toEqual([])
  },
)

test('a terminal that does not say what it is gets the ground painted once it would have answered', async () => {
  const own = { ink: '#000000', ground: '#ffffff' }
  const desk = await opened({ theme: 'dark', depth: 'true', ground: null })
  await eventually(() => expect(grounds(desk, own)).toContain('#10151b'))
  expect(grounds(desk, own)).not.toContain('#ffffff')
})

test('whoever wants no colours, or a theme without any, has the terminal as it is', async () => {
  for (const [theme, depth] of [
    ['light', 'attributes'],
    ['high-contrast', 'attributes'],
    ['mono', 'true'],
  ] as const) {
    for (const ground of ['#000000', '#ffffff', null]) {
      const desk = await opened({ theme, depth, ground })
      expect(desk.stdout.written).not.toMatch(/\u001b\[[\d;]*(?:[34]8;[25]|\b(?:3|4|9|10)[0-7]\b)[\d;]*m/)
    }
  }
})

test.each(coloured)('%s: no line stands under an empty cell', async (theme) => {
  const { cellAt } = await opened({ theme, depth: 'true', ground: '#000000' })
  const lined: string[] = []
  for (let row = 0; row < rows; row += 1) {
    for (let column = 1; column < columns; column += 1) {
      const cell = cellAt(column, row)
      if (cell === undefined || cell.isUnderline() === 0 || !cell.isBgDefault()) continue
      const sides = [column - 1, column, column + 1].map((at) => cellAt(at, row)?.getChars().trim() ?? '')
      if (sides[1] === '' && (sides[0] === '' || sides[2] === '')) lined.push(`${row},${column}`)
    }
  }
  expect(lined).toEqual([])
})
