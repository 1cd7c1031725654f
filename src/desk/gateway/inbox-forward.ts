import { createHash } from 'node:crypto'
import { existsSync, realpathSync, renameSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Registry } from 'prom-client'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { xdgFolders } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { diskReason } from '../../base/text/error-text.ts'
import { type InboxTarget, usualGiveUpAfter } from '../../config/inbox-settings.ts'
import type { KeySource } from '../../config/key-source.ts'
import { inboxPageSize, type StoredEvent } from '../../domain/gateway/inbox-source.ts'
import { checkpointSchema } from '../../inbox/forward/checkpoint.ts'
import { eventFilter } from '../../inbox/forward/event-filter.ts'
import { type Forwarder, startForwarder } from '../../inbox/forward/forwarder.ts'
import { forwardMetrics } from '../../inbox/forward/metrics.ts'
import { createPoster, readForwardAddress, type Sign } from '../../inbox/forward/post.ts'
import type { InboxLog } from '../../inbox/inbox-log.ts'
import type { EventStore } from '../../inbox/store/event-store.ts'
import type { ForwardPlace } from '../../inbox/store/forward-store.ts'
import { sqlitePath } from '../../inbox/store/open-store.ts'
import type { Tracing } from '../../inbox/telemetry/tracing.ts'
import { type Lock, takeLock } from '../../journal/locks.ts'
import type { Signer } from '../../services/notify/targets.ts'
import { createJsonFile } from '../../state-files/json-file.ts'
import { signerFrom } from './signing-secret.ts'

export type InboxContext = {
  store: EventStore
  /** The store's address, which identifies the place in files of older versions. */
  storeName: string
  log: InboxLog
  io: CommandIo
  tools: CommandTools
}

/** The inbox's metrics, and its tracing if requested. */
export type Watching = { registry: Registry; tracing: Tracing | null }

