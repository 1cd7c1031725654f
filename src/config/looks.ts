import { autoTheme, builtInThemes } from '../themes/built-in.ts'

/** What a theme may be called without themes of a person's own. */
export const themeNames = [autoTheme, ...builtInThemes.map(({ name }) => name)]
