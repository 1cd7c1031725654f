import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listenOn } from '../../../src/base/net/listen.ts'

test('a port that is taken is told with what else usually has it, and with what to type', async () => {
  const first = createServer()
  onTestFinished(() => void first.close())
  const port = Number(new URL(await listenOn(first, { host: '127.0.0.1', port: 0, flag: '--port' }, 'http')).port)
  const taken = (rival?: string) =>
    listenOn(createServer(), { host: '127.0.0.1', port, flag: '--port', rival: rival ?? null }, 'http')
  await expect(taken()).rejects.toThrow(
    `port ${port} is in use already; choose another with --port, or 0 for any free one`,
  )
  await expect(taken('pitdesk inbox serve')).rejects.toThrow(
    `port ${port} is in use already, as by pitdesk inbox serve, which usually has it too; choose another with ` +
      `--port ${port + 1}, or 0 for any free one`,
  )
})
