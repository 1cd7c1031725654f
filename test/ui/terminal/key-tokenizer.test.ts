import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InputEvent } from '../../../src/ui/terminal/key-sequences.ts'
import { createKeyTokenizer } from '../../../src/ui/terminal/key-tokenizer.ts'

const nameOf = (event: InputEvent) => (event.kind === 'key' ? event.key : { paste: event.text })

/** The keys and pastes of the chunks, and what is left open at the end closed. */
function read(...chunks: string[]) {
  const tokenizer = createKeyTokenizer()
  const events = chunks.flatMap((chunk) => tokenizer.push(chunk))
  return [...events, ...tokenizer.flush()].map(nameOf)
}

test.each([
  ['\u009b98u', []],
  ['\u009bA', ['up']],
  ['\ufffd98u', []],
  ['\ufffd1;5Aj', ['ctrl+up', 'j']],
  ['\ufffdK', ['\ufffd', 'K']],
])('a sequence whose start is one character of 8 bits is no typed text: %j', (text, keys) => {
  expect(read(text)).toEqual(keys)
})

test('a short end of a paste within a paste does not end it', () => {
  expect(read('\u001b[200~a\u009b201~K\u001b[201~j')).toEqual([{ paste: expect.stringContaining('K') }, 'j'])
})

test('characters that arrive together are keys one by one', () => {
  expect(read('jjb')).toEqual(['j', 'j', 'b'])
  expect(read('y\r')).toEqual(['y', 'enter'])
  expect(read('0.05\t64209.5\r')).toEqual([...'0.05', 'tab', ...'64209.5', 'enter'])
})

test.each([
  ['\u001b[A', 'up'],
  ['\u001b[B', 'down'],
  ['\u001b[C', 'right'],
  ['\u001b[D', 'left'],
  ['\u001bOA', 'up'],
  ['\u001b[H', 'home'],
  ['\u001b[1~', 'home'],
  ['\u001b[F', 'end'],
  ['\u001b[4~', 'end'],
  ['\u001b[5~', 'pgup'],
  ['\u001b[6~', 'pgdn'],
  ['\u001b[3~', 'delete'],
  ['\u001b[Z', 'shift+tab'],
  ['\u001bOP', 'f1'],
  ['\u001b[[A', 'f1'],
  ['\u001b[15~', 'f5'],
  ['\u001b[24~', 'f12'],
  ['\u001bOM', 'enter'],
  ['\u001b[1;5A', 'ctrl+up'],
  ['\u001b[1;2C', 'shift+right'],
  ['\u001b[5;3~', 'alt+pgup'],
  ['\u001bx', 'alt+x'],
  ['\t', 'tab'],
  ['\r', 'enter'],
  ['\n', 'ctrl+j'],
  [' ', 'space'],
  ['\u007f', 'backspace'],
  ['\b', 'backspace'],
  ['\u0015', 'ctrl+u'],
  ['\u0003', 'ctrl+c'],
  ['\u001b', 'esc'],
  ['é', 'é'],
  ['💹', '💹'],
])('%j is the key %s', (bytes, key) => {
  expect(read(bytes)).toEqual([key])
})

test('Alt and a key is never Esc followed by that key', () => {
  expect(read('\u001bx')).not.toContain('x')
  expect(read('\u001bK')).not.toContain('K')
})

test.each([
  ['a cursor report', '\u001b[24;80R'],
  ['a focus report', '\u001b[I'],
  ['a mouse report', '\u001b[<0;10;5M'],
  ['an unknown sequence', '\u001b[99;99;99z'],
  ['device attributes', '\u001b[?62;22c'],
  ['a C1 control character', '\u0085'],
])('%s is no key, and the key after it is read', (_, bytes) => {
  expect(read(`${bytes}j`)).toEqual(['j'])
})

test('two Escs are two Escs, and an arrow after Esc is both', () => {
  expect(read('\u001b\u001b')).toEqual(['esc', 'esc'])
  expect(read('\u001b\u001b[A')).toEqual(['esc', 'up'])
})

test('a sequence that breaks off does not swallow the Enter after it', () => {
  expect(read('\u001b[12\rj')).toEqual(['enter', 'j'])
  expect(read(`\u001b[${'1'.repeat(500)}\r`).at(-1)).toBe('enter')
})

test('a paste is one event, is cleaned, and none of it is a key', () => {
  expect(read('\u001b[200~64,209.50\r\u001b[201~')).toEqual([{ paste: '64,209.50 ' }])
  expect(read('j\u001b[200~KK\r\u0003\u001b[31m0.05\u001b[201~k')).toEqual(['j', { paste: 'KK [31m0.05' }, 'k'])
})

test('a paste whose end never comes is given up, and then keys work again', () => {
  const tokenizer = createKeyTokenizer()
  expect(tokenizer.push('\u001b[200~0.0')).toEqual([])
  expect(tokenizer.waiting()).toBe('paste')
  expect(tokenizer.flush()).toEqual([{ kind: 'paste', text: '0.0', isCut: true }])
  expect(tokenizer.push('x').map(nameOf)).toEqual(['x'])
})

test('a paste that holds marks itself ends with its own end; an end without a beginning is an empty paste', () => {
  expect(read('\u001b[200~a\u001b[200~b\u001b[201~K\r\u001b[201~j')).toEqual([{ paste: 'abK ' }, 'j'])
  expect(read('j\u001b[201~k')).toEqual(['j', { paste: '' }, 'k'])
})

