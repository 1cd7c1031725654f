import type { SQLOutputValue } from 'node:sqlite'
import { WrongContent } from './unusable-data.ts'

/** A row as SQLite gives it. The readers below throw when a column is not what the schema says: the file is damaged. */
export type Row = Readonly<Record<string, SQLOutputValue>>

const wrong = (row: Row, name: string) => new WrongContent(`column ${name} holds ${String(row[name])}`)

export function whole(row: Row, name: string): number {
  const value = row[name]
  if (typeof value !== 'number') throw wrong(row, name)
  return value
}

export function text(row: Row, name: string): string {
  const value = row[name]
  if (typeof value !== 'string') throw wrong(row, name)
  return value
}

/** A whole number of any size, kept as text. */
export function large(row: Row, name: string): bigint {
  const value = text(row, name)
  if (!/^-?\d+$/.test(value)) throw wrong(row, name)
  return BigInt(value)
}

/** A column with one of these words in it. */
export function word<Word extends string>(row: Row, name: string, words: readonly Word[]): Word {
  const value = words.find((each) => each === row[name])
  if (value === undefined) throw wrong(row, name)
  return value
}

export const orNull = <T>(read: (row: Row, name: string) => T, row: Row, name: string): T | null =>
  row[name] === null ? null : read(row, name)
