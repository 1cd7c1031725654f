import type { TwoFactorRefusal } from './followed.ts'

/** What is known of two-factor authentication before a withdrawal is typed: that the last one was refused for want of it. Null: nothing. */
export function twoFactorWarning(refusal: TwoFactorRefusal | null): string | null {
  if (refusal === null) return null
  const time = new Date(refusal.atMs).toISOString().slice(0, 16).replace('T', ' ')
  return (
    `The last withdrawal (${time} UTC) was refused: the account has no two-factor authentication. Switch it on in the account's ` +
    "security settings on the exchange's web page; until then this one is refused too."
  )
}
