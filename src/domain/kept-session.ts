/** How one list was looked at. */
export type KeptTable = {
  sort: { column: string; direction: 'up' | 'down' } | null
  hiddenColumns: readonly string[]
}

/**
 * What a desk takes up again where the last one of the same profile left off: how things were looked at, and never an
 * order half written, never the mode. Names that the desk does not know any more are passed over.
 */
export type KeptSession = {
  layout: string
  isZoomed: boolean
  symbol: string
  symbol2: string | null
  /** Ticks in a row of the first and of the second ladder. */
  groupTicks: number
  groupTicks2: number
  theme: string
  /** By the name of the list's pane. */
  tables: Readonly<Record<string, KeptTable>>
}
