import type { Result } from '../../base/result.ts'
import { may } from '../../domain/hub/roles.ts'
import type { UnknownWrite, Verdict } from '../../domain/orders/unknown-write.ts'
import { type Answer, badRequest, failure, json, jsonBounds, type Route } from '../../http-server/route.ts'
import { message, optionalStrictText, readMessage, word } from '../../wire/message.ts'
import type { Guest } from '../writes/hub-writes.ts'

export type OwnRoutesContext = {
  /** Exchange and account, as journals name them. */
  account: string
  /** Writes whose outcome is not known. */
  unsettled: () => readonly UnknownWrite[]
  /** A person's word on one of them. The error is a sentence. */
  decide: (key: string, verdict: Verdict, withdrawalId: string | null) => Promise<Result<string>>
}

const verdicts: readonly Verdict[] = ['placed', 'notPlaced']
const verdictMessage = message({ verdict: word(verdicts), withdrawalId: optionalStrictText })

/** What a hub offers beside the exchange's own interface. */
export const ownRoutes = ({ account, unsettled, decide }: OwnRoutesContext): readonly Route<Guest>[] => [
  {
    method: 'GET',
    path: '/hub/me',
    handle: ({ guest: { name, role, limits } }) => {
      const texts = Object.entries(limits).map(([each, usd]) => [each, usd?.toFixed() ?? null])
      return json(JSON.stringify({ name, role, limits: Object.fromEntries(texts), account }))
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
      const settled = await decide(params.key ?? '', verdict, withdrawalId ?? null)
      return settled.ok ? json(JSON.stringify({ settled: settled.value })) : failure(409, settled.error)
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
