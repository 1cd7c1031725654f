import { readdirSync, readFileSync } from 'node:fs'
import type { DeskState } from '../../../src/store/desk.ts'
import { cutOut, screenOf } from './cut-out.ts'

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** Every word that the program's own sentences are made of. */
const sourceWords = new Set(
  readdirSync('src', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .flatMap((entry) => wordsOf(readFileSync(`${entry.parentPath}/${entry.name}`, 'utf8'))),
)

const isMap = (value: object): value is Map<unknown, unknown> => value instanceof Map
/** Every text and number in what the desk knows. */
function* valuesIn(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') yield String(value)
  if (typeof value !== 'object' || value === null || depth > 12) return
  if ('toFixed' in value && typeof value.toFixed === 'function') {
    yield String(Reflect.apply(value.toFixed, value, []))
    return
  }
  const parts = isMap(value)
    ? [...value.keys(), ...value.values()]
    : value instanceof Set
      ? value
      : Object.values(value)
  for (const part of parts) yield* valuesIn(part, depth + 1)
}

/**
 * Words that may stand on a screen of this state: the program's, those of what it knows, and what a screen without
 * bounds shows, which is drawn when a word is in neither of the others.
 */
function knownWords(state: DeskState): (word: string) => boolean {
  let known: ReadonlySet<string> | undefined
  const isOfState = (word: string) => {
    known ??= new Set([...valuesIn(state)].flatMap(wordsOf))
    return known.has(word)
  }
  let wide: ReadonlySet<string> | undefined
  const isOnWide = (word: string) => {
    wide ??= new Set(wordsOf(screenOf(state, 300, 90)))
    return wide.has(word)
  }
  return (word) => sourceWords.has(word) || /^\d{1,3}$/.test(word) || isOfState(word) || isOnWide(word)
}

/** The last word of what stands at a border, or before the mark of a cut: where texts are cut. */
const atEnds = /([\p{L}\p{N}]+)(?=[│┃║┐┓╗┘┛╝…]|$)/gmu

/** Words that begin what is cut in its middle, of which the end stands behind the mark. */
const middleCut = /[\p{L}\p{N}]…[\p{L}\p{N}]/u

const sizes = [
  [40, 20],
  [80, 24],
  [120, 40],
  [200, 60],
] as const

/** Behind a dialog words are covered, not cut: of such a screen only the dialog is looked at. */
const shown = (state: DeskState, columns: number, rows: number): string =>
  state.overlay === null || columns < 80 ? screenOf(state, columns, rows) : cutOut(state, 'overlay', columns, rows)

/** Words that a screen of this state cuts so that what is left is another word; each with the line it stands in. */
export function halfWords(state: DeskState): string[] {
  const isKnown = knownWords(state)
  return sizes.flatMap(([columns, rows]) =>
    shown(state, columns, rows)
      .split('\n')
      .flatMap((line) =>
        [...line.matchAll(atEnds)].flatMap((match) => {
          const word = match[1] ?? ''
          const around = line.slice(match.index + word.length - 1, match.index + word.length + 2)
          return isKnown(word) || middleCut.test(around) ? [] : [`${columns}x${rows} "${word}" in: ${line.trim()}`]
        }),
      ),
  )
}
