import { expect, test } from 'vitest'
import { isLoopbackHost } from '../../src/base/loopback.ts'

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
