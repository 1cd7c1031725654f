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

/** Creates queues by key, each of which runs one task at a time. A queue is gone once it is empty. */
export function createSerialByKey(): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, { serial: Serial; count: number }>()
  return async (key, run) => {
    const queue = queues.get(key) ?? { serial: createSerial(), count: 0 }
    queues.set(key, queue)
    queue.count += 1
    try {
      return await queue.serial(run)
    } finally {
      queue.count -= 1
      if (queue.count === 0) queues.delete(key)
    }
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
