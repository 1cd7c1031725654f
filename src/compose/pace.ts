import type { Clock } from '../base/clock.ts'
import type { CallUse } from '../domain/desk/events.ts'
import { createPacer, type Pacer } from '../services/polling/pacer.ts'
import type { DeskStore, StoreEvent } from '../store/desk.ts'

const commitPeriodMs = 100
/** Where motion is to be reduced: a picture that changes twice a second can be read, not only watched. */
const calmPeriodMs = 500
const tickMs = 500

/** What services report goes to the store a few times a second, with the time and how the budget of calls is used. */
export const createDeskPacer = (
  store: DeskStore,
  { clock, signal, calls }: { clock: Clock; signal: AbortSignal; calls: () => CallUse },
): Pacer<StoreEvent> =>
  createPacer<StoreEvent>({
    clock,
    signal,
    commit: store.dispatchAll,
    tick: (nowMs) => ({ type: 'ticked', nowMs, wallMs: clock.wallMs(), calls: calls() }),
    periodMs: store.getState().looks.isMotionReduced ? calmPeriodMs : commitPeriodMs,
    tickMs,
  })
