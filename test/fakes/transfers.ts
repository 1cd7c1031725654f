import { Decimal } from '../../src/domain/money.ts'
import type { WithdrawalDraft } from '../../src/domain/transfers/draft.ts'
import { type FollowedTransfers, nothingFollowed } from '../../src/domain/transfers/followed.ts'
import type { Deposit, WhitelistEntry, Withdrawal } from '../../src/domain/transfers/transfer.ts'
import type { UnknownWrite } from '../../src/domain/unknown-write.ts'
import { arrived } from '../../src/store/feeds/feed.ts'

const minute = 60_000

export const aWithdrawal = (more: Partial<Withdrawal> = {}): Withdrawal => ({
  withdrawalId: 'w-771',
  amount: new Decimal('0.05'),
  fee: new Decimal('0.0005'),
  currency: 'BTC',
  beneficiary: 'wl_8f2c',
  state: 'PENDING',
  timestampMs: 0,
  ...more,
})

export const aDeposit = (more: Partial<Deposit> = {}): Deposit => ({
  depositId: 'd-90',
  amount: new Decimal('0.1'),
  currency: 'BTC',
  address: 'bc1qexample',
  txHash: null,
  state: 'UNCONFIRMED',
  timestampMs: 0,
  ...more,
})

export const aWithdrawalDraft = (more: Partial<WithdrawalDraft> = {}): WithdrawalDraft => ({
  draftId: 'd7k2',
  currency: 'ETH',
  beneficiary: { whitelistId: 'wl_3e01', name: 'cold-eth' },
  amount: 'max',
  createdAtMs: 0,
  note: null,
  approval: { kind: 'none' },
  state: { kind: 'draft' },
  ...more,
})

export const anUnknownWithdrawal = (more: Partial<UnknownWrite> = {}): UnknownWrite => ({
  key: 'withdrawal e1',
  kind: 'withdrawal',
  symbol: null,
  sentence: 'May be on its way: no answer for the withdrawal of 900 USDC to wl_11ab. Checking. Do not resubmit.',
  atMs: 0,
  order: null,
  question: null,
  ...more,
})

const entries: readonly WhitelistEntry[] = [
  { whitelistId: 'wl_8f2c', name: 'cold-1', currency: 'BTC' },
  { whitelistId: 'wl_8f2d', name: 'desk two', currency: 'BTC' },
  { whitelistId: 'wl_3e01', name: 'cold-eth', currency: 'ETH' },
  { whitelistId: 'wl_11ab', name: 'ops', currency: 'USDC' },
]

/**
 * An account in the middle of things: one withdrawal under way, one that may be, a draft, and a past with each end
 * there is.
 */
export function transfersAt(nowMs: number) {
  const ago = (minutes: number) => nowMs - minutes * minute
  const withdrawals = [
    aWithdrawal({ timestampMs: ago(6) }),
    aWithdrawal({
      withdrawalId: 'w-770',
      currency: 'USDC',
      amount: new Decimal('900'),
      fee: new Decimal('1'),
      beneficiary: 'wl_11ab',
      state: 'COMPLETED',
      timestampMs: ago(70),
    }),
    aWithdrawal({ withdrawalId: 'w-769', state: 'COMPLETED', amount: new Decimal('0.2'), timestampMs: ago(200) }),
    aWithdrawal({ withdrawalId: 'w-768', state: 'FAILED', amount: new Decimal('0.1'), timestampMs: ago(260) }),
    aWithdrawal({ withdrawalId: 'w-767', state: 'REFUNDED', amount: new Decimal('0.3'), timestampMs: ago(900) }),
    aWithdrawal({ withdrawalId: 'w-766', state: 'REJECTED', amount: new Decimal('0.4'), timestampMs: ago(4_000) }),
  ]
  const deposits = [
    aDeposit({ timestampMs: ago(4) }),
    aDeposit({
      depositId: 'd-89',
      currency: 'ETH',
      amount: new Decimal('2'),
      state: 'COMPLETED',
      timestampMs: ago(130),
      txHash: '0x5a01',
      address: '0x77aa',
    }),
    aDeposit({
      depositId: 'd-88',
      currency: 'XLM',
      amount: new Decimal('12000'),
      state: 'REJECTED',
      timestampMs: ago(1_500),
      address: 'GDQP2EXAMPLE:4411',
    }),
  ]
  const balance = (total: string, available: string, atMs: number) => ({
    balance: new Decimal(total),
    available: new Decimal(available),
    atMs,
  })
  const followed: FollowedTransfers = {
    ...nothingFollowed,
    withdrawals: new Map([
      [
        'w-769',
        {
          currency: 'BTC',
          history: [
            { state: 'PENDING', atMs: ago(200) + 1_000 },
            { state: 'COMPLETED', atMs: ago(196), lastLookMs: ago(196) - 5_000 },
          ],
          tookMs: 4 * minute,
          before: balance('0.6125', '0.6125', ago(200)),
          after: balance('0.412', '0.412', ago(196) + 2_000),
        },
      ],
      [
        'w-771',
        {
          currency: 'BTC',
          history: [{ state: 'PENDING', atMs: ago(6) + 1_000 }],
          tookMs: null,
          before: balance('0.412', '0.412', ago(6)),
          after: null,
        },
      ],
    ]),
    deposits: new Map([
      [
        'd-89',
        {
          currency: 'BTC',
          history: [{ state: 'COMPLETED', atMs: ago(118), lastLookMs: ago(118) - 5_000 }],
          tookMs: 12 * minute,
        },
      ],
    ]),
  }
  return {
    withdrawals,
    deposits,
    whitelist: entries,
    followed,
    drafts: [aWithdrawalDraft({ createdAtMs: ago(30) })],
    unknown: anUnknownWithdrawal({ atMs: nowMs - 20_000 }),
  }
}

/** What a desk has of them, asked for a moment ago. */
export function transferSlicesAt(nowMs: number) {
  const { withdrawals, deposits, whitelist, followed, drafts } = transfersAt(nowMs)
  const atMs = nowMs - 2_000
  return {
    withdrawals: arrived(withdrawals, atMs),
    deposits: arrived(deposits, atMs),
    whitelist: arrived(whitelist, atMs),
    followed,
    drafts,
  }
}
