import { join } from 'node:path'
import { xdgFolders } from '../base/environment.ts'
import { writeCrashFile } from '../base/own-file.ts'
import { err, ok, type Result } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import { announceAdmin } from '../sandbox/admin/admin-note.ts'
import type { PracticeServices } from '../sandbox/apart/practice-services.ts'
import {
  type newWorker,
  type PracticeFailure,
  startPracticeThread,
  type ThreadTools,
} from '../sandbox/apart/start-practice-thread.ts'
import { UnusableData } from '../sandbox/persistence/unusable-data.ts'
import type { Venue } from '../store/mode.ts'
import { type DeskPlan, venueOf } from './plan.ts'
import { openPracticeAdmin, type PracticeAdmin } from './practice-admin.ts'
import { fetchToken } from './profile.ts'

/** The exchange that a desk trades on. */
export type DeskTarget = {
  venue: Venue
  exchangeBaseUrl: string
  token: Secret
  /** The administration of the practice exchange that was started for it. */
  practice?: PracticeAdmin
  /** The practice services that were started for it; null where it trades on those of somebody else. */
  sandbox: PracticeServices | null
  /** Tells of what ends the practice exchange while the desk runs. */
  listen: OwnPractice['listen']
  /** Ends what was started for it. */
  stop: () => Promise<void>
}

/** The exchange that the settings name, or the practice exchange of the desk's own that was begun for it. */
export async function openDeskTarget(
  { settings, io, tools }: Pick<DeskPlan, 'settings' | 'io' | 'tools'>,
  practice: OwnPractice | null,
): Promise<Result<DeskTarget>> {
  const { exchange } = settings
  const venue = venueOf(settings)
  if (exchange.kind === 'service') {
    const token = await fetchToken(settings, io, tools)
    if (!token.ok) return token
    return ok({
      venue,
      exchangeBaseUrl: exchange.baseUrl,
      token: token.value,
      sandbox: null,
      listen: () => undefined,
      stop: () => Promise.resolve(),
    })
  }
  if (practice === null) return err('No practice exchange was begun: this is a bug.')
  const opened = await practice.opened
  if (!opened.ok) return opened
  const sandbox = opened.value
  // A desk trades as well without the note: only the administration by command does not find it then.
  const announced = announceAdmin(io.environment, sandbox, process.pid)
  const { accounts, exchangeUrl } = sandbox
  const trader = accounts.find((account) => account.name === 'trader')
  const stop = () => {
    if (announced.ok) announced.value()
    return practice.stop()
  }
  if (trader === undefined) {
    await stop()
    return err('The practice exchange has no trader account: this is a bug.')
  }
  return ok({
    venue,
    exchangeBaseUrl: exchangeUrl,
    token: new Secret(trader.token),
    practice: openPracticeAdmin(sandbox, tools.clock),
    sandbox,
    listen: practice.listen,
    stop,
  })
}

/** A practice exchange of the desk's own, from the moment its thread begins. */
export type OwnPractice = {
  /** Its services once they answer, or a sentence about why they cannot. */
  readonly opened: Promise<Result<PracticeServices>>
  /** Tells of what ends it while the desk runs, as a sentence; also of what did before anybody listened. */
  listen(onTrouble: (sentence: string) => void): void
  /** Ends it as soon as it is open, or later. */
  stop(): Promise<void>
}

/**
 * Begins the desk's own practice exchange, in a thread, where the settings name no other. It lives on in a folder, so
 * what was traded is there the next time. `startWorker` is given by tests.
 */
export function beginPractice(
  { settings, io, tools }: Pick<DeskPlan, 'settings' | 'io' | 'tools'>,
  startWorker?: typeof newWorker,
): OwnPractice | null {
  if (settings.exchange.kind !== 'own') return null
  const { state } = xdgFolders(io.environment)
  let failure: string | null = null
  let onTrouble = (_sentence: string): void => undefined
  const onFailure = ({ sentence, bug }: PracticeFailure) => {
    const path = bug === null ? null : writeCrashFile(state, bug, tools.clock.wallMs())
    failure = `The practice exchange has stopped. ${sentence}${path === null ? '' : ` Details are in ${path}.`}`
    onTrouble(failure)
  }
  const opened = openServices(join(state, 'practice'), {
    onFailure,
    ...(startWorker === undefined ? {} : { startWorker }),
  })
  return {
    opened,
    listen(listener) {
      onTrouble = listener
      if (failure !== null) listener(failure)
    },
    async stop() {
      const services = await opened
      if (services.ok) await services.value.stop()
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
