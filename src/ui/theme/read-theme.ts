import { usualTheme } from '../../themes/built-in.ts'
import type { ThemeFile } from '../../themes/tones.ts'
import { type Environment, readColourDepth, readGlyphSet } from './colour-depth.ts'
import { createTheme, type Theme } from './theme.ts'

/** A theme, dark unless given, for the terminal that the environment describes. */
export const readTheme = (env: Environment, file: ThemeFile = usualTheme): Theme =>
  createTheme(file, readColourDepth(env), readGlyphSet(env))
