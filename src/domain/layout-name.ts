/** The arrangements of panes there are, in the order a person walks them; each follows the terminal's size. */
export const layoutNames = ['trade', 'ladders', 'lists', 'chart', 'monitor'] as const
export type LayoutName = (typeof layoutNames)[number]
