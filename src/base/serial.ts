/** Runs one task after the other, in the order they were given; the answer is the task's own. */
type Serial = <T>(run: () => Promise<T>) => Promise<T>

/** A line of its own for tasks. One that fails fails alone: the next one runs all the same. */
export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const done = last.then(run)
    last = done.catch(() => undefined)
    return done
  }
}
