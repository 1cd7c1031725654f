import type { ExchangeError } from '../api/exchange-error.ts'

const aboutTwoFactor = /two[\s-]*factor|\b2fa\b|\btotp\b/i

/** Where it is switched on; a clause. */
export const twoFactorAdvice =
  "switch it on in the security settings of the account, on the exchange's own web page, then send again"

/**
 * What a refused withdrawal says when it is for want of two-factor authentication on the account, with what to do, as a
 * clause; null for every other failure. A 403 in other words may be about the key, and is not taken for it.
 */
export function twoFactorRefusal({ status, path, outcome, words }: ExchangeError): string | null {
  if (outcome !== 'refused' || status !== 403 || path !== '/withdrawals') return null
  if (words !== null && !aboutTwoFactor.test(words)) return null
  return `the account has no two-factor authentication, and without it no money leaves it; ${twoFactorAdvice}`
}
