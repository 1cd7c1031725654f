import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { z } from 'zod'
import { writeAtomically } from '../base/atomic-write.ts'
import { diskReason, isMissingFile, isTakenName } from '../base/error-text.ts'
import { readPlainFile } from '../base/plain-file.ts'
import { readOnce } from '../base/read-once.ts'
import { err, ok, type Result } from '../base/result.ts'
import { createSerial } from '../base/serial.ts'
import { type Decimal, parseAmount } from '../domain/money.ts'

/** The largest of them, 100,000 stated costs, takes a quarter of it. */
const bytesMost = 64 * 1024 * 1024

/** One small JSON file in the state folder. Orders only its own calls: who shares the file with others locks it. */
export type JsonFile<T> = {
  /**
   * What is kept, checked against the schema; null when there is no file. Nothing is changed by it. The error is a
   * sentence about the file: it is damaged, cannot be read, or a newer program wrote it. Go on with the defaults.
   */
  read(): Promise<Result<T | null>>
  /**
   * Reads before a change: a damaged file is put aside under `<name>.damaged-1` (the first free number), and the
   * sentence says so. After that, and where an earlier `read` has reported the damage already, the value is null.
   */
  readToChange(): Promise<Result<T | null>>
  /**
   * Replaces the file, whole or not at all, and on the disk when it resolves; writes go one after the other, in the
   * order they were asked for. A damaged file that was read is put aside first. Refuses while something lies there that
   * could neither be read nor put aside.
   */
  write(value: T): Promise<Result<null>>
  /** True when what was read last is from a newer program. */
  isNewer(): boolean
}

/** `what` names the file in sentences: `the alerts`, `the session`. `schema` must accept what `T` becomes as JSON. */
export function createJsonFile<T>(path: string, what: string, schema: z.ZodType<T>): JsonFile<T> {
  let foreign: string | null = null
  /** What was read last is damaged, and still lies there: in a clause. */
  let damaged: string | null = null
  let isNewer = false
  const serial = createSerial()

  async function read(): Promise<Result<T | null>> {
    let text: string
    damaged = null
    try {
      text = readPlainFile(path, bytesMost).toString('utf8')
      foreign = null
      isNewer = false
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

  /** Gives a damaged file another name, so that nothing is written over it; which one. */
  async function putAside(): Promise<Result<string>> {
    try {
      const aside = await copyAside(path)
      await rm(path)
      damaged = null
      return ok(aside)
    } catch (error) {
      // Another process has put it aside already.
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
    if (foreign !== null) return err(`The desk could not keep ${what}: ${foreign}.`)
    try {
      await writeAtomically(path, `${JSON.stringify(value, null, 2)}\n`)
      return ok(null)
    } catch (error) {
      return err(`The desk could not keep ${what} in ${path}: ${diskReason(error)}.`)
    }
  }

  return {
    read,
    readToChange,
    write: (value) => serial(() => writeNow(value)),
    isNewer: () => isNewer,
  }
}

/** A name as that of a file: letters and digits stay, so that a person finds it; a hash keeps any two apart. */
export function namedFile(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 40)
  if (plain === name) return `${plain}.json`
  return `${plain}.${createHash('sha256').update(name).digest('hex').slice(0, 8)}.json`
}

/** Every file says its version, and this program writes the first one of each. */
const saysNewer = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  typeof value.version === 'number' &&
  value.version > 1

/**
 * The value the text stands for; undefined, which no schema of ours takes, when it is not JSON. An editor may have put
 * a byte order mark before it.
 */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** Copies the file to the first free `<path>.damaged-<n>` and says which that was. */
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

/** An amount, written as text. */
export const amount = amountWhere(() => true)
/** An amount from zero. */
export const amountOrZero = amountWhere((value) => value.gte(0))
/** An amount above zero. */
export const positiveAmount = amountWhere((value) => value.gt(0))
/** A time in ms since 1970, to a day before the year 10000: in every time zone it is shown with four digits. */
export const time = z.int().nonnegative().max(253_402_214_399_999)
/** A count, or a time in ms since 1970. */
export const whole = z.int().nonnegative()
