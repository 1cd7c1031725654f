import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { z } from 'zod'
import { writeAtomically } from '../base/files/atomic-write.ts'
import { isThere, readPlainFile } from '../base/files/plain-file.ts'
import { readOnce } from '../base/read-once.ts'
import { err, ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import { diskReason, isMissingFile, isTakenName } from '../base/text/error-text.ts'
import { isAllSeen } from '../base/text/plain-text.ts'
import { type Decimal, parseAmount } from '../domain/money.ts'

/** The largest file, 100,000 stated costs, takes a quarter of this. */
const bytesMax = 64 * 1024 * 1024

/**
 * A small JSON file in the state folder. Serializes only its own calls; files shared with other processes need a lock.
 */
export type JsonFile<T> = {
  /**
   * Reads the value, checked against the schema; null when there is no file. Changes nothing. The error is a sentence
   * about the file: damaged, unreadable, or written by a newer program. The caller then continues with defaults.
   */
  read(): Promise<Result<T | null>>
  /**
   * Reads before a change. Renames a damaged file to the first free `<name>.damaged-<n>`, which the error says. After
   * that, or when an earlier `read` has reported the damage, the value is null.
   */
  readToChange(): Promise<Result<T | null>>
  /**
   * Replaces the file, completely or not at all; resolves when it is on disk. Writes run one after another, in call
   * order. Puts a damaged file aside first. Refuses while the existing file can neither be read nor put aside.
   */
  write(value: T): Promise<Result<null>>
  /** True when the last read file is from a newer program. */
  isNewer(): boolean
}

/**
 * Opens a file; `what` names it in sentences, such as `the alerts` or `the session`. `schema` must accept `T` as JSON.
 */
export function createJsonFile<T>(path: string, what: string, schema: z.ZodType<T>): JsonFile<T> {
  let foreign: string | null = null
  /** The damage of the last read file that is still in place, as a clause. */
  let damaged: string | null = null
  let isNewer = false
  const serial = createSerial()

  async function read(): Promise<Result<T | null>> {
    let text: string
    damaged = null
    foreign = null
    isNewer = false
    try {
      text = readPlainFile(path, bytesMax).toString('utf8')
    } catch (error) {
      if (isMissingFile(error)) return ok(null)
      foreign = `${path} cannot be read: ${diskReason(error)}`
      return err(`${foreign}. It is left alone, and ${what} with it.`)
    }
    const value = jsonOf(text)
    const checked = schema.safeParse(value, readOnce)
    if (checked.success) return ok(checked.data)
    isNewer = saysNewer(value)
    if (!isNewer) {
      damaged = `${path} is damaged: ${what} cannot be read`
      return err(`${damaged}. Whatever is written there next keeps the damaged file beside it.`)
    }
    foreign = `${path} was written by a newer pitdesk`
    return err(`${foreign}. It is left alone, and ${what} with it.`)
  }

  async function readToChange(): Promise<Result<T | null>> {
    const isTold = damaged !== null
    const found = await read()
    if (damaged === null) return found
    const reason = damaged
    const aside = await putAside()
    if (!aside.ok) return err(`${aside.error}. It is left alone.`)
    return isTold ? ok(null) : err(`${reason}. The damaged file is kept as ${aside.value}.`)
  }

  /** Copies a damaged file to another name before it is overwritten, and returns that name. */
  async function putAside(): Promise<Result<string>> {
    try {
      const aside = await copyAside(path)
      await rm(path)
      damaged = null
      return ok(aside)
    } catch (error) {
      // Another process has put it aside.
      if (isMissingFile(error)) {
        damaged = null
        return ok(path)
      }
      foreign = `${path} is damaged and could not be put aside: ${diskReason(error)}`
      return err(foreign)
    }
  }

  async function writeNow(value: T): Promise<Result<null>> {
    if (damaged !== null) await putAside()
    // Whoever was told of it has moved it away: nothing has to be left alone any more.
    if (foreign !== null && isAway(path)) [foreign, isNewer] = [null, false]
    if (foreign !== null) return err(`Not kept: ${what}, for ${foreign}.`)
    const text = `${JSON.stringify(value, null, 2)}\n`
    // What could not be read again would cost all that is in the file.
    const again = schema.safeParse(jsonOf(text))
    if (!again.success) {
      const place = again.error.issues[0]?.path.join('.') ?? ''
      return err(`Not kept: ${what}, for ${place} could not be read again. ${path} is left unchanged.`)
    }
    try {
      await writeAtomically(path, text)
      return ok(null)
    } catch (error) {
      return err(`Not kept, ${diskReason(error)}: ${what} in ${path}.`)
    }
  }

  return {
    read,
    readToChange,
    write: (value) => serial(() => writeNow(value)),
    isNewer: () => isNewer,
  }
}

/** True when there is no file; false also where that cannot be told. */
function isAway(path: string): boolean {
  try {
    return !isThere(path)
  } catch {
    // Its folder cannot be looked into.
    return false
  }
}

/** Text from outside, cut to what its file will be read back with: one long id must not cost the whole file. */
export const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`

/** A file name for any name: letters and digits are kept, so that users find it; a hash keeps names distinct. */
export function namedFile(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 40)
  if (plain === name) return `${plain}.json`
  return `${plain}.${createHash('sha256').update(name).digest('hex').slice(0, 8)}.json`
}

/** Every file contains its version; this program writes version 1 of each. */
const saysNewer = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  typeof value.version === 'number' &&
  value.version > 1

/**
 * Parses JSON; undefined, which no schema here accepts, for other text. Ignores a byte order mark, which an editor may
 * have added.
 */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** Copies the file to the first free `<path>.damaged-<n>` and returns that path. */
async function copyAside(path: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const aside = `${path}.damaged-${number}`
    try {
      await copyFile(path, aside, constants.COPYFILE_EXCL)
      return aside
    } catch (error) {
      if (!isTakenName(error)) throw error
    }
  }
}

const amountWhere = (isTaken: (value: Decimal) => boolean) =>
  z.string().transform((text, context) => {
    const value = parseAmount(text)
    if (value !== undefined && isTaken(value)) return value
    context.issues.push({ code: 'custom', message: 'is not an amount', input: text })
    return z.NEVER
  })

/** An amount as text. */
export const amount = amountWhere(() => true)
/** An amount of zero or more. */
export const amountOrZero = amountWhere((value) => value.gte(0))
/** An amount above zero. */
export const positiveAmount = amountWhere((value) => value.gt(0))
/** A time in ms since 1970, up to a day before the year 10000, so that its year has four digits in every time zone. */
export const time = z.int().nonnegative().max(253_402_214_399_999)
/** The longest symbol that a file keeps. */
const symbolMax = 1_024
/** A symbol, in whatever way an exchange may name one. */
export const symbol = z.string().min(1).max(symbolMax).refine(isAllSeen)
/** A count, or a time in ms since 1970. */
export const whole = z.int().nonnegative()
