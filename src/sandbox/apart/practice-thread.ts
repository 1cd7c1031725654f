import { randomBytes } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../base/clock.ts'
import { keepCompiled, tidyNowAndThen } from '../../base/node-runtime.ts'
import { loadClient } from '../gateway/sender/post.ts'
import { UnusableData } from '../persistence/unusable-data.ts'
import { type SandboxOptions, startSandbox } from '../start-sandbox.ts'
import { type PracticeServices, PracticeStopped, practiceServices } from './practice-services.ts'
import type { Askable, FromThread, ToThread } from './thread-messages.ts'

// The thread in which `startPracticeThread` runs the practice exchange, so that its market and disk do not delay the
// drawing and the keys. An error thrown here that is not the disk's is a bug, and ends the thread.

if (parentPort === null) throw new Error('a practice exchange in a thread needs one to answer')
const port = parentPort
const ended = new AbortController()
const say = (message: FromThread): void => port.postMessage(message)

function ask(webhooks: Askable, name: keyof Askable, words: readonly unknown[]): Promise<unknown> {
  // Both ends of a message belong to the same program, and the arguments of each name are typed.
  const call = webhooks[name] as (...words: readonly unknown[]) => Promise<unknown>
  return call(...words)
}

function serve({ webhooks, stop }: PracticeServices): void {
  const answer = async (message: ToThread): Promise<void> => {
    if (message.kind === 'stop') {
      ended.abort()
      await stop()
      return say({ kind: 'stopped' })
    }
    const { id, name, words } = message
    try {
      say({ kind: 'answer', id, value: await ask(webhooks, name, words) })
    } catch (error) {
      if (!(error instanceof PracticeStopped)) throw error
      say({ kind: 'refused', id, sentence: error.message })
    }
  }
  port.on('message', (message: ToThread) => void answer(message))
  webhooks.onChange(() => say({ kind: 'changed' }))
}

let isOpen = false
let hasDiskFailed = false
/** Reported once, by whichever side sees it first. */
function sayDiskFailed(sentence: string): void {
  if (!hasDiskFailed) say({ kind: 'diskFailed', sentence })
  hasDiskFailed = true
}

try {
  const sandbox = await startSandbox(workerData as SandboxOptions, {
    clock: systemClock,
    randomBytes,
    log: () => undefined,
    onFailure: sayDiskFailed,
    // The desk can open on them while the market catches up.
    onListening: (services) => {
      isOpen = true
      say({ kind: 'open', services })
    },
  })
  serve(practiceServices(sandbox))
  void keepCompiled(systemClock).then(loadClient)
  void tidyNowAndThen(systemClock, ended.signal)
} catch (error) {
  if (!(error instanceof UnusableData)) throw error
  if (isOpen) sayDiskFailed(error.message)
  else say({ kind: 'unusable', sentence: error.message, isInUse: error.isInUse })
}