/** A service that events are forwarded to. */
export type ForwardTarget = {
  /** The key of its place in the store. */
  key: string
  url: URL
  wants: (event: StoredEvent) => boolean
  begin: InboxTarget['begin']
  refusalsMax: number
  secrets: readonly KeySource[]
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The key of the place of `forward`. */
const singleKey = (url: URL): string => `forward-${digest(url.href).slice(0, 8)}`

/**
 * The targets of the settings, and that of `forward`, which has its own place for each address. The error names the
 * flag or the setting.
 */
export function forwardTargets(
  single: { address: string; name: string } | null,
  targets: readonly InboxTarget[],
): Result<ForwardTarget[]> {
  const found: ForwardTarget[] = []
  if (single !== null) {
    const url = readForwardAddress(single.address)
    if (!url.ok) return err(`${single.name} ${url.error}`)
    const rest = { begin: 'start', refusalsMax: usualGiveUpAfter, secrets: [] } as const
    found.push({ key: singleKey(url.value), url: url.value, wants: () => true, ...rest })
  }
  for (const { name: key, url: address, begin, giveUpAfter: refusalsMax, secrets, ...filter } of targets) {
    const url = readForwardAddress(address)
    if (!url.ok) return err(`url of the target ${key} ${url.error}`)
    found.push({ key, url: url.value, wants: eventFilter(filter), begin, refusalsMax, secrets })
  }
  return ok(found)
}

/**
 * Starts forwarding events to each target from its place. The error: a signing secret is unusable, or another inbox of
 * this machine forwards the same file.
 */
export async function openForwarders(
  targets: readonly ForwardTarget[],
  { registry, tracing }: Watching,
  context: InboxContext,
): Promise<Result<Pick<Forwarder, 'stop'>>> {
  const { store, tools } = context
  const metrics = forwardMetrics(registry, store, {
    targets: targets.map(({ key }) => key),
    wallMs: () => tools.clock.wallMs(),
  })
  const running: Pick<Forwarder, 'stop'>[] = []
  const stop = async () => {
    await Promise.all(running.map((each) => each.stop()))
  }
  for (const target of targets) {
    const opened = await openForwarder(target, { onAttempt: metrics.onAttempt, tracing }, context)
    if (!opened.ok) {
      await stop()
      return opened
    }
    running.push(opened.value)
  }
  return ok({ stop })
}

async function openForwarder(
  target: ForwardTarget,
  { onAttempt, tracing }: Pick<ReturnType<typeof forwardMetrics>, 'onAttempt'> & Pick<Watching, 'tracing'>,
  context: InboxContext,
): Promise<Result<Pick<Forwarder, 'stop'>>> {
  const { store, storeName, io, tools } = context
  const { key, url, secrets, wants, refusalsMax } = target
  const sign = await openSign(secrets, context)
  if (!sign.ok) return sign
  const folder = join(xdgFolders(io.environment).state, 'inbox')
  const path = join(folder, `forward-${placeName(storeName, url.href)}`)
  const held = storeName.startsWith('sqlite:') ? lockPlace(new URL(storeName), key) : ok(null)
  if (!held.ok) return held
  const name = key === singleKey(url) ? '' : ` ${key}`
  const log = (line: string) => context.log(line.replace(/^forward:/, `forward${name}:`))
  const forwarder = startForwarder({
    ...{ store, target: key, holder: `${hostname()}:${process.pid}`, wants, refusalsMax, log },
    begin: beginning(target, `${path}.json`, { store, log }),
    poster: createPoster(url, tools.clock, sign.value),
    clock: tools.clock,
    random: tools.random,
    onAttempt: (attempt, waiting) => onAttempt(key, attempt, waiting),
    tracing,
  })
  return ok({
    async stop() {
      await forwarder.stop()
      held.value?.release()
    },
  })
}

/** The name of an older version's file: one for each store and address. */
function placeName(storeName: string, of: string): string {
  const store = new URL(storeName)
  // A password may change.
  store.password = ''
  return digest(`${store.href}\n${of}`).slice(0, 16)
}

/**
 * A file has one forwarder per target on this machine; a database decides by its own lease. The lock is beside the
 * file, the same for every user and every path of the file: two forwarders unaware of each other would keep taking over
 * the lease, and send everything several times.
 */
function lockPlace(store: URL, key: string): Result<Lock> {
  const lock = lockBeside(sqlitePath(store), key)
  if (!lock.ok) return err(`the place of the forwarder cannot be kept: ${lock.error}`)
  return lock.value === null ? err('another inbox already forwards this store to this address') : ok(lock.value)
}

function lockBeside(path: string, key: string): Result<Lock | null> {
  try {
    return takeLock(`${realpathSync(path)}.${key}.lock`)
  } catch (error) {
    return err(diskReason(error))
  }
}

type Beginning = {
  store: Pick<EventStore, 'events' | 'identity' | 'standings' | 'waitingEvents'>
  log: (line: string) => void
}

/**
 * Where a target without a place in the store begins: at the place of `forward` with the same address, or of an older
 * version's file, which is put aside once the store has the place; otherwise as its setting says. Asked each time until
 * the target has a place, and empty from then on.
 */
function beginning(target: ForwardTarget, path: string, { store, log }: Beginning): () => Promise<ForwardPlace> {
  const { key, url, begin } = target
  const nothing: ForwardPlace = { upTo: 0, waiting: [] }
  let isSettled = false
  return async () => {
    if (isSettled) return nothing
    const standings = await store.standings()
    if (standings.some(({ target }) => target === key)) {
      isSettled = true
      putAside(path, log)
      return nothing
    }
    const single = standings.find(({ target }) => target === singleKey(url))
    if (single !== undefined) {
      log(`forward: going on where forward to the same address stands, after event ${single.upTo}`)
      return { upTo: single.upTo, waiting: await allWaiting(store, single.target) }
    }
    const kept = await createJsonFile(path, 'the place of the forwarder', checkpointSchema).read()
    if (!kept.ok) log(`forward: ${kept.error}`)
    const place = kept.ok ? kept.value : null
    if (place !== null && (place.store === undefined || place.store === (await store.identity()))) {
      log(`forward: going on where the file of an older version stands, after event ${place.upTo}`)
      return place
    }
    if (place !== null)
      log('forward: ALARM this is another store than the last run had: each of its events is forwarded')
    if (begin === 'start') return nothing
    const [newest] = await store.events({ before: null, count: 1 })
    return { upTo: newest?.sequence ?? 0, waiting: [] }
  }
}

async function allWaiting(store: Pick<EventStore, 'waitingEvents'>, target: string): Promise<number[]> {
  const found: number[] = []
  for (;;) {
    const page = await store.waitingEvents(target, { after: found.at(-1) ?? 0, count: inboxPageSize, isAsked: false })
    if (page.length === 0) return found
    found.push(...page.map(({ sequence }) => sequence))
  }
}

/** Renames an older version's file once the store has the place, so that an older version does not continue from it. */
function putAside(path: string, log: (line: string) => void): void {
  try {
    if (existsSync(path)) renameSync(path, `${path}.in-store`)
  } catch (error) {
    log(`forward: ${path} is no longer needed and could not be put aside: ${diskReason(error)}`)
  }
}

/** Interval in ms for rereading a secret's file: a new secret applies without a restart. */
const secretsMs = 10_000

/**
 * Opens the signatures of these secrets, one for each. A file is reread now and then; if it is then unusable, the
 * secret before remains. A command runs once. The error is that of the first reading.
 */
async function openSign(sources: readonly KeySource[], context: InboxContext): Promise<Result<Sign>> {
  const { clock } = context.tools
  const signers: { source: KeySource; signer: Signer }[] = []
  for (const source of sources) {
    const signer = await signerFrom(source, context)
    if (!signer.ok) return signer
    signers.push({ source, signer: signer.value })
  }
  let readAtMs = clock.now()
  const readAgain = async (): Promise<void> => {
    if (clock.now() - readAtMs < secretsMs) return
    readAtMs = clock.now()
    for (const each of signers.filter(({ source }) => source.kind === 'file')) {
      const signer = await signerFrom(each.source, context)
      if (signer.ok) each.signer = signer.value
      else context.log(`forward: ${signer.error}; what it held before goes on signing`)
    }
  }
  return ok(async (id, at, body) => {
    if (signers.length === 0) return ok(null)
    await readAgain()
    return ok(signers.map(({ signer }) => signer.sign(id, at, body)).join(' '))
  })
}
