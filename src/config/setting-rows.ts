import { z } from 'zod'
import { readOnce } from '../base/read-once.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { CommandLine } from '../base/run-command.ts'

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

/** Texts of variables or flags, by key, as the table reads them. The error begins with the name of the wrong one. */
export function readTexts<Table extends z.ZodType>(
  table: Table,
  texts: ReadonlyArray<readonly [key: string, text: unknown]>,
  nameOf: (key: string) => string,
): Result<z.infer<Table>> {
  const read = table.safeParse(Object.fromEntries(texts), readOnce)
  if (read.success) return ok(read.data)
  const issue = read.error.issues[0]
  return err(`${nameOf(String(issue?.path[0]))} ${issue?.message}`)
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

/** One setting, from a file, a variable or a flag. Its error follows the setting's name: `must be one of dark`. */
export const setting = <T>(read: (value: unknown) => Result<T>) =>
  z.optional(
    z.transform((value: unknown, context): T => {
      const reading = read(value)
      if (reading.ok) return reading.value
      // The value itself is not part of the sentence: it may be a key that was put in the wrong place.
      context.issues.push({ code: 'custom', message: reading.error, input: value })
      return z.NEVER
    }),
  )

export const textSetting = (what: string, example: string) =>
  setting((value) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= 2_000
      ? ok(value.trim())
      : err(`must be ${what} in quotes, such as "${example}"`),
  )

export const choiceSetting = <const T extends string>(choices: readonly T[]) =>
  setting((value) => {
    const choice = choices.find((each) => each === value)
    return choice === undefined ? err(`must be ${listed(choices)}`) : ok(choice)
  })

const listed = (choices: readonly string[]): string =>
  choices.length === 1
    ? `"${choices[0]}", the only one there is`
    : `one of ${choices.map((each) => `"${each}"`).join(', ')}`

/** A list in the file, or words between commas in a variable. What the words mean is judged where they are used. */
export const wordsSetting = (what: string) =>
  setting((value) => {
    const words: readonly unknown[] = Array.isArray(value)
      ? value
      : typeof value === 'string'
        ? value.split(',')
        : [null]
    const texts = words.filter((word) => typeof word === 'string').map((word) => word.trim())
    return texts.length === words.length && texts.every((word) => word !== '')
      ? ok(texts)
      : err(`must be a list of ${what}`)
  })

/** A list of words out of `choices`; an empty list is allowed. */
export const choicesSetting = <const T extends string>(choices: readonly T[]) =>
  setting((value): Result<readonly T[]> => {
    const words: readonly unknown[] = Array.isArray(value)
      ? value
      : typeof value === 'string' && value.trim() !== ''
        ? value.split(',').map((word) => word.trim())
        : []
    const known = choices.filter((choice) => words.includes(choice))
    const isList = Array.isArray(value) || typeof value === 'string'
    return isList && words.every((word) => choices.some((choice) => choice === word))
      ? ok(known)
      : err(`must be a list of ${choices.map((each) => `"${each}"`).join(', ')}`)
  })

export const flagSetting = setting((value) =>
  value === true || value === 'true'
    ? ok(true)
    : value === false || value === 'false'
      ? ok(false)
      : err('must be true or false'),
)

/** A whole number between two bounds, both included. */
export const wholeSetting = (least: number, most: number) =>
  setting((value) => {
    const text = typeof value === 'bigint' || typeof value === 'string' ? value.toString() : ''
    const isWithin = /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most
    return isWithin ? ok(Number(text)) : err(`must be a whole number from ${least} to ${most}`)
  })

/** A file of this machine by its full path; `~/` stands for the home folder. */
export const pathSetting = (home: string) =>
  setting((value) => {
    if (typeof value !== 'string' || !/^(~\/|\/)./.test(value) || value.includes('\u0000'))
      return err('must be the full path of a file: beginning with / or ~/')
    return ok(value.startsWith('~/') ? `${home}${value.slice(1)}` : value)
  })

export const commandSetting = setting((value): Result<CommandLine> => {
  if (typeof value === 'string' && value.trim() !== '') return ok({ kind: 'shell', line: value })
  const words: readonly unknown[] = Array.isArray(value) ? value : []
  const texts = words.filter((word) => typeof word === 'string')
  const [file = '', ...argv] = texts
  return texts.length === words.length && file !== ''
    ? ok({ kind: 'words', file, argv })
    : err('must be a command: a list of words such as ["pass", "show", "desk"], or one line for the shell')
})
