import { describe, expect, test } from 'vitest'
import { readEndpointUrl, refusedAddress, resolveByDns } from '../../../../src/sandbox/gateway/sender/post.ts'

const strict = { allowsLoopback: false }
const sandbox = { allowsLoopback: true }

describe('addresses', () => {
  test.each(['8.8.8.8', '34.76.54.194', '172.15.255.255', '172.32.0.1', '2001:4860:4860::8888', '::ffff:8.8.8.8'])(
    '%s is on the public internet',
    (address) => {
      expect(refusedAddress(address, strict)).toBeNull()
    },
  )

  test.each([
    ['10.0.0.1', 'a private address'],
    ['172.16.0.1', 'a private address'],
    ['172.31.255.255', 'a private address'],
    ['192.168.1.1', 'a private address'],
    ['100.64.0.1', 'a private address'],
    ['fd00::1', 'a private address'],
    ['fc00::1', 'a private address'],
    ['fec0::1', 'a private address'],
    ['169.254.169.254', 'a link-local address'],
    ['fe80::1', 'a link-local address'],
    ['224.0.0.1', 'a multicast address'],
    ['239.255.255.255', 'a multicast address'],
    ['ff02::1', 'a multicast address'],
    ['255.255.255.255', 'a broadcast address'],
    ['0.0.0.0', 'not an address of a host'],
    ['0.1.2.3', 'not an address of a host'],
    ['::', 'not an address of a host'],
    ['::ffff:10.0.0.1', 'a private address'],
    ['::ffff:a9fe:a9fe', 'a link-local address'],
    ['::ffff:0.0.0.0', 'not an address of a host'],
    ['::a00:1', 'an address for special use'],
    ['64:ff9b::a00:1', 'an address for special use'],
    ['2002:a00:1::', 'an address for special use'],
    ['2001::1', 'an address for special use'],
    ['2001:db8::1', 'an address for special use'],
    ['192.0.2.1', 'an address for special use'],
    ['198.18.0.1', 'an address for special use'],
    ['240.0.0.1', 'an address for special use'],
    ['4000::1', 'an address for special use'],
    ['partner.example', 'not an address'],
  ])('%s is refused everywhere: %s', (address, what) => {
    expect(refusedAddress(address, strict)).toBe(what)
    expect(refusedAddress(address, sandbox)).toBe(what)
  })

  test.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'])(
    '%s is allowed in the sandbox only',
    (address) => {
      expect(refusedAddress(address, strict)).toBe('a loopback address')
      expect(refusedAddress(address, sandbox)).toBeNull()
    },
  )
})

describe('addresses of endpoints', () => {
  test.each([
    ['https://partner.example/events?kind=all', 'https://partner.example/events?kind=all'],
    ['https://partner.example:8443', 'https://partner.example:8443/'],
    ['https://8.8.8.8/x', 'https://8.8.8.8/x'],
    ['http://127.0.0.1:9000/x', 'http://127.0.0.1:9000/x'],
    ['http://localhost:9000/x', 'http://localhost:9000/x'],
    ['http://[::1]:9000/x', 'http://[::1]:9000/x'],
    // Spellings of 127.0.0.1 that a URL knows.
    ['http://2130706433/x', 'http://127.0.0.1/x'],
  ])('%s is taken', (written, url) => {
    expect(readEndpointUrl(written, sandbox)).toEqual({ ok: true, value: url })
  })

  test.each([
    ['', 'must be a whole address'],
    ['partner.example/events', 'must be a whole address'],
    ['ftp://partner.example/', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['http://partner.example/', 'must begin with https://, unless it is on this machine'],
    ['http://8.8.8.8/', 'must begin with https://, unless it is on this machine'],
    ['https://me:secret@partner.example/', 'must not hold a user name or a password'],
    ['https://partner.example/#part', 'must not have a part after #'],
    ['https://10.0.0.1/', 'must not be a private address'],
    ['https://0xa9fea9fe/', 'must not be a link-local address'],
    ['https://[::ffff:192.168.0.1]/', 'must not be a private address'],
    [`https://partner.example/${'x'.repeat(2_000)}`, 'must be a whole address'],
  ])('%s is not', (written, error) => {
    expect(readEndpointUrl(written, sandbox)).toEqual({ ok: false, error: expect.stringContaining(error) })
  })

  test('outside the sandbox this machine is like any other private place', () => {
    expect(readEndpointUrl('http://127.0.0.1/', strict).ok).toBe(false)
    expect(readEndpointUrl('https://127.0.0.1/', strict)).toEqual({
      ok: false,
      error: 'must not be a loopback address',
    })
  })
})

test('this machine is known by name without asking anybody', async () => {
  for (const name of ['localhost', 'inbox.localhost'])
    expect((await resolveByDns(name)).map(({ address }) => address)).toEqual(['127.0.0.1', '::1'])
})
