/** More interim answers, with a status of 1xx, than any server sends before the answer itself. */
const usualMost = 64

class InterimFlood extends Error {
  readonly code = 'ERR_INTERIM_FLOOD'
}

/**
 * Returns what takes each interim answer of one request, and throws when there are too many: a server that sends
 * nothing else, twenty bytes each, keeps this process busy until the request's time is over, and all others wait.
 */
export function fewInterimAnswers(): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > usualMost) throw new InterimFlood('too many interim answers')
  }
}
