import { memoizeLast } from '../../../base/memoize.ts'
import type { Instrument } from '../../../domain/market/instrument.ts'
import { completedTimes, type FollowedDeposit, type FollowedWithdrawal } from '../../../domain/transfers/followed.ts'
import { type UsualTime, usualTime, type WhitelistEntry, type Withdrawal } from '../../../domain/transfers/transfer.ts'
import type { DeskState } from '../../../store/desk.ts'
import { ageText, exchangeAheadMs, wholeAgeText } from '../../text/moment.ts'
import { currencyScales } from '../../text/trade-words.ts'

/** What this machine observed of transfers, by id. */
type Records = ReadonlyMap<string, FollowedDeposit | FollowedWithdrawal>

/** How long transfers take, by currency; a currency without observed completions is missing. */
type UsualTimes = ReadonlyMap<string, UsualTime>

function usualTimes(records: Records): UsualTimes {
  const ended = completedTimes(records.values())
  const usual = new Map<string, UsualTime>()
  for (const currency of new Set(ended.map((each) => each.currency))) {
    const time = usualTime(ended, currency)
    if (time !== null) usual.set(currency, time)
  }
  return usual
}

/** The median of completed transfers of the currency, `usual 4m`; empty if there is none yet. */
export const usualText = (usual: UsualTimes, currency: string): string => {
  const time = usual.get(currency)
  return time === undefined ? '' : `usual ${wholeAgeText(time.medianMs)}`
}

/** Whether a transfer has been in progress longer than any observed to complete. */
export const isLate = (usual: UsualTimes, currency: string, underWayMs: number): boolean => {
  const time = usual.get(currency)
  return time !== undefined && underWayMs > time.longestMs
}

/** The usual time as a sentence: `median 4m, 9m at most (12 in BTC)`; empty if none has completed. */
export const usualSentence = (usual: UsualTimes, currency: string): string => {
  const time = usual.get(currency)
  if (time === undefined) return ''
  const { medianMs, longestMs, count } = time
  return `median ${ageText(medianMs)}, ${ageText(longestMs)} at most (${count} in ${currency})`
}

/** Inputs of a transfer's cells besides the transfer. */
export type TransfersContext<Followed = FollowedWithdrawal> = {
  /** Decimals of each currency. */
  scales: ReadonlyMap<string, number>
  /** Names of whitelist entries by id. */
  names: ReadonlyMap<string, string>
  /** What this machine observed of each, by the exchange's id. */
  followed: ReadonlyMap<string, Followed>
  usual: UsualTimes
  /** By whitelist entry id: when it was last paid, and how often; null until the withdrawals have arrived. */
  paid: ReadonlyMap<string, { lastMs: number | null; count: number }> | null
  /** How far the exchange's clock is ahead of the wall clock. */
  aheadMs: number
}

function paidFrom(withdrawals: readonly Withdrawal[] | null): TransfersContext['paid'] {
  if (withdrawals === null) return null
  const paid = new Map<string, { lastMs: number | null; count: number }>()
  for (const { beneficiary, state, timestampMs } of withdrawals) {
    if (state !== 'COMPLETED') continue
    const { lastMs, count } = paid.get(beneficiary) ?? { lastMs: null, count: 0 }
    const latest = timestampMs === null ? lastMs : Math.max(timestampMs, lastMs ?? timestampMs)
    paid.set(beneficiary, { lastMs: latest, count: count + 1 })
  }
  return paid
}

const contextFrom = <Followed extends FollowedDeposit | FollowedWithdrawal>() =>
  memoizeLast(
    (
      instruments: ReadonlyMap<string, Instrument> | null,
      whitelist: readonly WhitelistEntry[] | null,
      withdrawals: readonly Withdrawal[] | null,
      followed: ReadonlyMap<string, Followed>,
      aheadMs: number,
    ): TransfersContext<Followed> => ({
      aheadMs,
      scales: currencyScales(instruments),
      names: new Map((whitelist ?? []).map(({ whitelistId, name }) => [whitelistId, name])),
      followed,
      usual: usualTimes(followed),
      paid: paidFrom(withdrawals),
    }),
  )

type TransfersContextState = Pick<DeskState, 'instruments' | 'whitelist' | 'withdrawals' | 'followed' | 'ahead'>

const aheadOf = ({ ahead }: TransfersContextState): number => exchangeAheadMs(ahead)

const outFrom = contextFrom<FollowedWithdrawal>()
const inFrom = contextFrom<FollowedDeposit>()

/**
 * Returns the same object while its content is unchanged. Withdrawals and deposits share networks, but their usual
 * times differ.
 */
export const withdrawalsContext = (state: TransfersContextState): TransfersContext =>
  outFrom(
    state.instruments.value,
    state.whitelist.value,
    state.withdrawals.value,
    state.followed.withdrawals,
    aheadOf(state),
  )

export const depositsContext = (state: TransfersContextState): TransfersContext<FollowedDeposit> =>
  inFrom(state.instruments.value, state.whitelist.value, null, state.followed.deposits, aheadOf(state))
