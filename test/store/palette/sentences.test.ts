import { expect, test } from 'vitest'
import { layoutNames } from '../../../src/domain/desk/session.ts'
import { adminTable } from '../../../src/sandbox/admin/verb-table.ts'
import type { Reading } from '../../../src/store/palette/sentence.ts'
import { completeSentence, readSentence, sentenceReaders } from '../../../src/store/palette/sentences.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { aDesk } from '../desk.ts'

const state = deskState()
const acted = (action: string): never => {
  throw new Error(`nobody asked for ${action}`)
}
const lines = (reading: Reading | null): readonly string[] => reading?.lines ?? []

test('an order sentence is explained word by word and fills the ticket; nothing is sent', () => {
  const reading = readSentence('buy 0.05 btc-usd @ 64209.5 gtd 20991231 post', state)
  expect(reading?.kind).toBe('understood')
  expect(lines(reading)[0]).toMatch(/^Buy 0\.05 BTC-USD with a limit price of 64209\.5, until the end of/)
  expect(lines(reading).join('\n')).toContain('post')

  const desk = aDesk()
  const taken = readSentence('buy 0.05 btc-usd @ 64209.5', desk.store.getState())
  if (taken?.kind !== 'understood') throw new Error('not understood')
  expect(taken.enter).toContain('nothing is sent')
  taken.run(desk.commands, acted)
  expect(desk.store.getState().ticket).toMatchObject({
    stage: 'edit',
    form: { side: 'BUY', quantityText: '0.05', priceText: '64209.5' },
  })
  expect(desk.sent.filter((each) => each !== 'refresh')).toEqual([])
})

test('a day that is over is told of: the exchange would refuse it', () => {
  const nowMs = Date.UTC(2026, 10, 22, 12)
  const at = deskState({ nowMs, ahead: { wallMs: 0, exchangeMs: 0 } })
  for (const day of ['20200101', '20261121']) {
    const reading = readSentence(`buy 0.05 btc-usd @ 64209.5 gtd ${day}`, at)
    expect(reading?.kind).toBe('wrong')
    expect(lines(reading).join()).toMatch(/^The day .*(2020|21).* is over: today is .* UTC\.$/)
  }
  expect(readSentence('buy 0.05 btc-usd @ 64209.5 gtd 20261122', at)?.kind).toBe('understood')
})

test('cancel all asks first, and only the answer sends', () => {
  const desk = aDesk()
  const reading = readSentence('CANCEL all eth-usd', desk.store.getState())
  if (reading?.kind !== 'understood') throw new Error('not understood')
  reading.run(desk.commands, acted)
  expect(desk.store.getState().overlay).toEqual({ kind: 'confirmCancel', target: { kind: 'all', symbol: 'ETH-USD' } })
  expect(desk.sent).toEqual([])
  desk.commands.confirmCancel()
  expect(desk.sent).toEqual(['cancel all ETH-USD'])
  desk.commands.confirmCancel()
  expect(desk.sent).toEqual(['cancel all ETH-USD'])
})

test('one order by its id, and every symbol', () => {
  const desk = aDesk()
  for (const line of ['cancel 9912041', 'cancel all']) {
    const reading = readSentence(line, desk.store.getState())
    if (reading?.kind !== 'understood') throw new Error('not understood')
    reading.run(desk.commands, acted)
    desk.commands.confirmCancel()
  }
  expect(desk.sent).toEqual(['cancel 9912041', 'cancel all every symbol'])
})

test('a desk that only watches takes nothing back', () => {
  const desk = aDesk('MONITOR')
  expect(readSentence('cancel all', desk.store.getState())).toMatchObject({ kind: 'wrong' })
  expect(readSentence('halt', desk.store.getState())).toMatchObject({ kind: 'wrong' })
  desk.commands.askCancel({ kind: 'all', symbol: null })
  expect(desk.store.getState().overlay).toBeNull()
})

test('what is wrong says what would do', () => {
  expect(lines(readSentence('cancel all eht-usd', state)).join()).toContain('did you mean "eth-usd"')
  expect(lines(readSentence('symbol zzz', state)).join()).toContain('unknown symbol ZZZ')
  expect(lines(readSentence('halt now', state)).join()).toContain('Say only: halt')
  expect(readSentence('buy', state)).toMatchObject({ kind: 'wrong' })
})

test('what is no sentence is none, whatever it is', () => {
  for (const line of ['', '   ', 'centre', 'L', '🙂'.repeat(80), 'a'.repeat(500)])
    expect(readSentence(line, state)).toBeNull()
})

test('halt puts the question of K, and symbol takes letters', () => {
  const desk = aDesk()
  const halt = readSentence('halt', desk.store.getState())
  if (halt?.kind === 'understood') halt.run(desk.commands, acted)
  expect(desk.store.getState().overlay).toMatchObject({ kind: 'halt' })
  const symbol = readSentence('symbol eth', desk.store.getState())
  if (symbol?.kind === 'understood') symbol.run(desk.commands, acted)
  expect(desk.store.getState()).toMatchObject({ symbol: 'ETH-USD', overlay: null, recentSymbols: ['BTC-USD'] })
})

test('every example of the table is understood', () => {
  const practice = { verbs: adminTable, accounts: [] }
  const wide = { ...state, practice, screen: { ...state.screen, layouts: layoutNames } }
  for (const { example, starts } of sentenceReaders) {
    expect(starts).toContain(example.split(' ')[0])
    expect(readSentence(example, wide), example).toMatchObject({ kind: 'understood' })
  }
})

test('Tab completes the last word as far as it goes only one way', () => {
  expect(completeSentence('can', state)).toBe('cancel ')
  expect(completeSentence('cancel a', state)).toBe('cancel all ')
  expect(completeSentence('cancel all et', state)).toBe('cancel all eth-usd ')
  expect(completeSentence('symbol b', state)).toBe('symbol btc-usd ')
  expect(completeSentence('symbol s', state)).toBeNull()
  expect(completeSentence('nothing', state)).toBeNull()
})

test('a theme by its name, and a list as a file by the key that exports it', () => {
  const desk = aDesk()
  const theme = readSentence('theme Light', desk.store.getState())
  if (theme?.kind === 'understood') theme.run(desk.commands, acted)
  expect(desk.store.getState().looks.theme).toBe('light')
  expect(lines(readSentence('theme lihgt', state)).join()).toContain('did you mean "light"')
  const asked: string[] = []
  const list = readSentence('export fills', desk.store.getState())
  if (list?.kind === 'understood') list.run(desk.commands, (action) => asked.push(action))
  expect(desk.store.getState().focus).toBe('fills')
  expect(asked).toEqual(['exportRows'])
  expect(lines(readSentence('export ladder', state)).join()).toContain('Say which list')
})
