import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type EditedLine, edited, type LineEdit, lineOf, typedInto } from '../../../src/base/text/edited-line.ts'

/** A line written with `|` where the caret is. */
const read = (text: string): EditedLine => ({ line: text.replace('|', ''), caret: text.indexOf('|') })
const write = ({ line, caret }: EditedLine): string => `${line.slice(0, caret)}|${line.slice(caret)}`

test.each([
  ['left', 'ab|c', 'a|bc'],
  ['left', '|abc', '|abc'],
  ['left', 'a👨‍👩‍👧|', 'a|👨‍👩‍👧'],
  ['right', 'a|bc', 'ab|c'],
  ['right', 'abc|', 'abc|'],
  ['right', '|e\u0301x', 'e\u0301|x'],
  ['wordLeft', 'buy 0.05  btc|', 'buy 0.05  |btc'],
  ['wordLeft', 'buy 0.05  |btc', 'buy |0.05  btc'],
  ['wordRight', 'buy| 0.05 btc', 'buy 0.05| btc'],
  ['start', 'buy 0|.05', '|buy 0.05'],
  ['end', 'buy 0|.05', 'buy 0.05|'],
  ['erase', 'ab|c', 'a|c'],
  ['erase', '|abc', '|abc'],
  ['eraseAhead', 'a|bc', 'a|c'],
  ['eraseAhead', 'abc|', 'abc|'],
  ['eraseWord', 'buy 0.05 |btc', 'buy |btc'],
  ['eraseToEnd', 'buy| 0.05', 'buy|'],
  ['clear', 'buy| 0.05', '|'],
] as const)('%s: %s becomes %s', (edit, before, after) => {
  expect(write(edited(read(before), edit))).toBe(after)
})

test('what is typed goes in at the caret; what does not fit is left out by whole letters, and nothing behind it is lost', () => {
  expect(write(typedInto(read('buy | btc'), '0.05', 160))).toBe('buy 0.05| btc')
  expect(write(typedInto(read('ab|yz'), 'cdef', 6))).toBe('abcd|yz')
  expect(write(typedInto(read('ab|yz'), 'c👨‍👩‍👧', 8))).toBe('abc|yz')
})

const edits: readonly LineEdit[] = [
  ...(['left', 'right', 'wordLeft', 'wordRight', 'start', 'end'] as const),
  ...(['erase', 'eraseAhead', 'eraseWord', 'eraseToEnd', 'clear'] as const),
]

test('whatever is typed and done, the caret stands between two letters of a line that is no longer than it may be', () => {
  const typed = fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => ({ typed: text }))
  fc.assert(
    fc.property(fc.array(fc.oneof(typed, fc.constantFrom(...edits))), (acts) => {
      let line = lineOf('')
      for (const act of acts) line = typeof act === 'string' ? edited(line, act) : typedInto(line, act.typed, 40)
      expect(line.line.length).toBeLessThanOrEqual(40)
      expect(line.caret).toBeGreaterThanOrEqual(0)
      expect(line.caret).toBeLessThanOrEqual(line.line.length)
      expect(line.line.slice(0, line.caret).isWellFormed() || !line.line.isWellFormed()).toBe(true)
    }),
  )
})
