// Line breaks and tabs separate words; everything else in `unseen` only hides, reorders or steers what is shown.
const breaks = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
const unseen =
  // C0, DEL, C1; soft hyphen; Arabic letter mark; zero-width and bidi marks, embeddings, isolates; BOM; interlinear; tags.
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu

const needsWork = /[^\u0020-\u007e]/

/**
 * Text from outside made safe to print: no control characters (C0, C1, DEL), no bidi or zero-width format controls, no
 * lone surrogates. Line breaks and tabs become one space, so that words stay apart. Every other character is kept.
 */
export function plainText(text: string): string {
  if (!needsWork.test(text)) return text
  return text.toWellFormed().replace(breaks, ' ').replace(unseen, '')
}
