/** Lead of the service's clock over ours in ms, plus or minus `uncertaintyMs`. */
export type SkewReading = { skewMs: number; uncertaintyMs: number }

/** One answer: its date header, truncated to whole seconds, and when it was requested and received by our clock. */
export type DatedAnswer = { dateMs: number; sentAtMs: number; receivedAtMs: number }

export type SkewEstimator = {
  /** Adds an answer. */
  add(answer: DatedAnswer): void
  /** The estimate from the answers of the last minutes; null without any. */
  reading(nowMs: number): SkewReading | null
}

type Bounds = { minMs: number; maxMs: number }
type Slot = Bounds & { startMs: number }

const slotMs = 10_000
const rememberedMs = 300_000

/**
 * Estimates the skew of two clocks from dates truncated to seconds. The service wrote the date between sending and
 * receiving, meaning a moment within the named second: so skew ≥ date − receivedAt and skew ≤ date + 1 s − sentAt.
 * Answers fall at different points of their second, and the bounds of five minutes all hold together, so their
 * intersection soon is hardly wider than the shortest round trip. When bounds contradict each other a clock was set or
 * has drifted, and older ones are dropped.
 */
export function createSkewEstimator(): SkewEstimator {
  /** Oldest first; each has the bounds of ten seconds. */
  let slots: Slot[] = []

  const forget = (nowMs: number) => {
    // A slot in the future is from before the clock was set back.
    slots = slots.filter(({ startMs }) => nowMs - startMs < rememberedMs && startMs <= nowMs)
  }

  return {
    add({ dateMs, sentAtMs, receivedAtMs }) {
      if (receivedAtMs < sentAtMs) return
      forget(receivedAtMs)
      const bounds: Bounds = { minMs: dateMs - receivedAtMs, maxMs: dateMs + 1_000 - sentAtMs }
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
      const { minMs, maxMs } = held
      return { skewMs: Math.round((minMs + maxMs) / 2), uncertaintyMs: Math.ceil((maxMs - minMs) / 2) }
    },
  }
}

function intersection(first: Bounds, second: Bounds): Bounds | null {
  const minMs = Math.max(first.minMs, second.minMs)
  const maxMs = Math.min(first.maxMs, second.maxMs)
  return minMs <= maxMs ? { minMs, maxMs } : null
}

/** The skew if it certainly exists; 0 when both clocks may agree. */
export const certainSkewMs = ({ skewMs, uncertaintyMs }: SkewReading): number =>
  Math.abs(skewMs) > uncertaintyMs ? skewMs : 0
