import { Pool } from 'undici'
import { systemClock } from '../../src/base/clock.ts'
import type { Random } from '../../src/base/random.ts'
import { errorCode } from '../../src/base/text/error-text.ts'
import type { Delivery } from './inbox-events.ts'

export type Sent = {
  attempts: number
  /** Answers of 2xx, those that were thrown away too. */
  yes: number
  /** Answers of 2xx that were taken for time-outs, so that the same body went out once more. */
  unheard: number
  /** Sent again although the answer had been heard. */
  duplicates: number
  cutOff: number
  refused: number
}

const atOnce = 64

/** Times as long as usual that a worker waits where nobody listens: what is killed needs the processor to start. */
const nobodyFactor = 6

/**
 * Delivers each body until it has been heard to be recorded, as the gateway does, with everything that goes wrong on
 * the way: answers that are lost, connections that end in the middle, the same body twice. `onYes` is told of every 2xx
 * that came.
 */
export async function deliverAll(
  address: URL,
  deliveries: readonly Delivery[],
  random: Random,
  onYes: (delivery: Delivery) => void,
): Promise<Sent> {
  const pool = new Pool(address.origin, { connections: atOnce, pipelining: 1 })
  const sent: Sent = { attempts: 0, yes: 0, unheard: 0, duplicates: 0, cutOff: 0, refused: 0 }
  const queue = [...deliveries].reverse()
  let isListening = true

  async function attempt(delivery: Delivery): Promise<boolean> {
    sent.attempts += 1
    const cut = new AbortController()
    const ended = new AbortController()
    if (random.chance(0.02)) void systemClock.sleep(random.integer(1, 4), ended.signal).then(() => cut.abort())
    try {
      const answer = await pool.request({
        path: '/events',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: delivery.body,
        signal: cut.signal,
      })
      isListening = true
      await answer.body.dump()
      if (answer.statusCode < 200 || answer.statusCode >= 300) {
        sent.refused += 1
        return false
      }
      sent.yes += 1
      onYes(delivery)
      return true
    } catch (error) {
      // Killed, not there yet, or cut off by this sender itself: in each case it must go out again.
      isListening = errorCode(error) !== 'ECONNREFUSED'
      sent.cutOff += 1
      return false
    } finally {
      ended.abort()
    }
  }

  async function work(): Promise<void> {
    for (let delivery = queue.pop(); delivery !== undefined; delivery = queue.pop()) {
      const isHeard = await attempt(delivery)
      if (!isHeard) {
        await systemClock.sleep(random.integer(5, 40) * (isListening ? 1 : nobodyFactor))
        queue.splice(random.integer(0, queue.length), 0, delivery)
      } else if (random.chance(0.03)) {
        sent.unheard += 1
        queue.splice(random.integer(0, queue.length), 0, delivery)
      } else if (random.chance(0.05)) {
        sent.duplicates += 1
        await attempt(delivery)
      }
    }
  }

  await Promise.all(Array.from({ length: atOnce }, work))
  await pool.close()
  return sent
}
