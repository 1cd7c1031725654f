import { expect, test } from 'vitest'
import { errorOfFailure, type HttpFailure } from '../../../src/api/errors.ts'
import { notSent } from '../../../src/domain/write-outcome.ts'
import { failedWrite, orderAnswer, withdrawalAnswer } from '../../../src/hub/writes/answers.ts'
import { failureSentence } from '../../../src/services/failure-sentences.ts'
import { aDraft } from '../../fakes/orders.ts'

const unsent: Omit<HttpFailure, 'fault'> = { kind: 'failure', wasSent: false, reason: 'it is so: nothing was sent' }

test('what a hub that does not lead did not send is answered with what happened and what to do, said once', () => {
  const error = errorOfFailure({ method: 'POST', path: '/orders' }, { ...unsent, fault: 'notLeading' })
  const words =
    'it is so: nothing was sent; once a hub leads again plans go on by themselves: send anything else again then'
  const answers = [failedWrite(error), orderAnswer(aDraft(), notSent(failureSentence(error)), 0)]
  for (const { status, body } of answers) expect([status, body]).toEqual([409, JSON.stringify({ error: words })])
})

test('what was not sent for another reason is answered with that reason, and that nothing was sent', () => {
  const error = errorOfFailure(
    { method: 'DELETE', path: '/orders/7' },
    { ...unsent, reason: 'no connection in time', fault: 'connectTimeout' },
  )
  expect(failedWrite(error)).toMatchObject({ status: 409, body: '{"error":"no connection in time: nothing was sent"}' })
})

test('a withdrawal that the exchange refused for too many calls is not answered as a wrong one', () => {
  const refused = { kind: 'rejected', reason: 'it takes no more calls' } as const
  expect(withdrawalAnswer(refused).status).toBe(400)
  expect(withdrawalAnswer({ ...refused, refusedFor: 'tooManyCalls' })).toMatchObject({
    status: 429,
    body: '{"error":"it takes no more calls"}',
  })
})
