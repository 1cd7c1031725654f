import { join } from 'node:path'
import { openUserService, type UserService } from '../api/user-service.ts'
import { makeFolder } from '../base/files/make-folder.ts'
import type { CommandIo, CommandTools } from '../base/process/command-io.ts'
import { commandEnvironment, runCommand } from '../base/process/run-command.ts'
import { createRandomIds, lettersAndDigits } from '../base/random.ts'
import { err, ok, type Result } from '../base/result.ts'
import { diskReason } from '../base/text/error-text.ts'
import { secondMs } from '../base/text/time-text.ts'
import type { Settings } from '../config/settings.ts'
import { type News, newsOfAlert, type Sender } from '../domain/notify/message.ts'
import { type Lock, takeLock } from '../journal/locks.ts'
import { type Heartbeat, startHeartbeat } from '../services/notify/heartbeat.ts'
import { createNotifier, type Notifier } from '../services/notify/notifier.ts'
import type { Target, TargetStatus } from '../services/notify/queue.ts'
import { createCommandTarget, createUrlTarget } from '../services/notify/targets.ts'
import { createMessagesFile } from '../state-files/messages-file.ts'
import { newlyFired } from '../store/alerts/alert-changes.ts'
import type { DeskStore } from '../store/desk.ts'
import { type Account, accountFiles } from './account/account-folder.ts'
import { venueOf } from './account/opening-settings.ts'
import { transportSettings } from './account/profile.ts'
import type { Duty } from './duties/duties.ts'
import { signerFrom } from './gateway/signing-secret.ts'

/** Maximum run time in ms of a notify command. */
const commandPatienceMs = 30 * secondMs
/** Interval in ms at which a process without the duty of sending tries to take it over. */
const takeOverMs = 10 * secondMs

type Context = { io: CommandIo; tools: CommandTools }

/** The opened targets of a profile's messages. */
export type NotifyTargets = {
  targets: readonly Target[]
  heartbeat: UserService | null
  close(): Promise<void>
}

/** Opens the targets of the settings. The error is about an unusable proxy or certificates. */
export async function openNotifyTargets(settings: Settings, { io, tools }: Context): Promise<Result<NotifyTargets>> {
  const { command, url, heartbeat } = settings.notify
  const { clock } = tools
  const sender = senderOf(settings)
  const certificates = await transportSettings(settings)
  if (!certificates.ok) return certificates
  const { caPem } = certificates.value
  const open = (address: URL) =>
    openUserService(address, { environment: io.environment, clock, ...(caPem === undefined ? {} : { caPem }) })
  const targets: Target[] = []
  if (command !== null)
    targets.push(
      createCommandTarget({
        ...{ name: 'notify_command', command: command.line, input: command.input, kinds: command.kinds },
        ...{ sender, clock, run: runCommand, patienceMs: commandPatienceMs },
        environment: commandEnvironment(io.environment),
      }),
    )
  if (url !== null) {
    const service = open(url.address)
    if (!service.ok) return err(`notify_url: ${service.error}`)
    const { secret, kinds } = url
    const signer = await openSigner(secret, { io, tools })
    targets.push(createUrlTarget({ name: 'notify_url', kinds, service: service.value, signer, sender, clock }))
  }
  const beats = heartbeat === null ? null : open(heartbeat.address)
  if (beats !== null && !beats.ok) return err(`heartbeat_url: ${beats.error}`)
  return ok({
    targets,
    heartbeat: beats?.value ?? null,
    async close() {
      await Promise.all([...targets.map((target) => target.close()), beats?.value.close()])
    },
  })
}

type Signer = Parameters<typeof createUrlTarget>[0]['signer']

/**
 * Gets the signing secret now, while its program may still ask the user on the terminal. An unusable file is reread for
 * each attempt; a command is not run again.
 */
async function openSigner(source: NonNullable<Settings['notify']['url']>['secret'], context: Context): Promise<Signer> {
  if (source === null) return () => Promise.resolve(ok(null))
  let known = await signerFrom(source, context)
  return async () => {
    if (!known.ok && source.kind !== 'command') known = await signerFrom(source, context)
    return known
  }
}

const senderOf = (settings: Settings): Sender => {
  const { profileName, kind } = venueOf(settings)
  return { profileName, venueKind: kind }
}

/** Ids of deliveries, unique across runs. */
export const createDeliveryIds = (randomBytes: CommandTools['randomBytes']): (() => string) => {
  const next = createRandomIds(lettersAndDigits, 24, randomBytes)
  return () => `msg_${next()}`
}

/**
 * Makes this process the sender, until it releases that; null while another one is. The error says why this cannot be
 * determined.
 */
export type TakeDuty = () => Result<Pick<Lock, 'release'> | null>

/** The duty of one account on this machine; the system releases it when the process ends in any way. */
const dutyOf =
  ({ folder }: Pick<Account, 'folder'>): TakeDuty =>
  () => {
    try {
      makeFolder(folder)
    } catch (error) {
      return err(diskReason(error))
    }
    return takeLock(join(folder, 'notify.lock'))
  }

/** The state of sending; null while another process of this machine sends for the account. */
export type NotifyStatus = { targets: readonly TargetStatus[]; heartbeatTrouble: string | null } | null

