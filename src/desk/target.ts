import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { CommandIo, CommandTools } from '../base/command-io.ts'
import { xdgFolders } from '../base/environment.ts'
import { err, ok, type Result } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import type { Settings } from '../config/settings.ts'
import { announceAdmin } from '../sandbox/admin/admin-note.ts'
import type { Sandbox } from '../sandbox/start-sandbox.ts'
import type { Venue } from '../store/mode.ts'
import { venueOf } from './plan.ts'
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
  sandbox: Sandbox | null
  /**
   * Tells of what ends the practice exchange while the desk runs, as a sentence; also of what did before anybody
   * listened.
   */
  listen: (onTrouble: (sentence: string) => void) => void
  /** Ends what was started for it. */
  stop: () => Promise<void>
}

/** The exchange that the settings name, or a practice exchange of the desk's own, started for it. */
export async function openDeskTarget(
  settings: Settings,
  io: CommandIo,
  tools: CommandTools,
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
  let failure: string | null = null
  let onTrouble = (_sentence: string): void => undefined
  const onFailure = (message: string) => {
    failure = `The practice exchange has stopped. ${message}`
    onTrouble(failure)
  }
  const sandbox = await startPractice(join(xdgFolders(io.environment).state, 'practice'), tools, onFailure)
  if (!sandbox.ok) return sandbox
  // A desk trades as well without the note: only the administration by command does not find it then.
  const announced = announceAdmin(io.environment, sandbox.value, process.pid)
  const { accounts, exchangeUrl } = sandbox.value
  const trader = accounts.find((account) => account.name === 'trader')
  const stop = () => {
    if (announced.ok) announced.value()
    return sandbox.value.stop()
  }
  if (trader === undefined) {
    await stop()
    return err('The practice exchange has no trader account: this is a bug.')
  }
  return ok({
    venue,
    exchangeBaseUrl: exchangeUrl,
    token: new Secret(trader.token),
    practice: openPracticeAdmin(sandbox.value, tools.clock),
    sandbox: sandbox.value,
    listen(listener) {
      onTrouble = listener
      if (failure !== null) listener(failure)
    },
    stop,
  })
}

/** The desk's own practice exchange: it lives on in this folder, so what was traded is there the next time. */
async function startPractice(
  data: string,
  { clock }: CommandTools,
  onFailure: (message: string) => void,
): Promise<Result<Sandbox>> {
  // Loaded only here: a desk on an exchange of somebody else does without a server.
  const { startSandbox } = await import('../sandbox/start-sandbox.ts')
  const { UnusableData } = await import('../sandbox/persistence/unusable-data.ts')
  try {
    const options = { port: 0, gatewayPort: 0, adminPort: 0, market: 'on', data } as const
    return ok(await startSandbox(options, { clock, randomBytes, log: () => {}, onFailure }))
  } catch (error) {
    if (error instanceof UnusableData) {
      const hint = error.isInUse
        ? ' Another desk or practice exchange of yours uses it: use that one, or end it first.'
        : ''
      return err(`${error.message}${hint}`)
    }
    throw error
  }
}
