import { defaultRate } from '../../api/transport.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { createSerial } from '../../base/serial.ts'
import type { Settings } from '../../config/settings.ts'
import { openAccount } from '../../desk/account/account.ts'
import type { Account } from '../../desk/account/account-folder.ts'
import { openSession, type Session } from '../../desk/account/profile.ts'
import { isHubToken } from '../../desk/wiring/behind-hub.ts'
import { createLists, type Lists } from './lists.ts'
import { createPace, type Pace } from './pace.ts'
import { deskPresence } from './presence.ts'
import { readingClient, type Watch } from './reading-client.ts'

/** The context of the tools: a session that can only read, and the account's files. */
export type Agent = {
  session: Session
  account: Account
  io: CommandIo
  tools: CommandTools
  pace: Pace
  lists: Lists
  /** When each tool last read from the exchange, in desk time, and the age from which that is stale. */
  lastReads: Map<string, { atMs: number; staleAfterMs: number }>
  /** Runs one question after the other; `watch` receives the age of its answers. */
  alone: <T>(watch: Watch, run: () => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/** True behind a hub, which has the firm's drafts and answers for the exchange. */
export const isAtHub = ({ session: { token, client } }: Pick<Agent, 'session'>): boolean =>
  isHubToken(token) || client.isShared()

const noWatch = (): Watch => ({ oldestMs: null, signal: new AbortController().signal })

/**
 * Opens the exchange of the settings for an agent: the transport passes only GET, the client refuses everything but
 * reads, and no journal is opened for writing. The error says what is missing.
 */
export async function openAgent(settings: Settings, io: CommandIo, tools: CommandTools): Promise<Result<Agent>> {
  const { clock } = tools
  const perSecond = settings.ratePerSecond ?? defaultRate.perSecond
  const opened = await openSession({
    ...{ settings, io, tools, mayWrite: false, isPatient: true },
    // A failed call is not retried: the agent sees the failure, and the account's other programs go first.
    calls: { rate: { perSecond, burst: perSecond, pollShare: 1 }, retry: { count: 0 } },
  })
  if (!opened.ok) return opened
  const session = opened.value
  const account = await openAccount(settings, session.token, io, tools)
  if (!account.ok) {
    await session.close()
    return err(account.error.sentence)
  }
  for (const notice of account.value.notices) io.printError(session.token.redact(notice))
  const pace = createPace(perSecond, deskPresence(account.value.account.folder, clock), clock)
  const inTurn = createSerial()
  let watch = noWatch()
  const client = readingClient(session.client, { pace, clock, watch: () => watch })
  const newId = () => tools.randomBytes(8).toString('hex')
  return ok({
    ...{ session: { ...session, client }, account: account.value.account, io, tools, pace },
    lists: createLists(clock, newId),
    lastReads: new Map(),
    alone: (of, run) =>
      inTurn(async () => {
        watch = of
        try {
          return await run()
        } finally {
          watch = noWatch()
        }
      }),
    close: () => session.close(),
  })
}
