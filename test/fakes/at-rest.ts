import { createHook } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { clearTimeout, setTimeout } from 'node:timers'
import type { Worker } from 'node:worker_threads'
import { patienceMs } from './eventually.ts'
import { settle } from './fake-clock.ts'

/** What came in has then been drawn too: React draws, and does what follows from it, in turns of their own. */
const quietTurnsEnough = 3

const member = (message: unknown, name: string): unknown =>
  typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined

/** Who waits until something else is under way. */
const waiting = new Set<() => void>()
const changed = () => {
  for (const wake of waiting) wake()
  waiting.clear()
}

/** Calls that undici has made, and those that servers of this process are answering. */
const asked = new Set<unknown>()
const answering = new Set<unknown>()
subscribe('undici:request:create', (message) => {
  asked.add(member(message, 'request'))
  changed()
})
for (const end of ['trailers', 'error'])
  subscribe(`undici:request:${end}`, (message) => {
    asked.delete(member(message, 'request'))
    changed()
  })
subscribe('http.server.request.start', (message) => {
  const response = member(message, 'response')
  const once = member(response, 'once')
  if (typeof once !== 'function') throw new Error('a server began an answer that cannot be followed')
  const isOver = () => {
    answering.delete(response)
    changed()
  }
  answering.add(response)
  Reflect.apply(once, response, ['close', isOver])
  changed()
})

/** What was asked of a worker, by its number, and 'open' until it has said its first word. */
const asks = new Map<Worker, Set<unknown>>()
process.on('worker', (worker) => {
  const unanswered = new Set<unknown>(['open'])
  asks.set(worker, unanswered)
  const post = worker.postMessage.bind(worker)
  worker.postMessage = (message, handedOver) => {
    const id = member(message, 'id')
    if (id !== undefined) unanswered.add(id)
    post(message, handedOver)
  }
  worker.on('message', (message: unknown) => {
    unanswered.delete('open')
    unanswered.delete(member(message, 'id'))
    changed()
  })
  worker.on('exit', () => {
    asks.delete(worker)
    changed()
  })
})

/** What this process has asked of the disk and of name servers, and the passphrases it hashes, by id. */
const jobs = new Map<number, string>()
createHook({
  init(id, type) {
    if (/^ARGON2|^FSREQ|CLOSEREQ$|^GETADDRINFO/.test(type)) jobs.set(id, type)
  },
  before(id) {
    if (jobs.delete(id)) changed()
  },
  trackPromises: false,
}).enable()

/** What is under way that only this machine ends, in words; null at rest. */
function underWay(): string | null {
  // A call that its server has taken waits for what the test does next; any other is on its way there or back.
  if (asked.size !== answering.size) return `${asked.size} calls, of which servers answer ${answering.size}`
  const threads = [...asks.values()].flatMap((unanswered) => [...unanswered].map((ask) => `worker: ${String(ask)}`))
  const all = [...threads, ...jobs.values()]
  return all.length === 0 ? null : all.join(', ')
}

/** Resolves when something else is under way; rejects after a long wait in vain. */
function nextChange(): Promise<void> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`never at rest: ${underWay()}`)), patienceMs)
    waiting.add(() => {
      clearTimeout(limit)
      resolve()
    })
  })
}

/**
 * Resolves once nothing is on its way to a server of this process, a disk or a thread: whatever is under way then waits
 * for the test, as for its clock. So a clock that is moved only at rest overtakes nothing, however slow or busy the
 * machine. It waits to be told, and takes no processor time from what it waits for.
 */
export async function atRest(): Promise<void> {
  for (let quietTurns = 0; quietTurns < quietTurnsEnough; ) {
    await settle()
    quietTurns = underWay() === null ? quietTurns + 1 : 0
    if (quietTurns === 0) await nextChange()
  }
}
