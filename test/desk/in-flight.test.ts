import { expect, test } from 'vitest'
import { createInFlight } from '../../src/desk/in-flight.ts'
import { eventually } from '../fakes/eventually.ts'

test('the end waits also for what the work that ends has led to', async () => {
  const { track, count, ended } = createInFlight((error) => {
    throw error
  })
  const withdrawal = Promise.withResolvers<void>()
  const remembering = Promise.withResolvers<void>()
  let isRemembered = false
  const remember = async () => {
    await remembering.promise
    isRemembered = true
  }
  track(withdrawal.promise.then(() => track(remember())))
  const end = ended().then(() => expect(isRemembered).toBe(true))
  withdrawal.resolve()
  await withdrawal.promise
  await eventually(() => expect(count()).toBe(1))
  remembering.resolve()
  await end
})
