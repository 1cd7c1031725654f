import { memoizeLast } from '../base/memoize.ts'
import { suggestion } from '../base/text/nearest-name.ts'
import { autoTheme, builtInThemes, usualLightTheme, usualTheme } from '../themes/built-in.ts'
import { isLightColor, type ThemeFile } from '../themes/tones.ts'
import { type NotedEvent, type Noting, noted, sayer } from './log.ts'
import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from './slice.ts'

/** The desk's themes, and its form of output. */
export type Looks = Readonly<{
  /** All themes: the built-in ones, then the user's own. */
  themes: readonly ThemeFile[]
  /** The name of the chosen theme, or `auto`: dark or light like the terminal's background. A session saves it. */
  theme: string
  /** The terminal's background as it reports it, `#rrggbb`; null without a report. */
  ground: string | null
  /** Nothing blinks, flashes or runs, and ages change in larger steps. */
  isMotionReduced: boolean
  /** Sentences for a screen reader instead of a full screen. */
  isSpoken: boolean
  /** True to hide the account's amounts on screen, see `ui/text/privacy.ts`. */
  isPrivate: boolean
  /** `cells`: only what changed goes to the terminal. `lines`: whole lines. */
  screenOutput: 'cells' | 'lines'
}>

export const usualLooks: Looks = {
  themes: builtInThemes,
  theme: autoTheme,
  ground: null,
  isMotionReduced: false,
  isSpoken: false,
  isPrivate: false,
  screenOutput: 'cells',
}

export type LooksEvent =
  | { type: 'themeChosen'; name: string }
  | { type: 'groundTold'; color: string | null }
  /** The user's own themes in their folder, and a sentence for each mistake in them. */
  | { type: 'themesRead'; themes: readonly ThemeFile[]; complaints: readonly string[]; atMs: number }

/** The accepted names of themes: `auto`, and those of all themes. */
export const themeNamesOf = ({ themes }: Pick<Looks, 'themes'>): string[] => [
  autoTheme,
  ...themes.map(({ name }) => name),
]

/** Every update asks for the shown theme, and a terminal seldom changes its background. */
const isLightGround = memoizeLast(isLightColor)

/** Dark, unless the terminal reports a light background. */
export const autoOn = (ground: string | null): ThemeFile =>
  ground !== null && isLightGround(ground) ? usualLightTheme : usualTheme

export type LooksSlice = { looks: Looks }

/** The list of themes; the screen shows the selected one meanwhile. */
export type ThemesOverlay = { kind: 'themes'; selected: string }

/** The parts that its commands use. */
type Context = SliceContext<LooksSlice & Covering, LooksEvent | OverlayEvent<ThemesOverlay> | NotedEvent>

export type LooksCommands = {
  /** Opens the list of themes; the screen shows the selected one. */
  openThemes(): void
  /** Positive is down the list; both ends wrap. */
  moveInThemes(step: 1 | -1): void
  /** Keeps the selected theme and closes the list. */
  keepTheme(): void
  /** Uses the theme of this name, or names the available ones. */
  chooseTheme(name: string): void
}

export function createLooksCommands({ store, port }: Context): LooksCommands {
  const say = sayer({ store, port })
  const chooseTheme = (name: string) => {
    const names = themeNamesOf(store.getState().looks)
    if (!names.includes(name)) {
      return say(`No theme "${name.slice(0, 40)}"${suggestion(name, names)} (there are ${names.join(', ')}).`)
    }
    store.dispatch({ type: 'themeChosen', name })
    const { name: shown } = shownTheme(store.getState())
    say(shown === name ? `Theme is ${name}.` : `Theme is ${name}: ${shown} here.`, 'info')
  }
  return {
    openThemes() {
      const { theme } = store.getState().looks
      store.dispatch({ type: 'overlayOpened', overlay: { kind: 'themes', selected: theme } })
    },
    moveInThemes(step) {
      const { overlay, looks } = store.getState()
      if (!isOverlay<ThemesOverlay>(overlay, 'themes')) return
      const names = themeNamesOf(looks)
      const selected = names.at((names.indexOf(overlay.selected) + step) % names.length)
      if (selected !== undefined) store.dispatch({ type: 'overlayOpened', overlay: { kind: 'themes', selected } })
    },
    keepTheme() {
      const { overlay } = store.getState()
      if (!isOverlay<ThemesOverlay>(overlay, 'themes')) return
      store.dispatch({ type: 'overlayClosed' })
      chooseTheme(overlay.selected)
    },
    chooseTheme,
  }
}

/** The theme on screen: the one in the preview, else the chosen one. Always a stored value. */
export function shownTheme({ looks, overlay }: LooksSlice & Covering): ThemeFile {
  const name = isOverlay<ThemesOverlay>(overlay, 'themes') ? overlay.selected : looks.theme
  return looks.themes.find((each) => each.name === name) ?? autoOn(looks.ground)
}

export function reduceLooks<S extends LooksSlice & Noting>(state: S, event: LooksEvent): S {
  if (event.type === 'groundTold') return { ...state, looks: { ...state.looks, ground: event.color } }
  if (event.type === 'themeChosen') return { ...state, looks: { ...state.looks, theme: event.name } }
  const next: S = { ...state, looks: { ...state.looks, themes: [...builtInThemes, ...event.themes] } }
  return event.complaints.reduce((before, text) => noted(before, 'warn', text, event.atMs), next)
}
