import { expect, test } from 'vitest'
import { addressParts } from '../../../src/domain/transfers/transfer.ts'

test('a tag stands apart from the address it belongs to, whatever that looks like', () => {
  expect(addressParts('rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe:4021')).toEqual({
    address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
    tag: '4021',
  })
  expect(addressParts('GA7QYNF7:memo text')).toEqual({ address: 'GA7QYNF7', tag: 'memo text' })
  expect(addressParts('practiceXLMhouse:100051')).toEqual({ address: 'practiceXLMhouse', tag: '100051' })
  // However long a memo is: money without it is lost.
  const memo = 'a memo of more than thirty letters'
  expect(addressParts(`rPT1SjqAYe:${memo}`)).toEqual({ address: 'rPT1SjqAYe', tag: memo })
  expect(addressParts(':4021')).toEqual({ address: ':4021', tag: null })
  expect(addressParts('house:100051')).toEqual({ address: 'house', tag: '100051' })
})

test('an address without a tag stays whole, also with the name of its scheme before it', () => {
  const cash = 'bitcoincash:qq07d3s9k4u8x7n7e9qj6m4eht0n5k7n3x8n0r8u2d'
  expect(addressParts('bc1q4f2')).toEqual({ address: 'bc1q4f2', tag: null })
  expect(addressParts(cash)).toEqual({ address: cash, tag: null })
  expect(addressParts(`${cash}:77`)).toEqual({ address: cash, tag: '77' })
  expect(addressParts('r9:')).toEqual({ address: 'r9:', tag: null })
})
