import type { PlanRequest } from '../domain/plans/plan.ts'
import {
  type HubPlans,
  readHubPlans,
  readPlanDone,
  writeNewPlan,
  writePlanCancel,
  writePlanEdit,
  writePlanResume,
} from '../wire/hub-plans.ts'
import { type Caller, endpointPath } from './caller.ts'

/** The plans of a firm at its hub. Every method throws only `ExchangeError`. */
export type HubPlansClient = {
  /** GET /hub/plans: the firm's plans; `known` is the version already read. */
  fetchHubPlans(known: string | null, signal?: AbortSignal): Promise<HubPlans>
  /** POST /hub/plans and below; resolves with the plan's id. `askedAs` is the caller's own id for a new plan. */
  askHubPlans(asked: PlanRequest, askedAs: string, signal?: AbortSignal): Promise<string>
}

/** Creates the client of a hub's plans. */
export function createHubPlansClient(caller: Pick<Caller, 'find' | 'post'>): HubPlansClient {
  return {
    fetchHubPlans: (known, signal) => caller.find(endpointPath`/hub/plans`, readHubPlans, signal, { known }),
    askHubPlans(asked, askedAs, signal) {
      const post = (body: string | null) =>
        asked.ask === 'add'
          ? caller.post(endpointPath`/hub/plans`, body, (json) => readPlanDone(json, { askedAs }), signal)
          : caller.post(
              endpointPath`/hub/plans/${asked.planId}/${asked.ask}`,
              body,
              (json) => readPlanDone(json, asked),
              signal,
            )
      switch (asked.ask) {
        case 'add':
          return post(writeNewPlan({ askedAs, terms: asked.terms, after: asked.after }))
        case 'cancel':
          return post(writePlanCancel(asked.how))
        case 'edit':
          return post(writePlanEdit(asked.terms, asked.seen))
        case 'resume':
          return post(writePlanResume(asked.seen))
      }
    },
  }
}
