import { startStatusServer } from '../base/net/status-server.ts'
import { aborted, type CommandIo, type CommandTools } from '../base/process/command-io.ts'
import { createJsonLog, type JsonLog, type LogLevel } from '../base/process/json-log.ts'
import { err, ok, type Result } from '../base/result.ts'
import { Secret } from '../base/secret.ts'
import { withoutStop } from '../base/text/plain-text.ts'
import { utcText } from '../base/text/time-text.ts'
import type { Settings } from '../config/settings.ts'
import { type WatchStatus, watchBeatMs } from '../domain/desk/duties.ts'
import type { NewsLevel } from '../domain/desk/events.ts'
import { noReboundKeys } from '../domain/desk/session.ts'
import type { Lock } from '../journal/locks.ts'
import { createWatchFile } from '../state-files/watch-file.ts'
import type { DeskStore } from '../store/desk.ts'
import type { LogLine } from '../store/log.ts'
import { usualLooks } from '../store/looks.ts'
import { type Account, accountOf } from './account/account-folder.ts'
import { type DeskPlan, venueOf } from './account/opening-settings.ts'
import { fetchToken } from './account/profile.ts'
import { claimWatch, type DutyPlace, dutyPlace, type SeenWatch, seeWatch } from './duties/duty-place.ts'
import { followLimitNames } from './limit-names.ts'
import { type OpenedDesk, openDesk } from './opening.ts'
import { beginPractice } from './practice/own-practice.ts'
import { healthOf, isExchangeSilent, unsaidWrites, watchMetrics } from './watch-health.ts'

type WatchOptions = {
  settings: Settings
  /** The address of /healthz and /metrics; null for none. */
  listen: { host: string; port: number } | null
  io: CommandIo
  tools: CommandTools
}

/** How a watch ended: in order, or by a second signal before that. */
export type WatchEnd = 'inOrder' | 'hurried'

/** Without a screen its settings have no meaning, and there is no user who could be idle. */
const withoutScreen = (settings: Settings): Settings => ({
  ...settings,
  rotateS: 0,
  idleRules: { safeAfterMs: null, lockAfterMs: null },
})

/**
 * Runs the duties of a profile without a screen until a signal, logging on stdout. The error is a sentence: why it
 * could not begin, or why it ended.
 */
export async function runWatch({ settings, listen, io, tools }: WatchOptions): Promise<Result<WatchEnd>> {
  const quit = new AbortController()
  void aborted(io.signal).then(() => quit.abort(io.signal.reason))
  const plan: DeskPlan = {
    ...{ settings: withoutScreen(settings), looks: usualLooks, reboundKeys: noReboundKeys },
    ...{ quit, io, tools, role: 'watch' },
  }
  const claim = createClaim(settings)
  // A second watch is refused before it would start its own practice exchange.
  if (settings.exchange.kind === 'own') {
    const claimed = await claim.take(ownAccount(settings, io))
    if (!claimed.ok) return claimed
  }
  const log = createJsonLog({ output: io.output, printError: io.printError, wallMs: () => tools.clock.wallMs() })
  try {
    const opened = await openDesk(plan, beginPractice(plan), claim.take)
    if (!opened.ok) return opened
    return await new Watch(opened.value, plan, log, claim.place()).run(listen)
  } finally {
    claim.release()
  }
}

/** The account of a desk with its own practice exchange is known without a key. */
const ownAccount = (settings: Settings, io: CommandIo): Account => accountOf(settings, new Secret(''), io)

/** Claims the watch of a profile and account, once, as soon as the account is known. */
function createClaim({ profileName }: Settings) {
  let held: { lock: Lock; place: DutyPlace } | null = null
  return {
    async take(account: Account): Promise<Result<null>> {
      if (held !== null) return ok(null)
      const place = dutyPlace(account)
      const lock = claimWatch(place)
      if (!lock.ok) return err(unseenText(profileName, lock.error))
      if (lock.value === null) return err(await alreadyRuns(profileName, place))
      held = { lock: lock.value, place }
      return ok(null)
    },
    place(): DutyPlace {
      if (held === null) throw new Error('a watch runs that was not claimed')
      return held.place
    },
    release: () => held?.lock.release(),
  }
}

/** Why it is not known whether a watch runs: another one may be at work. */
const unseenText = (profileName: string, reason: string): string =>
  `whether a watch of ${profileName} runs cannot be seen: ${reason}`

async function alreadyRuns(profileName: string, place: DutyPlace): Promise<string> {
  const seen = await seeWatch(place)
  const status = seen.ok ? (seen.value?.status ?? null) : null
  const which = status === null ? '' : ` (pid ${status.pid}, since ${utcText(status.sinceMs)})`
  return `a watch of ${profileName} runs already${which}: end it first, or use pitdesk watch --status`
}

