import { ownFileComplaint, readOwnFile } from '../base/own-file.ts'
import { plainText } from '../base/plain-text.ts'
import { err, type Result } from '../base/result.ts'
import { readSecret, type Secret } from '../base/secret.ts'

const bytesMost = 64 * 1_024

/**
 * Reads a key from a file that belongs to this user, that nobody else may read, and that nobody else can put another in
 * the place of.
 */
export function readKeyFile(path: string): Result<Secret> {
  const shown = plainText(path)
  const text = readOwnFile(path, { rule: 'secret', bytesMost })
  if (!text.ok) return err(`${shown} ${text.error}`)
  if (text.value === null) return err(`${shown} does not exist`)
  const secret = readSecret(text.value)
  return secret.ok ? secret : err(`${shown}: ${secret.error}`)
}

/** What keeps a key file from being used, or null; for a check that does not need the key. */
export const keyFileComplaint = (path: string): string | null => ownFileComplaint(path, 'secret')
