import fc from 'fast-check'

/** Characters that show as nothing: whoever takes them out of a text puts together what they are in. */
export const invisible = [
  ...['\u200b', '\u00ad', '\u001b', '\u0000', '\n', '\u007f', '\u0085', '\u2028', '\u202e', '\ufeff', '\u3164'],
  ...['\ufe0f', '\u034f', '\u{e0041}', '\u{e0100}'],
]

/** What is left for an eye. */
export const withoutUnseen = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{DI}\u2028\u2029]/gu, '')

const hexOf = (unit: number): string => unit.toString(16).padStart(4, '0')

/** Each unit of a text as `\uXXXX`. */
export const allEscaped = (text: string, isUpper = false): string =>
  text
    .split('')
    .map((letter) => hexOf(letter.charCodeAt(0)))
    .map((hex) => `\\u${isUpper ? hex.toUpperCase() : hex}`)
    .join('')

const short: Readonly<Record<string, string>> = { '/': '\\/', '"': '\\"', '\\': '\\\\', '\n': '\\n' }
/** As a string of JSON may hold it at its shortest. */
const plainest = (text: string): string => JSON.stringify(text).slice(1, -1)

/** All the ways in which a string of JSON can hold a character. */
const waysOf = (letter: string): readonly string[] => [
  plainest(letter),
  allEscaped(letter),
  allEscaped(letter, true),
  short[letter] ?? plainest(letter),
]

/** Text within a string of JSON that is `key` to whoever reads it and takes out what shows as nothing. */
export const hidden = (key: string): fc.Arbitrary<string> => {
  const letters = key.split('').map((letter) => fc.constantFrom(...waysOf(letter)))
  const between = fc.array(fc.constantFrom(...invisible.flatMap(waysOf)), { maxLength: 2 })
  const gap = fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: between.map((all) => all.join('')) },
  )
  return fc
    .tuple(...letters.map((letter, at) => fc.tuple(at === 0 ? fc.constant('') : gap, letter)))
    .map((parts) => parts.flat().join(''))
}

/** Forms that servers and attackers give a key, by their name; each is text within a string of JSON. */
export const hiddenForms = (key: string): readonly (readonly [string, string])[] => {
  const split = (between: string) => plainest(key.slice(0, 5)) + between + plainest(key.slice(5))
  return [
    ['escaped', allEscaped(key)],
    ['escaped in capitals', allEscaped(key, true)],
    ['with its signs escaped', key.replace(/[^\w]/g, (sign) => short[sign] ?? allEscaped(sign, true))],
    ['around a zero-width space', split('\u200b')],
    ['around a soft hyphen', split('\u00ad')],
    ['around an escaped control character', split('\\u001b')],
    ['around an escaped tag', split('\\udb40\\udc41')],
    ['around the mark of an emoji', split('\ufe0f')],
  ]
}
