import { expect, test } from 'vitest'
import { ExchangeError } from '../../../src/api/errors.ts'
import { Secret } from '../../../src/base/secret.ts'
import { orderRows } from '../../../src/commands/read/order-rows.ts'
import type { HubPlans } from '../../../src/wire/hub-plans.ts'
import { anOrder } from '../../fakes/orders.ts'
import { ocoTerms, planAfter, seen, stopSent } from '../../fakes/plans.ts'
import { quietIo } from '../../fakes/quiet-io.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'

const lost = () =>
  new ExchangeError({ kind: 'connectivity', method: 'GET', path: '/hub/plans', reason: 'reset', outcome: null })

const plan = planAfter('p1', ocoTerms, stopSent('plan-p1-1'), seen('plan-p1-1', {}))
const plans: HubPlans = { version: '1', plans: [{ plan, state: 'protected', why: '', refused: null }] }

/** Rows of orders behind a hub that answers with these in turn, and what was told beside them. */
function rowsAtHub(answers: (HubPlans | ExchangeError)[], isWatched: boolean) {
  const told: string[] = []
  let askedCount = 0
  const toRows = orderRows(
    'json',
    {
      settings: {
        profileName: 'firm',
        exchange: { kind: 'service', baseUrl: 'https://hub.example/v3', token: null },
      },
      token: new Secret(`pdh_${'a'.repeat(32)}`),
      client: {
        async fetchHubPlans() {
          askedCount += 1
          const answer = answers.shift()
          if (answer === undefined || answer instanceof ExchangeError) throw answer ?? lost()
          return answer
        },
      },
    },
    { ...quietIo({ HOME: temporaryFolder('home') }), printError: (text) => told.push(text) },
    isWatched,
  )
  const planOf = async (clientOrderId: string) => {
    const [row] = await toRows([anOrder({ clientOrderId })])
    return row?.plan
  }
  return { planOf, told, askedCount: () => askedCount }
}

test('the plans of a hub are asked for once for a list, whose pages are of one moment', async () => {
  const { planOf, told, askedCount } = rowsAtHub([plans], false)
  expect([await planOf('plan-p1-1'), await planOf('own'), await planOf('plan-p1-1')]).toEqual(['p1', undefined, 'p1'])
  expect([askedCount(), told]).toEqual([1, []])
})

test('while orders are watched a hub that fails costs no plan that is known, is told of once, and is asked again', async () => {
  const { planOf, told, askedCount } = rowsAtHub([plans, lost(), lost(), plans], true)
  expect(await planOf('plan-p1-1')).toBe('p1')
  expect(await planOf('new')).toBeUndefined()
  expect(await planOf('plan-p1-1')).toBe('p1')
  expect(await planOf('new')).toBeUndefined()
  expect(told).toEqual([expect.stringMatching(/^Plans of orders unknown: .+\.$/)])
  expect(await planOf('new')).toBeUndefined()
  expect(await planOf('new')).toBeUndefined()
  expect(askedCount()).toBe(4)
})
