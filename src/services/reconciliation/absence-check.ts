/** When it may be believed that something which was not found is not there. */
export type AbsenceDelays = {
  /**
   * How long after a write was begun a look counts at all: longer than a call may take as a whole, so that a request
   * that is still travelling has arrived.
   */
  quietMs: number
  /** The least time between two looks that both count. */
  secondLookAfterMs: number
}

type Looks = { beganAtMs: number; absentAtMs: number | null; isSure: boolean }

/** Keeps count, per entry, of the looks that found nothing. */
export class AbsenceCheck {
  readonly #patience: AbsenceDelays
  readonly #looks = new Map<string, Looks>()

  constructor(patience: AbsenceDelays) {
    this.#patience = patience
  }

  /**
   * Notes that a look begun at `lookedAtMs`, in desk time, found nothing for the entry, which had then been begun
   * `agoMs` ago at least. True when that makes two that count: from then on nothing is expected to turn up any more.
   */
  isAbsent(id: string, agoMs: number, lookedAtMs: number): boolean {
    const { quietMs, secondLookAfterMs } = this.#patience
    const looks = this.#looks.get(id) ?? { beganAtMs: lookedAtMs - agoMs, absentAtMs: null, isSure: false }
    this.#looks.set(id, looks)
    if (lookedAtMs < looks.beganAtMs + quietMs) return false
    if (looks.absentAtMs === null) looks.absentAtMs = lookedAtMs
    else if (lookedAtMs - looks.absentAtMs >= secondLookAfterMs) looks.isSure = true
    return looks.isSure
  }

  forget(id: string): void {
    this.#looks.delete(id)
  }
}
