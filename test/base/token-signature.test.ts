import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secret } from '../../src/base/secret.ts'
import {
  approvalKeyOf,
  isTokenText,
  makeToken,
  signApproval,
  tokenDigest,
  verifyApproval,
} from '../../src/base/token-signature.ts'

const tokens = fc.uint8Array({ minLength: 24, maxLength: 24 }).map((bytes) => makeToken(() => Buffer.from(bytes)))

test('a token is pdh_ and 192 random bits, and its digest says nothing of it', () => {
  const asked: number[] = []
  const token = makeToken((count) => {
    asked.push(count)
    return randomBytes(count)
  })
  expect(asked).toEqual([24])
  expect(token).toMatch(/^pdh_[A-Za-z0-9_-]{32}$/)
  expect(isTokenText(token)).toBe(true)
  expect(['', 'pdh_', `${token}x`, ` ${token}`, token.replace('pdh', 'abc')].some(isTokenText)).toBe(false)
  expect(tokenDigest(token)).toMatch(/^[0-9a-f]{64}$/)
})

test('what a token signed is verified by its public key, for that text alone', () => {
  fc.assert(
    fc.property(tokens, tokens, fc.string(), fc.string(), (token, other, text, another) => {
      const [owner, stranger] = [new Secret(token), new Secret(other)]
      const key = approvalKeyOf(owner)
      const signature = signApproval(owner, text)
      expect(verifyApproval(key, text, signature)).toBe(true)
      expect(verifyApproval(key, another, signature)).toBe(another === text)
      expect(verifyApproval(approvalKeyOf(stranger), text, signature)).toBe(token === other)
      expect(key).not.toContain(token)
    }),
    { numRuns: 40 },
  )
})

test('the same token gives the same key on every machine and in every version', () => {
  const token = new Secret('pdh_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
  expect(approvalKeyOf(token)).toBe('U0ndBZi1KOYomG9GS2PjGQDmIcsLhoA4PXhjhYdPkxA')
  expect(signApproval(token, 'draft 1')).toBe(
    'LLVaLZm_6KHNvgAXniIb02aaltlu6JmXQ8w3uFdyXRLpM69GsYt8YAL7jhR-2xGQFo9YsEV7zOZuC__-gOo2Dw',
  )
})

test('whatever comes as key or signature is a no, and never an error', () => {
  const words = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    fc.stringMatching(/^[A-Za-z0-9_-]{86}$/),
    fc.constant('A'.repeat(43)),
    fc.constant('_'.repeat(43)),
  )
  fc.assert(
    fc.property(words, fc.string(), words, (key, text, signature) => {
      expect(verifyApproval(key, text, signature)).toBe(false)
    }),
  )
})

test('one letter of a signature changed is another signature', () => {
  const owner = new Secret(makeToken(randomBytes))
  const signature = signApproval(owner, 'text')
  for (let at = 0; at < signature.length - 1; at += 1) {
    const letter = signature[at] === 'A' ? 'B' : 'A'
    const changed = signature.slice(0, at) + letter + signature.slice(at + 1)
    expect(verifyApproval(approvalKeyOf(owner), 'text', changed)).toBe(false)
  }
})
