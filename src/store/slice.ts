/** Something that a slice shows over the panes; the desk has at most one. */
export type AnyOverlay = { kind: string }

/** A store for readers that only follow it. */
export type Followed<Reads> = {
  getState(): Reads
  subscribe(listener: (state: Reads, before: Reads) => void): () => void
}

/** The overlay over the panes, for code that does not know every kind of it. */
export type Covering = { overlay: AnyOverlay | null }

/** True when the overlay is one of the slice's own, by their kinds. */
export const isOverlay = <O extends AnyOverlay>(
  overlay: AnyOverlay | null,
  ...kinds: readonly O['kind'][]
): overlay is O => overlay !== null && kinds.some((kind) => kind === overlay.kind)

/** The place of what is selected in a list, by its name: null for the first one. -1 if it is gone. */
export const placeOf = (selected: string | null, names: readonly string[]): number =>
  selected === null ? 0 : names.indexOf(selected)

export type OverlayEvent<O> = { type: 'overlayOpened'; overlay: O } | { type: 'overlayClosed' }

/** The context of a slice's commands: the state they read, the events they dispatch, and the services they use. */
export type SliceContext<Reads, Event, Port = object> = {
  store: { getState(): Reads; dispatch(event: Event): void }
  port: Port & { now(): number }
}

/** Polls now the data of the symbol's panes, for example after a switch. */
export type RefreshPort = { refresh(): void }
