import { formatGrouped } from '../../domain/money.ts'
import type { Realized } from '../../domain/positions/position.ts'
import { isRealizedPartial, type KnownCounts, knownFees, knownGain } from '../../domain/positions/realized.ts'
import { hiddenAmount } from '../text/privacy.ts'
import { signedUsd } from '../text/worth.ts'

export const unknownMark = '?'

/** The known part, followed by `?` if there is an unknown part; `-` if there is neither. */
export const partly = (known: string | null, hasUnknown: boolean): string =>
  known === null ? (hasUnknown ? unknownMark : '-') : `${known}${hasUnknown ? unknownMark : ''}`

/** Realized P&L, by the same rule as `pitdesk pnl`; only `?` if none of it is known. */
export function gainedText(of: Pick<Realized, 'realizedUsd'> & KnownCounts, isPrivate: boolean): string {
  const known = knownGain(of)
  return partly(known === null ? null : isPrivate ? hiddenAmount : signedUsd(known), isRealizedPartial(of))
}

/** Fees, by the same rule. */
export function paidText(of: Pick<Realized, 'feesUsd'> & KnownCounts, isPrivate: boolean): string {
  const known = knownFees(of)
  return partly(known === null ? null : isPrivate ? hiddenAmount : formatGrouped(known, 2), of.unknownFeeCount > 0)
}
