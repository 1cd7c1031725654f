import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ownCall } from './administer.ts'

/** A server that resets the first `count` connections once they have asked, some in the middle of an answer. */
async function resetting(count: number): Promise<{ url: string; asked: () => number }> {
  let asked = 0
  const server: Server = createServer((request, response) => {
    asked += 1
    if (asked > count) return void response.end('{"is":"whole"}')
    if (asked % 2 === 0) response.writeHead(200, { 'content-length': '14' }).write('{"is"')
    setImmediate(() => request.socket.resetAndDestroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port }: AddressInfo = addressOf(server)
  return { url: `http://127.0.0.1:${port}/`, asked: () => asked }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address
}

test("a read of the drill's own outlives connections that are reset, before and within the answer", async () => {
  const { url, asked } = await resetting(4)
  const answer = await ownCall(url, { headers: {} })
  expect(`${answer.status} ${await answer.text()}`).toBe('200 {"is":"whole"}')
  expect(asked()).toBe(5)
})

test('a write is sent once, whatever becomes of it', async () => {
  const { url, asked } = await resetting(1)
  await expect(ownCall(url, { method: 'POST', headers: {}, body: '{}' })).rejects.toThrow('fetch failed')
  expect(asked()).toBe(1)
})
