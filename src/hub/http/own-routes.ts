import { z } from 'zod'
import type { Result } from '../../base/result.ts'
import { isAllSeen } from '../../base/text/plain-text.ts'
import { cleanReason } from '../../domain/hub/reason.ts'
import { may } from '../../domain/hub/roles.ts'
import { unchangedText } from '../../domain/hub/unchanged.ts'
import { type UnknownWrite, type Verdict, verdicts } from '../../domain/unknown-write.ts'
import { readQuery } from '../../http-server/request.ts'
import { type Answer, badRequest, failure, json, jsonBounds, type Route } from '../../http-server/route.ts'
import { writeHubAudit } from '../../wire/hub-audit.ts'
import { readReason } from '../../wire/hub-drafts.ts'
import { message, optionalStrictName, readMessage, word } from '../../wire/message.ts'
import { type AuditQuery, auditPageMax } from '../people/audit.ts'
import { type AuditRow, describeAudit } from '../people/audit-events.ts'
import { isOtherHalt, MayNotHalt, otherHalt } from '../people/halt.ts'
import type { Guest } from '../writes/context.ts'
import { createLooks, look, recorded } from './draft-routes.ts'

export type OwnRoutesContext = {
  /** Exchange and account, as named in journals. */
  account: string
  /** Writes with an unknown outcome. */
  unknownWrites: () => readonly UnknownWrite[]
  /** Whether this person may resolve such a write now, as the database says. */
  maySettle: (guest: Guest) => Promise<boolean>
  /**
   * Records a person's resolution of such a write, and that they did it; `seen`: the evidence that they read. The error
   * is a sentence.
   */
  decide: (
    person: string,
    key: string,
    verdict: Verdict,
    withdrawalId: string | null,
    seen?: string,
  ) => Promise<Result<string>>
  /** The database's identity, which approvals name. */
  hub: string
  /** Why no order or withdrawal may be sent; null when they may. */
  halted: () => string | null
  /**
   * Halts everything with a reason, or permits it again with null, if it is halted for what was `seen`; on record when
   * it resolves with the reason before.
   */
  setHalt: (reason: string | null, guest: Guest, seen?: string) => Promise<string | null>
  /** A page of the audit list. */
  audit: (query: AuditQuery) => Promise<readonly AuditRow[]>
}

const evidence = z.optional(z.nullable(z.string()))
const verdictMessage = message({ verdict: word(verdicts), withdrawalId: optionalStrictName, evidence })

/** The hub's additions to the exchange's interface. */
export const ownRoutes = (context: OwnRoutesContext): readonly Route<Guest>[] => [
  ...haltRoutes(context),
  ...personRoutes(context),
  auditRoute(context, createLooks()),
]

/** Default rows per page. */
const auditUsual = 100

const wholeNumber = (text: string) =>
  /^\d{1,15}$/.test(text) ? { value: Number(text) } : { must: 'must be a whole number of at most 15 digits' }
const auditQuery = {
  after: wholeNumber,
  before: wholeNumber,
  limit: (text: string) => {
    const read = wholeNumber(text)
    const isPage = 'value' in read && read.value >= 1 && read.value <= auditPageMax
    return isPage ? read : { must: `must be from 1 to ${auditPageMax}` }
  },
  from: wholeNumber,
  to: wholeNumber,
  person: (text: string) => (isAllSeen(text) ? { value: text } : { must: 'has characters that cannot be seen' }),
}

