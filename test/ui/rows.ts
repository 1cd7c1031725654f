import { type Row, rowText } from '../../src/ui/text/row.ts'

/** Rows as they read, without colors and the spaces at their ends. */
export const texts = (rows: readonly Row[]): string[] => rows.map((row) => rowText(row).trimEnd())
