import type { SQLOutputValue } from 'node:sqlite'

/** A row as SQLite gives it. */
export type Row = Readonly<Record<string, SQLOutputValue>>

/** Readers of a row's columns; what `wrong` makes is thrown when a column is not what the schema says. */
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
