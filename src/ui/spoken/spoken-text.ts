const styles = /\u001b\[[0-9;]*m/g
/** Frames, bars and curves: they are for the eye. */
const drawing = /[\u2500-\u259f\u2800-\u28ff]+/g

const words: readonly (readonly [RegExp, string])[] = [
  [/▲/g, ' rising'],
  [/▼/g, ' falling'],
  [/…/g, '...'],
  [/•+/g, 'typed'],
  // The place where typed text goes on.
  [/(?<=\s)_(?=\s|$)/g, 'empty'],
  [/(?<=\S)_(?=\s|$)/g, ''],
  [/^>\s*/, 'Chosen: '],
  // Of the lists that share a place.
  [/(?<=\s)>(?=\p{L})/gu, 'in front: '],
]

/**
 * A picture as lines to be read aloud: without what only the eye can use, a pause where columns part, and the row that
 * the keys act on begins with a word instead of a mark.
 */
export function spokenLines(picture: string): string[] {
  const lines: string[] = []
  for (const line of picture.replace(styles, '').split('\n')) {
    let text = line.replace(drawing, '  ').trim()
    for (const [sign, word] of words) text = text.replace(sign, word)
    const spoken = text.replace(/\s{2,}/g, ', ')
    if (/[\p{L}\p{N}]/u.test(spoken)) lines.push(spoken)
  }
  return lines
}
