import { type EditedLine, edited, type LineEdit, lineOf, typedInto } from '../base/edited-line.ts'
import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from './slice.ts'

/**
 * The line where anything can be asked for: what is typed, the item chosen, and where in the history the line came
 * from.
 */
export type PaletteOverlay = EditedLine & {
  kind: 'palette'
  selected: number
  historyAt: number | null
  /** The first line on screen of what the line means, where not all have room; 0 unless given. */
  top?: number
}

/** The palette with this line, to be gone on with at its end. */
export const paletteWith = (line: string, historyAt: number | null = null): PaletteOverlay => ({
  kind: 'palette',
  ...lineOf(line),
  selected: 0,
  historyAt,
})

/** A sentence was carried out and is worth remembering. */
export type PaletteEvent = { type: 'sentenceTaken'; line: string }

const lineMax = 160
/** Spaces of pages and spreadsheets, as in a pasted `64 000`: they part words too, and some terminals show a `?`. */
const otherSpaces = /\p{Zs}/gu

/** What was said in the palette, oldest first, bounded. */
export type PaletteSlice = { sentences: readonly string[] }

/** What its commands work with. */
type Context = SliceContext<PaletteSlice & Covering, PaletteEvent | OverlayEvent<PaletteOverlay>>

export type PaletteCommands = {
  openPalette(): void
  /** Text typed or pasted at the caret: never a key. */
  typeIntoPalette(text: string): void
  /** Moves the caret, or erases beside it. */
  editPalette(edit: LineEdit): void
  /** Puts another line in the place of what is typed. */
  completePalette(line: string): void
  /** Marks the item at this place of the list. */
  chooseInPalette(at: number): void
  /** Shows what the line means from this line on. */
  scrollPalette(top: number): void
  /** −1 the sentence before, +1 the one after; after the last one the line is empty again. */
  recallSentence(step: 1 | -1): void
  /** Keeps a sentence that is carried out, and closes the palette. */
  takeSentence(line: string): void
}

/** The palette's line and its history. Nothing here knows what a line means. */
export function createPaletteCommands({ store }: Context): PaletteCommands {
  const open = () => {
    const { overlay } = store.getState()
    return isOverlay<PaletteOverlay>(overlay, 'palette') ? overlay : null
  }
  const show = (overlay: PaletteOverlay) => store.dispatch({ type: 'overlayOpened', overlay })
  const write = (edit: (line: EditedLine) => EditedLine) => {
    const overlay = open()
    if (overlay === null) return
    const { line, caret } = edit(overlay)
    if (line !== overlay.line) show({ kind: 'palette', line, caret, selected: 0, historyAt: null })
    else if (caret !== overlay.caret) show({ ...overlay, caret })
  }
  return {
    openPalette: () => show(paletteWith('')),
    typeIntoPalette: (text) => write((line) => typedInto(line, text.replace(otherSpaces, ' '), lineMax)),
    editPalette: (edit) => write((line) => edited(line, edit)),
    completePalette: (line) => write(() => lineOf(line.slice(0, lineMax))),
    chooseInPalette(at) {
      const overlay = open()
      if (overlay !== null) show({ ...overlay, selected: at })
    },
    scrollPalette(top) {
      const overlay = open()
      if (overlay !== null) show({ ...overlay, top })
    },
    recallSentence(step) {
      const overlay = open()
      const { sentences } = store.getState()
      if (overlay === null || sentences.length === 0) return
      const at = Math.max(0, (overlay.historyAt ?? sentences.length) + step)
      const line = sentences[at]
      show(paletteWith(line ?? '', line === undefined ? null : at))
    },
    takeSentence(line) {
      store.dispatch({ type: 'overlayClosed' })
      store.dispatch({ type: 'sentenceTaken', line })
    },
  }
}
