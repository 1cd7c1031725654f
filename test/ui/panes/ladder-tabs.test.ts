import { expect, test } from 'vitest'
import type { DeskState } from '../../../src/store/desk.ts'
import { deskNowMs, deskState } from '../../fakes/desk-state.ts'
import { plainScreen } from '../render-screen.tsx'

const view = { layout: 'lists', isZoomed: false } as const
const titleAt = (columns: number, rows: number, more: Partial<DeskState> = {}) =>
  plainScreen(deskState({ view, focus: 'ladder', ...more }), columns, rows)
    .split('\n')
    .find((line) => line.includes('BTC-USD  grp') || line.includes('[1 Ladder]')) ?? ''

test('a ladder that shares its place names the panes behind it, and itself in brackets', () => {
  expect(titleAt(112, 29)).toMatch(/T Pla 3 Fil 4 Bal .* 9 Tic +\[1 Ladder\] BTC-USD/)
  expect(titleAt(160, 50)).toContain('T  4  P  $  5  6  0  8  [1 Ladder] BTC-USD')
})

test('what it says of an old book goes before the names of others', () => {
  const title = titleAt(80, 24, { nowMs: deskNowMs + 8_000 })
  expect(title).toMatch(/3 {2}4 {2}P .*\[1 Ladder\] BTC-USD {2}STALE 8\.4s/)
})
