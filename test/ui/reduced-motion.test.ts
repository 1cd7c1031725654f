import { expect, test } from 'vitest'
import { usualLooks } from '../../src/store/looks.ts'
import { headerRow } from '../../src/ui/console/header-row.ts'
import { calmAgeText } from '../../src/ui/text/moment.ts'
import { rowText } from '../../src/ui/text/row.ts'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { onScreen, plainScreen } from './render-screen.tsx'

const calm = { ...usualLooks, isMotionReduced: true }
const at = (ms: number, looks = calm) => deskState({ looks, nowMs: deskNowMs + ms })

test('ages step by five seconds, then by minutes', () => {
  expect([0, 4_999, 5_000, 9_999, 31_000, 59_999].map(calmAgeText)).toEqual(['<5s', '<5s', '5s', '5s', '30s', '55s'])
  expect([60_000, 119_000, 150_000, 7_200_000].map(calmAgeText)).toEqual(['60s', '60s', '2m', '2h'])
})

test('where motion is reduced nothing on screen changes because time passes, as long as all is well', () => {
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
    [200, 60],
  ] as const) {
    const usual = [0, 700].map((ms) => plainScreen(at(ms, usualLooks), columns, rows))
    expect(usual[0]).not.toBe(usual[1])
    expect(plainScreen(at(0), columns, rows)).toBe(plainScreen(at(700), columns, rows))
  }
})

test('a round trip that varies a little stays the same text, and what is old is still told at once', () => {
  const header = (roundTripMs: number, ms = 0) =>
    rowText(headerRow(onScreen({ ...at(ms), connection: { roundTripMs, skewMs: 3 } }, 120, 40), 120))
  expect(header(82)).toBe(header(97))
  expect(header(82)).toContain('<100ms')
  expect(header(82, 4_700)).toContain('[STALE bk 5s]')
})

test('the clock tells minutes', () => {
  expect(rowText(headerRow(onScreen(at(0), 120, 40), 120))).toContain(' 14:02Z')
})
