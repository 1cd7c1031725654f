import { expect, test } from 'vitest'
import { burstMs, createKeyReader, lateMs, patienceMs } from '../../../src/ui/terminal/key-reader.ts'
import { createTerminalLink } from '../../../src/ui/terminal/terminal-link.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

function reading() {
  const clock = new FakeClock()
  const keys: string[] = []
  const reader = createKeyReader(
    (event) => keys.push(event.kind === 'key' ? event.key : `paste ${event.text}`),
    clock,
    null,
    false,
  )
  return { clock, keys, reader }
}

test('what lies ready when a key has been dealt with came with it, however long that took', async () => {
  const clock = new FakeClock(1_000)
  const together: string[] = []
  const reader = createKeyReader(
    (event) => {
      if (event.kind === 'key' && event.isTogether === true) together.push(event.key)
    },
    clock,
    null,
    false,
  )
  reader.take('ab')
  // The desk was busy for a second; by the clock these are far apart.
  clock.standStill(1_000)
  reader.take('c')
  expect(together).toEqual(['b', 'c'])
  await clock.advance(burstMs)
  reader.take('d')
  expect(together).toEqual(['b', 'c'])
  reader.stop()
})

test('a lone Esc is Esc after a moment, and not before', async () => {
  const { clock, keys, reader } = reading()
  reader.take('\u001b')
  await clock.advance(patienceMs.escape - 1)
  expect(keys).toEqual([])
  await clock.advance(1)
  expect(keys).toEqual(['esc'])
  await clock.advance(burstMs)
  expect(clock.sleeperCount).toBe(0)
})

test.each([
  ['K', '\u001b[27;2;75~', 'K'],
  ['Ctrl-C', '\u001b[27;5;99~', 'ctrl+c'],
  ['Ctrl-U with Caps Lock', '\u001b[27;69;117~', 'ctrl+u'],
  ['a question mark', '\u001b[27;2;63~', '?'],
  ['Shift and Enter', '\u001b[27;2;13~', 'enter'],
  ['Alt and x', '\u001b[27;3;120~', 'alt+x'],
])('%s is read as that where another program left modifyOtherKeys on', (_name, bytes, key) => {
  const { keys, reader } = reading()
  reader.take(bytes)
  reader.take('\u001b[27;0;99~\u001b[27;5;9999999~\u001b[27;5~')
  reader.stop()
  expect(keys).toEqual([key])
})

test('an arrow key whose rest comes late is still an arrow key', async () => {
  const { clock, keys, reader } = reading()
  reader.take('\u001b[')
  await clock.advance(patienceMs.sequence - 1)
  reader.take('A')
  await clock.advance(10_000)
  expect(keys).toEqual(['up'])
})

test('half a sequence that nothing follows is dropped and does not swallow the next key', async () => {
  const { clock, keys, reader } = reading()
  reader.take('\u001b[1;')
  await clock.advance(patienceMs.sequence)
  reader.take('x')
  expect(keys).toEqual(['x'])
})

test.each([
  ['an arrow key', '\u001b[', 'A', ['A?']],
  ['a report of the mouse', '\u001b[<0;12;', '5m', ['5?', 'm?']],
  ['another report of it', '\u001b[<0', ';12;5M', [';?', '1?', '2?', ';?', '5?', 'M?']],
])('the rest of %s that comes once its half was dropped is no key that acts', async (_, half, rest, taken) => {
  const clock = new FakeClock()
  const keys: string[] = []
  const reader = createKeyReader(
    (event) => {
      if (event.kind === 'key') keys.push(event.doubt === 'rest' ? `${event.key}?` : event.key)
    },
    clock,
    null,
    false,
  )
  reader.take(half)
  await clock.advance(patienceMs.sequence + 500)
  reader.take(rest)
  reader.take('x')
  expect(keys).toEqual([...taken, 'x'])
  // Whoever presses a key later means it.
  reader.take(half)
  await clock.advance(patienceMs.sequence + lateMs)
  reader.take('x')
  expect(keys.slice(-2)).toEqual(['x', 'x'])
  reader.stop()
})

