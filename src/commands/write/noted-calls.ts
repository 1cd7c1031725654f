import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { CommandTools } from '../../base/process/command-io.ts'

/** The call of one cancel: several may be in flight at the same time. */
export type CancelCall = {
  /** Resolves when the call is over, however it ended; never if none is made. */
  answered: Promise<void>
  /** The error of the call; null when it did not fail. */
  failed(): ExchangeError | null
}

export type NotedCalls = {
  client: ExchangeClient
  /** The error of the last write; null when it did not fail. An outcome reports that nothing was sent, but not why. */
  lastFailure(): ExchangeError | null
  /** The time the last write ended, with or without an answer; null before the first. */
  endedAtMs(): number | null
  /** Watches the next cancel of this order. */
  cancelCall(orderId: string): CancelCall
}

/** A client that remembers how the writes through it ended. */
export function createNotedCalls(client: ExchangeClient, { clock }: Pick<CommandTools, 'clock'>): NotedCalls {
  let last: ExchangeError | null = null
  let endedAtMs: number | null = null
  const awaited = new Map<string, (failed: ExchangeError | null) => void>()
  const note =
    <Given extends unknown[], T>(call: (...given: Given) => Promise<T>, isAfter = false) =>
    async (...given: Given): Promise<T> => {
      if (!isAfter) last = null
      try {
        return await call(...given)
      } catch (error) {
        if (error instanceof ExchangeError && !(isAfter && last !== null)) last = error
        throw error
      } finally {
        endedAtMs = clock.now()
      }
    }
  const cancelOrder = note(client.cancelOrder)
  const notedCancel: ExchangeClient['cancelOrder'] = async (orderId, ...rest) => {
    let failed: ExchangeError | null = null
    try {
      await cancelOrder(orderId, ...rest)
    } catch (error) {
      if (error instanceof ExchangeError) failed = error
      throw error
    } finally {
      awaited.get(orderId)?.(failed)
    }
  }
  const { placeOrder, cancelAllOrders, createWithdrawal } = client
  const { makeHubDraft, dropHubDraft, approveHubDraft, rejectHubDraft, sendHubDraft } = client
  const writes = {
    makeHubDraft: note(makeHubDraft),
    // An unsent draft is dropped afterwards: the error of sending stays the last failure.
    dropHubDraft: note(dropHubDraft, true),
    approveHubDraft: note(approveHubDraft),
    rejectHubDraft: note(rejectHubDraft),
    sendHubDraft: note(sendHubDraft),
    placeOrder: note(placeOrder),
    cancelOrder: notedCancel,
    cancelAllOrders: note(cancelAllOrders),
    createWithdrawal: note(createWithdrawal),
  }
  return {
    client: { ...client, ...writes },
    lastFailure: () => last,
    endedAtMs: () => endedAtMs,
    cancelCall(orderId) {
      let failed: ExchangeError | null = null
      const answered = new Promise<void>((resolve) =>
        awaited.set(orderId, (error) => {
          failed = error
          awaited.delete(orderId)
          resolve()
        }),
      )
      return { answered, failed: () => failed }
    },
  }
}
