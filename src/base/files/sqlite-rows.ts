import type { SQLOutputValue } from 'node:sqlite'

/** A row as read by SQLite. */
export type Row = Readonly<Record<string, SQLOutputValue>>

/** Creates typed readers of a row's columns; each throws the error made by `wrong` when a column is not of its type. */
export function rowReaders(wrong: (name: string, value: unknown) => Error) {
  return {
    whole(row: Row | undefined, name: string): number {
      const value = row?.[name]
      if (typeof value !== 'number') throw wrong(name, value)
      return value
    },
    text(row: Row, name: string): string {
      const value = row[name]
      if (typeof value !== 'string') throw wrong(name, value)
      return value
    },
    bytes(row: Row, name: string): Uint8Array {
      const value = row[name]
      if (!(value instanceof Uint8Array)) throw wrong(name, value)
      return value
    },
  }
}
