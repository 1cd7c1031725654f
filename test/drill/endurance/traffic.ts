import { subscribe } from 'node:diagnostics_channel'

/** This long without any news, and what is under way waits for the clock and not for this machine. */
const patienceMs = 4

export type Traffic = {
  /** HTTP calls that were begun since the start. */
  begun(): number
  /** Resolves when every call has been answered, apart from those that wait for the drill's clock, and the disk has done what it was asked. */
  settled(): Promise<void>
}

const requestOf = (message: unknown): object | null => {
  const request: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, 'request') : null
  return typeof request === 'object' ? request : null
}

/** Whether this process waits for its disk: a journal must not seem slow because the clock is quick. */
const isDiskBusy = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))

/** Watches all calls of this process, by what undici tells of them. */
export function watchTraffic(): Traffic {
  /** Under way and waited for. A call that is found to wait for the clock (a delay, a stall) is left out from then on. */
  const awaited = new Set<object>()
  let begun = 0
  let newsCount = 0
  subscribe('undici:request:create', (message) => {
    const request = requestOf(message)
    if (request === null) return
    begun += 1
    newsCount += 1
    awaited.add(request)
  })
  for (const name of ['undici:request:trailers', 'undici:request:error']) {
    subscribe(name, (message) => {
      const request = requestOf(message)
      if (request !== null) awaited.delete(request)
      newsCount += 1
    })
  }
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    begun: () => begun,
    async settled() {
      await turn()
      let seen = newsCount
      let sinceMs = performance.now()
      while (awaited.size > 0 || isDiskBusy()) {
        await turn()
        if (newsCount !== seen || isDiskBusy()) {
          seen = newsCount
          sinceMs = performance.now()
        } else if (performance.now() - sinceMs > patienceMs) awaited.clear()
      }
      await turn()
    },
  }
}
