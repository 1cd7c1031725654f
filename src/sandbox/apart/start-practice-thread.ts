import { Worker } from 'node:worker_threads'
import { createListeners } from '../../base/listeners.ts'
import { compileCacheVariables } from '../../base/process/node-runtime.ts'
import { errorCode, toError } from '../../base/text/error-text.ts'
import { UnusableData } from '../persistence/unusable-data.ts'
import type { SandboxOptions } from '../start-sandbox.ts'
import type { PracticeServices } from './practice-services.ts'
import { PracticeStopped } from './practice-services.ts'
import type { Askable, FromThread, OpenedServices, ToThread } from './thread-messages.ts'

/** Next to this file in the source, and next to the program in the build. */
const threadFile = import.meta.url.endsWith('.ts') ? './practice-thread.ts' : './practice-thread.js'

/** Size of the young generation in MiB; by default V8 gives the thread as much as the desk. */
const youngMaxMiB = 3

/** A worker that runs a practice exchange. */
export const newWorker = (options: SandboxOptions): Worker =>
  new Worker(new URL(threadFile, import.meta.url), {
    workerData: options,
    // The thread needs none of the program's environment, which may contain keys.
    env: compileCacheVariables(),
    resourceLimits: { maxYoungGenerationSizeMb: youngMaxMiB },
  })

/** Why a running practice exchange stopped. */
export type PracticeFailure = {
  readonly sentence: string
  /** The error if it was a bug. */
  readonly bug: Error | null
  /** Its disk is full: it goes on once there is room. */
  readonly isPassing: boolean
}

/** Callbacks of a practice exchange in a thread. */
export type ThreadTools = {
  /** Called if its disk fails or its thread ends unasked. */
  readonly onFailure: (failure: PracticeFailure) => void
  /** Called when it goes on after its disk was full, with all that it had answered. */
  readonly onGoingOn?: () => void
  /** Replaced by tests. */
  readonly startWorker?: typeof newWorker
}

type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

/** A running thread, seen from outside. */
class PracticeThread {
  private readonly worker: Worker
  private readonly tools: Pick<ThreadTools, 'onFailure' | 'onGoingOn'>
  private readonly waiting = new Map<number, Waiting>()
  private readonly opening = Promise.withResolvers<OpenedServices>()
  private readonly exited: Promise<void>
  readonly changes = createListeners()
  private lastId = 0
  private bug: Error | null = null
  /** Why it ended, as a sentence. */
  private why = ended
  private hasExited = false
  /** True while an end would be a failure: from its opening until it is stopped or has failed. */
  private isWanted = false
  private stopping: Promise<void> | null = null

  constructor(worker: Worker, tools: Pick<ThreadTools, 'onFailure' | 'onGoingOn'>) {
    this.worker = worker
    this.tools = tools
    this.exited = new Promise((resolve) => {
      worker.on('exit', () => {
        this.end()
        resolve()
      })
    })
    worker.on('error', (error) => {
      if (errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') this.why = outOfMemory
      else this.bug = toError(error)
    })
    worker.on('message', (message: FromThread) => this.take(message))
  }

  /** Resolves when the services answer; otherwise ends the thread and rejects. */
  async opened(): Promise<OpenedServices> {
    try {
      return await this.opening.promise
    } catch (error) {
      await this.worker.terminate()
      throw error
    }
  }

  ask<Name extends keyof Askable>(name: Name, words: Parameters<Askable[Name]>): ReturnType<Askable[Name]> {
    const answer = new Promise<unknown>((resolve, reject) => {
      if (this.hasExited) {
        reject(new PracticeStopped(this.why))
        return
      }
      this.lastId += 1
      this.waiting.set(this.lastId, { resolve, reject })
      this.send({ kind: 'ask', id: this.lastId, name, words })
    })
    // Both ends of a message belong to the same program, and the answer to each name is typed.
    return answer as ReturnType<Askable[Name]>
  }

  /** Resolves when the thread has ended and everything is on disk; rejects if a bug prevented that. */
  stop(): Promise<void> {
    this.stopping ??= this.stopOnce()
    return this.stopping
  }

  private async stopOnce(): Promise<void> {
    if (this.hasExited) return
    this.isWanted = false
    this.send({ kind: 'stop' })
    await this.exited
    if (this.bug !== null) throw this.bug
  }

  private take(message: FromThread): void {
    switch (message.kind) {
      case 'open':
        this.isWanted = true
        this.opening.resolve(message.services)
        break
      case 'unusable':
        this.opening.reject(new UnusableData(message.sentence, undefined, { isInUse: message.isInUse }))
        break
      case 'answer':
        this.settle(message.id, ({ resolve }) => resolve(message.value))
        break
      case 'refused':
        this.settle(message.id, ({ reject }) => reject(new PracticeStopped(message.sentence)))
        break
      case 'changed':
        this.changes.tell()
        break
      case 'diskFailed':
        this.fail({ sentence: message.sentence, bug: null, isPassing: message.isPassing })
        break
      case 'goesOn':
        // Its end may be under way already.
        if (this.stopping !== null) break
        this.isWanted = true
        this.tools.onGoingOn?.()
        this.changes.tell()
        break
      case 'stopped':
        // Quitting must not wait for a connection that is slow to close.
        void this.worker.terminate()
    }
  }

  private settle(id: number, how: (each: Waiting) => void): void {
    const each = this.waiting.get(id)
    this.waiting.delete(id)
    if (each !== undefined) how(each)
  }

  private end(): void {
    this.hasExited = true
    this.changes.clear()
    this.opening.reject(this.bug ?? new UnusableData(`The practice exchange did not start. ${this.why}`))
    for (const { reject } of this.waiting.values()) reject(new PracticeStopped(this.why))
    this.waiting.clear()
    if (this.isWanted) this.fail({ sentence: this.why, bug: this.bug, isPassing: false })
  }

  private fail(failure: PracticeFailure): void {
    this.isWanted = false
    this.tools.onFailure(failure)
  }

  private send(message: ToThread): void {
    this.worker.postMessage(message)
  }
}

const ended = 'Its thread has ended: restart the desk.'
const outOfMemory = 'Its thread ran out of memory: restart the desk.'

/**
 * Runs the practice services of `startSandbox` in a thread of their own, by the system clock, so that their market and
 * disk do not delay the caller. Rejects as `startSandbox` does, with the thread ended. If the thread ends unasked,
 * `onFailure` is called, and open calls are rejected.
 */
export async function startPracticeThread(
  options: SandboxOptions,
  { startWorker = newWorker, ...tools }: ThreadTools,
): Promise<PracticeServices> {
  const thread = new PracticeThread(startWorker(options), tools)
  const services = await thread.opened()
  return {
    ...services,
    webhooks: {
      register: (...words) => thread.ask('register', words),
      list: (...words) => thread.ask('list', words),
      retry: (...words) => thread.ask('retry', words),
      onChange: (listener) => thread.changes.add(listener),
    },
    stop: () => thread.stop(),
  }
}
