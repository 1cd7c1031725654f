import { expect, test } from 'vitest'
import { depositChooseRows, depositRows } from '../../../src/ui/overlays/deposit.tsx'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { depositOverlays } from '../../fakes/deposit-overlays.ts'
import { deskState } from '../../fakes/desk-state.ts'

const room = { width: 78, height: 21, isAscii: false }
const textOf = (overlay: Parameters<typeof depositRows>[0], where = room) => depositRows(overlay, where).map(rowText)

test('the tag stands on a line of its own, with what happens without it, and is not in the code', () => {
  const lines = textOf(depositOverlays.tagged)
  const tagLine = lines.findIndex((line) => line.includes('TAG, needed as well'))
  expect(lines[tagLine + 1]).toMatch(/^ 4021 /)
  expect(lines.join(' ').replace(/[█▀▄ ]+/g, ' ')).toContain('the money is LOST')
  expect(lines.join(' ')).toContain('The code holds the address, not')
  expect(lines.some((line) => line.includes('rPT1') && line.includes('4021'))).toBe(false)
  for (const row of depositRows(depositOverlays.tagged, room)) expect(rowWidth(row)).toBeLessThanOrEqual(78)
})

test('an address without a tag says that none is needed', () => {
  const text = textOf(depositOverlays.plain).join('\n')
  expect(text).toContain('No tag comes with it.')
  expect(text).not.toContain('LOST')
  expect(text).toContain('▀')
})

test('a terminal with ASCII alone, and one that is too small, say that there is no code', () => {
  const ascii = textOf(depositOverlays.plain, { ...room, isAscii: true }).join('\n')
  expect(ascii).toContain('a QR code cannot be drawn')
  expect(ascii).not.toMatch(/[█▀▄]/)
  expect(textOf(depositOverlays.plain, { ...room, height: 10 }).join('\n')).toContain('needs a larger terminal')
})

test('asking and a refusal are told', () => {
  expect(textOf(depositOverlays.asking).join('\n')).toContain('Asking the exchange')
  expect(textOf(depositOverlays.failed).join('\n')).toContain('Only crypto currencies')
})

test('the currencies that begin with what is typed', () => {
  const rows = (query: string) =>
    depositChooseRows(deskState(), { kind: 'depositChoose', query, selected: 0 }, 12).map(rowText).join('\n')
  expect(rows('')).toContain('>BTC')
  expect(rows('ET')).not.toContain('BTC')
  expect(rows('QQ')).toContain('No currency matches')
})
