import type { Withdrawal, WithdrawalRequest } from '../../../src/domain/transfers/transfer.ts'
import type { WithdrawalRule } from '../../../src/domain/transfers/withdrawal-checks.ts'
import {
  type Reviewed,
  type WithdrawalReviewContext,
  withdrawalReview,
} from '../../../src/domain/transfers/withdrawal-review.ts'
import type { SentWithdrawal } from '../../../src/domain/transfers/withdrawn-today.ts'
import { amount } from '../../fakes/amounts.ts'
import { aBalance } from '../../fakes/balances.ts'
import { anInstrument } from '../../fakes/instruments.ts'
import { noWithdrawalLimits } from '../../fakes/limits.ts'

export const dayMs = 86_400_000
/** Noon of a UTC day. */
export const noonMs = 19_000 * dayMs + dayMs / 2

export const bounds = (soft: string | null, hard: string | null) => ({
  soft: soft === null ? null : amount(soft),
  hard: hard === null ? null : amount(hard),
})

export const aWithdrawal = (change: Partial<Withdrawal> = {}): Withdrawal => ({
  withdrawalId: 'x1',
  amount: amount('0.5'),
  fee: amount('0.0005'),
  currency: 'BTC',
  beneficiary: 'w1',
  state: 'COMPLETED',
  timestampMs: noonMs - 1_000,
  ...change,
})

export const aSent = (
  change: Partial<SentWithdrawal> = {},
  request: Partial<WithdrawalRequest> = {},
): SentWithdrawal => ({
  request: { currency: 'BTC', beneficiary: 'w1', amount: amount('0.5'), ...request },
  atMs: noonMs - 1_000,
  withdrawalId: null,
  isKnown: false,
  ...change,
})

/** A quiet day on an account with 3 BTC at 60,000 USD, 5,000 USD and 10 of a currency without a price. */
export const aContext = (change: Partial<WithdrawalReviewContext> = {}): WithdrawalReviewContext => ({
  whitelist: {
    kind: 'fresh',
    value: [
      { whitelistId: 'w1', name: 'cold', currency: 'BTC' },
      { whitelistId: 'w2', name: 'ops', currency: null },
    ],
  },
  balances: {
    kind: 'fresh',
    value: [
      aBalance('BTC', '3', { rate: '60000' }),
      aBalance('USD', '5000'),
      { ...aBalance('ODD', '10'), rate: amount('0') },
    ],
  },
  withdrawals: { kind: 'fresh', value: [] },
  instruments: new Map([['BTC-USD', anInstrument()]]),
  tickers: new Map([['BTC-USD', { symbol: 'BTC-USD', lastPrice: amount('60000'), price24h: null, volume24h: null }]]),
  sent: [],
  memory: null,
  limits: noWithdrawalLimits,
  approver: null,
  nowMs: noonMs,
  exchangeNowMs: noonMs,
  dayNowMs: noonMs,
  ...change,
})

/** BTC's last price is another currency's, while the balances carry its true rate of 60,000. */
export const swappedTicker: Partial<WithdrawalReviewContext> = {
  tickers: new Map([['BTC-USD', { symbol: 'BTC-USD', lastPrice: amount('0.16'), price24h: null, volume24h: null }]]),
}

export const reviewed = (request: Partial<WithdrawalRequest> = {}, change: Partial<Reviewed> = {}): Reviewed => ({
  request: { currency: 'BTC', beneficiary: 'w1', amount: amount('1'), ...request },
  approval: null,
  draftedName: null,
  ...change,
})

/** What one rule says: its level and its text. */
export function said(rule: WithdrawalRule, what: Reviewed, context: WithdrawalReviewContext): string {
  const check = withdrawalReview(what, context).find((each) => each.rule === rule)
  return check === undefined ? 'not judged' : `${check.level} ${check.text}`.trim()
}
