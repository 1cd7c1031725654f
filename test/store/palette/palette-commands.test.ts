import { expect, test } from 'vitest'
import { aDesk } from '../desk.ts'

const line = (desk: ReturnType<typeof aDesk>): string | null => {
  const { overlay } = desk.store.getState()
  return overlay?.kind === 'palette' ? overlay.line : null
}

test('what is typed and pasted becomes the line, and is erased from its end', () => {
  const desk = aDesk()
  desk.commands.typeIntoPalette('x')
  expect(line(desk)).toBeNull()
  desk.commands.openPalette()
  for (const text of ['h', 'alt', ' 🙂']) desk.commands.typeIntoPalette(text)
  expect(line(desk)).toBe('halt 🙂')
  desk.commands.eraseInPalette()
  expect(line(desk)).toBe('halt ')
  desk.commands.clearPalette()
  expect(line(desk)).toBe('')
  desk.commands.typeIntoPalette('a'.repeat(4_000))
  expect(line(desk)).toHaveLength(160)
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
