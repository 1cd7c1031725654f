import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secret } from '../../src/base/secret.ts'
import { isUnseen, plainText } from '../../src/base/text/plain-text.ts'
import { hidden, hiddenForms, invisible, withoutUnseen } from '../fakes/hidden-key.ts'

const letter = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code))
const wholeKey = fc.array(letter, { minLength: 16, maxLength: 40 }).map((letters) => letters.join(''))
/** With the signs that JSON escapes, and with a beginning that comes again: copies may overlap. */
const oddKey = fc
  .tuple(fc.constantFrom('"', '\\', '/', '\\u', 'ab', 'aa\\"'), fc.integer({ min: 8, max: 12 }))
  .map(([part, count]) => part.repeat(count).padEnd(16, 'x'))
const key = fc.oneof(wholeKey, oddKey)
/** Words around a copy, with none of the letters that keys have. */
const around = fc.constantFrom('', ' ', 'ж ', ' \u200b', ' \n ', ' é\u202e ', ' 漢 ')

const asRead = (json: string): string => withoutUnseen(JSON.parse(json))

test('however JSON writes a key, with whatever between that shows as nothing, only its mask is read', () => {
  const cases = key.chain((value) => fc.tuple(fc.constant(value), hidden(value), hidden(value), around, around))
  fc.assert(
    fc.property(cases, ([value, copy, other, before, after]) => {
      const [first, last] = [before, after].map((words) => JSON.stringify(words).slice(1, -1))
      const json = `"${first}${copy}${after}${other}${last}"`.replaceAll('\n', '\\n')
      expect(asRead(json)).toContain(value)
      expect(asRead(new Secret(value).redactJson(json))).toBe(withoutUnseen(`${before}•••${after}•••${after}`))
    }),
    { numRuns: 500 },
  )
})

test('a text masks copies with what shows as nothing in them, and keeps everything else', () => {
  const gap = fc.array(fc.constantFrom(...invisible), { maxLength: 2 }).map((all) => all.join(''))
  const cases = key.chain((value) =>
    fc.tuple(fc.constant(value), fc.array(gap, { minLength: value.length - 1, maxLength: value.length - 1 }), around),
  )
  fc.assert(
    fc.property(cases, ([value, gaps, words]) => {
      const copy = value.split('').reduce((text, each, at) => text + (gaps[at - 1] ?? '') + each)
      expect(new Secret(value).redact(`${words}${copy}${words}`)).toBe(`${words}•••${words}`)
    }),
  )
})

test('JSON without the key stays as it is to the letter', () => {
  const value = 'rB4x/Kq+93"mZ\\pW7tYu'
  const near = fc.constantFrom(
    value.slice(0, -1),
    value.slice(1),
    value.toLowerCase(),
    `${value.slice(0, 9)} ${value.slice(9)}`,
  )
  const json = fc.oneof(
    fc.json({ noUnicodeString: false }),
    near.chain(hidden).map((text) => `"${text}"`),
    fc.constant('"\\\\u0072B4x/Kq+93\\"mZ\\\\pW7tYu"'),
  )
  fc.assert(
    fc.property(json, (text) => {
      expect(new Secret(value).redactJson(text)).toBe(text)
    }),
  )
})

test('any text at all, also a broken one, is masked without an end that never comes', () => {
  const value = 'aaaa"\\u0061\\aaaaaa'
  const piece = fc.constantFrom('a', '"', '\\', 'u', '0061', '\u200b', '\ud83d', '\udb40', '\udc41', '\\u', value)
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('')
      for (const masked of [new Secret(value).redact(text), new Secret(value).redactJson(text)])
        expect(masked).not.toContain(value)
    }),
  )
})

test('what is taken out of a text before it is shown hides no copy, whichever character it is', () => {
  const value = 'rB4xKq93mZpW7tYu'
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0x20 && code <= 0x7e) continue
    const character = String.fromCodePoint(code)
    const plain = plainText(character)
    if (plain === '' || plain === ' ') expect(isUnseen(code)).toBe(true)
  }
  for (const [name, copy] of hiddenForms(value))
    expect([name, new Secret(value).redactJson(copy)]).toEqual([name, '•••'])
})

// Where each character looked through all that follow, this would take minutes.
test('an answer of many symbols is masked in linear time, also where it is all escapes and beginnings of the key', () => {
  const secret = new Secret(`${'r'.repeat(31)}x`)
  for (const unit of ['r', '\\u0072', '\u200b', 'r\u200b', '\\u200b', 'r\\u200b'])
    expect(secret.redactJson(unit.repeat(50_000)).length).toBe(unit.length * 50_000)
})
