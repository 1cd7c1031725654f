import { expect, test } from 'vitest'
import { err, ok } from '../../../src/base/result.ts'
import { firmRoutes } from '../../../src/desk/hub/hub-lead.ts'
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

test('the hub that leads resolves a write by the evidence that was read, and notes only what it resolved', async () => {
  const noted: unknown[] = []
  const decide = (key: string, verdict: string, id: string | null, seen?: string) =>
    Promise.resolve(seen === 'as shown' ? ok(`${key} ${verdict} ${id}`) : err('The evidence has changed.'))
  const valid = { query: () => Promise.resolve({ rows: [{ id: 1 }] }) }
  const routes = firmRoutes(() => ({ desk: { trading: { reconciliation: { decide } } } }) as never, {
    ...{ account: 'a', database: { id: 'h', pool: valid } as never, directory: { halted: () => null } },
    notes: { note: (event: unknown) => Promise.resolve(void noted.push(event)) },
  })
  const route = routes.find(({ path }) => path === '/hub/writes/:key/settle')
  const settle = (body: object) =>
    route?.handle({
      guest: root,
      params: { key: 'c1' },
      body: { text: JSON.stringify(body) },
    } as never) as Promise<Answer>
  expect(await settle({ verdict: 'notPlaced', evidence: 'of before' })).toMatchObject({ status: 409 })
  expect(noted).toEqual([])
  const shown = { verdict: 'placed', withdrawalId: 'w-1', evidence: 'as shown' }
  expect(await settle(shown)).toMatchObject({ status: 200, body: '{"settled":"c1 placed w-1"}' })
  const detail = { writeId: 'c1', verdict: 'placed', withdrawalId: 'w-1' }
  expect(noted).toEqual([{ person: 'root', action: 'settled', detail }])
})
