import { type IncomingHttpHeaders, request } from 'node:http'
import { startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import type { WireMode } from '../../../src/wire/exact-json.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

/** An answer as it came: the body is text, and `json` reads it. */
export type HttpAnswer = { status: number; headers: IncomingHttpHeaders; text: string; json: unknown }

export type HttpCall = {
  method?: string
  path: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  /** Sends the body in chunks, without saying how long it is. */
  chunked?: boolean
  signal?: AbortSignal
}

/** One request over a connection of its own, written by hand: nothing of the desk's own client is in it. */
export function httpCall(
  baseUrl: string,
  { method = 'GET', path, headers = {}, body, chunked, signal }: HttpCall,
): Promise<HttpAnswer> {
  const { hostname, port } = new URL(baseUrl)
  const framing: Record<string, string> =
    chunked === true
      ? { 'transfer-encoding': 'chunked' }
      : body === undefined
        ? {}
        : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        headers: { ...framing, ...headers },
        agent: false,
        ...(signal === undefined ? {} : { signal }),
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: readJson(text) })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** 2026-03-10T12:00:00Z. */
export const noonMs = Date.UTC(2026, 2, 10, 12)

/** Bytes that are anything but random, and never the same twice. */
export function countingBytes(): (byteCount: number) => Uint8Array {
  let count = 0
  return (byteCount) => {
    count += 1
    const bytes = Buffer.alloc(byteCount)
    bytes.writeUInt32BE(count)
    return bytes
  }
}

export type Person = 'trader' | 'counterparty' | 'no2fa' | 'unverified'

/** A practice exchange without a market, on a clock that stands still at `noonMs`, with ways to call it. */
export async function openExchange(options: { wire?: WireMode; rateLimit?: number; market?: 'on' | 'off' } = {}) {
  const clock = new FakeClock(noonMs)
  const lines: string[] = []
  const sandbox = await startSandbox(
    { port: 0, gatewayPort: 0, adminPort: 0, seed: 1, market: 'off', ...options },
    { clock, randomBytes: countingBytes(), log: (line) => lines.push(line) },
  )
  const token = (person: Person) => sandbox.accounts.find(({ name }) => name === person)?.token ?? ''
  /** A call below the base path, by this person; a body that is no text is sent as JSON. */
  const call = (person: Person, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isText = typeof body === 'string' || body === undefined
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    return httpCall(sandbox.exchangeUrl, {
      method,
      path: `/v3${path}`,
      headers: { 'X-API-Token': token(person), ...type, ...headers },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    })
  }
  const get = (path: string, person: Person = 'trader') => call(person, 'GET', path)
  let orderCount = 0
  /** An order; what is left out is that of a small one to buy bitcoin, which rests where nothing else is. */
  const newOrder = (fields: Record<string, unknown>) => {
    orderCount += 1
    const usual = {
      clOrdId: `t${orderCount}`,
      ordType: 'LIMIT',
      symbol: 'BTC-USD',
      side: 'BUY',
      orderQty: 0.01,
      price: 60000,
    }
    return { ...usual, ...fields }
  }
  const place = (fields: Record<string, unknown>, person: Person = 'trader') =>
    call(person, 'POST', '/orders', newOrder(fields))
  const admin = (command: string, values: unknown = {}) =>
    httpCall(sandbox.adminUrl, {
      method: 'POST',
      path: `/${command}`,
      headers: { authorization: `Bearer ${sandbox.adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(values),
    })
  return { sandbox, clock, lines, token, call, get, newOrder, place, admin }
}
export type OpenExchange = Awaited<ReturnType<typeof openExchange>>
