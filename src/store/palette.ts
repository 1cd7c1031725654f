import { type EditedLine, edited, type LineEdit, lineOf, typedInto } from '../base/text/edited-line.ts'
import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from './slice.ts'

/** The command line of the palette: its text, the selected item, and its place in the history. */
export type PaletteOverlay = EditedLine & {
  kind: 'palette'
  selected: number
  /** The key of the selected item, once the user chose it: the items come and go with the state. */
  chosen?: string
  historyAt: number | null
  /** The first visible line of the meaning, if they do not all fit; 0 unless given. */
  top?: number
}

/** The palette with this line and the caret at its end. */
export const paletteWith = (line: string, historyAt: number | null = null): PaletteOverlay => ({
  kind: 'palette',
  ...lineOf(line),
  selected: 0,
  historyAt,
})

/** A sentence was executed, and is remembered. */
export type PaletteEvent = { type: 'sentenceTaken'; line: string }

const lineMax = 160
/** Pasted spaces of other kinds, as in `64 000`: they separate words too, and some terminals show a `?`. */
const otherSpaces = /\p{Zs}/gu

/** Executed sentences, oldest first, bounded. */
export type PaletteSlice = { sentences: readonly string[] }

/** The parts that its commands use. */
type Context = SliceContext<PaletteSlice & Covering, PaletteEvent | OverlayEvent<PaletteOverlay>>

export type PaletteCommands = {
  openPalette(): void
  /** Text typed or pasted at the caret, never read as keys. */
  typeIntoPalette(text: string): void
  /** Moves the caret, or erases beside it. */
  editPalette(edit: LineEdit): void
  /** Replaces the typed line. */
  completePalette(line: string): void
  /** Selects the item at this place of the list, and with this key. */
  chooseInPalette(at: number, key: string): void
  /** Shows the meaning from this line on. */
  scrollPalette(top: number): void
  /** −1 for the previous sentence, +1 for the next; after the last one the line is empty. */
  recallSentence(step: 1 | -1): void
  /** Remembers an executed sentence, and closes the palette. */
  takeSentence(line: string): void
}

/** The palette's line and its history. The meaning of a line is not known here. */
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
    chooseInPalette(at, key) {
      const overlay = open()
      if (overlay !== null) show({ ...overlay, selected: at, chosen: key })
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
