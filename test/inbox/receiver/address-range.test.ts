import { expect, test } from 'vitest'
import { readAddressRange } from '../../../src/inbox/receiver/source-check.ts'

test.each([
  ['10.1.2.3', '10.1.2.3'],
  [' 10.1.2.3/8 ', '10.0.0.0/8'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3/120', '10.1.2.0/24'],
  ['FD00::0001', 'fd00::1'],
  ['fd00::1/8', 'fd00::/8'],
])('%s is %s', (text, value) => {
  expect(readAddressRange(text)).toEqual({ ok: true, value })
})

test.each([
  '',
  '10.1',
  '0x7f.1',
  '010.0.0.1/33',
  '010.1.2.3',
  '010.0.0.0/8',
  '1.2.3.256',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/8/8',
  '::ffff:10.0.0.1/20',
  'host',
  '1.2.3.4:80',
])('%s is no address and no range', (text) => {
  expect(readAddressRange(text)).toEqual({ ok: false, error: 'must be an address or a range such as 10.0.0.0/8' })
})
