import type { Order } from '../../domain/orders/order.ts'
import { completeOrderSentence, explainIntent, readOrderSentence } from '../../domain/orders/sentence.ts'
import type { OrderIntent, SentenceContext } from '../../domain/orders/sentence-clauses.ts'
import type { DeskState } from '../desk.ts'
import { cancelRefusal } from '../mode.ts'
import type { CancelTarget } from './palette.ts'
import { type Reading, type SentenceReader, wordsOf } from './sentence.ts'

const contextOf = ({ instruments, symbol }: DeskState): SentenceContext => ({
  instruments: instruments.value ?? new Map(),
  symbol,
})

/** How many orders a sentence means, as far as the list has answered. */
function meantWords(orders: readonly Order[] | null, target: CancelTarget): string {
  if (orders === null) return 'Your orders are not loaded yet.'
  const count = orders.filter((order) =>
    target.kind === 'one' ? order.orderId === target.orderId : target.symbol === null || order.symbol === target.symbol,
  ).length
  return count === 1 ? '1 working order is meant.' : `${count === 0 ? 'No' : count} working orders are meant.`
}

function cancelReading(target: CancelTarget, lines: readonly string[], { orders, mode }: DeskState): Reading {
  const refusal = cancelRefusal(mode)
  if (refusal !== null) return { kind: 'wrong', lines: [refusal] }
  return {
    kind: 'understood',
    lines: [...lines, meantWords(orders.value, target)],
    enter: 'asks once more before anything is sent',
    run: (commands) => commands.askCancel(target),
  }
}

function understood(intent: OrderIntent, line: string, state: DeskState): Reading {
  const parts = intent.parts.map(({ at, length, meaning }) => `${line.slice(at, at + length)}: ${meaning}`)
  const lines = [`${explainIntent(intent)}.`, ...parts]
  if (intent.kind === 'cancelAll')
    return cancelReading({ kind: 'all', symbol: intent.symbol }, lines.slice(0, 1), state)
  if (intent.kind === 'cancelOrder')
    return cancelReading({ kind: 'one', orderId: intent.orderId }, lines.slice(0, 1), state)
  const { form, sharePercent } = intent
  return {
    kind: 'understood',
    lines,
    enter: 'fills the ticket; nothing is sent',
    run: (commands) => commands.openTicketWith({ form, sharePercent }),
  }
}

function readOrders(line: string, state: DeskState): Reading {
  const read = readOrderSentence(line, contextOf(state))
  if (read.ok) return understood(read.value, line, state)
  const { kind, text, offers } = read.error
  const more = offers.length === 0 ? [] : [`Next: ${offers.slice(0, 6).join(', ')}`]
  return {
    kind: 'wrong',
    lines: [`${kind === 'unfinished' ? 'So far so good: ' : ''}${text}${/[.?!]$/.test(text) ? '' : '.'}`, ...more],
  }
}

const orderReader = (starts: readonly string[]) => ({
  starts,
  read: (line: string, state: DeskState) => (starts.includes(wordsOf(line)[0] ?? '') ? readOrders(line, state) : null),
  words: (line: string, state: DeskState) => completeOrderSentence(line, contextOf(state)).map(({ word }) => word),
})

export const buySentence: SentenceReader = {
  ...orderReader(['buy', 'b']),
  name: 'buy',
  help: 'fills the ticket, sends nothing',
  example: 'buy 0.05 btc-usd @ 64209.5 gtd 20261231 post',
}

export const sellSentence: SentenceReader = {
  ...orderReader(['sell', 's']),
  name: 'sell',
  help: 'fills the ticket, sends nothing',
  example: 'sell 25% eth-usd market',
}

export const cancelSentence: SentenceReader = {
  ...orderReader(['cancel']),
  name: 'cancel',
  help: 'all, of a symbol, or one by its id (asks)',
  example: 'cancel all eth-usd',
}
