// Line breaks and tabs separate words; everything else in `unseen` only hides, reorders or steers what is shown.
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
// C0, DEL, C1, and every format character: bidi and zero-width marks, soft hyphen, BOM, tags. Then blank letters.
const unseen = /[\p{Cc}\p{Cf}\u115f\u1160\u3164\uffa0]/gu
const unusual = /[^\x20-\x7e]/
// `unseen`, line breaks, and what is kept though it shows as nothing by itself: marks that choose a letter's form.
const unseenOne = /[\p{Cc}\p{Cf}\p{DI}\u2028\u2029]/u

/**
 * Text from outside made safe to print: no control characters (C0, C1, DEL), no bidi or zero-width format controls, no
 * lone surrogates. Line breaks and tabs become one space, so that words stay apart. Every other character is kept.
 */
export function plainText(text: string): string {
  return unusual.test(text) ? text.toWellFormed().replace(breaks, ' ').replace(unseen, '') : text
}

/** Whether a character, given by its code point, shows as nothing: all that `plainText` takes out, and more. */
export const isUnseen = (codePoint: number): boolean =>
  (codePoint < 0x20 || codePoint > 0x7e) && unseenOne.test(String.fromCodePoint(codePoint))

/** With a capital letter: a clause as the beginning of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** With a small letter: a sentence behind another word. */
export const withoutCapital = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Without the stop at its end: a sentence as a clause. */
export const withoutStop = (text: string): string => text.replace(/[\s.]+$/, '')

/** With a stop at its end, unless it ends in a sign of its own. */
export const withStop = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)