/** The external messages of a desk or a watch. */
export type DeskNotify = {
  /** Sends each audible alert of the store, and calls the heartbeat, until `stop`. */
  follow(store: Pick<DeskStore, 'subscribe' | 'dispatch'>): void
  /** Sends other news; nothing while another process sends. */
  tell(news: News): void
  status(): NotifyStatus
  /** Ends sending, and lets another process take over; a repeated call has no effect. */
  stop(): Promise<void>
}

type NotifyOptions = Context & {
  settings: Settings
  account: Account
  /** For callers with duties of their own: how to become the sender. */
  takeDuty?: TakeDuty
}

/**
 * Opens the external messages of the settings. One process of an account sends, because all see the same. When it ends,
 * another continues with its saved messages.
 */
export async function openDeskNotify(options: NotifyOptions): Promise<Result<DeskNotify>> {
  const { settings, account, tools, takeDuty = dutyOf(account) } = options
  const { clock } = tools
  const opened = await openNotifyTargets(settings, options)
  if (!opened.ok) return opened
  const ended = new AbortController()
  let running: { notifier: Notifier; heartbeat: Heartbeat | null; lock: Pick<Lock, 'release'> | null } | null = null
  let unfollow = () => {}
  let looking = Promise.resolve()
  let starting = Promise.resolve()

  const begin = (lock: Pick<Lock, 'release'> | null, say: Say) => {
    const notifier = createNotifier({
      ...{ targets: opened.value.targets, rules: settings.notify, hasAmounts: settings.notify.hasAmounts },
      ...{ clock, random: tools.random, newId: createDeliveryIds(tools.randomBytes), tell: say },
      file: createMessagesFile(accountFiles(account).messages),
    })
    running = { notifier, lock, heartbeat: beginHeartbeat(settings, opened.value.heartbeat, { clock, tell: say }) }
    starting = notifier.start()
  }
  const look = async (say: Say): Promise<void> => {
    let isBeside = false
    while (!ended.signal.aborted && running === null) {
      const lock = takeDuty()
      if (!lock.ok) say('warn', `Whether another desk sends messages is not known: ${lock.error}. This one sends them.`)
      if (!lock.ok || lock.value !== null) begin(lock.ok ? lock.value : null, say)
      else {
        if (!isBeside) say('info', 'Messages and heartbeat: another desk or watch of this account sends them.')
        isBeside = true
        await clock.sleep(takeOverMs, ended.signal)
      }
    }
  }

  const stop = async (): Promise<void> => {
    unfollow()
    ended.abort()
    await looking
    await starting
    await Promise.all([running?.notifier.stop(), running?.heartbeat?.stop()])
    if (running === null) await opened.value.close()
    running?.lock?.release()
  }
  let stopped: Promise<void> | null = null

  return ok({
    follow(store) {
      const say: Say = (level, text) =>
        // Not within the store change that may have caused it.
        queueMicrotask(() => store.dispatch({ type: 'noted', level, text, atMs: clock.now(), isAside: true }))
      unfollow = store.subscribe((state, before) => {
        for (const fired of newlyFired(before, state)) running?.notifier.tell(newsOfAlert(fired))
      })
      looking = look(say)
    },
    tell: (news) => running?.notifier.tell(news),
    status: () =>
      running === null
        ? null
        : { targets: running.notifier.status(), heartbeatTrouble: running.heartbeat?.trouble() ?? null },
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  })
}

type Followed = Pick<DeskStore, 'subscribe' | 'dispatch'>

/**
 * External messages as a duty: `first` is already open; each later start opens them again by `open`, because stopping
 * closes them.
 */
export function notifyDuty(first: DeskNotify, open: () => Promise<Result<DeskNotify>>): Duty {
  let next: DeskNotify | null = first
  let current: DeskNotify | null = null
  let trouble: string | null = null
  let opening = Promise.resolve()
  const begin = (notify: DeskNotify, store: Followed) => {
    current = notify
    trouble = null
    notify.follow(store)
  }
  const reopen = async (store: Followed): Promise<void> => {
    const opened = await open()
    if (opened.ok) begin(opened.value, store)
    else trouble = `nothing is told elsewhere: ${opened.error}`
  }
  const status = () => current?.status() ?? null
  return {
    name: 'messages',
    start(store) {
      if (next === null) opening = reopen(store)
      else begin(next, store)
      next = null
    },
    async stop() {
      await opening
      await current?.stop()
      current = null
    },
    holds: () => 'messages',
    trouble() {
      const now = status()
      const failing = now?.targets.flatMap((target) =>
        target.trouble === null ? [] : [`${target.name}: ${target.trouble}`],
      )
      return trouble ?? failing?.[0] ?? now?.heartbeatTrouble ?? null
    },
    tell: (news) => current?.tell(news),
    numbers: () => ({
      messages_waiting: (status()?.targets ?? []).reduce((sum, { waitingCount }) => sum + waitingCount, 0),
      messages_dropped: (status()?.targets ?? []).reduce((sum, { droppedCount }) => sum + droppedCount, 0),
    }),
  }
}

type Say = (level: 'info' | 'warn' | 'bad', text: string) => void

function beginHeartbeat(
  { notify: { heartbeat } }: Pick<Settings, 'notify'>,
  service: UserService | null,
  { clock, tell }: Pick<CommandTools, 'clock'> & { tell: Say },
): Heartbeat | null {
  if (heartbeat === null || service === null) return null
  return startHeartbeat({ service, clock, tell, everyMs: heartbeat.everyMs, method: heartbeat.method })
}
