import { type EditedLine, lineOf } from '../../base/edited-line.ts'

/**
 * The line where anything can be asked for: what is typed, the item chosen, and where in the history the line came
 * from.
 */
export type PaletteOverlay = EditedLine & { kind: 'palette'; selected: number; historyAt: number | null }

/** The palette with this line, to be gone on with at its end. */
export const paletteWith = (line: string, historyAt: number | null = null): PaletteOverlay => ({
  kind: 'palette',
  ...lineOf(line),
  selected: 0,
  historyAt,
})

/**
 * What a sentence wants taken back: all working orders of a symbol (null: of every symbol), or one by the exchange's
 * id.
 */
export type CancelTarget = { kind: 'all'; symbol: string | null } | { kind: 'one'; orderId: string }
/** Asks whether it is to be taken back. */
export type ConfirmCancelOverlay = { kind: 'confirmCancel'; target: CancelTarget }

/** A sentence was carried out and is worth remembering. */
export type PaletteEvent = { type: 'sentenceTaken'; line: string }

/** What a person said so far in this session, oldest first, bounded. */
export type SentenceHistory = readonly string[]
export const lineMost = 160

/** What was said in the palette, oldest first, bounded. */
export type PaletteSlice = { sentences: SentenceHistory }