test.each([
  ['a setting that is answered', 'P', ['1$r', 'x\u001b\\'], []],
  ['a setting, a byte at a time', 'P', [...'1$rx', '\u001b\\'], []],
  ['a color', ']', ['11;rgb:', 'xxxx/LLLL/0000\u0007'], []],
  ['a picture', '_', ['Gi=31;x', 'L\u001b\\'], []],
  ['a key of the keypad', 'O', ['q'], ['q?']],
])(
  '%s, of which the Esc and the next byte came by themselves, is no key that acts',
  async (_, second, pieces, after) => {
    const clock = new FakeClock()
    const keys: string[] = []
    const reader = createKeyReader(
      (event) => {
        if (event.kind === 'key') keys.push(event.doubt === 'rest' ? `${event.key}?` : event.key)
      },
      clock,
      null,
      false,
    )
    reader.take('\u001b')
    await clock.advance(patienceMs.escape)
    reader.take(second)
    for (const piece of pieces) {
      await clock.advance(100)
      reader.take(piece)
    }
    await clock.advance(5_000)
    reader.take('x')
    expect(keys).toEqual(['esc', `${second}?`, ...after, 'x'])
  },
)

test('a paste without an end does not lock the keys out', async () => {
  const { clock, keys, reader } = reading()
  reader.take('\u001b[200~0.05')
  await clock.advance(patienceMs.paste)
  reader.take('K')
  expect(keys).toEqual(['paste 0.05', 'K'])
})

test('after the reader has stopped nothing waits and nothing is handed on', async () => {
  const { clock, keys, reader } = reading()
  reader.take('\u001b')
  reader.stop()
  await clock.advance(1_000)
  expect(keys).toEqual([])
  expect(clock.sleeperCount).toBe(0)
})

/** A reader whose terminal was asked and has not answered. */
function asked() {
  const clock = new FakeClock()
  const keys: string[] = []
  const link = createTerminalLink({
    env: { TERM: 'xterm' },
    clock,
    wantsFocus: true,
    onFocus: (isHere) => keys.push(isHere ? '(here)' : '(elsewhere)'),
    onTypedAhead: (count) => keys.push(`(${count} typed ahead)`),
    onGround: (color) => void (color !== null && keys.push(`(${color})`)),
  })
  const reader = createKeyReader(
    (event) => keys.push(event.kind === 'key' ? event.key : `paste ${event.text}`),
    clock,
    link,
    false,
  )
  link.dressed('\u001b[?1049h')
  return { clock, keys, link, reader }
}

const answer = '\u001b[?2026;2$y\u001b[?62;22c'
const ground = '\u001b]11;rgb:fdfd/f6f6/e3e3\u0007'

test('an answer is never taken for keys, however it is cut and however long each piece takes', async () => {
  for (let at = 1; at < answer.length; at += 1) {
    const { clock, keys, link, reader } = asked()
    reader.take(answer.slice(0, at))
    await clock.advance(900)
    reader.take(answer.slice(at))
    await clock.advance(5_000)
    expect({ at, keys, due: link.isAnswerDue() }).toEqual({ at, keys: [], due: false })
  }
})

test('keys before the answer are dropped, keys after it count, also in one piece', () => {
  const { keys, reader } = asked()
  reader.take(`xK\r${answer}j`)
  expect(keys).toEqual(['(3 typed ahead)', 'j'])
})

test('an answer that comes when nobody waits for it any more is no key either', async () => {
  const { clock, keys, reader } = asked()
  await clock.advance(60_000)
  reader.take('j')
  reader.take(answer)
  expect(keys).toEqual(['j'])
})

test('reports of the keyboard are no keys, also when their Esc came long before', async () => {
  const { clock, keys, reader } = asked()
  reader.take(answer)
  reader.take('\u001b[Ij\u001b[O')
  expect(keys).toEqual(['(here)', 'j', '(elsewhere)'])
  keys.length = 0
  reader.take('\u001b')
  await clock.advance(patienceMs.escape + 300)
  reader.take('[I')
  expect(keys).toEqual(['esc', '(here)'])
})

test('the color of the ground is told, and is no key, however it is cut and however late it comes', async () => {
  for (let at = 1; at < ground.length; at += 1) {
    const { clock, keys, reader } = asked()
    reader.take(ground.slice(0, at))
    await clock.advance(900)
    reader.take(ground.slice(at) + answer)
    expect({ at, keys }).toEqual({ at, keys: ['(#fdf6e3)'] })
  }
  const late = asked()
  late.reader.take(answer)
  await late.clock.advance(20_000)
  late.reader.take(`j${ground}k`)
  expect(late.keys).toEqual(['j', '(#fdf6e3)', 'k'])
  for (const garbage of ['\u001b]11;?\u0007', '\u001b]11;rgb:x/L/b\u001b\\', '\u001b]4;1;rgb:00/00/00\u0007']) {
    const { keys, reader } = asked()
    reader.take(garbage)
    expect(keys).toEqual([])
  }
})

