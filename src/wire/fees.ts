import type { Result } from '../base/result.ts'
import type { Fees } from '../domain/balance.ts'
import { amount } from './fields.ts'
import { type WireMode, writeJson } from './json-write.ts'
import { mapResult, message, readMessage } from './message.ts'

/** Fees. Rates are fractions. */
export const feesMessage = message({
  makerRate: amount,
  takerRate: amount,
  volumeInUSD: amount,
})

export const readFees = (json: string): Result<Fees> =>
  mapResult(readMessage(feesMessage, json), (read) => ({
    makerRate: read.makerRate,
    takerRate: read.takerRate,
    volumeUsd: read.volumeInUSD,
  }))
export const writeFees = (fees: Fees, mode: WireMode): string =>
  writeJson(
    {
      makerRate: fees.makerRate,
      takerRate: fees.takerRate,
      volumeInUSD: fees.volumeUsd,
    },
    mode,
  )
