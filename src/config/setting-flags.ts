import { layoutNames } from '../domain/desk/session.ts'
import { autoTheme, builtInThemes } from '../themes/built-in.ts'

// Separate from the settings' readers, so that the table of commands loads fast.

/** The theme names available without user themes. */
const themeNames = [autoTheme, ...builtInThemes.map(({ name }) => name)]

/**
 * The desk's flags for settings of the same name, or of the name in `setting`; flags without a placeholder take no
 * value.
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
