import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { AnswerReport } from '../../src/api/transport.ts'
import { readSecret, Secret } from '../../src/base/secret.ts'
import { freePort } from '../fakes/free-port.ts'
import { type Answerer, errorOf, get, post, startServer, startTransport, token } from './stub-server.ts'

/** Everything an error, or a thing, can show of itself. */
function everythingOf(value: unknown): string {
  const shown = [inspect(value, { depth: 20, showHidden: true, getters: true }), JSON.stringify(value), String(value)]
  for (let error = value; error instanceof Error; error = error.cause) shown.push(error.message, error.stack ?? '')
  return shown.join('\n')
}

test('a key shows itself nowhere but where it is asked for', () => {
  const key = new Secret(token)
  expect(key.reveal()).toBe(token)
  expect(`${key} ${JSON.stringify({ key })} ${inspect({ key })}`).toBe('••• {"key":"•••"} { key: ••• }')
  expect(everythingOf({ key, list: [key] })).not.toContain(token)
  expect(Object.keys(key)).toEqual([])
  expect(key.redact(`no key ${token}, ${token}!`)).toBe('no key •••, •••!')
  expect(new Secret('').redact('nothing')).toBe('nothing')
})

test('a key is read without the spaces and line ends around it', () => {
  expect(readSecret(' \tabc-123\r\n')).toMatchObject({ ok: true })
  const read = readSecret('abc-123\n')
  expect(read.ok && read.value.reveal()).toBe('abc-123')
  expect(readSecret('\n')).toEqual({ ok: false, error: 'the key is empty' })
  for (const text of ['two\nlines', 'a b', 'ключ', 'a\u0000b']) {
    expect(readSecret(text).ok).toBe(false)
    expect(everythingOf(readSecret(text))).not.toContain(text)
  }
})

const echoes: [string, Answerer][] = [
  ['in its refusal', (response) => void response.writeHead(401).end(JSON.stringify({ error: `no such key ${token}` }))],
  ['in a broken body', (response) => void response.writeHead(200).end(`{"key":"${token}"`)],
  ['in a header', (response) => void response.writeHead(500, { 'x-api-token': token }).end(token)],
  ['in something that is not HTTP', (response) => void response.socket?.end(`${token}\r\n\r\n`)],
  [
    'before it breaks off',
    (response) => {
      response.writeHead(200, { 'content-length': '99' }).write(token)
      response.socket?.destroySoon()
    },
  ],
]
test.each(echoes)('a server that sends the key back %s does not get it shown', async (_name, answer) => {
  const reports: AnswerReport[] = []
  const server = await startServer(answer)
  const { transport } = startTransport(server.url, { retry: { count: 0 }, onAnswer: (report) => reports.push(report) })
  for (const call of [get, post]) {
    const result = await call(transport).then(
      () => null,
      (error: unknown) => error,
    )
    expect(everythingOf(result)).not.toContain(token)
  }
  expect(server.requests[0]?.headers['x-api-token']).toBe(token)
  expect(everythingOf([reports, transport])).not.toContain(token)
})

test('an error of the network carries no other error inside', async () => {
  const { transport } = startTransport(`http://127.0.0.1:${await freePort()}`, { retry: { count: 0 } })
  const error = await errorOf(post(transport))
  expect(error.cause).toBeUndefined()
  expect(everythingOf(error)).not.toContain(token)
})
