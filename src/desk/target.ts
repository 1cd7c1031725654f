import { err, ok, type Result } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import { announceAdmin } from '../sandbox/admin/admin-note.ts'
import type { PracticeServices } from '../sandbox/apart/practice-services.ts'
import type { Venue } from '../store/mode.ts'
import { type DeskPlan, venueOf } from './account/opening-settings.ts'
import { fetchToken } from './account/profile.ts'
import type { OwnPractice } from './practice/own-practice.ts'
import { openPracticeAdmin, type PracticeAdmin } from './practice/practice-admin.ts'

/** The exchange that a desk trades on. */
export type DeskTarget = {
  venue: Venue
  exchangeBaseUrl: string
  token: Secret
  /** The administration of the practice exchange started for it. */
  practice?: PracticeAdmin
  /** The practice services started for it; null for a desk on other services. */
  sandbox: PracticeServices | null
  /** Reports the end of the practice exchange while the desk runs, and when it goes on. */
  listen: OwnPractice['listen']
  /** Ends the services started for it. */
  stop: () => Promise<void>
}

/** The exchange of the settings, or the desk's own practice exchange begun for it. */
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
  // Trading works without this record: only admin commands then cannot find the exchange.
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
