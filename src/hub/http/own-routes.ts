import type { Result } from '../../base/result.ts'
import { may } from '../../domain/hub/roles.ts'
import type { UnknownWrite, Verdict } from '../../domain/orders/unknown-write.ts'
import { type Answer, badRequest, failure, json, jsonBounds, type Route } from '../../http-server/route.ts'
import { readReason } from '../../wire/hub-drafts.ts'
import { message, optionalStrictText, readMessage, word } from '../../wire/message.ts'
import { readHaltReason } from '../people/halt.ts'
import type { Guest } from '../writes/hub-writes.ts'
import { recorded } from './draft-routes.ts'

export type OwnRoutesContext = {
  /** Exchange and account, as journals name them. */
  account: string
  /** Writes whose outcome is not known. */
  unsettled: () => readonly UnknownWrite[]
  /** A person's word on one of them, which is theirs on the list of who did what. The error is a sentence. */
  decide: (person: string, key: string, verdict: Verdict, withdrawalId: string | null) => Promise<Result<string>>
  /** The identity of the hub's database, which approvals are made out to. */
  hub: string
  /** Why no order and no withdrawal may leave; null while they may. */
  halted: () => string | null
  /** Halts everything with a reason, or with null allows it again; on record when it resolves. */
  setHalt: (reason: string | null, person: string) => Promise<unknown>
}

const verdicts: readonly Verdict[] = ['placed', 'notPlaced']
const verdictMessage = message({ verdict: word(verdicts), withdrawalId: optionalStrictText })

/** What a hub offers beside the exchange's own interface. */
export const ownRoutes = (context: OwnRoutesContext): readonly Route<Guest>[] => [
  ...haltRoutes(context),
  ...personRoutes(context),
]

function haltRoutes({ setHalt }: OwnRoutesContext): readonly Route<Guest>[] {
  const set = ({ name, role }: Guest, reason: string | null): Promise<Answer> => {
    if (!may(role, 'halt')) return Promise.resolve(failure(403, `the role ${role} may not halt or resume`))
    return recorded(async () => {
      await setHalt(reason, name)
      return json(JSON.stringify({ halted: reason }))
    })
  }
  return [
    {
      method: 'POST',
      path: '/hub/halt',
      handle({ guest, body }) {
        const read = readReason(body.text, jsonBounds)
        const reason = read.ok ? readHaltReason(read.value ?? '') : read
        return reason.ok ? set(guest, reason.value) : badRequest(reason.error)
      },
    },
    { method: 'POST', path: '/hub/resume', handle: ({ guest }) => set(guest, null) },
  ]
}

const personRoutes = ({ account, hub, halted, unsettled, decide }: OwnRoutesContext): readonly Route<Guest>[] => [
  {
    method: 'GET',
    path: '/hub/me',
    handle: ({ guest: { name, role, limits } }) => {
      const texts = Object.entries(limits).map(([each, usd]) => [each, usd?.toFixed() ?? null])
      return json(JSON.stringify({ name, role, limits: Object.fromEntries(texts), account, hub, halted: halted() }))
    },
  },
  { method: 'GET', path: '/hub/writes', handle: () => json(JSON.stringify(unsettled().map(unsettledJson))) },
  {
    method: 'POST',
    path: '/hub/writes/:key/settle',
    handle: async ({ guest, params, body }): Promise<Answer> => {
      if (!may(guest.role, 'settle')) return failure(403, `the role ${guest.role} may not settle writes`)
      const read = readMessage(verdictMessage, body.text, jsonBounds)
      if (!read.ok) return badRequest(read.error)
      const { verdict, withdrawalId } = read.value
      return await recorded(async () => {
        const settled = await decide(guest.name, params.key ?? '', verdict, withdrawalId ?? null)
        return settled.ok ? json(JSON.stringify({ settled: settled.value })) : failure(409, settled.error)
      })
    },
  },
]

/** A write without an outcome, with what was seen of it and which answers make sense; none while it is looked for. */
const unsettledJson = ({ key, kind, sentence, atMs, question }: UnknownWrite) => ({
  key,
  kind,
  sentence,
  at: atMs,
  evidence: question?.evidence ?? null,
  verdicts: question?.verdicts ?? [],
})
