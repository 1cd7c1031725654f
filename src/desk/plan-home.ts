import { statSync } from 'node:fs'
import type { Clock } from '../base/clock.ts'
import { aborted } from '../base/command-io.ts'
import { diskReason } from '../base/error-text.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Plan, PlanRequest } from '../domain/plans/plan.ts'
import {
  type FilePlanRecord,
  isPlanOwned,
  type KeptPlans,
  openPlanRecord,
  planPath,
  readPlans,
} from '../journal/plan-file.ts'
import type { PlanRecord } from '../journal/plan-record.ts'
import { askPlanOwner, type PlanAnswer, takePlanRequests } from '../journal/plan-requests.ts'
import type { PlanEntry, PlanRunner } from '../services/plans/plan-runner.ts'
import type { Trading } from '../services/trading.ts'

/** Where plans are kept, and how others ask for something of them. */
export type PlanHome = {
  /** Opens the record with the right to go on with it; `busy`: another process has that. The error is a sentence. */
  open(): Promise<Result<(PlanRecord & Partial<Damage>) | 'busy'>>
  /** What another process has written of the plans; null where nothing is new. The error is a sentence. */
  look(): Result<Pick<KeptPlans, 'plans'>> | null
  /** What was looked at counts for nothing any more. */
  forget(): void
  /** Whether another process runs the plans just now; only to be asked while this one has not opened the record. */
  isOwned(): boolean
  /** Carries out on the runner what is asked from elsewhere, until the signal. */
  serve(runner: PlanRunner, signal: AbortSignal, onTrouble: (text: string) => void): Promise<void>
  /** Asks whoever runs the plans. The value is the plan's id; the error a sentence. */
  ask(asked: PlanRequest): Promise<Result<string>>
}

export type Damage = Pick<FilePlanRecord, 'lost' | 'damagedCount' | 'toldDamagedCount'>

/** Plans of a firm, which the hub that leads runs for all: kept in its database, sent in the name of who began them. */
export type FirmPlans = {
  open(): Promise<Result<PlanRecord>>
  /** How a plan's orders go, over the way that the desk's own would. */
  entryOf(plan: Plan, guard: PlanEntry['guard'], ordersUnder: Trading['ordersUnder']): PlanEntry
  /** The runner while it runs; null from when it ends. */
  onRunner(runner: PlanRunner | null): void
}

type FileHomeOptions = {
  folder: string
  exchange: string
  clock: Clock
  signal: AbortSignal
  newRequestId: () => string
}

/** Plans in the account's folder, whose requests and answers are files beside them. */
export function fileHome({ folder, exchange, clock, signal, newRequestId }: FileHomeOptions): PlanHome {
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
        carryOut: (asked) => carryOut(runner, asked),
      }),
    ask: async (asked) => answerOf(await askPlanOwner(asked, { folder, clock, signal, newId: newRequestId })),
  }
}

/** Plans that nobody but the hub itself has in hand: its routes reach the runner by `onRunner`. */
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

/** A text that stays equal while a file has not changed. For a file that cannot be looked at it is the reason. */
function lookOf(path: string): string {
  try {
    const file = statSync(path, { throwIfNoEntry: false })
    return file === undefined ? 'none' : `${file.size} ${file.mtimeMs}`
  } catch (error) {
    return diskReason(error)
  }
}

/** Does on the runner what was asked; the value is the plan's id. */
export async function carryOut(runner: PlanRunner, asked: PlanRequest): Promise<Result<string>> {
  if (asked.ask === 'add') return await runner.add(asked.terms)
  const { planId } = asked
  const done =
    asked.ask === 'cancel'
      ? await runner.cancel(planId, asked.how)
      : asked.ask === 'edit'
        ? await runner.edit(planId, asked.terms)
        : await runner.resume(planId)
  return done.ok ? ok(planId) : done
}

/** What came of a request, in a sentence where nothing is certain to have been done. */
function answerOf(answer: PlanAnswer): Result<string> {
  switch (answer.kind) {
    case 'done':
      return ok(answer.planId)
    case 'refused':
      return err(answer.sentence)
    case 'noOwner':
      return err('No process runs the plans of this account just now: nothing was changed.')
    case 'notTaken':
      return err('The process that runs the plans did not take it up: nothing was changed.')
    case 'unknown':
      return err('The process that runs the plans ended before it answered: look at the plans before you repeat it.')
  }
}
