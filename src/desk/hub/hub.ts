import type { IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import { readBaseAddress } from '../../api/base-address.ts'
import { listenOn, rivalAt } from '../../base/net/listen.ts'
import { aborted, type CommandIo, type CommandTools } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { errorText } from '../../base/text/error-text.ts'
import { tokenDigest } from '../../base/token-signature.ts'
import type { Settings } from '../../config/settings.ts'
import { type Admission, failure } from '../../http-server/route.ts'
import { createHubServer, type HubServerOptions } from '../../hub/http/hub-server.ts'
import { type AuditNotes, createAuditNotes } from '../../hub/people/audit-notes.ts'
import { createDirectory, type Directory, type KnownPerson } from '../../hub/people/directory.ts'
import { createSignIns } from '../../hub/people/sign-ins.ts'
import { createTryGuard } from '../../hub/people/try-guard.ts'
import type { HubDatabase } from '../../hub/store/database.ts'
import { whileLeading } from '../../hub/store/leader.ts'
import type { Guest } from '../../hub/writes/context.ts'
import { createRecording } from '../../hub/writes/recording.ts'
import {
  type CertificatePair,
  type CertificatePaths,
  watchCertificate,
} from '../../inbox/receiver/certificate-files.ts'
import { onceAMinute } from '../../inbox/trouble-log.ts'
import { accountOf } from '../account/account-folder.ts'
import { fetchToken, transportSettings } from '../account/profile.ts'
import { type Firm, firmRoutes, type Led, takeTheLead } from './hub-lead.ts'
import { serveMetrics } from './hub-metrics.ts'

export type HubOptions = {
  /** The profile whose key the hub owns; its limits are the firm's. */
  settings: Settings
  database: HubDatabase
  /** True when the account's key was replaced: its earlier writes used another one. */
  isNewKey: boolean
  listen: { host: string; port: number }
  /** The port of /metrics and /healthz, on loopback only. */
  metricsPort: number
  tls: { paths: CertificatePaths; pair: CertificatePair } | null
  io: CommandIo
  tools: CommandTools
  log: (line: string) => void
}

/** A hub that answers, leading or standing by. */
export type Hub = { url: string; metricsUrl: string; isLeading(): boolean; stop(): Promise<void> }

/**
 * Starts a hub on a database: it stands by until it leads, and then owns the account's key for all desks. The error is
 * a sentence.
 */
export async function startHub(options: HubOptions): Promise<Result<Hub>> {
  const { database, tls, io, tools, log } = options
  const { clock } = tools
  const opened = await openFirm(options)
  if (!opened.ok) return opened
  const ended = new AbortController()
  const { signal } = ended
  let led: Led | null = null
  let isStoreThere = true
  // The reason why it could not lead when its turn came; null when it could, or another hub leads.
  let unfit: string | null = null
  const onReach = (isThere: boolean) => {
    isStoreThere = isThere
  }
  const recording = createRecording(clock, log)
  const people = await openPeople(options, () => led?.serving.streams.hubChanged())
  if (!people.ok) return people
  const { directory, notes } = people.value
  const app = await createHubServer({
    serving: () => led?.serving ?? null,
    isStoreThere: () => isStoreThere,
    admit: admitBy({ directory, database, clock, log }),
    ...knownBy(directory),
    ownRoutes: firmRoutes(() => led, { account: opened.value.account, database, directory, notes }),
    ...(tls === null ? {} : { tls: tls.pair }),
    clock,
    log,
  })
  await app.ready()
  const close = async () => {
    await Promise.all([app.close(), directory.close()])
    await notes.close()
  }
  let url: string
  try {
    url = await listenOn(app.server, listeningOf(options.listen), tls === null ? 'http' : 'https')
  } catch (error) {
    await close()
    return err(errorText(error))
  }
  const watched = { led: () => led, directory, isStoreThere: () => isStoreThere, unfit: () => unfit, notes, recording }
  const metrics = await serveMetrics(options.metricsPort, watched)
  if (!metrics.ok) {
    await close()
    return metrics
  }
  const holder = `${url}, pid ${process.pid}`
  const leading = whileLeading(
    { connect: () => database.client(), holder, clock, log, onReach, onStandBy: () => (unfit = null), signal },
    async (lead) => {
      const begun = await takeTheLead({ ...options, firm: opened.value, directory, notes, recording, lead }).catch(
        (error: unknown) => {
          unfit = errorText(error)
          throw error
        },
      )
      unfit = null
      led = begun
      // Only now: a hub that fails to begin, again and again, never led.
      log(`this hub leads, number ${lead.fence}`)
      await aborted(AbortSignal.any([lead.lost, signal]))
      led = null
      await begun.stop()
      if (!signal.aborted) log('this hub leads no more')
    },
  )
  leading.catch(io.crash)
  const { server } = app
  if (tls !== null && server instanceof https.Server) {
    const use = (pair: CertificatePair) => server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' })
    void watchCertificate({ paths: tls.paths, current: tls.pair, clock, signal, use, log })
  }
  return ok({
    url,
    metricsUrl: metrics.value.url,
    isLeading: () => led !== null,
    async stop() {
      ended.abort()
      await leading
      await Promise.all([close(), metrics.value.stop()])
    },
  })
}

/** Who is known now, for requests waiting for admission and those admitted before. */
const knownBy = (directory: Directory): Pick<HubServerOptions, 'isKnown' | 'guestNow'> => ({
  isKnown: (headers) => mayBeKnown(directory, headers),
  guestNow({ tokenDigest: digest }) {
    const found = directory.find(digest)
    return found.kind === 'known' ? guestOf(found.person, digest) : null
  },
})

const listeningOf = (listen: HubOptions['listen']) => ({
  ...listen,
  ...{ flag: '--port', rival: rivalAt(listen.port, 'pitdesk inbox serve') },
})

/** Opens the directory of persons, and the audit list. The error is a sentence. */
async function openPeople(
  { database, tools: { clock }, log }: HubOptions,
  changed: () => void,
): Promise<Result<{ directory: Directory; notes: AuditNotes }>> {
  const report = (trouble: Error | null) =>
    log(trouble === null ? 'the database answers again' : `the database cannot be asked who is who: ${trouble.message}`)
  try {
    const notes = await createAuditNotes({ pool: database.pool, clock, log })
    return ok({ notes, directory: await createDirectory(database, { clock, report, changed }) })
  } catch (error) {
    return err(`The hub's store at ${database.shown} cannot be read: ${errorText(error)}.`)
  }
}

async function openFirm({ settings, io, tools }: HubOptions): Promise<Result<Firm>> {
  const { exchange, profileName } = settings
  if (exchange.kind === 'own') return err('A hub needs an exchange of its own: name a profile with --profile.')
  const base = readBaseAddress(exchange.baseUrl)
  if (!base.ok) return base
  const token = await fetchToken(settings, io, tools)
  if (!token.ok) return token
  const transport = await transportSettings(settings)
  if (!transport.ok) return transport
  const account = accountOf(settings, token.value, io).name
  return ok({ account, profileName, exchangeBaseUrl: exchange.baseUrl, token: token.value, transport: transport.value })
}

type Door = { directory: Directory; database: HubDatabase; clock: CommandTools['clock']; log: (line: string) => void }

const guestOf = ({ name, role, limits, approvalKey }: KnownPerson, digest: string): Guest => ({
  ...{ name, role, limits, approvalKey, tokenDigest: digest },
})

/** True when a request has a person's token, or may have one while the database does not answer. */
const mayBeKnown = (directory: Directory, { 'x-api-token': token }: IncomingHttpHeaders): boolean =>
  typeof token === 'string' && directory.find(tokenDigest(token)).kind !== 'unknown'

/** Admits everyone with a token; wrong tokens from one address are slowed down, right ones never. */
function admitBy({ directory, database, clock, log }: Door) {
  const tries = createTryGuard(clock)
  const signIns = createSignIns(database.pool)
  // Each call tries again: without a database a busy firm would fill the log with one line.
  const maySay = onceAMinute(clock)
  const onUnlisted = (error: unknown): void => {
    if (maySay()) log(`a sign-in is not on record: ${errorText(error)}`)
  }
  return (headers: IncomingHttpHeaders, peer: string): Admission<Guest> => {
    const token = headers['x-api-token']
    if (typeof token !== 'string' || token === '') return { refused: failure(401, 'the header X-API-Token is missing') }
    const digest = tokenDigest(token)
    const found = directory.find(digest)
    if (found.kind === 'known') {
      const { name } = found.person
      signIns.note(name, peer).catch(onUnlisted)
      return { guest: guestOf(found.person, digest) }
    }
    if (found.kind === 'unavailable')
      return { refused: failure(503, 'the hub cannot tell who asks, its database does not answer: nothing was sent') }
    const waitS = tries.wrong(peer)
    // Never 429: a desk would read that as a rate limit, and continue with an ended token.
    const refused = failure(401, 'the token is not known to this hub')
    return { refused: waitS === null ? refused : { ...refused, headers: { 'retry-after': String(waitS) } } }
  }
}
