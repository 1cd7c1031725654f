import { Decimal } from '../../src/domain/money.ts'
import type { PlanTerms } from '../../src/domain/plans/terms.ts'
import type { Row } from './every-call.ts'

export const terms: PlanTerms = {
  ...{ kind: 'trailing', symbol: 'BTC-USD', side: 'SELL', quantity: new Decimal('0.10'), stopPrice: null },
  ...{ trailBy: new Decimal('1E-8'), stepBy: new Decimal(1) },
}
const written =
  '"terms":{"kind":"trailing","symbol":"BTC-USD","side":"SELL","quantity":"0.1","trailBy":"0.00000001","stepBy":"1"}'
const done = '{"planId":"p3"}'

/** The calls about a firm's plans, as `rows` has those of the exchange; the answer is JSON text. */
export const planRows: Row[] = [
  [
    'fetchHubPlans',
    (c) => c.fetchHubPlans('1.7'),
    'GET /v3/hub/plans?known=1.7',
    '',
    '{"version":"1.7"}',
    { version: '1.7', plans: null },
  ],
  [
    'fetchHubPlans of all',
    (c) => c.fetchHubPlans(null),
    'GET /v3/hub/plans',
    '',
    '{"version":"2.1","plans":[]}',
    { plans: [] },
  ],
  [
    'askHubPlans to begin one',
    (c) => c.askHubPlans({ ask: 'add', terms }, 'a1').then((planId) => ({ planId })),
    'POST /v3/hub/plans',
    `{"askedAs":"a1",${written}}`,
    done,
    { planId: 'p3' },
  ],
  [
    'askHubPlans to change one',
    (c) => c.askHubPlans({ ask: 'edit', planId: 'p3', terms }, 'a1').then((planId) => ({ planId })),
    'POST /v3/hub/plans/p3/edit',
    `{${written}}`,
    done,
    { planId: 'p3' },
  ],
  [
    'askHubPlans to change one that was shown',
    (c) => c.askHubPlans({ ask: 'edit', planId: 'p3', terms, seen: terms }, 'a1').then((planId) => ({ planId })),
    'POST /v3/hub/plans/p3/edit',
    `{${written},${written.replace('terms', 'seen')}}`,
    done,
    { planId: 'p3' },
  ],
  [
    'askHubPlans to end one',
    (c) => c.askHubPlans({ ask: 'cancel', planId: 'p3', how: 'leave' }, 'a1').then((planId) => ({ planId })),
    'POST /v3/hub/plans/p3/cancel',
    '{"how":"leave"}',
    done,
    { planId: 'p3' },
  ],
  [
    'askHubPlans to let one go on',
    (c) => c.askHubPlans({ ask: 'resume', planId: 'p3' }, 'a1').then((planId) => ({ planId })),
    'POST /v3/hub/plans/p3/resume',
    '',
    done,
    { planId: 'p3' },
  ],
  [
    'askHubPlans to let one go on that was shown',
    (c) => c.askHubPlans({ ask: 'resume', planId: 'p3', seen: terms }, 'a1').then((planId) => ({ planId })),
    'POST /v3/hub/plans/p3/resume',
    `{${written.replace('terms', 'seen')}}`,
    done,
    { planId: 'p3' },
  ],
]
