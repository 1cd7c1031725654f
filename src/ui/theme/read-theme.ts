import dark from '../../../themes/dark.json' with { type: 'json' }
import { type Environment, readColourDepth, readGlyphSet } from './colour-depth.ts'
import { createTheme, type Theme } from './theme.ts'

/** The built-in dark theme for the terminal that the environment describes. */
export const readTheme = (env: Environment): Theme => createTheme(dark, readColourDepth(env), readGlyphSet(env))
