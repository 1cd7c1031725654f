import { expect, test } from 'vitest'
import { depositChooseRows, depositRows } from '../../../src/ui/overlays/deposit.tsx'
import { rowText, rowWidth } from '../../../src/ui/text/row.ts'
import { depositOverlays } from '../../fakes/deposit-overlays.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { aDesk, startMs } from '../../store/desk.ts'

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

test('Enter asks for the address of the marked currency, however the list has changed since', () => {
  const desk = aDesk()
  const list = (...bases: string[]) => {
    const listed = bases.map((base) => anInstrument({ symbol: `${base}-USD`, base }))
    const instruments = new Map(listed.map((each) => [each.symbol, each]))
    desk.store.dispatch({ type: 'instruments', instruments, atMs: startMs })
  }
  const marked = () => {
    const state = desk.store.getState()
    if (state.overlay?.kind !== 'depositChoose') return null
    return depositChooseRows(state, state.overlay, 12)
      .map(rowText)
      .find((row) => row.includes('>'))
      ?.trim()
  }
  list('BTC', 'USDT', 'USDT.TRC20')
  desk.commands.openDeposit()
  desk.commands.typeIntoDeposit('usd')
  list('BTC', 'USDC', 'USDT', 'USDT.TRC20')
  expect(marked()).toBe('>USDT')
  desk.commands.chooseDeposit()
  expect(desk.sent).toEqual(['deposit address USDT'])
  desk.commands.openDeposit()
  desk.commands.moveInDeposit(2)
  expect(marked()).toBe('>USDT')
  list('BTC', 'USDT.TRC20')
  expect(marked()).toBeUndefined()
  desk.commands.chooseDeposit()
  expect(desk.sent).toHaveLength(1)
  expect(desk.store.getState().notice?.text).toBe('USDT is not listed any more: choose again.')
})

test('the answer to a second request for a currency changes no address that is being copied', () => {
  const desk = aDesk()
  const answer = (address: string) =>
    desk.store.dispatch({
      type: 'depositAddressAnswered',
      currency: 'XRP',
      answer: { ok: true, value: { type: 'address', address } },
    })
  desk.commands.askDepositAddress('XRP')
  desk.store.dispatch({ type: 'overlayClosed' })
  desk.commands.askDepositAddress('XRP')
  answer('rPT1:4021')
  desk.commands.copyDeposit()
  answer('rXX9:7')
  desk.commands.copyDeposit()
  expect(desk.sent.filter((each) => each.startsWith('copy'))).toEqual(['copy rPT1', 'copy 4021'])
})

test('the currencies that begin with what is typed', () => {
  const rows = (query: string) =>
    depositChooseRows(deskState(), { kind: 'depositChoose', query, selected: null }, 12).map(rowText).join('\n')
  expect(rows('')).toContain('>BTC')
  expect(rows('ET')).not.toContain('BTC')
  expect(rows('QQ')).toContain('No currency matches')
})