/** The audit list, one page at a time: after a number oldest first, otherwise newest first. */
const auditRoute = ({ audit }: OwnRoutesContext, looks: ReturnType<typeof createLooks>): Route<Guest> => ({
  method: 'GET',
  path: '/hub/audit',
  handle({ guest, query }) {
    const { role } = guest
    if (!may(role, 'audit')) return Promise.resolve(failure(403, `the role ${role} may not read the audit list`))
    const read = readQuery(query, auditQuery)
    if (!read.ok) return Promise.resolve(failure(400, read.error))
    const { after, before, limit, from, to, person } = read.value
    const asked: AuditQuery = {
      most: limit ?? auditUsual,
      ...(after === undefined ? { before: before ?? null } : { after }),
      ...(from === undefined ? {} : { fromMs: from }),
      ...(to === undefined ? {} : { toMs: to }),
      ...(person === undefined ? {} : { person }),
    }
    return look(looks, guest, async () => {
      const rows = await audit(asked)
      return json(writeHubAudit(rows.map((row) => ({ ...row, sentence: describeAudit(row) }))))
    })
  },
})

function haltRoutes({ setHalt }: OwnRoutesContext): readonly Route<Guest>[] {
  const set = (guest: Guest, reason: string | null, seen?: string): Promise<Answer> => {
    const { role } = guest
    if (!may(role, 'halt')) return Promise.resolve(failure(403, `the role ${role} may not halt or resume`))
    return recorded(async () => {
      try {
        const before = await setHalt(reason, guest, seen)
        if (reason === null && isOtherHalt(before, { seen })) return failure(409, unchangedText(otherHalt(before)))
      } catch (error) {
        if (error instanceof MayNotHalt) return failure(403, error.message)
        throw error
      }
      return json(JSON.stringify({ halted: reason }))
    })
  }
  return [
    {
      method: 'POST',
      path: '/hub/halt',
      handle({ guest, body }) {
        const read = readReason(body.text, jsonBounds)
        const reason = read.ok ? cleanReason(read.value ?? '') : read
        return reason.ok ? set(guest, reason.value) : badRequest(reason.error)
      },
    },
    {
      method: 'POST',
      path: '/hub/resume',
      handle({ guest, body }) {
        const seen = readReason(body.text, jsonBounds)
        return seen.ok ? set(guest, null, seen.value ?? undefined) : badRequest(seen.error)
      },
    },
  ]
}

const personRoutes = (context: OwnRoutesContext): readonly Route<Guest>[] => [
  ...lookRoutes(context),
  settleRoute(context),
]

const lookRoutes = ({ account, hub, halted, unknownWrites }: OwnRoutesContext): readonly Route<Guest>[] => [
  {
    method: 'GET',
    path: '/hub/me',
    handle: ({ guest: { name, role, limits } }) => {
      const texts = Object.entries(limits).map(([each, usd]) => [each, usd?.toFixed() ?? null])
      return json(JSON.stringify({ name, role, limits: Object.fromEntries(texts), account, hub, halted: halted() }))
    },
  },
  { method: 'GET', path: '/hub/writes', handle: () => json(JSON.stringify(unknownWrites().map(unknownWriteJson))) },
]

const settleRoute = ({ maySettle, decide }: OwnRoutesContext): Route<Guest> => ({
  method: 'POST',
  path: '/hub/writes/:key/settle',
  handle: async ({ guest, params, body }): Promise<Answer> => {
    if (!may(guest.role, 'settle')) return failure(403, `the role ${guest.role} may not resolve writes`)
    const read = readMessage(verdictMessage, body.text, jsonBounds)
    if (!read.ok) return badRequest(read.error)
    const { verdict, withdrawalId, evidence: seen } = read.value
    return await recorded(async () => {
      if (!(await maySettle(guest))) return failure(403, unchangedText('you may not resolve writes now'))
      const settled = await decide(guest.name, params.key ?? '', verdict, withdrawalId ?? null, seen ?? undefined)
      return settled.ok ? json(JSON.stringify({ settled: settled.value })) : failure(409, settled.error)
    })
  },
})

/** An unknown write with the evidence and the possible resolutions; none while it is being looked up. */
const unknownWriteJson = ({ key, kind, sentence, atMs, question }: UnknownWrite) => ({
  key,
  kind,
  sentence,
  at: atMs,
  evidence: question?.evidence ?? null,
  verdicts: question?.verdicts ?? [],
})
