import { crc32 } from 'node:zlib'
import type { ExchangeSnapshot } from '../core/snapshot.ts'
import { type DataFile, text, whole } from './data-file.ts'
import { damaged } from './unusable-data.ts'

/** A snapshot, and the last command it includes. */
export type Kept = { sequence: number; snapshot: ExchangeSnapshot }

/** A snapshot being written piece by piece. It counts only once the last piece is written. */
export type SnapshotWriting = {
  readonly sequence: number
  /** Writes the next piece into the open transaction; true if that was the last. */
  step(): boolean
}

export type Snapshots = ReturnType<typeof createSnapshots>

/** A data folder's snapshots: the newest complete one, and at most one being written. */
export function createSnapshots(file: DataFile) {
  const newest = file.prepare('SELECT * FROM snapshot ORDER BY generation DESC LIMIT 1')
  const pieces = file.prepare('SELECT * FROM snapshot_piece WHERE generation = ? ORDER BY id')
  const newestPiece = file.prepare('SELECT coalesce(max(generation), 0) AS generation FROM snapshot_piece')
  const addPiece = file.prepare('INSERT INTO snapshot_piece (generation, checksum, content) VALUES (?, ?, ?)')
  const addSnapshot = file.prepare('INSERT INTO snapshot (generation, sequence, piece_count) VALUES (?, ?, ?)')
  const dropPieces = file.prepare('DELETE FROM snapshot_piece WHERE generation <> ?')
  const dropSnapshots = file.prepare('DELETE FROM snapshot WHERE generation <> ?')

  const newestGeneration = (): number => {
    const row = newest.get()
    return row === undefined ? 0 : whole(row, 'generation')
  }

  return {
    /** The newest one, or null in an empty file. Throws `UnusableData` if it is not as written. */
    load: (): Kept | null =>
      file.attempt(() => {
        const row = newest.get()
        if (row === undefined) return null
        const count = whole(row, 'piece_count')
        // An earlier version may have left the pieces of one that it gave up before them.
        const texts = pieces
          .all(whole(row, 'generation'))
          .slice(-count)
          .map((piece) => {
            const content = text(piece, 'content')
            if (crc32(content) === whole(piece, 'checksum')) return content
            throw damaged(file.folder, 'the snapshot is not as it was written')
          })
        if (texts.length !== count) throw damaged(file.folder, 'the snapshot is not whole')
        const snapshot = joinPieces(texts)
        if (!isSnapshot(snapshot)) throw damaged(file.folder, 'the snapshot is of an unknown form')
        return { sequence: whole(row, 'sequence'), snapshot }
      }),

    /**
     * Starts writing one; once complete, it replaces the previous one, and one that was begun and given up: pieces of
     * that one may be in the file, so the new one is of another generation.
     */
    write: ({ sequence, snapshot }: Kept): SnapshotWriting => {
      const generation = file.attempt(() => whole(newestPiece.get() ?? {}, 'generation')) + 1
      const texts = jsonPieces(snapshot)
      let count = 0
      const finish = () => {
        addSnapshot.run(generation, sequence, count)
        dropSnapshots.run(generation)
        dropPieces.run(generation)
      }
      return {
        sequence,
        step: () =>
          file.attempt(() => {
            const { value, done = false } = texts.next()
            if (done || value === undefined) {
              finish()
              return true
            }
            addPiece.run(generation, crc32(value), value)
            count += 1
            return false
          }),
      }
    },

    /** Deletes the pieces of one that was never completed. */
    tidy: () => file.attempt(() => dropPieces.run(newestGeneration())),
  }
}

/** The checksums vouch for the rest of its shape. */
const isSnapshot = (value: unknown): value is ExchangeSnapshot =>
  typeof value === 'object' && value !== null && 'version' in value && value.version === 1

/** A list of up to this many items stays in one piece. */
const itemsMax = 1_000

type Path = readonly (string | number)[]
/** Part of a value: items to append to the list at this path; the first piece has no path and is everything else. */
type Piece = { path: Path; items: readonly unknown[] } | { whole: unknown }

/**
 * A large JSON value as pieces of JSON text, each made on demand, so that nothing waits for the whole. The value must
 * not change in the meantime.
 */
function* jsonPieces(value: unknown): Generator<string> {
  const long: { path: Path; list: readonly unknown[] }[] = []
  const whole = withoutLong(value, [], (path, list) => long.push({ path, list }))
  yield JSON.stringify({ whole } satisfies Piece)
  for (const { path, list } of long)
    for (let from = 0; from < list.length; from += itemsMax)
      yield JSON.stringify({ path, items: list.slice(from, from + itemsMax) } satisfies Piece)
}

/** The value with its long lists emptied; `found` is called with each. Items of a long list stay whole. */
function withoutLong(value: unknown, path: Path, found: (path: Path, list: readonly unknown[]) => void): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    if (value.length <= itemsMax) return value.map((item, index) => withoutLong(item, [...path, index], found))
    found(path, value)
    return []
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutLong(item, [...path, key], found)]))
}

/** Reassembles the value. Throws if the pieces do not belong together. */
function joinPieces(pieces: Iterable<string>): unknown {
  let value: unknown
  for (const text of pieces) {
    const piece: Piece = JSON.parse(text)
    if ('whole' in piece) value = piece.whole
    else listAt(value, piece.path).push(...piece.items)
  }
  return value
}

function listAt(value: unknown, path: Path): unknown[] {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null) throw new Error(`nothing is at ${path.join('.')}`)
    found = Reflect.get(found, step)
  }
  if (!Array.isArray(found)) throw new Error(`no list is at ${path.join('.')}`)
  return found
}
