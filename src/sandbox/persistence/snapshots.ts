import { crc32 } from 'node:zlib'
import type { ExchangeSnapshot } from '../core/snapshot.ts'
import { text, whole } from './columns.ts'
import type { DataFile } from './data-file.ts'
import { joinPieces, jsonPieces } from './json-pieces.ts'
import { damaged } from './unusable-data.ts'

/** A snapshot, and the last command that is in it. */
export type Kept = { sequence: number; snapshot: ExchangeSnapshot }

/** A snapshot on its way to the disk, piece by piece. It counts only once the last piece is there. */
export type SnapshotWriting = {
  readonly sequence: number
  /** Writes the next piece into the transaction under way; true when that was the last. */
  step(): boolean
}

export type Snapshots = ReturnType<typeof createSnapshots>

/** The snapshots of a data folder: the newest whole one, and at most one that is being written. */
export function createSnapshots(file: DataFile) {
  const newest = file.prepare('SELECT * FROM snapshot ORDER BY generation DESC LIMIT 1')
  const pieces = file.prepare('SELECT * FROM snapshot_piece WHERE generation = ? ORDER BY id')
  const addPiece = file.prepare('INSERT INTO snapshot_piece (generation, checksum, content) VALUES (?, ?, ?)')
  const addSnapshot = file.prepare('INSERT INTO snapshot (generation, sequence, piece_count) VALUES (?, ?, ?)')
  const dropPieces = file.prepare('DELETE FROM snapshot_piece WHERE generation <> ?')
  const dropSnapshots = file.prepare('DELETE FROM snapshot WHERE generation <> ?')

  const newestGeneration = (): number => {
    const row = newest.get()
    return row === undefined ? 0 : whole(row, 'generation')
  }

  return {
    /** The newest one, or null in an empty file. Throws `UnusableData` when it is not as it was written. */
    load: (): Kept | null =>
      file.attempt(() => {
        const row = newest.get()
        if (row === undefined) return null
        const texts = pieces.all(whole(row, 'generation')).map((piece) => {
          const content = text(piece, 'content')
          if (crc32(content) === whole(piece, 'checksum')) return content
          throw damaged(file.folder, 'the snapshot is not as it was written')
        })
        if (texts.length !== whole(row, 'piece_count')) throw damaged(file.folder, 'the snapshot is not whole')
        const snapshot = joinPieces(texts)
        if (!isSnapshot(snapshot)) throw damaged(file.folder, 'the snapshot is of an unknown form')
        return { sequence: whole(row, 'sequence'), snapshot }
      }),

    /** Begins to write one; when it is whole, the one before it goes. */
    write: ({ sequence, snapshot }: Kept): SnapshotWriting => {
      const generation = newestGeneration() + 1
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

    /** Forgets what was left of one that never became whole. */
    tidy: () => file.attempt(() => dropPieces.run(newestGeneration())),
  }
}

/** The rest of its shape the checksums vouch for. */
const isSnapshot = (value: unknown): value is ExchangeSnapshot =>
  typeof value === 'object' && value !== null && 'version' in value && value.version === 1
