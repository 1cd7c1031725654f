// Line breaks and tabs separate words; the other characters in `unseen` only hide, reorder or control displayed text.
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
// C0, DEL, C1, and all format characters: bidi and zero-width marks, soft hyphen, BOM, tags. Then blank letters.
const unseen = /[\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0]/gu
const unusual = /[^\x20-\x7e]/
// `unseen`, line breaks, and characters that are kept although invisible alone: variation selectors.
const unseenOne = /[\p{Cc}\p{Cf}\p{DI}\u2028\u2029]/u

/**
 * Makes text from outside safe to print: removes control characters (C0, C1, DEL), bidi and zero-width format
 * characters, and lone surrogates. Line breaks and tabs become one space, so that words stay apart. All other
 * characters are kept.
 */
export function plainText(text: string): string {
  return unusual.test(text) ? text.toWellFormed().replace(breaks, ' ').replace(unseen, '') : text
}

/** True when the character of this code point is invisible: all that `plainText` removes, and more. */
export const isUnseen = (codePoint: number): boolean =>
  (codePoint < 0x20 || codePoint > 0x7e) && unseenOne.test(String.fromCodePoint(codePoint))

/** False for a text with a character that nobody sees, or half a character: it is another text than it looks like. */
export const isAllSeen = (text: string): boolean =>
  !unusual.test(text) || (text.isWellFormed() && [...text].every((each) => !isUnseen(each.codePointAt(0) ?? 0)))

/** Capitalizes a clause for the beginning of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Lowercases the first letter of a sentence for use after other words. */
export const withoutCapital = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Removes the period at the end: a sentence as a clause. */
export const withoutStop = (text: string): string => text.replace(/[\s.]+$/, '')

/** `41, 42 and 3 more`: names in a sentence, `most` of them, and how many others there are. */
export const someNamed = (names: readonly string[], most: number): string =>
  names.length <= most ? names.join(', ') : `${names.slice(0, most).join(', ')} and ${names.length - most} more`

/** Ends a text with a period, unless it ends with a sign of its own. */
export const withStop = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/** A text to be compared with another one, case aside: an accent counts the same however it was typed. */
export const toCompare = (text: string): string => text.normalize('NFC').toLowerCase()
