import { graphemes } from './graphemes.ts'

/** A line being edited. `caret` is the insertion point, counted in characters of the text, never inside a grapheme. */
export type EditedLine = { line: string; caret: number }

/** Edits other than typing: moving the caret by letter, word or to an end, and erasing. */
export type LineEdit =
  | 'left'
  | 'right'
  | 'wordLeft'
  | 'wordRight'
  | 'start'
  | 'end'
  | 'erase'
  | 'eraseAhead'
  | 'eraseWord'
  | 'eraseToEnd'
  | 'clear'

const lastLetter = (text: string): string => [...graphemes.segment(text)].at(-1)?.segment ?? ''
const firstLetter = (text: string): string => [...graphemes.segment(text)][0]?.segment ?? ''
/** The last word as in shells: delimited by spaces, including the spaces before the caret. */
const lastWord = (text: string): string => /\S*\s*$/.exec(text)?.[0] ?? ''
const firstWord = (text: string): string => /^\s*\S*/.exec(text)?.[0] ?? ''

/** The line with the caret at its end. */
export const lineOf = (line: string): EditedLine => ({ line, caret: line.length })

/** Inserts `text` at the caret, or as many whole graphemes of it as fit into `lengthMax` characters. */
export function typedInto({ line, caret }: EditedLine, text: string, lengthMax: number): EditedLine {
  let taken = ''
  for (const { segment } of graphemes.segment(text)) {
    if (line.length + taken.length + segment.length > lengthMax) break
    taken += segment
  }
  return { line: line.slice(0, caret) + taken + line.slice(caret), caret: caret + taken.length }
}

/** Applies an edit; the values are unchanged when there is nothing to move over or erase. */
export function edited({ line, caret }: EditedLine, edit: LineEdit): EditedLine {
  const before = line.slice(0, caret)
  const after = line.slice(caret)
  const without = (count: number): EditedLine => ({
    line: before.slice(0, caret - count) + after,
    caret: caret - count,
  })
  switch (edit) {
    case 'left':
      return { line, caret: caret - lastLetter(before).length }
    case 'right':
      return { line, caret: caret + firstLetter(after).length }
    case 'wordLeft':
      return { line, caret: caret - lastWord(before).length }
    case 'wordRight':
      return { line, caret: caret + firstWord(after).length }
    case 'start':
      return { line, caret: 0 }
    case 'end':
      return lineOf(line)
    case 'erase':
      return without(lastLetter(before).length)
    case 'eraseAhead':
      return { line: before + after.slice(firstLetter(after).length), caret }
    case 'eraseWord':
      return without(lastWord(before).length)
    case 'eraseToEnd':
      return lineOf(before)
    case 'clear':
      return lineOf('')
  }
}
