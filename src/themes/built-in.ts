import colourBlindSafe from '../../themes/colour-blind-safe.json' with { type: 'json' }
import dark from '../../themes/dark.json' with { type: 'json' }
import highContrast from '../../themes/high-contrast.json' with { type: 'json' }
import light from '../../themes/light.json' with { type: 'json' }
import mono from '../../themes/mono.json' with { type: 'json' }
import type { ThemeFile } from './tones.ts'

/** What a desk looks like unless somebody chose, and the terminal does not say that its ground is light. */
export const usualTheme: ThemeFile = dark
/** What a desk looks like on a light ground unless somebody chose. */
export const usualLightTheme: ThemeFile = light

/** What stands for no theme of its own: dark or light, as the terminal's ground is. */
export const autoTheme = 'auto'

/** The themes that come with the desk, in the order a person walks through them. */
export const builtInThemes: readonly ThemeFile[] = [dark, light, highContrast, colourBlindSafe, mono]