test.each([
  ['a color', '\u001b]11;rgb:ffff/xxxx/KKKK\u0007'],
  ['a color, ended the other way', '\u001b]11;rgb:ffff/xxxx/KKKK\u001b\\'],
  ['a setting', '\u001bP1$r0;1mx\u001b\\'],
  ['a picture', '\u001b_Gi=31;xK\u001b\\'],
  ['a title', '\u001b]lxK\u001b\\'],
  ['an old mouse report', '\u001b[M xK'],
])('%s that a terminal tells is no key, however it is cut', (_, bytes) => {
  for (let at = 1; at < bytes.length; at += 1) expect(read(bytes.slice(0, at), `${bytes.slice(at)}j`)).toEqual(['j'])
})

test('what shows nothing is no key, as it is nothing in a paste', () => {
  expect(read('0\u200b.\u200e1\ufeff\u202e\u00ad\u200d')).toEqual(['0', '.', '1'])
})

test('a string of any other kind, in one piece, is no key', () => {
  for (const bytes of ['\u001b_x0K\u001b\\', '\u001b^x0K\u001b\\', '\u001bXx0K\u001b\\', '\u001bPx0K\u001b\\'])
    expect(read(`${bytes}j`)).toEqual(['j'])
  expect(read('\u001b_')).toEqual(['alt+_'])
  expect(read('\u001b_x')).toEqual(['alt+_', 'x'])
  expect(read('\u001bX')).toEqual(['alt+X'])
})

test('what begins such an answer is Alt and a key by itself, and one without an end stays bounded', () => {
  expect(read('\u001b]')).toEqual(['alt+]'])
  expect(read('\u001bP')).toEqual(['alt+P'])
  expect(read('\u001bPx')).toEqual(['alt+P', 'x'])
  expect(read(`\u001b]11;${'f'.repeat(5_000)}`, 'j')).toEqual(['j'])
})

test('a paste of megabytes stays bounded', () => {
  const tokenizer = createKeyTokenizer()
  tokenizer.push('\u001b[200~')
  for (let count = 0; count < 64; count += 1) tokenizer.push('9'.repeat(65_536))
  const events = tokenizer.push('\u001b[201~j')
  expect(events.map((event) => (event.kind === 'paste' ? event.text.length : event.key))).toEqual([65_536, 'j'])
})

test('an arrow key in three pieces is one key, and half of one waits', () => {
  expect(read('\u001b', '[', 'A')).toEqual(['up'])
  const tokenizer = createKeyTokenizer()
  expect(tokenizer.push('\u001b')).toEqual([])
  expect(tokenizer.waiting()).toBe('escape')
  expect(tokenizer.push('[')).toEqual([])
  expect(tokenizer.waiting()).toBe('sequence')
})

const pieces = fc.oneof(
  fc.constantFrom(
    '\u001b[A',
    '\u001b[5~',
    '\u001bOP',
    '\u001b[1;5B',
    '\u001b[Z',
    '\u001b',
    '\u001b[',
    '\u001bO',
    '\u001b[[',
    '\r',
    '\t',
  ),
  fc.constantFrom('\u001b[200~', '\u001b[201~', '\u001b[20', '~', '\u001b[200~0.05\r\u001b[201~'),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.string({ unit: 'binary-ascii', maxLength: 4 }),
)

test('how the bytes are cut into chunks never matters', () => {
  const encoder = new TextEncoder()
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), fc.array(fc.nat(200), { maxLength: 20 }), (parts, cuts) => {
      const bytes = encoder.encode(parts.join(''))
      const decoder = new TextDecoder()
      const borders = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted(
        (first, second) => first - second,
      )
      const chunks = [...borders, bytes.length].map((end, index) =>
        decoder.decode(bytes.subarray(index === 0 ? 0 : borders[index - 1], end), { stream: true }),
      )
      expect(read(...chunks)).toEqual(read(new TextDecoder().decode(bytes)))
    }),
    { numRuns: 2_000 },
  )
})

test('no key of plain text is lost or added', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(read(text)).toEqual([...text].map((character) => (character === ' ' ? 'space' : character)))
    }),
  )
})

test('the rest of a picture’s answer that comes after it was given up is no key', () => {
  const tokenizer = createKeyTokenizer()
  tokenizer.push('\u001b_Gi=31')
  expect(tokenizer.flush()).toEqual([])
  expect(tokenizer.push(';xK\u001b\\j').map(nameOf)).toEqual(['j'])
})

test('the rest of a color that comes after it was given up is no key, keys are', () => {
  const bytes = '\u001b]11;rgb:bbbb/dddd/0000\u0007'
  for (let at = 4; at < bytes.length; at += 1) {
    const tokenizer = createKeyTokenizer()
    tokenizer.push(bytes.slice(0, at))
    expect(tokenizer.flush()).toEqual([])
    expect({ at, keys: tokenizer.push(`${bytes.slice(at)}j`).map(nameOf) }).toEqual({ at, keys: ['j'] })
  }
  const tokenizer = createKeyTokenizer()
  tokenizer.push(bytes.slice(0, 9))
  tokenizer.flush()
  expect(tokenizer.push('b').map(nameOf)).toEqual(['b'])
  expect(tokenizer.push('bd').map(nameOf)).toEqual(['b', 'd'])
})
