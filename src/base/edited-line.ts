import { graphemes } from './graphemes.ts'

/**
 * A line being written. `caret`: where the next letter goes, counted in the text's characters, never inside one a
 * person sees as one.
 */
export type EditedLine = { line: string; caret: number }

/** What the user does to a line beside typing: moves the caret by letters, words or to an end, or erases. */
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
/** A word as shells take it: spaces end it, and those between it and the caret go with it. */
const lastWord = (text: string): string => /\S*\s*$/.exec(text)?.[0] ?? ''
const firstWord = (text: string): string => /^\s*\S*/.exec(text)?.[0] ?? ''

/** The line with the caret at its end. */
export const lineOf = (line: string): EditedLine => ({ line, caret: line.length })

/** The line with `text` at the caret, or as many whole letters of it as fit into `lengthMost` characters. */
export function typedInto({ line, caret }: EditedLine, text: string, lengthMost: number): EditedLine {
  let taken = ''
  for (const { segment } of graphemes.segment(text)) {
    if (line.length + taken.length + segment.length > lengthMost) break
    taken += segment
  }
  return { line: line.slice(0, caret) + taken + line.slice(caret), caret: caret + taken.length }
}

/** The line after an edit; the same values where there is nothing to move over or to erase. */
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
