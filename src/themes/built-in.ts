import colourBlindSafe from '../../themes/colour-blind-safe.json' with { type: 'json' }
import dark from '../../themes/dark.json' with { type: 'json' }
import highContrast from '../../themes/high-contrast.json' with { type: 'json' }
import light from '../../themes/light.json' with { type: 'json' }
import mono from '../../themes/mono.json' with { type: 'json' }
import type { ThemeFile } from './tones.ts'

/** The default theme, also when the terminal does not report a light background. */
export const usualTheme: ThemeFile = dark
/** The default theme on a light background. */
export const usualLightTheme: ThemeFile = light

/** The setting that follows the terminal's background: dark or light. */
export const autoTheme = 'auto'

/** The built-in themes, in the order of the theme key. */
export const builtInThemes: readonly ThemeFile[] = [dark, light, highContrast, colourBlindSafe, mono]
