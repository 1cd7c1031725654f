import { expect, test } from 'vitest'
import { createScreenOutput } from '../../../../src/ui/terminal/screen/screen-output.ts'

function fakeTerminal(columns = 6, rows = 2) {
  const listeners = new Map<string, Set<() => void>>()
  const terminal = {
    columns,
    rows,
    written: [] as string[],
    takes: true,
    write(text: string, done?: () => void) {
      if (text !== '') terminal.written.push(text)
      done?.()
      return terminal.takes
    },
    on(event: string, listener: () => void) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
    },
    off(event: string, listener: () => void) {
      listeners.get(event)?.delete(listener)
    },
    emit(event: string) {
      for (const each of listeners.get(event) ?? []) each()
    },
    count: (event: string) => listeners.get(event)?.size ?? 0,
  }
  return terminal
}
const quiet = { hasMarks: false, base: '' }

test('a second frame sends only the cells that changed', () => {
  const terminal = fakeTerminal()
  const { stream } = createScreenOutput(terminal, quiet)
  stream.write('abcdef\nghijkl')
  terminal.written.length = 0
  stream.write('\u001b[2K\u001b[1A\u001b[2K\u001b[GabXdef\nghijkl')
  expect(terminal.written).toEqual(['\u001b[;3HX'])
  stream.write('abXdef\nghijkl')
  expect(terminal.written).toHaveLength(1)
})

test('a slow terminal gets the newest frame, and none of those between', () => {
  const terminal = fakeTerminal()
  const { stream } = createScreenOutput(terminal, quiet)
  terminal.takes = false
  stream.write('aaaaaa\nbbbbbb')
  terminal.written.length = 0
  for (const letter of 'cdefg') stream.write(`${letter.repeat(6)}\nbbbbbb`)
  expect(terminal.written).toEqual([])
  terminal.takes = true
  terminal.emit('drain')
  expect(terminal.written).toEqual(['\u001b[Hgggggg'])
})

test('modes, bells and notifications pass and leave the picture known; other texts pass and it is drawn anew', () => {
  const terminal = fakeTerminal()
  const { stream } = createScreenOutput(terminal, quiet)
  stream.write('aaaaaa\nbbbbbb')
  for (const text of ['\u001b[?25l', '\u0007', '\u001b]9;fill\u0007', '\u001b[?2004h']) stream.write(text)
  terminal.written.length = 0
  stream.write('aaaaaa\nbbbbbb')
  expect(terminal.written).toEqual([])
  stream.write('a message\n')
  stream.write('aaaaaa\nbbbbbb')
  expect(terminal.written).toHaveLength(2)
  stream.write('\u001b[?1049h')
  terminal.written.length = 0
  stream.write('aaaaaa\nbbbbbb')
  expect(terminal.written).toHaveLength(1)
})

test('the marks of an update are our own affair, and a long change has them where the terminal knows them', () => {
  const terminal = fakeTerminal(200)
  const { stream } = createScreenOutput(terminal, { hasMarks: true, base: '' })
  stream.write('\u001b[?2026h')
  expect(terminal.written).toEqual([])
  stream.write(`${'ab'.repeat(100)}\nx`)
  expect(terminal.written[0]).toMatch(/^\u001b\[\?2026h.*\u001b\[\?2026l$/s)
})

test('another size begins from nothing, and the end takes the listeners off', () => {
  const terminal = fakeTerminal()
  const output = createScreenOutput(terminal, quiet)
  output.stream.write('aaaaaa\nbbbbbb')
  terminal.written.length = 0
  terminal.columns = 4
  output.stream.write('aaaa\nbbbb')
  expect(terminal.written.join('')).toContain('aaaa')
  output.stop()
  expect(terminal.count('drain')).toBe(0)
})

test('a write with a callback tells when what came before it has left', () => {
  const terminal = fakeTerminal()
  const { stream } = createScreenOutput(terminal, quiet)
  let told = 0
  stream.write('', () => {
    told += 1
  })
  expect(told).toBe(1)
})

test('another ground is drawn at once under the newest frame, and none under a screen that is not there', () => {
  const terminal = fakeTerminal()
  const look = { hasMarks: false, base: '' }
  const { stream, refresh } = createScreenOutput(terminal, look)
  look.base = '\u001b[37;40m'
  refresh()
  expect(terminal.written).toEqual([])
  stream.write('aaaaaa\nbbbbbb')
  terminal.written.length = 0
  refresh()
  expect(terminal.written).toEqual([])
  look.base = '\u001b[30;107m'
  refresh()
  expect(terminal.written.join('')).toContain('30;107m')
  expect(terminal.written.join('')).toContain('aaaaaa')
  stream.write('\u001b[?1049l')
  terminal.written.length = 0
  look.base = ''
  refresh()
  expect(terminal.written).toEqual([])
})

test('a slow terminal gets the newest frame on the newest ground', () => {
  const terminal = fakeTerminal()
  const look = { hasMarks: false, base: '' }
  const { stream, refresh } = createScreenOutput(terminal, look)
  terminal.takes = false
  stream.write('aaaaaa\nbbbbbb')
  terminal.written.length = 0
  look.base = '\u001b[37;40m'
  refresh()
  expect(terminal.written).toEqual([])
  terminal.takes = true
  terminal.emit('drain')
  expect(terminal.written.join('')).toContain('37;40m')
})
