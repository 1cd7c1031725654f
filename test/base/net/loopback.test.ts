import { expect, test } from 'vitest'
import { isLoopbackHost, stayingHere } from '../../../src/base/net/loopback.ts'

test.each(['localhost', '[::1]', '127.0.0.1', '127.8.4.255'])('%s is this machine', (host) => {
  expect(isLoopbackHost(host)).toBe(true)
})

test.each([
  '127.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.evil',
  '127.0.0',
  '127.0.0.256',
  '128.0.0.1',
  'localhost.evil.example',
  '[::2]',
  '',
])('%j is not this machine for sure', (host) => {
  expect(isLoopbackHost(host)).toBe(false)
})

test('localhost is never asked for: both of its addresses are known', async () => {
  expect(stayingHere('127.0.0.1')).toEqual({})
  expect(stayingHere('localhost.evil.example')).toEqual({})
  const { lookup } = stayingHere('localhost')
  if (lookup === undefined) throw new Error('localhost is looked up elsewhere')
  const asked = (options: { all?: boolean }) =>
    new Promise((resolve) => lookup('localhost', options, (...found) => resolve(found)))
  expect(await asked({})).toEqual([null, '127.0.0.1', 4])
  expect(await asked({ all: true })).toEqual([
    null,
    [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ],
  ])
})
