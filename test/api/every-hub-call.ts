import { Decimal } from '../../src/domain/money.ts'
import { sample } from '../wire/samples.ts'
import { type Row, withdrawal } from './every-call.ts'

export const hubDraft = {
  ...{ draftId: 'd1', version: 2, revision: 1, madeBy: 'ann', createdAt: 5, currency: 'BTC', beneficiary: 'w1' },
  ...{ name: 'cold', amount: '0.5', note: null, key: null, approval: 'given', approvedBy: 'vic', approvedAt: 6 },
  state: 'draft',
}
const answer = JSON.stringify(hubDraft)
const dropped = JSON.stringify({ ...hubDraft, state: 'dropped', stateAt: 7 })
const rejected = JSON.stringify({ ...hubDraft, state: 'refused', stateAt: 7, reason: 'no' })
const content = {
  ...{ currency: 'BTC', beneficiary: 'w1', amount: new Decimal('0.50'), note: null, key: 'k' },
  wantsApproval: true,
}
const written = '"currency":"BTC","beneficiary":"w1","note":null,"key":"k","wantsApproval":true'
const madeOf = { madeBy: 'ann', approval: { kind: 'given', by: 'vic', atMs: 6 }, state: { kind: 'draft' } }

/** The same for what there is at a hub alone; the answer is JSON text. */
export const hubRows: Row[] = [
  [
    'fetchHubPerson',
    (c) => c.fetchHubPerson(),
    'GET /v3/hub/me',
    '',
    sample('hub-me'),
    { name: 'ann', role: 'trader' },
  ],
  [
    'fetchHubDrafts',
    (c) => c.fetchHubDrafts(),
    'GET /v3/hub/drafts',
    '',
    // One that cannot be read costs itself alone.
    JSON.stringify({ hub: 'h1', drafts: [{ ...hubDraft, approvedBy: '' }, hubDraft, { ...hubDraft, amount: '-1' }] }),
    { hub: 'h1', drafts: [madeOf], unreadable: [{}, {}] },
  ],
  [
    'fetchHubWhitelist',
    (c) => c.fetchHubWhitelist().then((known) => [...(known ?? [])]),
    'GET /v3/hub/whitelist',
    '',
    '{"entries":[{"whitelistId":"w1","name":"cold","currency":"BTC","firstSeen":1,"trustedName":"cold"},{"name":"?"}]}',
    [['w1', { name: 'cold', firstSeenMs: 1, trustedName: 'cold' }]],
  ],
  [
    'makeHubDraft',
    (c) => c.makeHubDraft('d1', content),
    'POST /v3/hub/drafts',
    `{${written},"draftId":"d1","amount":"0.5"}`,
    answer,
    madeOf,
  ],
  [
    'changeHubDraft',
    (c) => c.changeHubDraft('d1', 2, content),
    'PUT /v3/hub/drafts/d1',
    `{${written},"draftId":null,"amount":"0.5","version":2}`,
    answer,
    madeOf,
  ],
  [
    'dropHubDraft',
    (c) => c.dropHubDraft('d1', 2),
    'DELETE /v3/hub/drafts/d1',
    '{"version":2}',
    dropped,
    { ...madeOf, state: { kind: 'dropped', atMs: 7 } },
  ],
  [
    'approveHubDraft',
    (c) => c.approveHubDraft('d1', { terms: 't', signature: 's' }),
    'POST /v3/hub/drafts/d1/approve',
    '{"terms":"t","signature":"s"}',
    answer,
    madeOf,
  ],
  [
    'rejectHubDraft',
    (c) => c.rejectHubDraft('d1', 'no'),
    'POST /v3/hub/drafts/d1/reject',
    '{"reason":"no"}',
    rejected,
    { ...madeOf, state: { kind: 'refused', reason: 'no' } },
  ],
  [
    'sendHubDraft',
    (c) => c.sendHubDraft('d1', withdrawal),
    'POST /v3/hub/drafts/d1/send',
    '{"amount":0.1,"currency":"BTC","beneficiary":"b-1"}',
    sample('withdrawal'),
    { withdrawalId: '77' },
  ],
  [
    'haltHub',
    (c) => c.haltHub('x').then((halted) => ({ halted })),
    'POST /v3/hub/halt',
    '{"reason":"x"}',
    '{"halted":"x"}',
    { halted: 'x' },
  ],
  [
    'resumeHub',
    (c) => c.resumeHub().then((halted) => ({ halted })),
    'POST /v3/hub/resume',
    '{}',
    '{"halted":null}',
    { halted: null },
  ],
  [
    'fetchHubAudit',
    (c) => c.fetchHubAudit({ before: 9, limit: 2, person: 'ann' }),
    'GET /v3/hub/audit?before=9&limit=2&person=ann',
    '',
    '{"rows":[{"number":8,"at":1,"person":"ann","subject":null,"action":"a","sentence":"s","detail":"{}"},{"number":7}]}',
    { rows: [{ number: 8, person: 'ann' }], unreadable: [{}] },
  ],
]
