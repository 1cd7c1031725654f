import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fetch } from 'undici'
import { expect, onTestFinished } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { startReceiver } from '../../../src/inbox/receiver/receiver.ts'
import type { Receiver, ReceiverSettings } from '../../../src/inbox/receiver/settings.ts'
import type { EventStore, Incoming, Recorded } from '../../../src/inbox/store/event-store.ts'
import { openSqliteStore } from '../../../src/inbox/store/sqlite-store.ts'
import { eventually } from '../../fakes/eventually.ts'
import { eventBody } from '../../fakes/memory-events.ts'
import { loopbackSettings } from './loopback-settings.ts'

/** A store whose disk a test can let fail or take long. */
export type TestStore = EventStore & {
  readonly batches: (readonly Incoming[])[]
  failure: Error | null
  hold(): () => void
}

export type Inbox = { receiver: Receiver; store: TestStore; log: string[]; port: number; end: () => Promise<void> }

function testStore(store: EventStore): TestStore {
  let held: Promise<void> = Promise.resolve()
  const batches: (readonly Incoming[])[] = []
  const own: TestStore = {
    ...store,
    batches,
    failure: null,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    async record(batch): Promise<readonly Recorded[]> {
      batches.push(batch)
      await held
      if (own.failure !== null) throw own.failure
      return store.record(batch)
    },
  }
  return own
}

/** Resolves once the receiver says that so many events wait for their commit. */
export async function untilWaiting({ receiver }: Inbox, count: number): Promise<void> {
  await eventually(async () => {
    const answer = await fetch(receiver.metricsUrl ?? '')
    expect(await answer.text()).toContain(`pitdesk_inbox_waiting ${count}\n`)
  })
}

/** For a receiver that serves its metrics, on a free port. */
export const metrics = { host: '127.0.0.1', port: 0 }

/** A receiver on loopback with a store of its own. */
export async function openInbox(settings: Partial<ReceiverSettings> = {}): Promise<Inbox> {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-receiver-'))
  const store = testStore(openSqliteStore({ path: join(folder, 'inbox.sqlite'), clock: systemClock }))
  const log: string[] = []
  const clear = async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const receiver = await startReceiver({ ...loopbackSettings(store, log), ...settings }).catch(
    async (error: unknown) => {
      await clear()
      throw error
    },
  )
  let ending: Promise<void> | null = null
  const end = () => {
    ending ??= receiver.stop().then(clear)
    return ending
  }
  return { receiver, store, log, port: Number(new URL(receiver.url).port), end }
}

/** The same for as long as the test goes on. */
export async function open(settings: Partial<ReceiverSettings> = {}): Promise<Inbox> {
  const inbox = await openInbox(settings)
  onTestFinished(() => inbox.end())
  return inbox
}

/** The body of an event of that id. */
export const event = (eventId: string, more: Record<string, unknown> = {}): string => eventBody({ eventId, ...more })

export type RawConnection = {
  readonly socket: Socket
  send(text: string): void
  /** Resolves with all that has come once it contains `text`. */
  until(text: string): Promise<string>
  /** Resolves with all that has come once the other side has ended the connection. */
  readonly ended: Promise<string>
}

/** A connection on which a test writes byte for byte what it wants; `from`: another of this machine's own addresses. */
export function rawConnection(port: number, from = '127.0.0.1'): RawConnection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, localAddress: from })
  let received = ''
  const ended = Promise.withResolvers<string>()
  const waiting: (() => void)[] = []
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    for (const look of waiting) look()
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    ended.resolve(received)
    for (const look of waiting) look()
  })
  return {
    socket,
    send: (text) => void socket.write(text),
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (received.includes(text)) resolve(received)
          else if (socket.closed) reject(new Error(`the connection ended after ${JSON.stringify(received)}`))
        }
        waiting.push(look)
        look()
      }),
    ended: ended.promise,
  }
}

/** Sends this on a connection of its own; resolves with what came until the other side ended it. */
export function exchange(port: number, text: string, from = '127.0.0.1'): Promise<string> {
  const connection = rawConnection(port, from)
  connection.send(text)
  return connection.ended
}

export const post = (body: string, headers: readonly string[] = []): string =>
  [
    'POST /hooks/orders HTTP/1.1',
    'Host: inbox',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n')

export const lastPost = (body: string, headers: readonly string[] = []): string =>
  post(body, ['Connection: close', ...headers])

/** The status of each answer in a text of several. */
export const statuses = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
