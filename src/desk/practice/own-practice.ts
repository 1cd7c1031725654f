import { join } from 'node:path'
import { within } from '../../base/clock.ts'
import { writeCrashFile } from '../../base/files/own-file.ts'
import { aborted } from '../../base/process/command-io.ts'
import { xdgFolders } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { PracticeServices } from '../../sandbox/apart/practice-services.ts'
import {
  type newWorker,
  type PracticeFailure,
  startPracticeThread,
  type ThreadTools,
} from '../../sandbox/apart/start-practice-thread.ts'
import { UnusableData } from '../../sandbox/persistence/unusable-data.ts'
import type { DeskPlan } from '../account/opening-settings.ts'

/** How long an end waits for the thread, in ms. Its last snapshot takes much less; a disk may not answer at all. */
const patienceMs = 15_000
const heldWords = 'within 15 s, as where its disk does not answer'

type OnTrouble = (sentence: string, isPassing: boolean) => void

/** The desk's own practice exchange, from the start of its thread. */
export type OwnPractice = {
  /** Its services once they answer, or a sentence about why they cannot. */
  readonly opened: Promise<Result<PracticeServices>>
  /**
   * Reports its end while the desk runs, as a sentence; also one before the call. One that `isPassing`, of a full disk,
   * lasts until there is room again, which `onGoingOn` is told.
   */
  listen(onTrouble: OnTrouble, onGoingOn?: (sentence: string) => void): void
  /** Ends it as soon as it is open, or later; what does not end in time is left, and said. */
  stop(): Promise<void>
}

/**
 * Starts the desk's own practice exchange in a thread, if the settings name no other. Its data stays in a folder for
 * the next time. Tests replace `startWorker`.
 */
export function beginPractice(
  { settings, io, tools, quit }: Pick<DeskPlan, 'settings' | 'io' | 'tools' | 'quit'>,
  startWorker?: typeof newWorker,
): OwnPractice | null {
  if (settings.exchange.kind !== 'own') return null
  const { state } = xdgFolders(io.environment)
  let failure: Parameters<OnTrouble> | null = null
  let onTrouble: OnTrouble = () => undefined
  let onGoingOn = (_sentence: string): void => undefined
  const onFailure = ({ sentence, bug, isPassing }: PracticeFailure) => {
    const path = bug === null ? null : writeCrashFile(state, bug, tools.clock.wallMs())
    const hope = isPassing ? ' It goes on by itself once there is room.' : ''
    const details = path === null ? '' : ` Details are in ${path}.`
    failure = [`The practice exchange has stopped. ${sentence}${hope}${details}`, isPassing]
    onTrouble(...failure)
  }
  const opening = openServices(join(state, 'practice'), {
    onFailure,
    onGoingOn: () => {
      failure = null
      onGoingOn('The practice exchange goes on: its disk has room again.')
    },
    ...(startWorker === undefined ? {} : { startWorker }),
  })
  const openedInTime = async (): Promise<Result<PracticeServices>> =>
    (await within(opening, patienceMs, tools.clock)) ?? err(`The practice exchange did not start ${heldWords}.`)
  return {
    opened: Promise.race([opening, aborted(quit.signal)]).then(openedInTime),
    listen(listener, onAgain = () => undefined) {
      onTrouble = listener
      onGoingOn = onAgain
      if (failure !== null) listener(...failure)
    },
    async stop() {
      const services = await openedInTime()
      if (!services.ok) return
      const stopped = services.value.stop().then(() => true)
      if ((await within(stopped, patienceMs, tools.clock)) !== null) return
      io.printError(`The practice exchange did not end ${heldWords}. What it has answered is on disk.`)
    },
  }
}

async function openServices(data: string, tools: ThreadTools): Promise<Result<PracticeServices>> {
  try {
    const options = { port: 0, gatewayPort: 0, adminPort: 0, market: 'on', data } as const
    return ok(await startPracticeThread(options, tools))
  } catch (error) {
    if (!(error instanceof UnusableData)) throw error
    const hint = error.isInUse
      ? ' Another desk or practice exchange of yours uses it: use that one, or end it first.'
      : ''
    return err(`${error.message}${hint}`)
  }
}
