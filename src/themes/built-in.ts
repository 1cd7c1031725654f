import colourBlindSafe from '../../themes/colour-blind-safe.json' with { type: 'json' }
import dark from '../../themes/dark.json' with { type: 'json' }
import highContrast from '../../themes/high-contrast.json' with { type: 'json' }
import light from '../../themes/light.json' with { type: 'json' }
import mono from '../../themes/mono.json' with { type: 'json' }
import type { ThemeFile } from './tones.ts'

/** What a desk looks like unless somebody chose. */
export const usualTheme: ThemeFile = dark

/** The themes that come with the desk, in the order a person walks through them. */
export const builtInThemes: readonly ThemeFile[] = [dark, light, highContrast, colourBlindSafe, mono]
