import { z } from 'zod'

/** What the program knows of one setting; its key in the file stands before the row. */
export type SettingRow = {
  /** Some readers need to know the home folder. */
  reader: z.ZodType | ((home: string) => z.ZodType)
  /** What the program calls it; left out where several settings make one value. */
  name?: string
  /** What counts where nothing sets it; with `name` only. */
  standard?: unknown
  /** True: no variable sets it. */
  isFileOnly?: true
  /** Its value in the manual's example of the file, and what the manual says beside it. */
  example?: string
  says?: string
}

export type SettingRows = Readonly<Record<string, SettingRow>>

type ReaderOf<Row extends SettingRow> = Row['reader'] extends (home: string) => z.ZodType
  ? ReturnType<Row['reader']>
  : Extract<Row['reader'], z.ZodType>
type ShapeOf<Rows extends SettingRows> = { -readonly [Key in keyof Rows]: ReaderOf<Rows[Key]> }

/** The table of the file that has these settings; another key in it is an issue. */
export function tableOf<Rows extends SettingRows>(rows: Rows, home: string) {
  const readers = Object.entries(rows).map(([key, { reader }]) => [
    key,
    typeof reader === 'function' ? reader(home) : reader,
  ])
  return z.strictObject(Object.fromEntries(readers) as ShapeOf<Rows>)
}

type Value<Row extends SettingRow> = NonNullable<z.infer<ReaderOf<Row>>> | Row['standard']

/** The settings whose rows have a name, under that name. */
export type NamedSettings<Rows extends SettingRows> = {
  -readonly [Key in keyof Rows as Rows[Key] extends { name: infer Name extends string } ? Name : never]: Value<
    Rows[Key]
  >
}

/** What is set, by key, under the program's names; the standard value where nothing is. */
export function namedSettings<Rows extends SettingRows>(
  rows: Rows,
  set: Readonly<Partial<Record<keyof Rows, unknown>>>,
): NamedSettings<Rows> {
  const named = Object.entries(rows).flatMap(([key, { name, standard }]) =>
    name === undefined ? [] : [[name, set[key] ?? standard]],
  )
  return Object.fromEntries(named) as NamedSettings<Rows>
}
