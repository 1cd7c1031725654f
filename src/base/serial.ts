/** Runs one task after the other, in the order they were given; the answer is the task's own. */
type Serial = <T>(run: () => Promise<T>) => Promise<T>

/** Creates a queue that runs one task at a time. A failed task does not stop the next. */
export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const done = last.then(run)
    last = done.catch(() => undefined)
    return done
  }
}

/** Lets so many run at once; the others wait for their turn, in the order in which they came. */
export function takingTurns(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let count = 0
  return async (run) => {
    if (count >= most) await new Promise<void>((resolve) => waiting.push(resolve))
    else count += 1
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) count -= 1
      else next()
    }
  }
}
