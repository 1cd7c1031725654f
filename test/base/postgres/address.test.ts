import { expect, test } from 'vitest'
import { readPostgresAddress, saying } from '../../../src/base/postgres/address.ts'

test.each([
  ['postgres://u:p@127.0.0.1:5/inbox', null],
  ['postgres://u@localhost/inbox', null],
  ['postgres://u:p@db.example/inbox', 'verify-full'],
  ['postgres://u:p@db.example/inbox?sslmode=require', 'verify-full'],
  ['postgres://u:p@127.0.0.1/inbox?sslmode=prefer', 'verify-full'],
  ['postgres://u:p@db.example/inbox?sslmode=disable', 'disable'],
  ['postgres://u:p@db.example/inbox?sslmode=no-verify', 'no-verify'],
  ['postgres:///inbox?host=db.example', 'verify-full'],
  ['postgres://u:p@127.evil.example/inbox', 'verify-full'],
  ['postgres:///inbox?host=127.evil.example', 'verify-full'],
  ['postgres:///inbox?host=127.0.0.1', null],
])('%s connects with sslmode %s, and is shown without user and password', (text, mode) => {
  const read = readPostgresAddress(text)
  if (!read.ok) throw new Error(read.error)
  expect(new URL(read.value.connection).searchParams.get('sslmode')).toBe(mode)
  expect(read.value.shown).toMatch(/^postgres:\/\/[a-z0-9.:]+\/inbox$/)
})

test.each([
  ['', /postgres:\/\/host\/database/],
  ['mysql://u:sesame@db.example/x', /postgres:\/\/host\/database/],
  ['postgres://u:sesame@db.example/x?sslmode=maybe', /sslmode must be one of/],
  ['postgres://u:sesame@db.example/x?sslkey=/nowhere/key.pem', /sslkey does not exist/],
])('%s is refused in a sentence without user and password', (text, sentence) => {
  const read = readPostgresAddress(text)
  if (read.ok) throw new Error('it was taken')
  expect(read.error).toMatch(sentence)
  expect(read.error).not.toContain('sesame')
})

test.each([
  ['', null],
  ['?connect_timeout=1', 1_000],
  ['?sslmode=disable&connect_timeout=600', 600_000],
])('an address with %j has %s ms for a connection', (words, ms) => {
  expect(readPostgresAddress(`postgres://db.example/x${words}`)).toMatchObject({ value: { connectMaxMs: ms } })
})

test.each(['', '0', '-1', '601', '1000', '4.5', '4s'])('a connect_timeout of %j is refused', (limit) => {
  const error = "The store's connect_timeout must be 1 to 600 seconds."
  expect(readPostgresAddress(`postgres://db.example/x?connect_timeout=${limit}`)).toEqual({ ok: false, error })
})

test('of several failures the first one is told', () => {
  expect(saying(new AggregateError([new Error('refused'), new Error('late')]))).toBe('refused')
  expect(saying('gone')).toBe('gone')
})
