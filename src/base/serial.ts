/** Runs tasks one after another, in the order given; resolves with the task's result. */
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

/** Runs at most `most` tasks at once; the others wait in the order they came. */
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
