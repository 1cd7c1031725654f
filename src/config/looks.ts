import { builtInThemes } from '../themes/built-in.ts'

/** The themes that come with the desk; a person may have more. */
export const themeNames = builtInThemes.map(({ name }) => name)
