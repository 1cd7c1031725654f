import { expect, test } from 'vitest'
import { frameRows } from '../../../src/ui/text/frame.tsx'
import { paint } from '../../../src/ui/text/paint.ts'
import { span } from '../../../src/ui/text/row.ts'
import { readTheme } from '../../../src/ui/text/theme.ts'
import { withoutStyles } from '../../fakes/without-styles.ts'

const theme = readTheme({ COLORTERM: 'truecolor' })
const content = {
  title: [span('1 Ladder', 'title')],
  rows: [[span('64210.50', 'bid')], [span('a rather long row', 'ask')]],
}
const framePane = (...given: Parameters<typeof frameRows>) => frameRows(...given).map((row) => paint(row, theme))
const plain = (lines: readonly string[]) => lines.map(withoutStyles)

test('a pane is exactly its size: rows are cut or filled up, title and foot stand in the border', () => {
  const lines = framePane({ ...content, foot: [span('2 more')] }, { width: 16, height: 6 }, 'plain', theme)
  expect(plain(lines)).toEqual([
    '┌ 1 Ladder ────┐',
    '│64210.50      │',
    '│a rather long │',
    '│              │',
    '│              │',
    '└ 2 more ──────┘',
  ])
})

test('a title that is too long is cut inside the border', () => {
  const title = [span('1 Ladder BTC-USD  STALE 8.4s: no answer', 'bad')]
  expect(plain(framePane({ ...content, title }, { width: 20, height: 3 }, 'plain', theme))[0]).toBe(
    '┌ 1 Ladder… ───────┐',
  )
})

test('focus and dialogs have borders of their own shape, not only of their own color', () => {
  const corners = (['plain', 'focus', 'dialog'] as const).map((kind) =>
    plain(framePane(content, { width: 16, height: 3 }, kind, theme))[0]?.charAt(0),
  )
  expect(corners).toEqual(['┌', '┏', '╔'])
})

test('old data is dim in every row, whatever its tones; the title keeps its own', () => {
  const fresh = framePane(content, { width: 16, height: 4 }, 'plain', theme)
  const stale = framePane({ ...content, isStale: true }, { width: 16, height: 4 }, 'plain', theme)
  expect(fresh[1]).toContain(`${theme.on.bid}64210.50`)
  expect(stale[1]).toContain(`${theme.on.dim}64210.50`)
  expect(stale[1]).not.toContain(theme.on.bid)
  expect(stale[0]).toBe(fresh[0])
})

test('control characters in a title never reach the terminal', () => {
  const title = [span('X\u001b[2J\u0007\nY')]
  expect(plain(framePane({ ...content, title }, { width: 20, height: 3 }, 'plain', theme))[0]).toBe(
    '┌ X[2J Y ──────────┐',
  )
})
