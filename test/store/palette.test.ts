import { expect, test } from 'vitest'
import { aDesk } from './desk.ts'

const line = (desk: ReturnType<typeof aDesk>): string | null => {
  const { overlay } = desk.store.getState()
  return overlay?.kind === 'palette' ? overlay.line : null
}

const caret = (desk: ReturnType<typeof aDesk>): number | null => {
  const { overlay } = desk.store.getState()
  return overlay?.kind === 'palette' ? overlay.caret : null
}

test('what is typed and pasted becomes the line, and is erased from its end', () => {
  const desk = aDesk()
  desk.commands.typeIntoPalette('x')
  expect(line(desk)).toBeNull()
  desk.commands.openPalette()
  for (const text of ['h', 'alt', ' 🙂']) desk.commands.typeIntoPalette(text)
  expect(line(desk)).toBe('halt 🙂')
  desk.commands.editPalette('erase')
  expect(line(desk)).toBe('halt ')
  desk.commands.editPalette('clear')
  expect(line(desk)).toBe('')
  desk.commands.typeIntoPalette('a'.repeat(4_000))
  expect(line(desk)).toHaveLength(160)
  desk.commands.editPalette('clear')
  desk.commands.typeIntoPalette('buy\u00a00.1 btc @ 64\u202f000')
  expect(line(desk)).toBe('buy 0.1 btc @ 64 000')
})

test('a sentence is mended in its middle; moving the caret alone keeps what is chosen and where the line came from', () => {
  const desk = aDesk()
  desk.commands.openPalette()
  desk.commands.takeSentence('buy 0.05 btc-usd @ 64000')
  desk.commands.openPalette()
  desk.commands.recallSentence(-1)
  desk.commands.chooseInPalette(1, 'action center')
  for (const edit of ['wordLeft', 'wordLeft', 'left'] as const) desk.commands.editPalette(edit)
  expect(desk.store.getState().overlay).toMatchObject({ selected: 1, historyAt: 0 })
  desk.commands.editPalette('eraseWord')
  desk.commands.typeIntoPalette('eth-usd')
  expect(line(desk)).toBe('buy 0.05 eth-usd @ 64000')
  expect(caret(desk)).toBe('buy 0.05 eth-usd'.length)
  expect(desk.store.getState().overlay).toMatchObject({ selected: 0, historyAt: null })
  desk.commands.completePalette('cancel all ')
  expect(caret(desk)).toBe(11)
})

test('sentences of the session come back with the arrows, the last one first', () => {
  const desk = aDesk()
  for (const said of ['symbol eth', 'halt', 'symbol eth']) {
    desk.commands.openPalette()
    desk.commands.takeSentence(said)
  }
  desk.commands.openPalette()
  desk.commands.recallSentence(-1)
  expect(line(desk)).toBe('symbol eth')
  desk.commands.recallSentence(-1)
  expect(line(desk)).toBe('halt')
  desk.commands.recallSentence(-1)
  expect(line(desk)).toBe('halt')
  desk.commands.recallSentence(1)
  desk.commands.recallSentence(1)
  expect(line(desk)).toBe('')
})

test('typing on a line that came back leaves the history', () => {
  const desk = aDesk()
  desk.commands.openPalette()
  desk.commands.takeSentence('halt')
  desk.commands.openPalette()
  desk.commands.recallSentence(-1)
  desk.commands.typeIntoPalette('!')
  expect(desk.store.getState().overlay).toMatchObject({ line: 'halt!', historyAt: null })
})

test('orders that are named by their ids are taken back one by one, exactly those', () => {
  const desk = aDesk()
  desk.commands.askCancel({ kind: 'orders', orderIds: ['9912041', '9911204'], words: 'your 2 buys' })
  expect(desk.sent).toEqual([])
  desk.commands.confirmCancel()
  expect(desk.sent).toEqual(['cancel 9912041', 'cancel 9911204'])
})
