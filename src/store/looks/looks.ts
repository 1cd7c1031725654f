import { autoTheme, builtInThemes, usualLightTheme, usualTheme } from '../../themes/built-in.ts'
import { isLightColor } from '../../themes/contrast.ts'
import type { ThemeFile } from '../../themes/tones.ts'

/** How the desk looks, and how it speaks. */
export type Looks = Readonly<{
  /** Every theme there is: those that come with the desk, then the person's own. */
  themes: readonly ThemeFile[]
  /** The name of the one in use, or `auto`: dark or light as the terminal's ground is. What a session remembers. */
  theme: string
  /** The terminal's ground as it says itself, `#rrggbb`; null for one that has not said. */
  ground: string | null
  /** Nothing blinks, flashes or runs, and ages are told in larger steps. */
  isMotionReduced: boolean
  /** Sentences for a screen reader instead of a picture. */
  isSpoken: boolean
  /** `cells`: only what changed goes to the terminal. `lines`: whole lines. */
  screenOutput: 'cells' | 'lines'
}>

export const usualLooks: Looks = {
  themes: builtInThemes,
  theme: autoTheme,
  ground: null,
  isMotionReduced: false,
  isSpoken: false,
  screenOutput: 'cells',
}

export type LooksEvent =
  | { type: 'themeChosen'; name: string }
  | { type: 'groundTold'; colour: string | null }
  /** The person's own themes as their folder now has them, and a sentence for each mistake in it. */
  | { type: 'themesRead'; themes: readonly ThemeFile[]; complaints: readonly string[]; atMs: number }

/** What a theme may be called: `auto`, and the names of those there are. */
export const themeNamesOf = ({ themes }: Pick<Looks, 'themes'>): string[] => [
  autoTheme,
  ...themes.map(({ name }) => name),
]

/** Dark, unless the terminal says that its ground is light. */
export const autoOn = (ground: string | null): ThemeFile =>
  ground !== null && isLightColor(ground) ? usualLightTheme : usualTheme

export type LooksSlice = { looks: Looks }

/** The list of themes; the screen shows the selected one meanwhile. */
export type ThemesOverlay = { kind: 'themes'; selected: string }
