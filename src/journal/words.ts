import type { JournalEntry, WriteIntent } from './entry.ts'

/** What was to be sent, in few words: enough to find it by. */
function whatOf(intent: WriteIntent): string {
  switch (intent.kind) {
    case 'order':
      return `order ${intent.clientOrderId}`
    case 'cancel':
      return `cancel of order ${intent.orderId}`
    case 'cancelAll':
      return `cancel of all orders in ${intent.symbol ?? 'every symbol'}`
    case 'move':
      return `move of order ${intent.orderId} as ${intent.clientOrderId}`
    case 'withdrawal': {
      const { amount, currency, beneficiary } = intent.request
      return `withdrawal of ${amount === 'max' ? 'all' : amount.toFixed()} ${currency} to ${beneficiary}`
    }
  }
}

/** What became of it, as far as this desk knows. */
function endOf({ outcome, settlement }: JournalEntry): string {
  if (settlement !== null) return `resolved as ${settlement.how}${settlement.id === null ? '' : ` (${settlement.id})`}`
  if (outcome === null) return 'sent'
  switch (outcome.kind) {
    case 'accepted':
      return `accepted${outcome.id === null ? '' : ` as ${outcome.id}`}`
    case 'unknown':
      return 'sent, no answer'
    case 'notSent':
      return 'not sent'
    default:
      return outcome.kind
  }
}

/** Tells what left, or may have, while the disk did not take the record of it. */
export function notOnRecord(entry: JournalEntry, reason: string): string {
  const next =
    entry.intent.kind === 'cancel' || entry.intent.kind === 'cancelAll'
      ? ''
      : ' Do not resubmit: it is checked at the next start.'
  return `Not on record: ${whatOf(entry.intent)}, ${endOf(entry)}; ${reason}.${next}`
}

/** Tells that the disk has taken what it refused before. */
export const backOnRecord = (entry: JournalEntry): string => `Back on record: ${whatOf(entry.intent)}, ${endOf(entry)}.`
