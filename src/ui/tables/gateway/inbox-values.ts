import type { GatewayEvent, GatewayOrderState } from '../../../domain/gateway/event.ts'
import type { InboxOrder, InboxStep } from '../../../domain/gateway/inbox-order.ts'
import type { DeskState } from '../../../store/desk.ts'
import { clockAheadMs } from '../../text/moment.ts'
import type { Tone } from '../../text/theme.ts'

/**
 * How far a gateway's clock is ahead of the desk's time: the built-in practice gateway uses its exchange's clock, which
 * can be advanced; any other uses wall-clock time.
 */
export function aheadMsOf({ ahead: { wallMs, exchangeMs }, gateway }: Pick<DeskState, 'ahead' | 'gateway'>): number {
  return clockAheadMs(gateway.deliveries === null ? wallMs : exchangeMs)
}

/** `1 late`, `3 copies`; empty for none. */
const counted = (count: number, one: string, many: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : many}`

/** Inputs of an order's cells besides the order. */
export type InboxContext = {
  /** Orders with an event after this sequence number are unread. */
  readonly seenSequence: number
  /** Ids of orders that have been waiting too long. */
  readonly stuck: ReadonlySet<string>
  /** How far the gateway's clock is ahead of the desk's. */
  readonly aheadMs: number
}

export const isUnread = ({ lastSequence }: InboxOrder, { seenSequence }: InboxContext): boolean =>
  lastSequence > seenSequence

/** When the state shown was reached, by the gateway's clock. */
export const changedAtMs = ({ shown }: InboxOrder): number => Number(shown.orderStateUpdatedAt.epochNs / 1_000_000n)

/** When its last event was received. */
export const lastReceivedAtMs = ({ history, shownReceivedAtMs }: InboxOrder): number =>
  history.at(-1)?.receivedAtMs ?? shownReceivedAtMs

/** `250 USD->0.0038 BTC`; short, without the output amount, `250 USD->BTC`. */
export const exchangeText = ({ inputAmount, inputCurrency, outputAmount, outputCurrency }: GatewayEvent): string =>
  `${inputAmount.toFixed()} ${inputCurrency}->${outputAmount.toFixed()} ${outputCurrency}`
export const shortExchangeText = ({ inputAmount, inputCurrency, outputCurrency }: GatewayEvent): string =>
  `${inputAmount.toFixed()} ${inputCurrency}->${outputCurrency}`

/** States received after a later one: `PENDING late`. */
const lateText = ({ history }: InboxOrder): string =>
  history
    .filter(({ isLate }) => isLate)
    .map(({ event }) => `${event.orderState} late`)
    .join(', ')

/** What is unusual about an order: stuck, late states, copies, conflicting bodies. */
export function remarkOf(order: InboxOrder, { stuck }: InboxContext): string {
  const { copyCount, conflictCount, orderId } = order
  const parts = [
    stuck.has(orderId) ? 'STUCK' : '',
    counted(conflictCount, 'CONFLICT', 'CONFLICTS'),
    lateText(order),
    counted(copyCount, 'copy', 'copies'),
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** `remarkOf` at its shortest: the worst remark, with a plus if there are more. */
export function shortRemarkOf({ copyCount, conflictCount, lateCount, orderId }: InboxOrder, { stuck }: InboxContext) {
  const parts = [
    ...(stuck.has(orderId) ? ['STUCK'] : []),
    ...(conflictCount > 0 ? ['CONFL'] : []),
    ...(lateCount > 0 ? ['late'] : []),
    ...(copyCount > 0 ? ['dup'] : []),
  ]
  return parts.length > 1 ? `${parts[0]}+` : (parts[0] ?? '')
}

const tones: Readonly<Record<GatewayOrderState, Tone>> = {
  PENDING: 'warn',
  WITHDRAWING: 'warn',
  COMPLETED: 'dim',
  FAILED: 'bad',
}
export const toneOfState = (state: GatewayOrderState): Tone => tones[state]

/** One step of an order's history as a sentence: the state, its time, when it was received, and what was unusual. */
export function stepText(step: InboxStep): string {
  const { event, receivedAtMs, source, isLate, copies, conflicts } = step
  const parts = [
    `${event.orderState} at ${event.orderStateUpdatedAt.text}`,
    `received ${new Date(receivedAtMs).toISOString()} from ${source}`,
    ...(isLate ? ['late: a later state had come before'] : []),
    ...(copies > 0 ? [`came ${counted(copies, 'time more', 'times more')}`] : []),
    ...(conflicts > 0 ? [counted(conflicts, 'other body under its id', 'other bodies under its id')] : []),
    `event ${event.eventId}`,
  ]
  return parts.join(', ')
}
