import { Gauge, Registry } from 'prom-client'
import type { JsonLog } from '../base/process/json-log.ts'
import { withoutStop } from '../base/text/plain-text.ts'
import type { FeedName } from '../domain/desk/feeds.ts'
import { keyOf } from '../domain/desk/session.ts'
import type { DeskState } from '../store/desk.ts'
import { ageMs, isStale } from '../store/feeds/feed.ts'
import { feedOf } from '../store/feeds/feeds.ts'
import { journalRefusal } from '../store/mode.ts'
import type { DutyKeeper } from './duties/duties.ts'
import { feedsOfWatch } from './polling.ts'

/** A problem of a watch: `feed` for a missing answer of the exchange. */
type Problem = { kind: 'feed' | 'duty' | 'log' | 'write'; name: string; text: string }

/**
 * The health of a watch. Trouble with its log, and a write that waits for the user, are listed but leave it well: a
 * restart would not help.
 */
export type Health = { isWell: boolean; problems: readonly Problem[] }

/** How long in ms a new watch may be without an answer. */
const firstAnswerMs = 15_000

function feedProblem(state: DeskState, name: FeedName): Problem[] {
  const feed = feedOf(state, name)
  const problem = (text: string): Problem[] => [{ kind: 'feed', name, text }]
  if (feed.failure !== null) return problem(feed.failure.sentence)
  const age = ageMs(feed, state.nowMs)
  if (age === null)
    return state.nowMs - state.session.startedAtMs < firstAnswerMs ? [] : problem('no answer since the start')
  return isStale(feed, name, state.nowMs) ? problem(`no answer for ${Math.round(age / 1_000)} s`) : []
}

/** The number of writes whose outcome the exchange does not report: the user must resolve them. */
export const unsaidWrites = ({ unknownWrites }: Pick<DeskState, 'unknownWrites'>): number =>
  unknownWrites.filter(({ question }) => question !== null).length

function writeProblem(state: DeskState): Problem[] {
  const count = unsaidWrites(state)
  const of = count === 1 ? 'the outcome of a write is' : `the outcomes of ${count} writes are`
  const key = keyOf(state.reboundKeys, 'askUnsettled')
  const text = `${of} unknown, and a user must resolve it: end the watch, open the desk and press ${key}`
  return count === 0 ? [] : [{ kind: 'write', name: 'writes', text }]
}

const dutiesAway = ({ duties: { silent } }: DeskState, trouble: string | null): string =>
  trouble ??
  (silent === null
    ? 'another process of the profile has them'
    : `the desk that has them (pid ${silent.pid}) is stopped or stuck: let it go on, or end it`)

type Watched = {
  state: DeskState
  duties: Pick<DutyKeeper, 'isHere' | 'duties' | 'trouble'>
  log: Pick<JsonLog, 'trouble' | 'leftOut'>
  /** Why its status file takes no write, as a sentence; null while it does. The journal is on the same disk. */
  unkept: string | null
}

/** The health of a watch now. */
export function healthOf({ state, duties, log, unkept }: Watched): Health {
  const feeds = feedsOfWatch.flatMap((name) => feedProblem(state, name))
  // A desk that may send keeps them from a watch that may not.
  const isLeft = state.mode.kind === 'MONITOR' && state.duties.silent === null && duties.trouble() === null
  const own: Problem[] =
    duties.isHere() || isLeft ? [] : [{ kind: 'duty', name: 'duties', text: dutiesAway(state, duties.trouble()) }]
  const others = duties.duties.flatMap((duty): Problem[] => {
    const text = duty.trouble()
    return text === null ? [] : [{ kind: 'duty', name: duty.name, text }]
  })
  const unsent = journalRefusal(state)
  const journal: Problem[] = unsent === null ? [] : [{ kind: 'duty', name: 'journal', text: unsent }]
  const trouble = log.trouble()
  const ofLog: Problem[] = trouble === null ? [] : [{ kind: 'log', name: 'log', text: trouble }]
  const status: Problem[] = unkept === null ? [] : [{ kind: 'duty', name: 'status', text: withoutStop(unkept) }]
  const grave = [...feeds, ...own, ...others, ...journal, ...status]
  return { isWell: grave.length === 0, problems: [...grave, ...writeProblem(state), ...ofLog] }
}

/** True when only the exchange is to blame for an unwell watch. */
export const isExchangeSilent = ({ isWell, problems }: Health): boolean =>
  !isWell && problems.every(({ kind }) => kind !== 'duty')

/** A number, or NaN while unknown: Prometheus must never read an unknown as 0. */
const numberOf = (value: number | null | undefined): number => value ?? Number.NaN

/** The metrics of a watch for Prometheus; read anew at every request. */
export function watchMetrics(look: () => Watched): { text(): Promise<string>; contentType: string } {
  const registry = new Registry()
  const gauge = (name: string, help: string, read: (watched: Watched) => number) =>
    new Gauge({
      name: `pitdesk_watch_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(read(look()))
      },
    })
  gauge('up_seconds', 'How long it has been running.', ({ state }) => (state.nowMs - state.session.startedAtMs) / 1_000)
  gauge('healthy', 'Whether /healthz says 200.', (watched) => (healthOf(watched).isWell ? 1 : 0))
  gauge('on_duty', 'Whether this process has the duties of its profile.', ({ duties }) => (duties.isHere() ? 1 : 0))
  gauge('working_orders', 'Working orders of the account.', ({ state }) => numberOf(state.orders.value?.length))
  gauge('unsettled_writes', 'Writes whose outcome is unknown.', ({ state }) => state.unknownWrites.length)
  gauge('alerts_fired', 'Alerts that have fired, over all runs.', ({ state }) => state.alerts.lastSeq)
  gauge(
    'alerts_armed',
    'Price alerts that may fire.',
    ({ state: { alerts } }) => alerts.watches.filter((each) => each.state.kind !== 'fired' || each.repeats).length,
  )
  gauge('calls_per_second', 'Calls to the exchange.', ({ state }) => numberOf(state.session.calls?.perSecond))
  gauge('round_trip_seconds', 'How long the last answer took.', ({ state: { connection } }) =>
    connection.roundTripMs === null ? Number.NaN : connection.roundTripMs / 1_000,
  )
  gauge('log_lines_left_out', 'Lines of the log that a slow reader has missed.', ({ log }) => log.leftOut())
  gauge('resident_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
  new Gauge({
    name: 'pitdesk_watch_feed_age_seconds',
    help: 'How long ago a feed was answered; none before the first answer.',
    labelNames: ['feed'],
    registers: [registry],
    collect() {
      const { state } = look()
      for (const feed of feedsOfWatch) {
        const age = ageMs(feedOf(state, feed), state.nowMs)
        if (age !== null) this.set({ feed }, age / 1_000)
      }
    },
  })
  new Gauge({
    name: 'pitdesk_watch_duty',
    help: 'Numbers of single duties.',
    labelNames: ['name'],
    registers: [registry],
    collect() {
      for (const duty of look().duties.duties)
        for (const [name, value] of Object.entries(duty.numbers?.() ?? {})) this.set({ name }, value)
    },
  })
  return { text: () => registry.metrics(), contentType: registry.contentType }
}
