import { builtInThemes } from '../themes/built-in.ts'

/** The themes that come with the desk; a person may have more. */
export const themeNames = builtInThemes.map(({ name }) => name)
/** The arrangements of panes there are: `auto` follows the terminal's size. */
export const layoutNames = ['auto'] as const
