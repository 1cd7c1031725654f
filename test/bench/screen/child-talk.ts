/** What the console in the terminal is asked to do. */
export type ChildRequest =
  /**
   * Updates of the tape, from where it stands, so many a second. The desk's time goes on as the tape's, or as real time
   * does.
   */
  | { kind: 'play'; count: number; perSecond: number; isRealTime?: boolean }
  /** Answers that say what the last ones said. */
  | { kind: 'nothingNew'; count: number; perSecond: number }
  /** Updates as fast as they go, each `stepMs` of the market's time. */
  | { kind: 'flood'; count: number; stepMs: number; updatesPerTurn: number }

/** What it cost. */
export type ChildReply = {
  cpuMs: number
  realMs: number
  heapMiB: number
  isFrozen: boolean
  /** For each key that came since the last reply. */
  keyCostsMs: readonly number[]
}
