import { backoffMs } from '../../base/backoff.ts'
import type { Clock } from '../../base/clock.ts'
import { errorText } from '../../base/text/error-text.ts'
import type { ForwardPlace, ForwardStore } from '../store/forward-store.ts'
import type { TroubleLog } from '../trouble-log.ts'

/** Duration of a lease without renewal, by the store's clock. */
export const leaseMs = 6_000
/** Interval at which the holder renews it. */
export const renewMs = 2_000
/** Interval at which others check. A dead host is replaced after at most `leaseMs + lookMs`. */
export const lookMs = 1_000

/** The right to forward to a target, while it is valid. */
export type Lease = {
  readonly fence: number
  /** The place that the store certainly has: one that has less was put back to an earlier state. */
  upTo: number
  /**
   * False once it may have expired: computed from before it was requested, in time that also runs while this process is
   * stopped. Checked before each attempt.
   */
  isValid(): boolean
  /** Aborted when another process holds it, or may. */
  readonly lost: AbortSignal
  /** Ends it here, without releasing it. */
  lose(): void
}

export type LeaseOptions = {
  store: Pick<ForwardStore, 'takeLease' | 'renewLease' | 'releaseLease'>
  target: string
  /** The holder's name for others. */
  holder: string
  /** Where to begin if nothing was ever forwarded. */
  begin: () => Promise<ForwardPlace>
  clock: Clock
  random: () => number
  log: (line: string) => void
  trouble: TroubleLog
  signal: AbortSignal
}

/**
 * Runs `work` each time this process gets the lease, until `signal`; then releases the lease. `work` must end soon
 * after the lease is lost or the signal comes.
 */
export async function whileLeased(options: LeaseOptions, work: (lease: Lease) => Promise<void>): Promise<void> {
  const { store, target, clock, random, log, trouble, signal } = options
  let failures = 0
  let isBeside = false
  while (!signal.aborted) {
    try {
      const lease = await take(options)
      failures = 0
      trouble.worked('forward: the store answers again')
      if (lease === null) {
        if (!isBeside) log('forward: another host forwards; standing by to take over when it ends')
        isBeside = true
        await clock.sleep(lookMs, signal)
        continue
      }
      if (isBeside) log('forward: this host forwards now')
      isBeside = false
      // Work that fails must not leave its lease to be renewed for ever: it would be given to nobody.
      await Promise.all([work(lease).finally(lease.lose), renewing(lease, options)])
      if (!signal.aborted) log('forward: lease lost, requesting it again')
      // Nothing is running any more. Does nothing if another process holds it.
      await store.releaseLease(target, lease.fence)
    } catch (error) {
      failures += 1
      trouble.failed(`forward: the store cannot be asked: ${errorText(error)}`)
      await clock.sleep(Math.min(backoffMs(failures, random()), leaseMs), signal)
    }
  }
}

/** A lease with the time until which it is certainly valid. */
type Running = Lease & { validUntilMs: number }

async function take({ store, target, holder, begin, clock }: LeaseOptions): Promise<Running | null> {
  const place = await begin()
  const askedAtMs = clock.now()
  const given = await store.takeLease({ target, holder, leaseMs, begin: place })
  if (given === null) return null
  const lost = new AbortController()
  const running: Running = {
    ...given,
    validUntilMs: askedAtMs + leaseMs,
    isValid: () => !lost.signal.aborted && clock.now() < running.validUntilMs,
    lost: lost.signal,
    lose: () => lost.abort(),
  }
  return running
}

/** Renews the lease until it is lost or `signal`; a store that does not answer in time makes it lost. */
async function renewing(lease: Running, { store, target, clock, trouble, signal }: LeaseOptions): Promise<void> {
  const over = AbortSignal.any([lease.lost, signal])
  for (;;) {
    await clock.sleep(renewMs, over)
    if (over.aborted) return
    const askedAtMs = clock.now()
    try {
      if (!(await store.renewLease(target, lease.fence, leaseMs, lease.upTo))) return lease.lose()
      lease.validUntilMs = askedAtMs + leaseMs
    } catch (error) {
      trouble.failed(`forward: the lease cannot be renewed: ${errorText(error)}`)
    }
    if (!lease.isValid()) return lease.lose()
  }
}
