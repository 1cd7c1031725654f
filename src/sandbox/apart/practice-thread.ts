import { randomBytes } from 'node:crypto'
import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../base/clock.ts'
import { PortTaken } from '../../base/net/listen.ts'
import { aborted } from '../../base/process/command-io.ts'
import { keepCompiled, tidyNowAndThen } from '../../base/process/node-runtime.ts'
import { loadClient } from '../gateway/sender/post.ts'
import { dataFileName } from '../persistence/data-file.ts'
import { UnusableData } from '../persistence/unusable-data.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '../start-sandbox.ts'
import { PracticeStopped, type PracticeWebhooks, practiceServices } from './practice-services.ts'
import type { Askable, FromThread, OpenedServices, ToThread } from './thread-messages.ts'

// The thread in which `startPracticeThread` runs the practice exchange, so that its market and disk do not delay the
// drawing and the keys. An error thrown here that is not the disk's is a bug, and ends the thread.

if (parentPort === null) throw new Error('a practice exchange in a thread needs one to answer')
const port = parentPort
const ended = new AbortController()
const say = (message: FromThread): void => port.postMessage(message)

const asked = workerData as SandboxOptions
/** The addresses and keys, once they were told: they stay, whatever becomes of the disk. */
let told: OpenedServices | null = null
/** Who answers for the webhooks, or why nobody does. */
let webhooks: PracticeWebhooks | string = 'It is not open.'

function ask(name: keyof Askable, words: readonly unknown[]): Promise<unknown> {
  if (typeof webhooks === 'string') throw new PracticeStopped(webhooks)
  // Both ends of a message belong to the same program, and the arguments of each name are typed.
  const call = webhooks[name] as (...words: readonly unknown[]) => Promise<unknown>
  return call(...words)
}

async function answer(message: ToThread): Promise<void> {
  if (message.kind === 'stop') {
    ended.abort()
    await life
    return say({ kind: 'stopped' })
  }
  const { id, name, words } = message
  try {
    say({ kind: 'answer', id, value: await ask(name, words) })
  } catch (error) {
    if (!(error instanceof PracticeStopped)) throw error
    say({ kind: 'refused', id, sentence: error.message })
  }
}

/** Running services; `failure` resolves if their disk fails. */
type Running = { readonly sandbox: Sandbox; readonly failure: Promise<UnusableData> }

/** Starts the services, or returns why the disk does not let them. */
async function start(
  options: SandboxOptions,
  tools: Pick<Parameters<typeof startSandbox>[1], 'onListening'> = {},
): Promise<Running | UnusableData> {
  const failure = Promise.withResolvers<UnusableData>()
  try {
    const sandbox = await startSandbox(options, {
      ...{ clock: systemClock, randomBytes, log: () => undefined, onFailure: failure.resolve },
      ...tools,
    })
    webhooks = practiceServices(sandbox).webhooks
    webhooks.onChange(() => say({ kind: 'changed' }))
    return { sandbox, failure: failure.promise }
  } catch (error) {
    if (error instanceof UnusableData) return error
    throw error
  }
}

/** Time between two looks at a full disk, in ms. */
const roomLookMs = 2_000
/** As much as a start and some hours of a market write. */
const roomMinBytes = 32 * 1024 * 1024

/** Whether the disk has room again. Where the file is gone, none is made anew: it would be another exchange. */
function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(join(asked.data ?? '', dataFileName))
    return bavail * bsize >= roomMinBytes
  } catch {
    return false
  }
}

/**
 * Starts the services again at their addresses once the disk has room: with what is on disk, which is all that anyone
 * was answered. Null if stopped before. What still runs answers with errors until then.
 */
async function startAgain(before: Running | UnusableData, at: OpenedServices): Promise<Running | null> {
  let left = before instanceof UnusableData ? null : before.sandbox
  const portOf = (url: string) => Number(new URL(url).port)
  const ports = { port: portOf(at.exchangeUrl), gatewayPort: portOf(at.gatewayUrl), adminPort: portOf(at.adminUrl) }
  for (;;) {
    await systemClock.sleep(roomLookMs, ended.signal)
    if (!ended.signal.aborted && !hasRoom()) continue
    await left?.stop()
    left = null
    if (ended.signal.aborted) return null
    const next = await start({ ...asked, ...ports }).catch(unlessPortTaken)
    if (next !== null && !(next instanceof UnusableData)) return next
  }
}

/** Somebody may use a port that was free for a moment: it is tried again. */
function unlessPortTaken(error: unknown): null {
  if (error instanceof PortTaken) return null
  throw error
}

/** Runs the services until they are stopped; after a full disk it starts them again. */
async function live(): Promise<void> {
  let now = await start(asked, {
    // The desk can open on them while the market catches up.
    onListening: (services) => {
      told = services
      say({ kind: 'open', services })
    },
  })
  if (told === null) {
    if (now instanceof UnusableData) say({ kind: 'unusable', sentence: now.message, isInUse: now.isInUse })
    return
  }
  port.on('message', (message: ToThread) => void answer(message))
  void keepCompiled(systemClock).then(loadClient)
  void tidyNowAndThen(systemClock, ended.signal)
  const stopped = aborted(ended.signal).then(() => null)
  for (;;) {
    const failure = now instanceof UnusableData ? now : await Promise.race([now.failure, stopped])
    if (failure === null) break
    webhooks = failure.message
    say({ kind: 'diskFailed', sentence: failure.message, isPassing: failure.isFull })
    const next = failure.isFull ? await startAgain(now, told) : await stopped
    if (next === null) break
    now = next
    say({ kind: 'goesOn' })
  }
  if (!(now instanceof UnusableData)) await now.sandbox.stop()
}

const life = live()
