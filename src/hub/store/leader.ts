import type pg from 'pg'
import { type Clock, within } from '../../base/clock.ts'
import { settleSession } from '../../base/postgres/open.ts'
import { errorText } from '../../base/text/error-text.ts'

/** The advisory lock held by a database's leading hub, a number unique to this program. */
const leadLock = '7163519447266822'

/** Interval of the leader's heartbeats. */
const beatMs = 1_000
/** Validity of the lead after a heartbeat: shorter than the others' wait, by more than clock rates differ. */
const validMs = 3_000
/** Age of a heartbeat, by the database's clock, at which the leader's connection is ended, and with it the lock. */
const deafMs = 3_500
/** Interval at which the other hubs check. */
const lookMs = 300
const questionMs = 2_000
/**
 * Longest pause of a hub that took the lead but cannot work, for example because of newer tables, so that others can
 * take it.
 */
const unfitMaxMs = 10_000

/**
 * The lead is a lock of a session. Behind a pooler that lends sessions to one statement at a time, the lock stays with
 * another one than the next statement gets, and means nothing.
 */
const holdsLock = `EXISTS (SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'advisory' AND granted)`
const lockIsElsewhere =
  'the lock of the lead is not in this session: no pooler in transaction mode may be between hub and PostgreSQL'

/** The right to send, while it is valid. */
export type Lead = {
  /** Increases with each change of leader; every write is recorded under it. */
  readonly fence: number
  /**
   * False once another hub may lead: computed from before the last heartbeat was sent, in time that also runs while
   * this process is stopped. Checked again right before a write's first byte is sent.
   */
  isValid(): boolean
  readonly lost: AbortSignal
}

export type LeaderOptions = {
  /** Creates a connection that is not open yet; the lead ends with it. */
  connect: () => pg.Client
  /** This hub's name for the others. */
  holder: string
  clock: Clock
  log: (line: string) => void
  /** Called repeatedly with whether the database answers. */
  onReach?: (isThere: boolean) => void
  /** Called repeatedly while another hub leads. */
  onStandBy?: () => void
  signal: AbortSignal
}

/**
 * Runs `work` each time this process leads, until `signal`. `work` must end soon after the lead is lost or the signal
 * comes; then the lead is given up, and another hub has it at once.
 */
export async function whileLeading(options: LeaderOptions, work: (lead: Lead) => Promise<void>): Promise<void> {
  const { clock, log, onReach = () => undefined, signal } = options
  let isBeside = false
  let lastTrouble: string | null = null
  let unfitMs = lookMs
  while (!signal.aborted) {
    let isTaken = false
    const client = options.connect()
    const broken = new AbortController()
    client.on('error', (error) => broken.abort(error))
    client.on('end', () => broken.abort(new Error('its connection was closed')))
    try {
      await client.connect()
      await settleSession(client)
      const taken = await take(client, options, () => {
        if (!isBeside) log('another hub leads: this one stands by')
        isBeside = true
        options.onStandBy?.()
      })
      if (taken !== null) {
        isBeside = false
        isTaken = true
        await lead(client, broken, taken, options, work)
      }
      lastTrouble = null
      unfitMs = lookMs
    } catch (error) {
      const trouble = errorText(error)
      if (!isTaken) onReach(false)
      const what = isTaken ? 'this hub cannot lead' : 'the database cannot be asked who leads'
      if (trouble !== lastTrouble) log(`${what}: ${trouble}`)
      lastTrouble = trouble
      unfitMs = isTaken ? Math.min(2 * unfitMs, unfitMaxMs) : lookMs
    }
    await within(
      client.end().catch(() => undefined),
      questionMs,
      clock,
    )
    await clock.sleep(unfitMs, signal)
  }
}

/** The number of a lead, and when it was asked for: its first heartbeat is not older, however late that is told. */
type TakenLead = { fence: number; askedAtMs: number }

/** Waits until this process leads; null when the signal comes first. */
async function take(
  client: pg.Client,
  { holder, clock, onReach, signal }: LeaderOptions,
  onWait: () => void,
): Promise<TakenLead | null> {
  while (!signal.aborted) {
    const { rows } = await client.query(`SELECT pg_try_advisory_lock(${leadLock}) AS is_own`)
    onReach?.(true)
    if (rows[0]?.is_own === true) {
      const askedAtMs = clock.now()
      const taken = await client.query(
        `UPDATE hub_lead SET fence = fence + 1, holder = $1, backend = pg_backend_pid(), beat = clock_timestamp()
         WHERE ${holdsLock} RETURNING fence`,
        [holder],
      )
      if (taken.rowCount !== 1) throw new Error(lockIsElsewhere)
      return { fence: Number(taken.rows[0]?.fence), askedAtMs }
    }
    onWait()
    // The leader may be stopped or cut off while its connection is alive; ending that makes sure it sends nothing more.
    await client.query(
      `SELECT pg_terminate_backend(backend) FROM hub_lead
       WHERE backend <> 0 AND beat < clock_timestamp() - interval '${deafMs} milliseconds'`,
    )
    await clock.sleep(lookMs, signal)
  }
  return null
}

async function lead(
  client: pg.Client,
  broken: AbortController,
  { fence, askedAtMs: takenAtMs }: TakenLead,
  { clock, log, signal }: LeaderOptions,
  work: (lead: Lead) => Promise<void>,
): Promise<void> {
  const lost = new AbortController()
  const over = AbortSignal.any([broken.signal, signal, lost.signal])
  let validUntilMs = takenAtMs + validMs
  let isWorking = true
  const isValid = () => !broken.signal.aborted && !lost.signal.aborted && clock.now() < validUntilMs
  const beating = async () => {
    while (!over.aborted) {
      await clock.sleep(beatMs, over)
      if (over.aborted) break
      const askedAtMs = clock.now()
      try {
        const { rowCount } = await client.query(
          `UPDATE hub_lead SET beat = clock_timestamp() WHERE fence = $1 AND ${holdsLock}`,
          [fence],
        )
        if (rowCount !== 1) throw new Error(lockIsElsewhere)
        validUntilMs = askedAtMs + validMs
      } catch (error) {
        log(`the database does not hear who leads: ${errorText(error)}`)
        break
      }
      if (!isValid()) break
    }
    if (broken.signal.aborted && !signal.aborted && isWorking)
      log(`the lead is lost: ${errorText(broken.signal.reason)}`)
    lost.abort()
  }
  const working = work({ fence, isValid, lost: lost.signal }).finally(() => {
    isWorking = false
  })
  await Promise.all([working, beating()])
}
