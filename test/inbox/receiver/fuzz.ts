import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { systemClock } from '../../../src/base/clock.ts'
import { createRandom } from '../../../src/base/random.ts'
import { startReceiver } from '../../../src/inbox/receiver/receiver.ts'
import type { EventStore } from '../../../src/inbox/store/event-store.ts'
import { openSqliteStore } from '../../../src/inbox/store/sqlite-store.ts'
import { loopbackSettings } from './loopback-settings.ts'
import { malformedBody } from './malformed.ts'

export type FuzzFigures = {
  sent: number
  /** Answers of 2xx: durable, or known before. */
  yes: number
  /** Other answers by status. */
  refused: Record<string, number>
  events: number
  copies: number
  conflicts: number
  quarantined: number
  /** Bodies that got a yes and are kept nowhere as they were. */
  lost: number
  /** Requests without an answer. */
  unanswered: number
  isAliveAfter: boolean
}

const atOnce = 64
const mark = (body: Uint8Array | string): string => createHash('sha256').update(body).digest('base64')

/** Sends `count` malformed bodies to a real receiver over a real store, and looks where each of them went. */
export async function fuzzInbox(count: number, seed: number): Promise<FuzzFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-fuzz-'))
  const store = openSqliteStore({ path: join(folder, 'inbox.sqlite'), clock: systemClock })
  const receiver = await startReceiver(loopbackSettings(store, []))
  const pool = new Pool(receiver.url, { connections: atOnce })
  try {
    const refused: Record<string, number> = {}
    const kept = new Set<string>()
    let unanswered = 0
    let yes = 0
    let next = 0
    const work = async () => {
      for (let index = next; index < count; index = next) {
        next += 1
        // A stream of its own for each, so that any of them can be made again.
        const body = malformedBody(index, createRandom(seed, `body ${index}`))
        const status = await send(pool, body, index)
        if (status === null) unanswered += 1
        else if (status < 200 || status >= 300) refused[status] = (refused[status] ?? 0) + 1
        else {
          yes += 1
          kept.add(mark(body))
        }
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    const health = await pool.request({ path: '/healthz', method: 'GET' })
    await health.body.dump()
    const found = await marksIn(store)
    const lost = [...kept].filter((each) => !found.has(each)).length
    return {
      sent: count,
      yes,
      refused,
      ...(await store.counts()),
      lost,
      unanswered,
      isAliveAfter: health.statusCode === 200,
    }
  } finally {
    await pool.destroy()
    await receiver.stop()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const types = [
  'application/json',
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=x',
  '',
]

async function send(pool: Pool, body: Buffer, index: number): Promise<number | null> {
  const type = types[index % types.length] ?? ''
  try {
    const answer = await pool.request({
      path: index % 7 === 0 ? '/%00..//events?x=%ff' : '/events',
      method: 'POST',
      headers: type === '' ? {} : { 'content-type': type },
      body,
    })
    await answer.body.dump()
    return answer.statusCode
  } catch {
    // A body that is too long may be cut off before all of it is sent: then there is a reset in the place of an answer.
    return null
  }
}

/** Every body that the store keeps, wherever it keeps it. */
async function marksIn(store: EventStore): Promise<Set<string>> {
  const found = new Set<string>()
  for (let after = 0; ; ) {
    const page = await store.events({ after, count: 1_000 })
    for (const { body, conflicts, eventId, sequence } of page) {
      found.add(mark(body))
      if (conflicts > 0) for (const each of await store.conflictsOf(eventId)) found.add(mark(each.body))
      after = sequence
    }
    if (page.length === 0) break
  }
  for (let after = 0; ; ) {
    const page = await store.quarantine({ after, count: 1_000 })
    for (const { body, sequence } of page) {
      found.add(mark(body))
      after = sequence
    }
    if (page.length === 0) return found
  }
}
