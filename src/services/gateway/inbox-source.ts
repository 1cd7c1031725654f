/** An event as the inbox's store has it. */
export type KeptEvent = {
  /** Ascending in the order of recording: a place to go on from. */
  readonly sequence: number
  readonly eventId: string
  readonly orderId: string
  readonly receivedAtMs: number
  readonly source: string
  readonly body: string
  readonly copies: number
  readonly conflicts: number
}

type Page = { readonly count: number } & ({ readonly after: number } | { readonly before: number | null })

/** What the desk reads of an inbox, whoever fills it: this process, another one, or several on other machines. Any of it may reject. */
export type InboxSource = {
  /** After a place oldest first, before one newest first. */
  events(query: Page & { readonly orderId?: string }): Promise<readonly KeptEvent[]>
  conflictsOf(
    eventId: string,
  ): Promise<readonly { readonly receivedAtMs: number; readonly source: string; readonly body: string }[]>
  quarantine(query: Page): Promise<
    readonly {
      readonly sequence: number
      readonly receivedAtMs: number
      readonly source: string
      readonly reason: string
      readonly body: Uint8Array
      readonly replayedAtMs: number | null
    }[]
  >
  counts(): Promise<{
    readonly events: number
    readonly copies: number
    readonly conflicts: number
    readonly quarantined: number
  }>
  /** Calls `listener` soon after anything new is there; returns what ends that. */
  listen(listener: () => void): () => void
}
