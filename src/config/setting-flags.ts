import { layoutNames } from '../domain/desk/session.ts'
import { autoTheme, builtInThemes } from '../themes/built-in.ts'

// Kept apart from the settings' readers, so that the table of commands loads at once.

/** What a theme may be called without themes of the user's own. */
const themeNames = [autoTheme, ...builtInThemes.map(({ name }) => name)]

/**
 * The flags of the desk that set what a setting of the same name sets, or the one of `setting`; without a placeholder
 * they take no value.
 */
export const settingFlags = [
  { name: 'symbol', placeholder: 'SYMBOL', meaning: 'the symbol to show first, for example ETH-USD' },
  { name: 'monitor', placeholder: null, meaning: 'read only: no write can leave the process' },
  {
    name: 'theme',
    placeholder: 'THEME',
    meaning: 'the theme, also one of your own',
    choices: themeNames,
    takesOthers: true,
  },
  {
    name: 'rotate',
    setting: 'rotate_s',
    placeholder: 'SECONDS',
    meaning: 'the wall (layout monitor), with another symbol every SECONDS',
    whole: [0, 3_600],
  },
  { name: 'layout', placeholder: 'LAYOUT', meaning: 'the arrangement of the panes', choices: layoutNames },
] as const
