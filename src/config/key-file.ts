import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { plainText } from '../domain/plain-text.ts'
import { err, ok, type Result } from '../domain/result.ts'
import { readSecret, type Secret } from '../domain/secret.ts'

const sizeMost = 64 * 1024

/**
 * Reads a key from a file that belongs to this user and that nobody else may read. What is checked is the opened file, so
 * that it cannot be exchanged in between.
 */
export function readKeyFile(path: string): Result<Secret> {
  const shown = plainText(path)
  const opened = open(path)
  if (!opened.ok) return err(`${shown} ${opened.error}`)
  try {
    const wrong = complaint(opened.value)
    if (wrong !== null) return err(`${shown} ${wrong}`)
    const secret = readSecret(readFileSync(opened.value, 'utf8'))
    return secret.ok ? secret : err(`${shown}: ${secret.error}`)
  } finally {
    closeSync(opened.value)
  }
}

/** What keeps a key file from being used, or null; for a check that does not need the key. */
export function keyFileComplaint(path: string): string | null {
  const opened = open(path)
  if (!opened.ok) return opened.error
  try {
    return complaint(opened.value)
  } finally {
    closeSync(opened.value)
  }
}

function open(path: string): Result<number> {
  try {
    // Without O_NONBLOCK a pipe that nobody writes to would be waited for.
    return ok(openSync(path, constants.O_RDONLY | constants.O_NONBLOCK))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT') return err('does not exist')
    return err(code === 'EACCES' ? 'may not be read by you' : `cannot be opened (${code})`)
  }
}

function complaint(file: number): string | null {
  const stat = fstatSync(file)
  if (!stat.isFile()) return 'is not a plain file'
  // Windows knows neither owners nor modes in this sense.
  if (process.getuid !== undefined) {
    if (stat.uid !== process.getuid()) return 'belongs to another user: a key file has to be your own'
    const mode = (stat.mode & 0o777).toString(8).padStart(4, '0')
    if ((stat.mode & 0o177) !== 0)
      return `has mode ${mode}, open to more than its owner's reading and writing: chmod 600 it`
  }
  return stat.size > sizeMost ? 'is too long for a key' : null
}
