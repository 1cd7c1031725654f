import { expect, test } from 'vitest'
import { newStateHome, openAdministered, runAdmin } from './admin-command.ts'

test('webhook register, deliveries, retry and rm', async () => {
  const { does, exchange } = await openAdministered()
  const { webhooks } = exchange.sandbox
  const arrived = (attemptCount: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (webhooks.delivery(1)?.attemptCount !== attemptCount) return
        end()
        resolve()
      }
      const end = webhooks.onChange(look)
    })
  const endpoint = { endpointId: 1, name: 'main', partner: 'practice', url: 'http://127.0.0.1:1/events' }
  expect(await does('webhook register http://127.0.0.1:1/events --name main')).toEqual(endpoint)
  const first = arrived(1)
  await does('gateway-order create BUY')
  await first
  const second = arrived(2)
  expect(await does('webhook retry 1')).toEqual({ tried: 1, passedOver: 0 })
  await second
  const words = 'the connection was refused'
  expect(await does('webhook deliveries --state pending --endpoint-id 1 --count 5')).toMatchObject({
    endpoints: [endpoint],
    deliveries: [{ deliveryId: '1', state: 'pending', attemptCount: 2, lastWords: words }],
  })
  expect(await does('webhook deliveries 1')).toMatchObject({ attempts: [{ words }, { words }] })
  expect(await does('webhook rm 1')).toEqual(endpoint)
  expect(await does('webhook deliveries')).toMatchObject({ endpoints: [], deliveries: [{ state: 'expired' }] })
})

test.each([
  ['webhook', '"webhook" needs one of register, rm, deliveries, retry'],
  ['webhook register', 'URL is missing'],
  ['webhook rm first', 'ENDPOINT-ID must be a whole number'],
  ['webhook deliveries --state lost', '--state must be one of pending, delivered, expired'],
  ['webhook deliveries --count 0', '--count must be a whole number from 1 to 1000'],
  ['webhook retry', 'DELIVERIES is missing'],
  ['webhook retry all', 'DELIVERIES must be a number, or a range'],
  ['webhook retry 40-12', 'DELIVERIES must be a range from a lower number'],
])('%s: exit code 2 and one sentence', async (line, sentence) => {
  const ran = await runAdmin(line.split(' '), { XDG_STATE_HOME: newStateHome() })
  expect([ran.exitCode, JSON.parse(ran.printed).error.kind]).toEqual([2, 'usage'])
  expect(ran.complained).toContain(sentence)
})

test('what the gateway refuses names the argument', async () => {
  const { environment } = await openAdministered()
  const ran = await runAdmin(['webhook', 'register', 'https://10.0.0.1/'], environment)
  expect([ran.exitCode, ran.complained]).toEqual([1, expect.stringContaining('URL must not be a private address')])
})
