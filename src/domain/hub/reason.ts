import { err, ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'

/** Maximum characters of why somebody halted the firm or rejected a draft, which every desk shows. */
export const reasonMax = 200

/** Cleans the reason of a halt or a rejection to one line without surrounding spaces. The error is a clause. */
export function cleanReason(text: string): Result<string> {
  const reason = plainText(text.toWellFormed()).trim()
  if (reason === '') return err('the reason is missing')
  return reason.length > reasonMax ? err(`the reason is longer than ${reasonMax} characters`) : ok(reason)
}
