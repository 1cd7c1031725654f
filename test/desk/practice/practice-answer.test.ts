import { expect, test } from 'vitest'
import { answerWords, readAdminAnswer } from '../../../src/desk/practice/practice-admin.ts'

function words(json: string): string[] {
  const answer = readAdminAnswer(json)
  if (!answer.ok) throw new Error(answer.error)
  return answerWords(answer.value)
}

test('single values are one line with its ids, each item of a list another', () => {
  expect(words('{"depositId":"d-1","amount":"0.5","status":"UNCONFIRMED"}')).toEqual([
    'deposit id d-1, amount 0.5, status UNCONFIRMED',
  ])
  expect(words('{"name":"trader","keys":[{"keyId":1,"isVerified":true}],"whitelist":[]}')).toEqual([
    'name trader',
    'keys: key id 1, is verified yes',
    'whitelist: none',
  ])
  expect(words('{}')).toEqual(['done'])
})

test('what opens an account is not told', () => {
  const told = words('{"keyId":5,"token":"s3cret","partnerKey":"s3cret","webhookSecret":"s3cret"}').join()
  expect(told).toContain('key id 5')
  expect(told).not.toContain('s3cret')
})

test('nothing in an answer steers the terminal', () => {
  expect(words('{"name":"a\\u001b[2Jb\\u202e"}').join()).not.toMatch(/[\u001b\u202e]/)
})
