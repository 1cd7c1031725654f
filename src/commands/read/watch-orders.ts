import { ExchangeError } from '../../api/errors.ts'
import { readingSignal } from '../../base/command-io.ts'
import type { FeedEvent } from '../../domain/desk/events.ts'
import type { Order } from '../../domain/orders/order.ts'
import { failureNotice } from '../../services/failure-sentences.ts'
import { createPoller } from '../../services/polling/poller.ts'
import { createWorkingOrders } from '../../services/polling/working-orders.ts'
import { fromOrder } from '../../wire/order.ts'
import { readSymbol } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, wrongUsage } from '../cli/exit-codes.ts'
import { jsonLine } from '../cli/output.ts'
import { withSession } from '../cli/session.ts'

const intervalMs = 1_000
const intervalMaxMs = 15_000

/** Streams orders as JSON lines until a signal: each when it is first seen, at every change, and how it ended. */
export const watchOrders: Run = (given, io, tools) => {
  const odd = ['csv', 'status', 'from', 'to', 'limit', 'all', 'engine', 'after'].find((name) => given.has(name))
  if (odd !== undefined) return Promise.resolve(wrongUsage(`--watch takes no --${odd}`))
  const symbol = readSymbol(given.value('symbol'))
  if (!symbol.ok) return Promise.resolve(wrongUsage(symbol.error))
  return withSession(given, { io, tools, mayWrite: false }, async ({ client, token }) => {
    const lastLines = new Map<string, string>()
    const lines: string[] = []
    const tell = (order: Order) => {
      if (symbol.value !== undefined && order.symbol !== symbol.value) return
      const line = jsonLine(fromOrder(order))
      const key = order.orderId ?? order.clientOrderId
      if (lastLines.get(key) === line) return
      lastLines.set(key, line)
      lines.push(line)
    }
    const emit = (event: FeedEvent) => {
      // The list comes newest first; as news the oldest goes first.
      if (event.type === 'orders') for (const order of event.orders.toReversed()) tell(order)
      if (event.type !== 'orderEnded') return
      tell(event.order)
      lastLines.delete(event.order.orderId ?? event.order.clientOrderId)
    }
    const working = createWorkingOrders(client, () => tools.clock.now(), emit)
    let isDown = false
    const poll = async (signal: AbortSignal) => {
      try {
        await working.refresh(signal)
        // Whoever reads slowly is waited for, and gets every change since then at the next look.
        for (const line of lines.splice(0)) await io.print(line)
        isDown = false
        return true
      } catch (error) {
        if (!(error instanceof ExchangeError)) throw error
        // An outage is told of once; what cannot get better by waiting ends the watch.
        if (signal.aborted) return false
        if (error.kind === 'unauthorized') throw error
        if (!isDown) io.printError(`pitdesk orders: ${token.redact(failureNotice(error))} Still watching.`)
        isDown = true
        return false
      }
    }
    const { clock, random } = tools
    const pace = { intervalMs: () => intervalMs, intervalMaxMs, clock, random, signal: readingSignal(io) }
    await createPoller(poll, pace).run()
    return done
  })
}
