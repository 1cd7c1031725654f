/** Something that a slice shows over the panes; the desk keeps at most one. */
export type AnyOverlay = { kind: string }

/** A store to whoever only follows it. */
export type Followed<Reads> = {
  getState(): Reads
  subscribe(listener: (state: Reads, before: Reads) => void): () => void
}

/** What is over the panes, for who does not know all of it. */
export type Covering = { overlay: AnyOverlay | null }

/** Whether what is over the panes is one of the slice's own, by their kinds. */
export const isOverlay = <O extends AnyOverlay>(
  overlay: AnyOverlay | null,
  ...kinds: readonly O['kind'][]
): overlay is O => overlay !== null && kinds.some((kind) => kind === overlay.kind)

export type OverlayEvent<O> = { type: 'overlayOpened'; overlay: O } | { type: 'overlayClosed' }

/** What a slice's commands work with: what they look at, what they bring about, and what they ask of services. */
export type SliceContext<Reads, Event, Port = object> = {
  store: { getState(): Reads; dispatch(event: Event): void }
  port: Port & { now(): number }
}

/** Polls now what the symbol's panes show, for example after a switch. */
export type RefreshPort = { refresh(): void }
