import { dayMs } from '../../base/text/time-text.ts'

/** Maker and taker rate in parts per million. */
export type FeeRates = { makerPpm: number; takerPpm: number }
/** Rates from a USD volume of `fromUnits` (minor units) on. */
export type Tier = { fromUnits: bigint; rates: FeeRates }

export const ppm = 1_000_000n
const freeOfCharge: FeeRates = { makerPpm: 0, takerPpm: 0 }

/** The rates for a volume: those of the last tier it reaches. `tiers` ascend; without any, trading is free. */
export function ratesFor(tiers: readonly Tier[], volumeUnits: bigint): FeeRates {
  let rates = tiers[0]?.rates ?? freeOfCharge
  for (const tier of tiers) {
    if (tier.fromUnits > volumeUnits) break
    rates = tier.rates
  }
  return rates
}

const volumeDays = 30

type DayVolume = { day: number; units: bigint }

/** An account's traded volume in USD over the current UTC day and the 29 before it. At most 30 numbers are kept. */
export class VolumeWindow {
  private readonly days: DayVolume[]
  private sumUnits = 0n

  constructor(days: readonly DayVolume[] = []) {
    this.days = days.map((day) => ({ ...day }))
    for (const { units } of this.days) this.sumUnits += units
  }

  add(atMs: number, units: bigint): void {
    const day = Math.floor(atMs / dayMs)
    const last = this.days.at(-1)
    this.sumUnits += units
    if (last?.day === day) last.units += units
    else this.days.push({ day, units })
    for (let oldest = this.days[0]; oldest !== undefined && oldest.day <= day - volumeDays; oldest = this.days[0]) {
      this.sumUnits -= oldest.units
      this.days.shift()
    }
  }

  /** The volume as of `atMs`, in minor units of USD. */
  total(atMs: number): bigint {
    const day = Math.floor(atMs / dayMs)
    let units = this.sumUnits
    for (const old of this.days) {
      if (old.day > day - volumeDays) break
      units -= old.units
    }
    return units
  }

  state(): readonly DayVolume[] {
    return this.days.map((day) => ({ ...day }))
  }
}