const levels: Readonly<Record<NewsLevel, LogLevel>> = { info: 'info', good: 'info', warn: 'warn', bad: 'error' }

/** The lines of a log that are new since `before`; the log drops its oldest. */
function newLines(log: readonly LogLine[], before: readonly LogLine[]): readonly LogLine[] {
  const last = before.at(-1)
  return last === undefined ? log : log.slice(log.lastIndexOf(last) + 1)
}

/** Logs the desk's notices and each alert that fires, including snoozed ones. Returns a function that ends this. */
function followLog(store: DeskStore, log: Pick<JsonLog, 'write'>): () => void {
  return store.subscribe((state, before) => {
    const { fired, lastSeq } = state.alerts
    if (lastSeq !== before.alerts.lastSeq)
      for (const { seq, level, text, kind, isQuiet } of fired.toReversed())
        if (seq > before.alerts.lastSeq) log.write(levels[level], 'alert', text, { kind, isQuiet })
    if (state.log === before.log) return
    // Alerts have lines of their own.
    for (const { level, text } of newLines(state.log, before.log))
      if (!text.startsWith('Alert: ')) log.write(levels[level], 'desk', text)
  })
}

/** A wall clock that moved by more than this against the time that passed was set. */
const setMs = 2_000

/** A watch whose desk is open. */
class Watch {
  readonly #opened: OpenedDesk
  readonly #plan: DeskPlan
  readonly #log: JsonLog
  readonly #place: DutyPlace
  readonly #beganMs: number
  #sinceMs: number
  #unkept: string | null = null
  #failure: string | null = null

  constructor(opened: OpenedDesk, plan: DeskPlan, log: JsonLog, place: DutyPlace) {
    this.#opened = opened
    this.#plan = plan
    this.#log = log
    this.#place = place
    this.#beganMs = plan.tools.clock.now()
    this.#sinceMs = plan.tools.clock.wallMs()
  }

  async run(listen: WatchOptions['listen']): Promise<Result<WatchEnd>> {
    const { desk } = this.#opened
    const { quit } = this.#plan
    const endLog = followLog(desk.store, this.#log)
    const endFirst = this.#tellFirst()
    const server = await this.#serve(listen)
    if (server.ok) {
      this.#follow()
      this.#tellStart(server.value?.url ?? null)
      if (!quit.signal.aborted) desk.start()
      await Promise.all([aborted(quit.signal), this.#beat()])
    }
    const end = await this.#end(server.ok ? server.value : null)
    endFirst()
    endLog()
    if (!server.ok) return server
    return this.#failure === null ? ok(end) : err(this.#failure)
  }

  /** Follows everything of a desk besides its polls: saved alerts and transfers, and notices about files. */
  #follow(): void {
    const { desk, alerts, transfers, trouble, listen } = this.#opened
    const { settings, tools, quit } = this.#plan
    const { store } = desk
    const say = (level: NewsLevel, text: string) =>
      store.dispatch({ type: 'noted', level, text, atMs: tools.clock.now() })
    // There is no terminal to ring.
    alerts.follow(store, tools.clock, () => undefined)
    transfers.follow(store, tools.clock)
    for (const text of trouble) say('warn', text)
    followLimitNames(store, settings, tools.clock)
    if (settings.isMonitor && settings.cancelWhenBlindS !== null)
      say('warn', 'MONITOR is read only: cancel_when_blind_s has no effect.')
    const end = (text: string, isPassing: boolean) => {
      say('bad', text)
      if (isPassing) return
      this.#failure = text
      quit.abort()
    }
    listen(end, (text) => say('good', text))
  }

  #tellStart(url: string | null): void {
    const { settings } = this.#plan
    const { profileName, kind } = venueOf(settings)
    const { duties } = this.#opened.desk
    this.#log.write('info', 'start', `Watching ${profileName} (${kind}), pid ${process.pid}.`, {
      ...{ profile: profileName, venue: kind, pid: process.pid, isMonitor: settings.isMonitor },
      ...{ url, does: this.#does(duties.duties.map(({ name }) => name)).join(', ') },
    })
  }

