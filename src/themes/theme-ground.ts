import { contrast, isLightColour } from './colour-light.ts'
import { type ThemeFile, type Tone, tones } from './tones.ts'

/** What is not read: it only leads the eye. */
export const drawnTones: readonly Tone[] = ['border', 'focusBorder', 'bidBar', 'askBar']

/**
 * The least contrast of a word that the theme writes on the ground itself; one without a colour has the terminal's own,
 * which suits its ground.
 */
function weakest(file: ThemeFile, ground: string): number {
  const inks = tones.flatMap((tone) => {
    const { fg, bg } = file.tones[tone]
    return fg === undefined || bg !== undefined || drawnTones.includes(tone) ? [] : [fg]
  })
  return Math.min(...inks.map((ink) => contrast(ink, ground)))
}

/** Contrasts that count, the best first: WCAG's enhanced and its least one. */
const marks = [7, 4.5] as const

/**
 * Whether a word of the theme would be worse to read on this ground than on the one that it was made for, as far as
 * that counts.
 */
export function isWeakOn(file: ThemeFile, ground: string): boolean {
  if (file.background === undefined) return false
  const own = weakest(file, file.background)
  return weakest(file, ground) < (marks.find((mark) => own >= mark) ?? own)
}

/** Whether the theme is made for a light ground; null for one that is made for any. */
export const isMadeForLight = ({ background }: ThemeFile): boolean | null =>
  background === undefined ? null : isLightColour(background)
