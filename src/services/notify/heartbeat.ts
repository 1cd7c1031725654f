import type { UserService } from '../../api/user-service.ts'
import { type Clock, calledOff } from '../../base/clock.ts'
import { statusReason } from './targets.ts'

type HeartbeatOptions = {
  service: UserService
  method: 'GET' | 'POST'
  everyMs: number
  clock: Clock
  tell: (level: 'info' | 'warn', sentence: string) => void
}

export type Heartbeat = {
  /** Why the last call failed; null when it did not, and before the first. */
  trouble(): string | null
  stop(): Promise<void>
}

/**
 * Calls the URL of a monitor at once and then in each interval, so that others notice when the calls stop. A failure is
 * reported once and delays nothing.
 */
export function startHeartbeat({ service, method, everyMs, clock, tell }: HeartbeatOptions): Heartbeat {
  const ended = new AbortController()
  let trouble: string | null = null
  const beat = async (): Promise<void> => {
    const reason = await beatOnce(service, method, ended.signal)
    if (ended.signal.aborted) return
    if (reason !== null && trouble === null)
      tell('warn', `heartbeat_url: call failed, ${reason}; trying again each time.`)
    if (reason === null && trouble !== null) tell('info', 'heartbeat_url: call accepted again.')
    trouble = reason
  }
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const beganMs = clock.now()
      await beat()
      await clock.sleep(Math.max(0, everyMs - (clock.now() - beganMs)), ended.signal)
    }
  }
  const running = run()
  return {
    trouble: () => trouble,
    async stop() {
      ended.abort(calledOff)
      await running
      await service.close()
    },
  }
}

/** Calls it once; null for a 2xx, otherwise why it failed. */
export async function beatOnce(
  service: UserService,
  method: 'GET' | 'POST',
  signal: AbortSignal,
): Promise<string | null> {
  const answer = await service.send({ method, headers: {}, body: method === 'POST' ? '' : null, signal })
  if (answer.kind === 'failure') return answer.reason
  return answer.status >= 200 && answer.status < 300 ? null : statusReason(answer.status)
}
