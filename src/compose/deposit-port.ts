import { ExchangeError } from '../api/errors.ts'
import type { ExchangeClient } from '../api/exchange-client.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { DepositAddress } from '../domain/transfers/transfer.ts'
import { failureNotice } from '../services/failure-sentences.ts'
import type { DeskPort } from '../store/commands.ts'
import type { DeskStore } from '../store/desk.ts'

type DepositParts = {
  client: Pick<ExchangeClient, 'createDepositAddress'>
  store: DeskStore
  signal: AbortSignal
  track: (work: Promise<unknown>) => void
  /**
   * Hands text to the clipboard of whoever sits at the terminal; false where there is no terminal that could take it.
   */
  copy?: ((text: string) => boolean) | undefined
}

/**
 * Deposit addresses for a person. Asking for one moves no money and may be repeated, so that the journal has no part in
 * it.
 */
export function depositPort(parts: DepositParts): Pick<DeskPort, 'fetchDepositAddress' | 'copyText'> {
  const { client, store, signal, track, copy = () => false } = parts
  const ask = async (currency: string): Promise<Result<DepositAddress>> => {
    try {
      return ok(await client.createDepositAddress(currency, signal))
    } catch (error) {
      if (error instanceof ExchangeError) return err(failureNotice(error))
      throw error
    }
  }
  return {
    fetchDepositAddress: (currency) =>
      track(ask(currency).then((answer) => store.dispatch({ type: 'depositAddressAnswered', currency, answer }))),
    copyText: copy,
  }
}
