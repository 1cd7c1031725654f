import { expect, test } from 'vitest'
import { createDeskOutput, createScreenOutput } from '../../../../src/ui/terminal/screen/screen-output.ts'
import { settle } from '../../../fakes/fake-clock.ts'

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

test('a second frame sends only the cells that changed', async () => {
  const terminal = fakeTerminal()
  const { stream } = createScreenOutput(terminal, quiet)
  stream.write('abcdef\nghijkl')
  await settle()
  terminal.written.length = 0
  stream.write('\u001b[2K\u001b[1A\u001b[2K\u001b[GabXdef\nghijkl')
  await settle()
  expect(terminal.written).toEqual(['\u001b[;3HX'])
  stream.write('abXdef\nghijkl')
  await settle()
  expect(terminal.written).toHaveLength(1)
})

test('what is due can be drawn before the end of the turn, and is not drawn once more then', async () => {
  const terminal = fakeTerminal()
  const output = createScreenOutput(terminal, quiet)
  output.drawDue()
  expect(terminal.written).toEqual([])
  output.stream.write('abcdef\nghijkl')
  expect(terminal.written).toEqual([])
  output.drawDue()
  expect(terminal.written).toEqual([expect.stringContaining('abcdef')])
  await settle()
  output.drawDue()
  expect(terminal.written).toHaveLength(1)
})

test('a slow terminal gets the newest frame, and none of those between', async () => {
  const terminal = fakeTerminal()
  const { stream } = createScreenOutput(terminal, quiet)
  terminal.takes = false
  stream.write('aaaaaa\nbbbbbb')
  await settle()
  terminal.written.length = 0
  for (const letter of 'cdefg') {
    stream.write(`${letter.repeat(6)}\nbbbbbb`)
    await settle()
  }
  expect(terminal.written).toEqual([])
  terminal.takes = true
  terminal.emit('drain')
  await settle()
  expect(terminal.written).toEqual(['\u001b[Hgggggg'])
})

test('modes, bells and notifications pass and leave the picture known; other texts pass and it is drawn anew', async () => {
  const terminal = fakeTerminal()
  const { stream } = createScreenOutput(terminal, quiet)
  stream.write('aaaaaa\nbbbbbb')
  await settle()
  for (const text of ['\u001b[?25l', '\u0007', '\u001b]9;fill\u0007', '\u001b[?2004h']) stream.write(text)
  await settle()
  terminal.written.length = 0
  stream.write('aaaaaa\nbbbbbb')
  await settle()
  expect(terminal.written).toEqual([])
  stream.write('a message\n')
  await settle()
  stream.write('aaaaaa\nbbbbbb')
  await settle()
  expect(terminal.written).toHaveLength(2)
  stream.write('\u001b[?1049h')
  await settle()
  terminal.written.length = 0
  stream.write('aaaaaa\nbbbbbb')
  await settle()
  expect(terminal.written).toHaveLength(1)
})

