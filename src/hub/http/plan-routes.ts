import { type Answer, badRequest, checkJsonType, failure, jsonBounds, type Route } from '../../http-server/route.ts'
import { readNewPlan, readPlanCancel, readPlanEdit, readPlanResume } from '../../wire/hub-plans.ts'
import type { HubPlanDesk, PlanChange } from '../plans/firm-plans.ts'
import type { Guest } from '../writes/context.ts'
import { recorded } from './draft-routes.ts'

type Plans = Pick<HubPlanDesk, 'list' | 'add' | 'change'>

/** Routes of the firm's plans; every change is on record before it is answered. */
export function planRoutes(plans: () => Plans | null): readonly Route<Guest>[] {
  const standby = failure(503, 'this hub stands by: nothing was changed')
  const change = (
    ask: PlanChange['ask'],
    read: (planId: string, body: string) => PlanChange | string,
  ): Route<Guest> => ({
    method: 'POST',
    path: `/hub/plans/:planId/${ask}`,
    handle({ guest, params, body }): Answer | Promise<Answer> {
      const now = plans()
      if (now === null) return standby
      const wrong = checkJsonType(body)
      if (wrong !== null) return wrong
      const asked = read(params.planId ?? '', body.text)
      return typeof asked === 'string' ? badRequest(asked) : recorded(() => now.change(guest, asked))
    },
  })
  return [
    {
      method: 'GET',
      path: '/hub/plans',
      handle: ({ query }) => {
        const [known = null] = query.get('known') ?? []
        return plans()?.list(known) ?? standby
      },
    },
    {
      method: 'POST',
      path: '/hub/plans',
      handle({ guest, body }) {
        const now = plans()
        if (now === null) return standby
        const wrong = checkJsonType(body)
        if (wrong !== null) return wrong
        const read = readNewPlan(body.text, jsonBounds)
        if (!read.ok) return badRequest(read.error)
        return recorded(() => now.add(guest, read.value))
      },
    },
    change('cancel', (planId, body) => {
      const how = readPlanCancel(body, jsonBounds)
      return how.ok ? { ask: 'cancel', planId, how: how.value } : how.error
    }),
    change('edit', (planId, body) => {
      const edit = readPlanEdit(body, jsonBounds)
      return edit.ok ? { ask: 'edit', planId, ...edit.value } : edit.error
    }),
    change('resume', (planId, body) => {
      const resume = readPlanResume(body, jsonBounds)
      return resume.ok ? { ask: 'resume', planId, ...resume.value } : resume.error
    }),
  ]
}
