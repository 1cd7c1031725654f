import type { FollowedDeposit } from '../../../domain/transfers/followed.ts'
import { type UsualTime, usualTime } from '../../../domain/transfers/transfer.ts'
import { ageText, wholeAgeText } from '../../text/moment.ts'

/** What this machine saw of transfers, by their ids. */
type Records = ReadonlyMap<string, Pick<FollowedDeposit, 'currency' | 'tookMs'>>

/** How long transfers take, by currency; a currency in which none was seen to end is missing. */
export type UsualTimes = ReadonlyMap<string, UsualTime>

export function usualTimes(records: Records): UsualTimes {
  const ended = [...records.values()].flatMap(({ currency, tookMs }) => (tookMs === null ? [] : [{ currency, tookMs }]))
  const usual = new Map<string, UsualTime>()
  for (const currency of new Set(ended.map((each) => each.currency))) {
    const time = usualTime(ended, currency)
    if (time !== null) usual.set(currency, time)
  }
  return usual
}

/** How long such ones took before, `usual 4m`; empty where none has ended yet. */
export const usualText = (usual: UsualTimes, currency: string): string => {
  const time = usual.get(currency)
  return time === undefined ? '' : `usual ${wholeAgeText(time.medianMs)}`
}

/** Longer under way than any that was seen to end. */
export const isLate = (usual: UsualTimes, currency: string, underWayMs: number): boolean => {
  const time = usual.get(currency)
  return time !== undefined && underWayMs > time.longestMs
}

/** The same as a sentence: `such ones took 4m before, 9m at most (12 in BTC)`; empty where none has ended. */
export const usualSentence = (usual: UsualTimes, currency: string): string => {
  const time = usual.get(currency)
  if (time === undefined) return ''
  const { medianMs, longestMs, count } = time
  return `such ones took ${ageText(medianMs)} before, ${ageText(longestMs)} at most (${count} in ${currency})`
}
