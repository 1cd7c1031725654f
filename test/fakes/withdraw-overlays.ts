import { Decimal } from '../../src/domain/money.ts'
import type { WithdrawalDraft } from '../../src/domain/transfers/draft.ts'
import type { Withdrawal } from '../../src/domain/transfers/transfer.ts'
import type { DeskState } from '../../src/store/desk.ts'
import { emptyForm, type WithdrawOverlay } from '../../src/store/transfers/withdraw.ts'
import { aBalance } from './balances.ts'
import { deskNowMs } from './desk-state.ts'

const atMs = deskNowMs - 1_000
const form = { ...emptyForm, currency: 'BTC', whitelistId: 'wl_8f2c', amountText: '0.05' }

/** The withdraw form at each of its stages. */
export const withdrawOverlays = {
  currency: { kind: 'withdraw', form: emptyForm, field: 'currency', query: '', unlockedAtMs: null },
  beneficiary: {
    kind: 'withdraw',
    form: { ...form, whitelistId: null },
    field: 'beneficiary',
    query: '',
    unlockedAtMs: null,
  },
  amount: { kind: 'withdraw', form, field: 'amount', query: '', unlockedAtMs: null },
  blocked: {
    kind: 'withdraw',
    form: { ...form, amountText: '99.123456789' },
    field: 'amount',
    query: '',
    unlockedAtMs: null,
  },
  review: {
    kind: 'withdrawReview',
    form,
    reviewedAtMs: atMs,
    retyped: '0.0',
    confirmed: [],
    unlockedAtMs: null,
  },
  reviewAll: {
    kind: 'withdrawReview',
    form: { ...form, how: 'all', whitelistId: 'wl_11ab' },
    reviewedAtMs: atMs,
    retyped: 'all',
    confirmed: [],
    unlockedAtMs: null,
  },
  secret: {
    kind: 'withdrawSecret',
    purpose: { kind: 'approve', draftId: 'draft1', thenSend: { confirmed: [] } },
    length: 5,
    isChecking: false,
    sentence: 'Wrong passphrase or code.',
  },
} as const satisfies Record<string, WithdrawOverlay>

const withdrawal: Withdrawal = {
  withdrawalId: 'w-770',
  amount: new Decimal('0.1'),
  fee: new Decimal('0.0005'),
  currency: 'BTC',
  beneficiary: 'wl_8f2c',
  state: 'COMPLETED',
  timestampMs: deskNowMs - 86_400_000,
}

const draft: WithdrawalDraft = {
  draftId: 'draft1',
  currency: 'BTC',
  beneficiary: { whitelistId: 'wl_8f2c', name: 'cold-1' },
  amount: new Decimal('0.05'),
  createdAtMs: atMs,
  note: null,
  approval: { kind: 'wanted' },
  state: { kind: 'draft' },
}

const feed = <T>(value: T) => ({ value, atMs, failure: null })

/** What money can go out of, and whom to: with a new entry, a renamed one, and a fee that is known. */
export const withdrawData = (): Partial<DeskState> => ({
  balances: feed([aBalance('USD', '12004.11'), aBalance('BTC', '0.412'), aBalance('ETH', '3.1')]),
  whitelist: feed([
    { whitelistId: 'wl_8f2c', name: 'cold-1', currency: 'BTC' },
    { whitelistId: 'wl_11ab', name: 'ops wallet', currency: 'BTC' },
    { whitelistId: 'wl_77', name: 'hot-2', currency: 'BTC' },
    { whitelistId: 'wl_e1', name: 'vault', currency: 'ETH' },
  ]),
  withdrawals: feed([withdrawal]),
  drafts: [draft],
  withdrawalRules: {
    limits: {
      dayUsd: { soft: new Decimal('3000'), hard: null },
      dayPerCurrency: new Map(),
      approval: { kind: 'never' },
    },
    memory: new Map([
      ['wl_8f2c', { name: 'cold-1', currency: 'BTC', firstSeenMs: 0, trustedName: 'cold-1' }],
      ['wl_11ab', { name: 'ops wallet', currency: 'BTC', firstSeenMs: 0, trustedName: 'ops' }],
      ['wl_77', { name: 'hot-2', currency: 'BTC', firstSeenMs: deskNowMs - 3_600_000, trustedName: null }],
      ['wl_e1', { name: 'vault', currency: 'ETH', firstSeenMs: 0, trustedName: 'vault' }],
    ]),
    approver: 'Mona',
  },
})
