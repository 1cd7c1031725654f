/** How far the service's clock is ahead of ours, in ms, give or take `uncertaintyMs`. */
export type SkewReading = { skewMs: number; uncertaintyMs: number }

/**
 * One answer: its date as the header says it, cut to whole seconds, and when by our clock it was asked for and came.
 */
export type DatedAnswer = { dateMs: number; sentAtMs: number; receivedAtMs: number }

export type SkewEstimator = {
  /** Takes an answer in. */
  add(answer: DatedAnswer): void
  /** What the answers of the last minutes tell; null while there are none. */
  reading(nowMs: number): SkewReading | null
}

type Bounds = { leastMs: number; mostMs: number }
type Slot = Bounds & { startMs: number }

const slotMs = 10_000
const rememberedMs = 300_000

/**
 * Estimates the skew of two clocks from dates that are cut to seconds. The service wrote the date between sending and
 * receiving, and meant a moment of the second it names: so skew ≥ date − receivedAt and skew ≤ date + 1 s − sentAt.
 * Each answer falls elsewhere in its second, and all bounds of the last five minutes hold at once: what they leave is
 * soon not much wider than the shortest round trip. Where bounds contradict each other a clock was set or has drifted,
 * and the older ones are forgotten.
 */
export function createSkewEstimator(): SkewEstimator {
  /** Oldest first; each holds what the answers of ten seconds leave. */
  let slots: Slot[] = []

  const forget = (nowMs: number) => {
    // A slot after now is from before the clock was put back.
    slots = slots.filter(({ startMs }) => nowMs - startMs < rememberedMs && startMs <= nowMs)
  }

  return {
    add({ dateMs, sentAtMs, receivedAtMs }) {
      if (receivedAtMs < sentAtMs) return
      forget(receivedAtMs)
      const bounds: Bounds = { leastMs: dateMs - receivedAtMs, mostMs: dateMs + 1_000 - sentAtMs }
      const last = slots.at(-1)
      const isSameSlot = last !== undefined && receivedAtMs - last.startMs < slotMs
      const both = isSameSlot ? intersection(last, bounds) : null
      if (isSameSlot && both !== null) slots.splice(-1, 1, { ...both, startMs: last.startMs })
      else if (isSameSlot) slots = [{ ...bounds, startMs: receivedAtMs }]
      else slots.push({ ...bounds, startMs: receivedAtMs })
    },
    reading(nowMs) {
      forget(nowMs)
      let held: Bounds | null = null
      for (const [index, slot] of slots.toReversed().entries()) {
        const both: Bounds | null = held === null ? slot : intersection(held, slot)
        if (both === null) {
          slots = slots.slice(-index)
          break
        }
        held = both
      }
      if (held === null) return null
      const { leastMs, mostMs } = held
      return { skewMs: Math.round((leastMs + mostMs) / 2), uncertaintyMs: Math.ceil((mostMs - leastMs) / 2) }
    },
  }
}

function intersection(first: Bounds, second: Bounds): Bounds | null {
  const leastMs = Math.max(first.leastMs, second.leastMs)
  const mostMs = Math.min(first.mostMs, second.mostMs)
  return leastMs <= mostMs ? { leastMs, mostMs } : null
}

/** The skew where the bounds tell that there is one; 0 where both clocks may well be the same. */
export const certainSkewMs = ({ skewMs, uncertaintyMs }: SkewReading): number =>
  Math.abs(skewMs) > uncertaintyMs ? skewMs : 0
