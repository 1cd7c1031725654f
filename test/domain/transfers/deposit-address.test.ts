import { expect, test } from 'vitest'
import { addressParts } from '../../../src/domain/transfers/deposit-address.ts'

test('a tag stands apart from the address it belongs to', () => {
  expect(addressParts('rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe:4021')).toEqual({
    address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
    tag: '4021',
  })
  expect(addressParts('GA7QYNF7:memo text')).toEqual({ address: 'GA7QYNF7', tag: 'memo text' })
})

test('an address without a tag stays whole, also with the name of its scheme before it', () => {
  expect(addressParts('bc1q4f2')).toEqual({ address: 'bc1q4f2', tag: null })
  expect(addressParts('bitcoincash:qq07d3s9')).toEqual({ address: 'bitcoincash:qq07d3s9', tag: null })
  expect(addressParts('bitcoincash:qq07d3s9:77')).toEqual({ address: 'bitcoincash:qq07d3s9', tag: '77' })
  expect(addressParts('r9:')).toEqual({ address: 'r9:', tag: null })
})
