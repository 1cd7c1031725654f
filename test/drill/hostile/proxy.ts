import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Clock, systemClock } from '../../../src/base/clock.ts'
import { type Answer, callExchange, type Place } from './exchange.ts'
import { isObject, readWire, textOf } from './wire-json.ts'

/** What a call is about; everything else that is asked for is a `read`. */
export type Target =
  | 'place'
  | 'withdraw'
  | 'cancel'
  | 'cancelAll'
  | 'orderById'
  | 'withdrawalById'
  | 'list'
  | 'book'
  | 'read'
export const writeTargets: readonly Target[] = ['place', 'withdraw', 'cancel', 'cancelAll']

/** A call as it came to the proxy, and what became of it. */
export type Call = {
  no: number
  atMs: number
  method: string
  /** Below the base address, without the query. */
  path: string
  /** With its question mark; empty where there is none. */
  query: string
  body: string
  target: Target
  /** How often the exchange got it, and when first, in ms of the machine. */
  deliveredCount: number
  deliveredAtMs: number | null
  /** What the proxy did to it; null: it was passed on and answered as it should be. */
  distortion: string | null
  /** What the program was told; null: nothing whole. */
  answer: Answer | null
  hasEnded: boolean
}

/** What a treatment of a call may do. Nothing of it throws; where the program has hung up, answers go nowhere. */
export type Via = {
  call: Call
  /** Hands the call to the exchange, as often as it is called. */
  deliver(): Promise<Answer>
  /** Asks the exchange something else with the same key. */
  ask(path: string): Promise<Answer>
  answer(answer: Answer): void
  /** Half of the body, and the connection ends. */
  cutShort(answer: Answer): void
  /** The connection is reset. */
  cut(): void
  /** Time of the drill, in ms; not shortened when the program hangs up: what travels goes on travelling. */
  hold(ms: number): Promise<void>
}

export type Treatment = { kind: string; apply(via: Via): Promise<void> }

const patterns: ReadonlyArray<readonly [Target, RegExp]> = [
  ['place', /^POST \/orders$/],
  ['withdraw', /^POST \/withdrawals$/],
  ['cancel', /^DELETE \/orders\/[^/]+$/],
  ['cancelAll', /^DELETE \/orders$/],
  ['orderById', /^GET \/orders\/[^/]+$/],
  ['withdrawalById', /^GET \/withdrawals\/[^/]+$/],
  ['list', /^GET \/(orders|internal\/orders|withdrawals|trades|fills)$/],
  ['book', /^GET \/l[23]\//],
]

const targetOf = (method: string, path: string): Target =>
  patterns.find(([, pattern]) => pattern.test(`${method} ${path}`))?.[0] ?? 'read'

/** A proxy between programs and one exchange. It is honest until it is told otherwise. */
export class HostileProxy {
  readonly calls: Call[] = []
  /** What is done to a call; null: nothing. */
  plan: (call: Call) => Treatment | null = () => null
  readonly #server: Server
  readonly #place: Place
  readonly #clock: Clock
  readonly #watchers = new Set<() => void>()
  /** Calls under way: what a treatment holds back may outlive the program that asked. */
  readonly #underWay = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  #url = ''

  private constructor(place: Place, clock: Clock) {
    this.#place = place
    this.#clock = clock
    this.#server = createServer((request, response) => {
      const served = this.#serve(request, response).finally(() => this.#underWay.delete(served))
      this.#underWay.add(served)
    })
  }

  static async start(place: Place, clock: Clock): Promise<HostileProxy> {
    const proxy = new HostileProxy(place, clock)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    const address = proxy.#server.address()
    if (typeof address !== 'object' || address === null) throw new Error('the proxy has no address')
    proxy.#url = `http://127.0.0.1:${address.port}/v3`
    return proxy
  }

  /** The base address for programs. */
  get url(): string {
    return this.#url
  }

  /** Calls since the one of this number that change something. */
  writes(since = 0): Call[] {
    return this.calls.slice(since).filter(({ target }) => writeTargets.includes(target))
  }

  /** Resolves once a call that matches has come or changed; null when `maxMs` of the drill's time have passed. */
  async until(isIt: (call: Call) => boolean, since: number, maxMs: number): Promise<Call | null> {
    const late = new AbortController()
    const find = () => this.calls.slice(since).find(isIt) ?? null
    let wake = () => {}
    const watcher = () => wake()
    this.#watchers.add(watcher)
    const timer = this.#clock.sleep(maxMs, late.signal).then(() => {
      late.abort()
      wake()
    })
    while (find() === null && !late.signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    this.#watchers.delete(watcher)
    late.abort()
    await timer
    return find()
  }

  async stop(): Promise<void> {
    this.plan = () => null
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
    // Nothing reaches the exchange after this: it is stopped next.
    this.#stopping.abort()
    await Promise.all(this.#underWay)
  }

  #changed(): void {
    for (const watcher of [...this.#watchers]) watcher()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request
    const [whole = '', query] = url.split('?')
    const path = whole.replace(/^\/v3/, '')
    const body = await bodyOf(request)
    const call: Call = {
      ...{
        no: this.calls.length,
        atMs: this.#clock.now(),
        method,
        path,
        query: query === undefined ? '' : `?${query}`,
      },
      ...{
        body,
        target: targetOf(method, path),
        deliveredCount: 0,
        deliveredAtMs: null,
        distortion: null,
        answer: null,
        hasEnded: false,
      },
    }
    this.calls.push(call)
    const treatment = this.plan(call)
    call.distortion = treatment?.kind ?? null
    this.#changed()
    const via = this.#via(call, response)
    try {
      if (treatment === null) via.answer(await via.deliver())
      else await treatment.apply(via)
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error
    }
    call.hasEnded = true
    this.#changed()
  }

  #via(call: Call, response: ServerResponse): Via {
    const { method, path, query, body } = call
    const write = (answer: Answer, length: number) => {
      if (response.destroyed || response.headersSent) return
      response.writeHead(answer.status, {
        'content-type': 'application/json',
        'content-length': length,
        date: new Date(this.#clock.now()).toUTCString(),
      })
    }
    return {
      call,
      deliver: async () => {
        this.#stopping.signal.throwIfAborted()
        const answer = await callExchange(this.#place, { method, path: `${path}${query}`, body })
        call.deliveredCount += 1
        call.deliveredAtMs ??= systemClock.now()
        this.#changed()
        return answer
      },
      ask: async (other) => {
        this.#stopping.signal.throwIfAborted()
        return callExchange(this.#place, { method: 'GET', path: other, body: '' })
      },
      answer: (answer) => {
        call.answer = answer
        write(answer, Buffer.byteLength(answer.body))
        response.end(answer.body)
      },
      cutShort: (answer) => {
        const bytes = Buffer.from(answer.body)
        write(answer, bytes.length)
        response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy())
      },
      cut: () => void response.socket?.resetAndDestroy(),
      hold: (ms) => this.#clock.sleep(ms, this.#stopping.signal),
    }
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(Buffer.from(chunk))
  } catch {
    // Whoever asks was ended in the middle of it: what came counts, as at any server.
  }
  return Buffer.concat(chunks).toString()
}

/** A field of what was sent with a call, as text. */
export function sentField({ body }: Call, name: string): string | null {
  const value = readWire(body)
  return isObject(value) ? textOf(value[name]) : null
}
