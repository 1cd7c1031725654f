/** What every pane is given: its size with borders, in cells, and whether the keys go to it. */
export type PaneProps = { width: number; height: number; isFocused: boolean }