test('the marks of an update are our own affair, and a long change has them where the terminal knows them', async () => {
  const terminal = fakeTerminal(2_000)
  const { stream } = createScreenOutput(terminal, { hasMarks: true, base: '' })
  stream.write('\u001b[?2026h')
  await settle()
  expect(terminal.written).toEqual([])
  stream.write(`${'ab'.repeat(1_000)}\nx`)
  await settle()
  expect(terminal.written[0]).toMatch(/^\u001b\[\?2026h.*\u001b\[\?2026l$/s)
})

test('another size begins from nothing, and the end takes the listeners off', async () => {
  const terminal = fakeTerminal()
  const output = createScreenOutput(terminal, quiet)
  output.stream.write('aaaaaa\nbbbbbb')
  await settle()
  terminal.written.length = 0
  terminal.columns = 4
  output.stream.write('aaaa\nbbbb')
  await settle()
  expect(terminal.written.join('')).toContain('aaaa')
  output.stop()
  expect(terminal.count('drain')).toBe(0)
})

test('a write with a callback tells when what came before it has left', async () => {
  const terminal = fakeTerminal()
  const { stream } = createScreenOutput(terminal, quiet)
  let told = 0
  stream.write('', () => {
    told += 1
  })
  expect(told).toBe(1)
})

test('another ground is drawn at once under the newest frame, and none under a screen that is not there', async () => {
  const terminal = fakeTerminal()
  const look = { hasMarks: false, base: '' }
  const { stream, refresh } = createScreenOutput(terminal, look)
  look.base = '\u001b[37;40m'
  refresh()
  await settle()
  expect(terminal.written).toEqual([])
  stream.write('aaaaaa\nbbbbbb')
  await settle()
  terminal.written.length = 0
  refresh()
  await settle()
  expect(terminal.written).toEqual([])
  look.base = '\u001b[30;107m'
  refresh()
  await settle()
  expect(terminal.written.join('')).toContain('30;107m')
  expect(terminal.written.join('')).toContain('aaaaaa')
  stream.write('\u001b[?1049l')
  await settle()
  terminal.written.length = 0
  look.base = ''
  refresh()
  await settle()
  expect(terminal.written).toEqual([])
})

test('a slow terminal gets the newest frame on the newest ground', async () => {
  const terminal = fakeTerminal()
  const look = { hasMarks: false, base: '' }
  const { stream, refresh } = createScreenOutput(terminal, look)
  terminal.takes = false
  stream.write('aaaaaa\nbbbbbb')
  await settle()
  terminal.written.length = 0
  look.base = '\u001b[37;40m'
  refresh()
  await settle()
  expect(terminal.written).toEqual([])
  terminal.takes = true
  terminal.emit('drain')
  await settle()
  expect(terminal.written.join('')).toContain('37;40m')
})

/** A region of one line, and how often it was asked for it. */
function oneLine(place: { x: number; y: number; width: number }, layer = 0) {
  const region = {
    layer,
    text: '',
    asked: 0,
    place: () => ({ ...place, height: 1 }),
    lines() {
      region.asked += 1
      return [[{ text: region.text, on: '' }]]
    },
  }
  return region
}

const blankFrame = ' \n '

test('what changes in several regions in one turn leaves in one write, and nothing where nothing changed', async () => {
  const terminal = fakeTerminal()
  const { stream, regions } = createScreenOutput(terminal, quiet)
  const [upper, lower] = [oneLine({ x: 0, y: 0, width: 6 }), oneLine({ x: 0, y: 1, width: 6 })]
  for (const region of [upper, lower]) regions.add(region)
  stream.write(blankFrame)
  await settle()
  terminal.written.length = 0
  Object.assign(upper, { text: 'ab' })
  regions.changed()
  Object.assign(lower, { text: 'cd' })
  regions.changed()
  await settle()
  expect(terminal.written).toHaveLength(1)
  expect(terminal.written[0]).toMatch(/ab.*cd|cd.*ab/s)
  regions.changed()
  await settle()
  expect(terminal.written).toHaveLength(1)
})

test('while the terminal takes nothing a region is not even asked; then it is what it is by then', async () => {
  const terminal = fakeTerminal()
  const { stream, regions } = createScreenOutput(terminal, quiet)
  const region = oneLine({ x: 0, y: 0, width: 6 })
  regions.add(region)
  terminal.takes = false
  stream.write(blankFrame)
  await settle()
  terminal.written.length = 0
  region.asked = 0
  for (const text of ['a', 'b', 'c']) {
    region.text = text
    regions.changed()
    await settle()
  }
  expect(region.asked).toBe(0)
  terminal.takes = true
  terminal.emit('drain')
  await settle()
  expect(terminal.written.join('')).toContain('c')
  expect(terminal.written.join('')).not.toContain('a')
})

test('on another screen nothing is drawn before a frame was made for it', async () => {
  const terminal = fakeTerminal()
  const { stream, regions } = createScreenOutput(terminal, quiet)
  const region = oneLine({ x: 0, y: 0, width: 6 })
  regions.add(region)
  stream.write(blankFrame)
  await settle()
  stream.write('\u001b[?1049l')
  terminal.written.length = 0
  region.text = 'secret'
  regions.changed()
  await settle()
  expect(terminal.written).toEqual([])
  stream.write('\u001b[?1049h')
  stream.write(blankFrame)
  await settle()
  expect(terminal.written.join('')).toContain('secret')
})

test('what was to be drawn leaves before the screen is given away, and nothing after the end', async () => {
  const terminal = fakeTerminal()
  const { stream, regions, stop } = createScreenOutput(terminal, quiet)
  const region = oneLine({ x: 0, y: 0, width: 6 })
  regions.add(region)
  stream.write(blankFrame)
  await settle()
  terminal.written.length = 0
  region.text = 'last'
  regions.changed()
  stream.write('\u001b[?1049l')
  expect(terminal.written[0]).toContain('last')
  expect(terminal.written[1]).toBe('\u001b[?1049l')
  stream.write('\u001b[?1049h')
  stream.write(blankFrame)
  stop()
  await settle()
  expect(terminal.written).toHaveLength(3)
})

test('whoever else writes does so in the plain style, and modes are no writing', async () => {
  const terminal = fakeTerminal()
  const { stream } = createScreenOutput(terminal, quiet)
  stream.write('\u001b[31maaaaaa\u001b[0m\nbbbbbb')
  await settle()
  stream.write('\u001b[31maaaaac\u001b[0m\nbbbbbb')
  await settle()
  terminal.written.length = 0
  stream.write('\u0007')
  stream.write('a message')
  expect(terminal.written).toEqual(['\u0007', '\u001b[ma message'])
  await settle()
  stream.write('\u001b[31maaaaad\u001b[0m\nbbbbbb')
  await settle()
  terminal.written.length = 0
  stream.write('\u001b[?1049l')
  expect(terminal.written).toEqual(['\u001b[m\u001b[?1049l'])
})

test('whole lines are left out while the terminal takes none, and all are drawn once it does; modes and ends always pass', () => {
  const terminal = fakeTerminal()
  let drawnCount = 0
  const drawAll = () => {
    drawnCount += 1
  }
  const { stream, stop } = createDeskOutput(terminal, 'lines', { hasMarks: false, base: '' }, drawAll)
  terminal.takes = false
  let doneCount = 0
  const done = () => {
    doneCount += 1
  }
  const passing = ['\u001b]2;LIVE\u0007', '\u001b[?1049l']
  for (const text of ['first', 'second', 'third', ...passing]) stream.write(text, done)
  expect(terminal.written).toEqual(['first', ...passing])
  expect([doneCount, drawnCount]).toEqual([5, 0])
  terminal.takes = true
  terminal.emit('drain')
  expect(drawnCount).toBe(1)
  stream.write('fourth')
  terminal.emit('drain')
  expect([terminal.written.at(-1), drawnCount]).toEqual(['fourth', 1])
  stop()
  expect(terminal.count('drain')).toBe(0)
})
