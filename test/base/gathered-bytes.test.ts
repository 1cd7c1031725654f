import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GatheredBytes } from '../../src/base/gathered-bytes.ts'

const gathered = (pieces: readonly Buffer[]): GatheredBytes => {
  const bytes = new GatheredBytes()
  for (const piece of pieces) bytes.add(piece)
  return bytes
}

test('pieces are the body, whatever they are, and stay as they came', () => {
  const piece = fc.uint8Array({ maxLength: 9_000 }).map((bytes) => Buffer.from(bytes))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const before = pieces.map((each) => Buffer.from(each))
      const whole = gathered(pieces).whole()
      expect(whole).toEqual(Buffer.concat(pieces))
      expect(pieces).toEqual(before)
    }),
    { seed: 1, numRuns: 60 },
  )
})

test('a body byte by byte is kept in some kilobytes, and is crumbled when it is longer than an event', () => {
  const bytes = new GatheredBytes()
  const one = Buffer.from('x')
  for (let index = 0; index < 4_096; index += 1) bytes.add(one)
  expect(bytes.isCrumbled).toBe(false)
  expect(bytes.whole().buffer.byteLength).toBeLessThanOrEqual(16_384)
  bytes.add(one)
  expect(bytes.isCrumbled).toBe(true)
  expect(bytes.length).toBe(4_097)
})

test('a long body of small pieces that a program may send is not crumbled', () => {
  const pieces = Array.from({ length: 20_000 }, () => Buffer.from('{"price":1.25}, '))
  expect(gathered(pieces).isCrumbled).toBe(false)
  expect(gathered([]).whole()).toEqual(Buffer.alloc(0))
})
