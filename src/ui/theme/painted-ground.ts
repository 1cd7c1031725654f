import { contrast, isLightColour } from '../../themes/colour-light.ts'
import { isMadeForLight, isWeakOn } from '../../themes/theme-ground.ts'
import type { ThemeFile } from '../../themes/tones.ts'
import type { ColourDepth } from './colour-depth.ts'
import { sgr } from './sgr.ts'

/**
 * What is behind the desk before it draws: the terminal's ground, `#rrggbb`; `due` while its answer is still to come,
 * null where there will be none.
 */
export type TerminalGround = string | 'due' | null

/** Words without a colour of their own on a ground that the desk paints. */
const inks = { dark: { fg: '#e4eaf0', ansi: 'white' }, light: { fg: '#1f2328', ansi: 'black' } } as const

/** Of a ground that is close to black or white with the other one. */
const closeContrast = 16

function isPainted(file: ThemeFile, depth: ColourDepth, ground: TerminalGround): boolean {
  // Until the terminal has said what it is, most are dark.
  if (ground === 'due') return isMadeForLight(file) === true
  if (ground === null) return true
  if (depth !== '16') return isWeakOn(file, ground)
  // What its sixteen colours are a terminal does not say: most suit black and white, or what is close to them.
  const isLight = isLightColour(ground)
  return isLight !== isMadeForLight(file) || contrast(ground, isLight ? '#000000' : '#ffffff') < closeContrast
}

/**
 * The sequence for the ink and the ground of every cell that says nothing else; empty where the terminal's own ground
 * is as good, or nobody wants colours.
 */
export function paintedGround(file: ThemeFile, depth: ColourDepth, ground: TerminalGround): string {
  const { background: bg } = file
  if (bg === undefined || depth === 'plain' || depth === 'attributes' || !isPainted(file, depth, ground)) return ''
  const isLight = isLightColour(bg)
  const { fg, ansi } = file.tones.text
  const usual = isLight ? inks.light : inks.dark
  const ansiBg = isLight ? 'brightWhite' : 'black'
  return sgr({ fg: fg ?? usual.fg, ansi: ansi ?? usual.ansi, bg, ansiBg }, depth)
}
