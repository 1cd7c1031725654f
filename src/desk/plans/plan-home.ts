import { statSync } from 'node:fs'
import type { Clock } from '../../base/clock.ts'
import { aborted } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { diskReason } from '../../base/text/error-text.ts'
import { wakeText } from '../../domain/desk/duties.ts'
import type { Plan, PlanRequest } from '../../domain/plans/plan.ts'
import {
  type FilePlanRecord,
  isPlanOwned,
  type KeptPlans,
  openPlanRecord,
  planPath,
  readPlans,
} from '../../journal/plan-file.ts'
import type { PlanRecord } from '../../journal/plan-record.ts'
import { askPlanOwner, type PlanAnswer, takePlanRequests } from '../../journal/plan-requests.ts'
import type { PlanEntry, PlanRunner } from '../../services/plans/plan-runner.ts'
import type { Trading } from '../../services/trading.ts'

/** The storage of plans, and the requests of other processes about them. */
export type PlanHome = {
  /** Opens the record for running its plans; `busy`: another process runs them. The error is a sentence. */
  open(): Promise<Result<(PlanRecord & Partial<Damage>) | 'busy'>>
  /** The plans as another process last wrote them; null when unchanged. The error is a sentence. */
  look(): Result<Pick<KeptPlans, 'plans'>> | null
  /** Makes the next `look` read again. */
  forget(): void
  /** True while another process runs the plans; call it only while this one has not opened the record. */
  isOwned(): boolean
  /** Carries out requests of other processes on the runner, until the signal. */
  serve(runner: PlanRunner, signal: AbortSignal, onTrouble: (text: string | null) => void): Promise<void>
  /** Sends a request to the process that runs the plans. The value is the plan's id; the error a sentence. */
  ask(asked: PlanRequest): Promise<Result<string>>
}

export type Damage = Pick<FilePlanRecord, 'lost' | 'damagedCount' | 'toldDamagedCount' | 'missingNumber'>

/** The plans of a firm, run by the leading hub for all: stored in its database, sent in the name of their owners. */
export type FirmPlans = {
  open(): Promise<Result<PlanRecord>>
  /** The way of a plan's orders, over the desk's own way. */
  entryOf(plan: Plan, guard: PlanEntry['guard'], ordersUnder: Trading['ordersUnder']): PlanEntry
  /** Called with the runner at its start, and with null at its end. */
  onRunner(runner: PlanRunner | null): void
}

type FileHomeOptions = {
  folder: string
  exchange: string
  clock: Clock
  signal: AbortSignal
  newRequestId: () => string
  /** Why this desk resumes and changes no plan now; null while it does. */
  halted: () => string | null
}

/** Plans in the account's folder; requests and answers are files beside them. */
export function fileHome({ folder, exchange, clock, signal, newRequestId, halted }: FileHomeOptions): PlanHome {
  let seenBefore: string | null = null
  return {
    open: () => openPlanRecord({ folder, exchange, now: () => clock.wallMs() }),
    look() {
      const seen = lookOf(planPath(folder))
      if (seen === seenBefore) return null
      seenBefore = seen
      return readPlans(folder)
    },
    forget() {
      seenBefore = null
    },
    isOwned() {
      const owned = isPlanOwned(folder)
      return owned.ok && owned.value
    },
    serve: (runner, until, onTrouble) =>
      takePlanRequests({
        ...{ folder, clock, onTrouble },
        signal: until,
        isHalted: () => halted() !== null,
        carryOut: (asked) => carryOut(runner, asked),
      }),
    ask: async (asked) => answerOf(await askPlanOwner(asked, { folder, clock, signal, newId: newRequestId })),
  }
}

/** Plans that only the hub itself runs: its routes reach the runner by `onRunner`. */
export const firmHome = ({ open, onRunner }: FirmPlans): PlanHome => ({
  open,
  look: () => null,
  forget: () => undefined,
  isOwned: () => false,
  async serve(runner, signal) {
    onRunner(runner)
    await aborted(signal)
    onRunner(null)
  },
  ask: () => Promise.resolve(err('This hub does not run the plans yet: nothing was changed.')),
})

/** A text that stays equal while a file is unchanged; the file error if it cannot be looked at. */
function lookOf(path: string): string {
  try {
    const file = statSync(path, { throwIfNoEntry: false })
    return file === undefined ? 'none' : `${file.size} ${file.mtimeMs}`
  } catch (error) {
    return diskReason(error)
  }
}

/** Carries out a request on the runner; the value is the plan's id. */
export async function carryOut(runner: PlanRunner, asked: PlanRequest): Promise<Result<string>> {
  if (asked.ask === 'add') return await runner.add(asked.terms, undefined, asked.after)
  const { planId } = asked
  const done =
    asked.ask === 'cancel'
      ? await runner.cancel(planId, asked.how)
      : asked.ask === 'edit'
        ? await runner.edit(planId, asked.terms, undefined, asked.seen)
        : await runner.resume(planId, undefined, asked.seen)
  return done.ok ? ok(planId) : done
}

/** The result of a request; a sentence for everything not certain to be done. */
function answerOf(answer: PlanAnswer): Result<string> {
  switch (answer.kind) {
    case 'done':
      return ok(answer.planId)
    case 'refused':
      return err(answer.sentence)
    case 'noOwner':
      return err('No process runs the plans of this account just now: nothing was changed.')
    case 'notTaken':
      return err(
        answer.stopped === null
          ? 'The process that runs the plans did not take it up: nothing was changed.'
          : `The process that runs the plans (pid ${answer.stopped.pid}) is stopped or stuck: nothing was changed. ` +
              `${wakeText(answer.stopped.pid)}.`,
      )
    case 'unknown':
      return err('The process that runs the plans ended before it answered: look at the plans before you repeat it.')
  }
}
