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
