import type { Decimal } from './money.ts'

/**
 * Why the outcome of a write is unknown: no answer came; the answer is about another write; what the exchange reports
 * does not confirm a refusal (`unconfirmed`); or the answer was a yes, and it is not seen at the exchange (`unseen`).
 */
export type UnknownCause = 'noAnswer' | 'otherAnswer' | 'unconfirmed' | 'unseen'
/** Of a withdrawal also: answered as accepted, but the exchange has more than one that may be it (`several`). */
export type UnknownWithdrawalCause = UnknownCause | 'several'

/** How a write of unknown outcome was answered, as a clause. */
export const answeredAs = (cause: Exclude<UnknownWithdrawalCause, 'noAnswer'>, reason: string): string =>
  ({
    otherAnswer: `was answered with another one's data (${reason})`,
    unconfirmed: `was refused, but that is not confirmed (${reason})`,
    unseen: `was accepted, but is not seen at the exchange (${reason})`,
    several: `was accepted, but there is more than one (${reason})`,
  })[cause]

/** No byte was sent, so it has no effect. `missedTurn`: another process of the account may be sending now. */
export type NotSent = { kind: 'notSent'; reason: string; missedTurn?: true }

export const notSent = (reason: string): NotSent => ({ kind: 'notSent', reason })

/**
 * Why a write was refused, as a clause. `refusedFor` is given where that says nothing of what was asked for; missing
 * where the write itself was refused.
 */
export type Refusal = { reason: string; refusedFor?: 'tooManyCalls' | undefined }

/** Beginnings of the reason of a refusal for too many calls, by the exchange and by a hub. */
export const tooManyCalls = 'the exchange takes no more calls just now'
export const tooManyAtHub = "the hub's rate limit is reached (429)"

/** What a refusal on record was for. Older records, and orders that a hub reports as rejected, say it in words only. */
export const recordedRefusedFor = ({ reason, refusedFor }: Refusal): Refusal['refusedFor'] =>
  refusedFor ?? (reason.startsWith(tooManyCalls) || reason.startsWith(tooManyAtHub) ? 'tooManyCalls' : undefined)

/** A field of an answer that differs from what was sent: the wire's name, and both values as text. */
export type Mismatch = { field: string; sent: string; answered: string }

/** The difference of a field by its text, if any. */
export const differs = (field: string, sent: string, answered: string): Mismatch[] =>
  sent === answered ? [] : [{ field, sent, answered }]

/** The difference of an amount, if any: a field missing in the answer is none. */
export const amountDiffers = (field: string, sent: Decimal | null, answered: Decimal | null): Mismatch[] =>
  sent === null || answered === null || sent.eq(answered)
    ? []
    : [{ field, sent: sent.toFixed(), answered: answered.toFixed() }]

/** The differences as a clause: `sent side BUY, answered SELL; sent orderQty 0.05, answered 1`. */
export const mismatchText = (mismatches: readonly Mismatch[]): string =>
  mismatches.map(({ field, sent, answered }) => `sent ${field} ${sent}, answered ${answered}`).join('; ')
