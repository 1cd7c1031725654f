import { z } from 'zod'
import type { CommandLine } from '../base/process/run-command.ts'
import { readOnce } from '../base/read-once.ts'
import { err, ok, type Result } from '../base/result.ts'

/** A setting; its key in the file is the row's key. */
export type SettingRow = {
  /** Some readers need the home folder. */
  reader: z.ZodType | ((home: string) => z.ZodType)
  /** Its name in the program; absent when several settings form one value. */
  name?: string
  /** The default value; only with `name`. */
  standard?: unknown
  /** True when it has no variable. */
  isFileOnly?: true
  /** Its value in the manual's example file, and the manual's remark on it. */
  example?: string
  says?: string
}

export type SettingRows = Readonly<Record<string, SettingRow>>

type ReaderOf<Row extends SettingRow> = Row['reader'] extends (home: string) => z.ZodType
  ? ReturnType<Row['reader']>
  : Extract<Row['reader'], z.ZodType>
type ShapeOf<Rows extends SettingRows> = { -readonly [Key in keyof Rows]: ReaderOf<Rows[Key]> }

/** The schema of a table with these settings; unknown keys are issues. */
export function tableOf<Rows extends SettingRows>(rows: Rows, home: string) {
  const readers = Object.entries(rows).map(([key, { reader }]) => [
    key,
    typeof reader === 'function' ? reader(home) : reader,
  ])
  return z.strictObject(Object.fromEntries(readers) as ShapeOf<Rows>)
}

/**
 * Reads the texts of variables or flags, by key, with the table's readers. The error starts with the name of the wrong
 * one.
 */
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

/** The settings with a `name`, under that name. */
export type NamedSettings<Rows extends SettingRows> = {
  -readonly [Key in keyof Rows as Rows[Key] extends { name: infer Name extends string } ? Name : never]: Value<
    Rows[Key]
  >
}

/** The configured settings under the program's names, completed with defaults. */
export function namedSettings<Rows extends SettingRows>(
  rows: Rows,
  set: Readonly<Partial<Record<keyof Rows, unknown>>>,
): NamedSettings<Rows> {
  const named = Object.entries(rows).flatMap(([key, { name, standard }]) =>
    name === undefined ? [] : [[name, set[key] ?? standard]],
  )
  return Object.fromEntries(named) as NamedSettings<Rows>
}

/** A setting from a file, variable or flag. Its error follows the setting's name: `must be one of dark`. */
export const setting = <T>(read: (value: unknown) => Result<T>) =>
  z.optional(
    z.transform((value: unknown, context): T => {
      const reading = read(value)
      if (reading.ok) return reading.value
      // The sentence omits the value, which may be a misplaced key.
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

/** A list in the file, or comma-separated words in a variable. The words are checked where they are used. */
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

/** A list of words from `choices`; may be empty. */
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

/** The absolute path of a local file; `~/` is the home folder. */
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

/** What is wrong with the second table of one symbol: of two, one would be gone without a word. */
export const symbolTwiceText = 'is there twice: small letters and capitals name one symbol'
