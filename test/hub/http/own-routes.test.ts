import { expect, test } from 'vitest'
import { ok } from '../../../src/base/result.ts'
import { noPersonLimits } from '../../../src/domain/hub/person-limits.ts'
import type { Answer } from '../../../src/http-server/route.ts'
import { type OwnRoutesContext, ownRoutes } from '../../../src/hub/http/own-routes.ts'
import type { Guest } from '../../../src/hub/writes/context.ts'

const root: Guest = { name: 'root', role: 'admin', limits: noPersonLimits, tokenDigest: 't', approvalKey: 'k' }

test('a resolution says which evidence was read, letter by letter; an older caller does not tell', async () => {
  const decided: unknown[] = []
  const context = {
    maySettle: () => Promise.resolve(true),
    decide: (...of: unknown[]) => {
      decided.push(of)
      return Promise.resolve(ok('Resolved.'))
    },
  } as unknown as OwnRoutesContext
  const route = ownRoutes(context).find(({ path }) => path === '/hub/writes/:key/settle')
  const settle = (body: object) =>
    route?.handle({
      ...{ guest: root, params: { key: 'c1' }, body: { text: JSON.stringify(body) } },
    } as unknown as Parameters<typeof route.handle>[0]) as Promise<Answer>
  const evidence = 'It lists "\t\u200b w-1".  '
  expect(await settle({ verdict: 'notPlaced', evidence })).toMatchObject({ status: 200 })
  expect(await settle({ verdict: 'placed', withdrawalId: 'w-1', evidence: null })).toMatchObject({ status: 200 })
  expect(await settle({ verdict: 'notPlaced' })).toMatchObject({ status: 200 })
  expect(await settle({ verdict: 'notPlaced', evidence: 7 })).toMatchObject({ status: 400 })
  expect(decided).toEqual([
    ['root', 'c1', 'notPlaced', null, evidence],
    ['root', 'c1', 'placed', 'w-1', undefined],
    ['root', 'c1', 'notPlaced', null, undefined],
  ])
})
