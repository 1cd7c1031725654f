import { expect, test } from 'vitest'
import { createExchangeClient, exchangeKeyHeader } from '../../src/api/exchange-client.ts'
import { Decimal } from '../../src/domain/money.ts'
import { digits } from '../wire/samples.ts'
import { withdrawal } from './every-call.ts'
import { hubDraft, hubRows } from './every-hub-call.ts'
import { terms as planTerms } from './every-plan-call.ts'
import { answerWith, errorOf, startServer, startTransport } from './stub-server.ts'

const atHub = { 'x-hub': '1' }

test.each(hubRows)('%s', async (_name, call, line, body, answer, part) => {
  const server = await startServer(answerWith(200, answer, atHub))
  const { transport } = startTransport(`${server.url}/v3`, { keyHeader: exchangeKeyHeader })
  const value = await call(createExchangeClient(transport))
  expect(server.requests.map((request) => `${request.method} ${request.url}`)).toEqual([line])
  expect(server.requests[0]?.body).toBe(body)
  expect(digits(value)).toMatchObject(part ?? {})
})

test('a draft is named where it is sent, and what no hub says of drafts is not believed', async () => {
  const hub = await startServer(answerWith(200, JSON.stringify(hubDraft), atHub))
  const client = createExchangeClient(startTransport(`${hub.url}/v3`).transport)
  expect(await errorOf(client.dropHubDraft('other', 1))).toMatchObject({
    kind: 'protocol',
    outcome: 'unknown',
    reason: expect.stringContaining('draft other was asked for'),
  })
  await errorOf(client.sendHubDraft('d1', withdrawal))
  expect(hub.requests.at(-1)?.url).toBe('/v3/hub/drafts/d1/send')
  const other = await startServer(answerWith(200, JSON.stringify({ hub: 'h', drafts: [] })))
  const there = createExchangeClient(startTransport(`${other.url}/v3`).transport)
  expect(await errorOf(there.fetchHubDrafts())).toMatchObject({ reason: 'the answer is not one of a hub' })
})

test('an answer that does not show what was asked for leaves it unknown', async () => {
  const terms = { currency: 'BTC', beneficiary: 'w1', amount: new Decimal('0.5'), note: null, key: null }
  const request = { ...terms, wantsApproval: false }
  const unapproved = { ...hubDraft, approval: 'wanted', approvedBy: undefined, approvedAt: undefined }
  const rows: [object, (client: ReturnType<typeof createExchangeClient>) => Promise<unknown>][] = [
    [{ ...hubDraft, amount: '5' }, (client) => client.makeHubDraft('d1', request)],
    [{ ...hubDraft, currency: 'ETH' }, (client) => client.makeHubDraft('d1', request)],
    [{ ...hubDraft, beneficiary: 'w2' }, (client) => client.changeHubDraft('d1', 1, request)],
    [hubDraft, (client) => client.dropHubDraft('d1', 1)],
    [unapproved, (client) => client.approveHubDraft('d1', { terms: 't', signature: 's' })],
    [hubDraft, (client) => client.rejectHubDraft('d1', null)],
    [{ halted: null }, (client) => client.haltHub('x')],
    [{ halted: 'y' }, (client) => client.haltHub('x')],
    [{ halted: 'x' }, (client) => client.resumeHub()],
    [{ planId: 'p4' }, (client) => client.askHubPlans({ ask: 'resume', planId: 'p3' }, 'a1')],
    [{ planId: 'p3', askedAs: 'a2' }, (client) => client.askHubPlans({ ask: 'add', terms: planTerms }, 'a1')],
  ]
  for (const [answer, call] of rows) {
    const hub = await startServer(answerWith(200, JSON.stringify(answer), atHub))
    const client = createExchangeClient(startTransport(`${hub.url}/v3`).transport)
    expect(await errorOf(call(client)), JSON.stringify(answer)).toMatchObject({ kind: 'protocol', outcome: 'unknown' })
  }
})

test('where nothing is to be written an approver still says yes or no, and nothing else leaves', async () => {
  const hub = await startServer(answerWith(200, JSON.stringify(hubDraft), atHub))
  const options = { mayWrite: () => false, mayDecide: () => true }
  const client = createExchangeClient(startTransport(`${hub.url}/v3`, options).transport)
  await client.approveHubDraft('d1', { terms: 't', signature: 's' })
  await errorOf(client.rejectHubDraft('d1', null))
  const held = [
    client.dropHubDraft('d1', 1),
    client.sendHubDraft('d1', withdrawal),
    client.createWithdrawal(withdrawal),
    client.makeHubDraft('approve', {
      ...{ currency: 'BTC', beneficiary: 'w', amount: 'max', note: null, key: null, wantsApproval: true },
    }),
    client.haltHub('x'),
    client.cancelOrder('d1/approve'),
  ]
  const elsewhere = client.approveHubDraft('../../orders', { terms: 't', signature: 's' })
  expect(await errorOf(elsewhere)).toMatchObject({ fault: 'badRequest', outcome: 'notSent' })
  for (const call of held) expect(await errorOf(call)).toMatchObject({ fault: 'readOnly', outcome: 'notSent' })
  expect(hub.requests.filter(({ method }) => method !== 'GET')).toHaveLength(2)
  const plain = createExchangeClient(startTransport(`${hub.url}/v3`, { mayWrite: () => false }).transport)
  expect(await errorOf(plain.rejectHubDraft('d1', null))).toMatchObject({ fault: 'readOnly' })
})