  /** Sends a message about the watch itself. */
  #tell(text: string, level: NewsLevel): void {
    this.#opened.desk.duties.tell({ kind: 'watch', level, text, bareText: text })
  }

  /** Sends the start message once this process has the duties, and so may send. Returns a function that ends this. */
  #tellFirst(): () => void {
    const leave = this.#opened.desk.store.subscribe(({ duties }) => {
      if (duties.where !== 'here') return
      leave()
      this.#tell('The watch has begun.', 'info')
    })
    return leave
  }

  #does(duties: readonly string[]): readonly string[] {
    return ['alerts', 'history', 'reconciliation', ...duties]
  }

  #watched() {
    const { store, duties } = this.#opened.desk
    return { state: store.getState(), duties, log: this.#log, unkept: this.#unkept }
  }

  async #serve(listen: WatchOptions['listen']) {
    if (listen === null) return ok(null)
    const metrics = watchMetrics(() => this.#watched())
    const health = () => {
      const found = healthOf(this.#watched())
      const text = `${JSON.stringify(found)}\n`
      return { status: found.isWell ? 200 : 503, type: 'application/json', text }
    }
    const pages = {
      '/healthz': health,
      '/metrics': async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() }),
    }
    try {
      return ok(await startStatusServer(pages, { ...listen, flag: '--listen' }))
    } catch (error) {
      // A sentence about a port or an address; a TypeError is a bug.
      if (!(error instanceof Error) || error instanceof TypeError) throw error
      return err(error.message)
    }
  }

  /** When it began, by the wall clock as it is now: setting that clock changes nothing in how long it has run. */
  #since(): number {
    const { clock } = this.#plan.tools
    const sinceMs = Math.round(clock.wallMs() - (clock.now() - this.#beganMs))
    if (Math.abs(sinceMs - this.#sinceMs) > setMs) this.#sinceMs = sinceMs
    return this.#sinceMs
  }

  #status(): WatchStatus {
    const { duties } = this.#opened.desk
    const health = healthOf(this.#watched())
    return {
      ...{ pid: process.pid, sinceMs: this.#since(), beatMs: this.#plan.tools.clock.wallMs() },
      hasDuties: duties.isHere(),
      does: this.#does(duties.duties.map(({ name }) => name)),
      troubles: health.problems.slice(0, 20).map(({ name, text }) => `${name}: ${text}`.slice(0, 400)),
      isExchangeSilent: isExchangeSilent(health),
      unsaid: unsaidWrites(this.#opened.desk.store.getState()),
      isMonitor: this.#plan.settings.isMonitor,
    }
  }

  /** Writes the status file regularly, and logs changes of health. */
  async #beat(): Promise<void> {
    const { clock } = this.#plan.tools
    const { signal } = this.#plan.quit
    const file = createWatchFile(this.#place.statusFile)
    let unwell = ''
    while (!signal.aborted) {
      const status = this.#status()
      const written = await file.write(status)
      const sentence = written.ok ? null : written.error
      if (sentence !== null && sentence !== this.#unkept) this.#log.write('warn', 'status', sentence)
      this.#unkept = sentence
      const names = status.troubles.map((each) => each.split(':')[0]).join(', ')
      const all = status.troubles.map(withoutStop).join('; ')
      if (names !== unwell)
        this.#log.write(names === '' ? 'info' : 'warn', 'health', names === '' ? 'All is well.' : `Not well: ${all}.`)
      unwell = names
      await clock.sleep(watchBeatMs, signal)
    }
  }

  /** Lets work in flight end, unless a second signal comes. */
  async #end(server: { stop(): Promise<void> } | null): Promise<WatchEnd> {
    const { io } = this.#plan
    if (io.signal.aborted) this.#log.write('info', 'end', `Ending on ${String(io.signal.reason)}.`)
    this.#tell(this.#failure ?? 'The watch ends.', this.#failure === null ? 'warn' : 'bad')
    const inOrder = Promise.all([this.#opened.stop(), server?.stop()]).then(() => 'inOrder' as const)
    const never = new Promise<never>(() => undefined)
    const hurried = io.hurry === undefined ? never : aborted(io.hurry).then(() => 'hurried' as const)
    const end = await Promise.race([inOrder, hurried])
    const left = this.#opened.desk.store.getState().unknownWrites.length
    if (end === 'hurried')
      this.#log.write('warn', 'end', 'Ended by a second signal: writes under way are checked at the next start.')
    else this.#log.write('info', 'end', 'Ended in order.', { unsettledWrites: left })
    return end
  }
}

/** The watch of a profile, as another process sees it. */
type WatchOfAccount = { account: Account; watch: SeenWatch | null }

/** Looks for a watch of the settings' profile and account, and reads its status. */
export async function lookForWatch(
  settings: Settings,
  io: CommandIo,
  tools: CommandTools,
): Promise<Result<WatchOfAccount>> {
  const token = settings.exchange.kind === 'own' ? ok(new Secret('')) : await fetchToken(settings, io, tools)
  if (!token.ok) return token
  const account = accountOf(settings, token.value, io)
  const watch = await seeWatch(dutyPlace(account))
  return watch.ok ? ok({ account, watch: watch.value }) : err(unseenText(settings.profileName, watch.error))
}
