import { createServer, type ServerResponse } from 'node:http'
import { request as fetchOver } from 'undici'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/base/clock.ts'
import type { Role } from '../../src/domain/hub/roles.ts'

/** What reached the hub: `target` is the path below its base address, with its query. */
type Seen = { method: string; target: string; isFresh: boolean; streamId: string | null }

type Kept = { status: number; body: string; atMs: number }

type Options = {
  /** The exchange behind it, with its path. */
  exchangeUrl: string
  clock: Pick<Clock, 'now'>
  role?: Role
  /** How old what it kept may be for a call that does not ask for fresh; any age unless given. */
  keptMaxMs?: number
  /** False for one that has no stream. */
  hasStream?: boolean
}

/** A hub in front of an exchange: it keeps what it read, says how old that is, and tells of it by a stream. */
export type FakeHub = {
  url: string
  seen: Seen[]
  /** How many reads it made of the exchange. */
  readCount(): number
  /** Knows the person by another role from now on, which need not be one that there is, and with these limits. */
  become(role: string, limits?: Readonly<Record<string, string>>): void
  /** Stands by for another one from now on, or leads again. */
  standBy(isStandby: boolean): void
  /** What is in front of it knows no way to it from now on, or does again. */
  loseRoute(isLost: boolean): void
  /** What comes in place of the age of an answer; null: the age. */
  sayAge(text: string | null): void
  /** Reads the exchange anew for everything subscribed to, and tells of it. */
  look(): Promise<void>
  /** Puts this on every stream. */
  say(text: string): void
  subscriptions(): string[]
  streamCount(): number
  /** Ends every stream, as a hub that goes down does. */
  endStreams(): void
  /** Takes no connection any more, and drops those there are. */
  stop(): Promise<void>
}

export async function startFakeHub(options: Options): Promise<FakeHub> {
  const { exchangeUrl, clock, keptMaxMs = Number.POSITIVE_INFINITY, hasStream = true } = options
  const seen: Seen[] = []
  const kept = new Map<string, Kept>()
  const streams = new Map<string, { response: ServerResponse; targets: Set<string> }>()
  let [streamNumber, readCount, isStandby, isLost] = [0, 0, false, false]
  let ageText: string | null = null
  let role: string = options.role ?? 'trader'
  let limits: Readonly<Record<string, string>> = {}
  let token = ''

  const ask = async (method: 'GET' | 'POST' | 'DELETE', target: string, body?: string): Promise<Kept> => {
    const headers = { 'x-api-token': token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const answer = await fetchOver(`${exchangeUrl}${target}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    return { status: answer.statusCode, body: await answer.body.text(), atMs: clock.now() }
  }
  const read = async (target: string): Promise<Kept> => {
    readCount += 1
    const answer = await ask('GET', target)
    kept.set(target, answer)
    return answer
  }
  const openStream = (response: ServerResponse) => {
    streamNumber += 1
    const id = `s${streamNumber}`
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-hub': '1' })
    response.write(`event: hello\ndata: {"stream":"${id}"}\n\n`)
    streams.set(id, { response, targets: new Set() })
    response.on('close', () => streams.delete(id))
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = 'GET', headers } = request
    const target = (request.url ?? '').replace(/^\/v3/, '')
    const isFresh = headers['x-hub-fresh'] === '1'
    const streamId = typeof headers['x-hub-stream'] === 'string' ? headers['x-hub-stream'] : null
    seen.push({ method, target, isFresh, streamId })
    const mark = { 'x-hub': '1', 'content-type': 'application/json' }
    if (isLost) {
      response.writeHead(404).end('default backend - 404')
      return
    }
    if (isStandby) {
      const words = '{"error":"this hub stands by: nothing was sent"}'
      response.writeHead(503, { ...mark, 'x-hub-standby': '1', 'retry-after': '1' }).end(words)
      return
    }
    token = String(headers['x-api-token'])
    if (target === '/stream' && !hasStream) response.writeHead(404, mark).end()
    else if (target === '/stream') openStream(response)
    else if (target === '/hub/me')
      response.writeHead(200, mark).end(JSON.stringify({ name: 'ann', role, limits, account: 'desk' }))
    else if (method === 'GET') {
      const known = kept.get(target)
      const isKept = known !== undefined && !isFresh && clock.now() - known.atMs <= keptMaxMs
      const { status, body, atMs } = isKept ? known : await read(target)
      if (streamId !== null) streams.get(streamId)?.targets.add(target)
      response.writeHead(status, { ...mark, 'x-hub-age-ms': ageText ?? `${clock.now() - atMs}` }).end(body)
    } else {
      const body = Buffer.concat(chunks).toString()
      const { status, body: answer } = await ask(
        method === 'POST' ? 'POST' : 'DELETE',
        target,
        body === '' ? undefined : body,
      )
      response.writeHead(status, mark).end(answer)
    }
  })
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(stop)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the hub has no port')
  const targets = () => [...new Set([...streams.values()].flatMap((stream) => [...stream.targets]))]
  return {
    url: `http://127.0.0.1:${address.port}/v3`,
    seen,
    readCount: () => readCount,
    become(next, nextLimits = {}) {
      role = next
      limits = nextLimits
    },
    standBy(is) {
      isStandby = is
    },
    loseRoute(is) {
      isLost = is
    },
    sayAge(text) {
      ageText = text
    },
    async look() {
      for (const target of targets()) {
        const before = kept.get(target)
        const { body } = await read(target)
        const told = before?.body === body ? ['same', { target, ageMs: 0 }] : ['answer', { target, ageMs: 0, body }]
        for (const { response, targets: own } of streams.values())
          if (own.has(target)) response.write(`event: ${told[0]}\ndata: ${JSON.stringify(told[1])}\n\n`)
      }
      for (const { response } of streams.values()) response.write(': alive\n\n')
    },
    say(text) {
      for (const { response } of streams.values()) response.write(text)
    },
    subscriptions: targets,
    streamCount: () => streams.size,
    endStreams() {
      for (const { response } of streams.values()) response.destroy()
    },
    stop,
  }
}
