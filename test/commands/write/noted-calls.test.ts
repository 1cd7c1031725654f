import { expect, test } from 'vitest'
import type { ExchangeClient } from '../../../src/api/exchange-client.ts'
import { createNotedCalls } from '../../../src/commands/write/noted-calls.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

test('a cancel whose call is noted is still asked, when its turn comes, whether it may leave', async () => {
  const stops: unknown[] = []
  const client: Partial<ExchangeClient> = {
    cancelOrder: async (_orderId, _signal, stoppedNow) => void stops.push(stoppedNow?.()),
  }
  const noted = createNotedCalls(client as ExchangeClient, { clock: new FakeClock(0) })
  await noted.client.cancelOrder('7', undefined, () => 'the desk is halted')
  expect(stops).toEqual(['the desk is halted'])
})
