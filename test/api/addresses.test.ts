import { expect, test } from 'vitest'
import { readBaseAddress } from '../../src/api/base-address.ts'
import { endpointPath } from '../../src/api/caller.ts'
import { queryText } from '../../src/api/request.ts'

test.each([
  ['https://api.example.com', 'https://api.example.com', ''],
  ['https://api.example.com/', 'https://api.example.com', ''],
  ['https://api.example.com:8443/v3', 'https://api.example.com:8443', '/v3'],
  [' https://api.example.com/some/where/v3/// ', 'https://api.example.com', '/some/where/v3'],
  ['http://127.0.0.1:4010/v3', 'http://127.0.0.1:4010', '/v3'],
  ['http://127.9.9.9', 'http://127.9.9.9', ''],
  ['http://localhost:4010', 'http://localhost:4010', ''],
  ['http://[::1]:4010/v3', 'http://[::1]:4010', '/v3'],
])('%s is where a service can be', (text, origin, pathPrefix) => {
  expect(readBaseAddress(text)).toEqual({ ok: true, value: { origin, pathPrefix } })
})

test.each([
  ['http://api.example.com/v3', 'plain http would send the key to api.example.com for all to read: use https'],
  ['http://192.168.1.5', 'plain http would send the key to 192.168.1.5 for all to read: use https'],
  ['http://0.0.0.0:4010', 'plain http would send the key to 0.0.0.0 for all to read: use https'],
  ['http://127.0.0.1.example.com', 'plain http would send the key to 127.0.0.1.example.com for all to read: use https'],
  ['http://localhost.example.com', 'plain http would send the key to localhost.example.com for all to read: use https'],
  ['ftp://127.0.0.1', 'the base address must begin with https://'],
  ['https://me:secret@api.example.com', 'the base address must not carry a user name or password'],
  ['https://api.example.com/v3?key=1', 'the base address must end with its path'],
  ['https://api.example.com/v3#top', 'the base address must end with its path'],
  ['api.example.com', 'the base address is not a URL: write it as https://host/path'],
  ['', 'the base address is not a URL: write it as https://host/path'],
])('%s is refused', (text, error) => {
  expect(readBaseAddress(text)).toEqual({ ok: false, error })
})

test('parts of a path are encoded, each as one segment', () => {
  expect(endpointPath`/symbols`).toEqual({ ok: true, value: '/symbols' })
  expect(endpointPath`/accounts/${'my/account?x=1'}/${'B#C ü'}`).toEqual({
    ok: true,
    value: '/accounts/my%2Faccount%3Fx%3D1/B%23C%20%C3%BC',
  })
  expect(endpointPath`/l2/${'\ud800'}`).toEqual({ ok: true, value: '/l2/%EF%BF%BD' })
})

test('a part that would turn the call into another one is refused', () => {
  for (const part of ['', '.', '..', '/', '../orders', '7/../', '..\\orders']) {
    expect(endpointPath`/orders/${part}`).toEqual({ ok: false, error: `"${part}" cannot be part of an address` })
  }
})

test('query fields without a value are left out, the others encoded', () => {
  expect(queryText({ symbol: 'A&B=C', from: 0, to: null })).toBe('?symbol=A%26B%3DC&from=0')
  expect(queryText({ symbol: null })).toBe('')
  expect(queryText({})).toBe('')
})
