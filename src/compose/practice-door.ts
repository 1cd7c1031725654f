import { err, type Result } from '../base/result.ts'
import type { Practice } from '../domain/desk/practice-verb.ts'
import type { PracticeRequest } from '../store/practice/practice.ts'

/** A practice exchange of the desk's own: what can be done with it, and how. */
export type PracticeDoor = Practice & {
  /**
   * Does it once: what the exchange says, single values first, then its lists; or a sentence about why it was not done.
   */
  carryOut(request: PracticeRequest, signal: AbortSignal): Promise<Result<readonly string[]>>
}

/** For a desk on another exchange. */
export const noPracticeDoor: Pick<PracticeDoor, 'carryOut'> = {
  carryOut: () => Promise.resolve(err('this desk does not run a practice exchange of its own')),
}
