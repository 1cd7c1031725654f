import { clockText, minuteMs, utcDayStart } from '../../base/time-text.ts'
import { type Decimal, formatGrouped } from '../../domain/money.ts'
import type { Change, Worth } from '../../domain/positions/equity.ts'
import { percentText, portionText } from './amounts.ts'

/** `+120.50`, `-3.00`, `0.00`: a gain or a loss. */
export function signedUsd(usd: Decimal, decimals = 2): string {
  const text = formatGrouped(usd, decimals)
  return usd.gt(0) && /[1-9]/.test(text) ? `+${text}` : text
}

/** `104,233`; `≥104,233` where something held has no known value, `?` where that may be owed. */
export function worthAmount({ equityUsd, knownUsd, isAtLeast }: Worth, decimals = 0): string {
  if (equityUsd !== null) return formatGrouped(equityUsd, decimals)
  return isAtLeast ? `≥${formatGrouped(knownUsd, decimals)}` : '?'
}

/** Worth with its currency: `104,233 USD`. */
export const worthText = (worth: Worth, decimals = 0): string => `${worthAmount(worth, decimals)} USD`

/** Two decimals where it is small. */
const shareDecimals = (share: Decimal): number => (share.abs().lt('0.1') ? 2 : 1)

/** `+1.2%` of a gain; empty where there is nothing to hold it to. */
export const shareText = (share: Decimal | null): string =>
  share === null ? '' : percentText(share, shareDecimals(share))

/** `25.4%` of a whole; empty where the whole is unknown. */
export const partText = (share: Decimal | null): string =>
  share === null ? '' : portionText(share, shareDecimals(share))

/** `+120.50 +0.12%`, in private the per cent alone; `?` where it is unknown. */
export function changeText(change: Change, isPrivate: boolean, decimals = 2): string {
  if (change.kind === 'unknown') return '?'
  const share = shareText(change.share)
  if (isPrivate) return share === '' ? '?' : share
  return share === '' ? signedUsd(change.usd, decimals) : `${signedUsd(change.usd, decimals)} ${share}`
}

/** The first prices of a desk that runs all night come a little after midnight. */
const dayBeginsWithinMs = 5 * minuteMs

/** `since 01:22` of a gain that does not begin with its UTC day: a desk that was started then knows nothing before. */
export function sinceText(change: Change): string {
  if (change.kind === 'unknown') return ''
  const isLate = change.sinceMs - utcDayStart(change.sinceMs) > dayBeginsWithinMs
  return isLate ? `since ${clockText(change.sinceMs).slice(0, 5)}` : ''
}

/** A gain is told in the color of bids, a loss in that of asks. */
export const toneOfGain = (usd: Decimal | null): 'text' | 'bid' | 'ask' =>
  usd === null || usd.isZero() ? 'text' : usd.gt(0) ? 'bid' : 'ask'
