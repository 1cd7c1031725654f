import { clockText, minuteMs, utcDayStart } from '../../base/text/time-text.ts'
import { type Decimal, formatGrouped } from '../../domain/money.ts'
import type { Change, Worth } from '../../domain/positions/equity.ts'
import { percentText, portionText } from './amounts.ts'

/** A gain or a loss: `+120.50`, `-3.00`, `0.00`. */
export function signedUsd(usd: Decimal, decimals = 2): string {
  const text = formatGrouped(usd, decimals)
  return usd.gt(0) && /[1-9]/.test(text) ? `+${text}` : text
}

/** `104,233`; `≥104,233` if a holding has no known value, `?` if that value may be negative. */
export function worthAmount({ equityUsd, knownUsd, isAtLeast }: Worth, decimals = 0): string {
  if (equityUsd !== null) return formatGrouped(equityUsd, decimals)
  return isAtLeast ? `≥${formatGrouped(knownUsd, decimals)}` : '?'
}

/** The value with its currency: `104,233 USD`. */
export const worthText = (worth: Worth, decimals = 0): string => `${worthAmount(worth, decimals)} USD`

/** Two decimals below 10%, otherwise one. */
const shareDecimals = (share: Decimal): number => (share.abs().lt('0.1') ? 2 : 1)

/** A gain's share, `+1.2%`; empty if there is nothing to compare it with. */
export const shareText = (share: Decimal | null): string =>
  share === null ? '' : percentText(share, shareDecimals(share))

/** A part's share of the whole, `25.4%`; empty if the whole is unknown. */
export const partText = (share: Decimal | null): string =>
  share === null ? '' : portionText(share, shareDecimals(share))

/** `+120.50 +0.12%`; only the percentage in privacy mode; `?` if unknown. */
export function changeText(change: Change, isPrivate: boolean, decimals = 2): string {
  if (change.kind === 'unknown') return '?'
  const share = shareText(change.share)
  if (isPrivate) return share === '' ? '?' : share
  return share === '' ? signedUsd(change.usd, decimals) : `${signedUsd(change.usd, decimals)} ${share}`
}

/** The first prices of the day arrive a little after midnight, even on a desk that runs all night. */
const dayBeginsWithinMs = 5 * minuteMs

/** `since 01:22` for a gain that does not start with its UTC day: a desk started later knows nothing earlier. */
export function sinceText(change: Change): string {
  if (change.kind === 'unknown') return ''
  const isLate = change.sinceMs - utcDayStart(change.sinceMs) > dayBeginsWithinMs
  return isLate ? `since ${clockText(change.sinceMs).slice(0, 5)}` : ''
}

/** A gain has the color of bids, a loss that of asks. */
export const toneOfGain = (usd: Decimal | null): 'text' | 'bid' | 'ask' =>
  usd === null || usd.isZero() ? 'text' : usd.gt(0) ? 'bid' : 'ask'