/** A terminal that tells keys by codes, as the desk asked it to. */
function coded() {
  const clock = new FakeClock()
  const link = createTerminalLink({
    ...{ env: { TERM: 'xterm-kitty' }, clock, wantsFocus: false, wantsCodes: true },
    ...{ onFocus: () => {}, onTypedAhead: () => {}, onGround: () => {} },
  })
  const keys: string[] = []
  const reader = createKeyReader(
    (event) =>
      keys.push(event.kind === 'key' ? `${event.key}${event.press === 'held' ? ' held' : ''}` : `paste ${event.text}`),
    clock,
    link,
    false,
  )
  link.dressed('\u001b[?1049h')
  reader.take('\u001b[?0u\u001b[?62;c')
  return { clock, keys, reader, link }
}

test('a desk that asks the terminal nothing takes the codes that another program left on', () => {
  const keys: string[] = []
  const clock = new FakeClock()
  const note: Parameters<typeof createKeyReader>[0] = (event) => keys.push(event.kind === 'key' ? event.key : 'paste')
  const reader = createKeyReader(note, clock, null, true)
  for (const bytes of ['\u001b[63u', '\u001b[27;1:1u', '\u001b[27;1:3u', '\u001b[99;5u', 'q']) reader.take(bytes)
  reader.stop()
  expect(keys).toEqual(['?', 'esc', 'ctrl+c', 'q'])
})

test('keys told by codes are the keys they would be, and a repeat is held', async () => {
  const { clock, keys, reader } = coded()
  for (const [bytes, key] of [
    ['\u001b[97;;97u', 'a'],
    ['\u001b[108:76;2;76u', 'L'],
    ['\u001b[120;1:2;120u', 'x held'],
    ['\u001b[120;1:3u', null],
    // CapsLock and NumLock.
    ['\u001b[108;193;76u', 'L'],
    ['\u001b[13u', 'enter'],
    ['\u001b[13;1:2u', 'enter held'],
    ['\u001b[13;2u', 'enter'],
    ['\u001b[13;5u', 'ctrl+enter'],
    ['\u001b[27u', 'esc'],
    ['\u001b[9;2u', 'shift+tab'],
    ['\u001b[127u', 'backspace'],
    ['\u001b[32;;32u', 'space'],
    ['\u001b[99;5u', 'ctrl+c'],
    // Ctrl and the key of c on a Russian keyboard.
    ['\u001b[1089::99;5u', 'ctrl+c'],
    ['\u001b[1089::99;;1089u', 'с'],
    ['\u001b[120;3;120u', 'alt+x'],
    ['\u001b[50;3;8364u', '€'],
    ['\u001b[57414u', 'enter'],
    ['\u001b[57400;129;49u', '1'],
    ['\u001b[57441;2u', null],
    ['\u001b[120;9;120u', null],
    ['\u001b[1;1:1A', 'up'],
    ['\u001b[1;1:2B', 'down held'],
    ['\u001b[1;1:3B', null],
    ['\u001b[5;1:2~', 'pgup held'],
    ['\u001b[A', 'up'],
    ['x', 'x'],
  ] as const) {
    keys.length = 0
    reader.take(bytes)
    expect([bytes, ...keys]).toEqual(key === null ? [bytes] : [bytes, key])
    // Cut anywhere, however late the rest comes, it is the same.
    for (let at = 1; at < bytes.length; at += 1) {
      keys.length = 0
      reader.take(bytes.slice(0, at))
      await clock.advance(patienceMs.sequence - 1)
      reader.take(bytes.slice(at))
      expect([bytes, at, ...keys]).toEqual(key === null ? [bytes, at] : [bytes, at, key])
    }
  }
  reader.stop()
})

test('codes are no keys where nobody asked for them', () => {
  const { keys, reader } = reading()
  reader.take('\u001b[13u\u001b[120;;120u\u001b[1;1:1A')
  expect(keys).toEqual([])
  reader.stop()
})
