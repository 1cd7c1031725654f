/** The themes there are. */
export const themeNames = ['dark'] as const
/** The arrangements of panes there are: `auto` follows the terminal's size. */
export const layoutNames = ['auto'] as const
