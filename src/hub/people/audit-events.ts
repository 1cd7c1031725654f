import { z } from 'zod'
import { capital, plainText } from '../../base/text/plain-text.ts'
import { durationText } from '../../base/text/time-text.ts'
import { roles } from '../../domain/hub/roles.ts'
import { planEndKinds } from '../../domain/plans/plan.ts'
import { verdicts, verdictWords } from '../../domain/unknown-write.ts'

/** Maximum characters kept of text from outside. */
const wordsMax = 500
const words = z.string().transform((text) => text.toWellFormed().slice(0, wordsMax))
/** A signed text is kept whole: the signature is of all of it. Its names have lengths that the wire has bounded. */
const signed = z.string()
const usd = z.string().nullable()
/** Limits not named were not changed. */
const limits = z.object({ orderUsd: usd, dayUsd: usd, withdrawDayUsd: usd }).partial()
/** The user and machine of a command, which works on the database directly, without a token. */
const by = words

/** A requested write. */
const write = z.object({
  kind: z.enum(['order', 'cancel', 'cancelAll', 'withdrawal', 'depositAddress', 'plan']),
  /** Its terms as text, such as `BUY 0.5 BTC-USD LIMIT 60000 as a1`. */
  terms: words,
  draftId: words.optional(),
  /** Who made that draft. */
  madeBy: words.optional(),
  /** True where it was on record already: it was answered, and nothing was sent. */
  isRepeat: z.literal(true).optional(),
})

/** The person who acted and the person concerned. */
type Parties = { readonly who: string; readonly whom: string }

type Limits = z.output<typeof limits>
const limitWords: ReadonlyArray<readonly [keyof Limits, string]> = [
  ['orderUsd', 'an order'],
  ['dayUsd', "a day's orders"],
  ['withdrawDayUsd', "a day's withdrawals"],
]

/** `an order up to 5000 USD, a day's withdrawals without limit`; `none` says what a limit taken away leaves. */
const limitsText = (changed: Limits, none = 'without limit'): string =>
  limitWords
    .flatMap(([name, what]) => {
      const value = changed[name]
      if (value === undefined) return []
      return [value === null ? `${what} ${none}` : `${what} up to ${value} USD`]
    })
    .join(', ')

type Write = z.output<typeof write>
const kindWords: Readonly<Record<Write['kind'], string>> = {
  order: 'order',
  cancel: 'cancel',
  cancelAll: 'cancel of all orders',
  withdrawal: 'withdrawal',
  depositAddress: 'deposit address',
  plan: 'plan',
}

/** `withdrawal 1.5 BTC to wl-1 (draft d1 made by ada)`. */
function writeText({ kind, terms, draftId, madeBy, isRepeat }: Write): string {
  const notes = [
    ...(draftId === undefined ? [] : [`draft ${draftId}${madeBy === undefined ? '' : ` made by ${madeBy}`}`]),
    ...(isRepeat === undefined ? [] : ['a repeat: nothing was sent']),
  ]
  return `${kindWords[kind]} ${terms}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
}

const because = (reason: string | undefined): string => (reason === undefined ? '' : `: ${reason}`)

/** The stored detail of an action, and its sentence. */
const kept = <Schema extends z.ZodType>(
  schema: Schema,
  say: (detail: z.output<Schema>, parties: Parties) => string,
) => ({
  schema,
  /** The sentence; null when the detail is not in this version's format. */
  sentence(detail: unknown, parties: Parties): string | null {
    const read = schema.safeParse(detail)
    return read.success ? say(read.data, parties) : null
  },
})

const reason = words.optional()
const planDetail = z.object({ planId: words, terms: words })

/** The actions of the audit list. No field ever contains a token or a key. */
export const auditActions = {
  personAdded: kept(z.object({ role: z.enum(roles), wasRevoked: z.boolean(), by }), (detail, { who, whom }) =>
    detail.wasRevoked ? `${who} took ${whom} back as ${detail.role}` : `${who} added ${whom} as ${detail.role}`,
  ),
  tokenRotated: kept(z.object({ overlapMs: z.number(), by }), ({ overlapMs }, { who, whom }) => {
    const old = overlapMs === 0 ? 'the old one ended at once' : `the old one ends in ${durationText(overlapMs)}`
    return `${who} gave ${whom} a new token, ${old}`
  }),
  personRevoked: kept(z.object({ by }), (_, { who, whom }) => `${who} revoked ${whom}`),
  personLimits: kept(
    z.object({ limits, by }),
    (detail, { who, whom }) => `${who} limited ${whom}: ${limitsText(detail.limits, 'without a limit of their own')}`,
  ),
  roleLimits: kept(
    z.object({ role: z.enum(roles), limits, by }),
    (detail, { who }) => `${who} limited the role ${detail.role}: ${limitsText(detail.limits)}`,
  ),
  signIn: kept(z.object({ address: words }), ({ address }, { who }) => `${who} came from the new address ${address}`),
  writeRefused: kept(
    write.extend({ reason: words }),
    (asked, { who }) => `${who} was refused ${writeText(asked)}: ${asked.reason}`,
  ),
  /** The outcome of a permitted write: filled, rejected by the exchange, no answer. */
  writeEnded: kept(
    write.extend({ outcome: words }),
    (asked, { who }) => `${who}: ${writeText(asked)}: ${asked.outcome}`,
  ),
  settled: kept(
    z.object({ writeId: words, verdict: z.enum(verdicts), withdrawalId: words.optional() }),
    ({ writeId, verdict, withdrawalId }, { who }) => {
      const found = withdrawalId === undefined ? '' : ` as withdrawal ${withdrawalId}`
      return `${who} resolved write ${writeId}: ${verdictWords[verdict]}${found}`
    },
  ),
  drafted: kept(
    z.object({ draftId: words, terms: words }),
    ({ draftId, terms }, { who }) => `${who} made draft ${draftId}: ${terms}`,
  ),
  /** `endsApproval`: who had approved the earlier terms. */
  draftChanged: kept(
    z.object({ draftId: words, terms: words, endsApproval: words.optional() }),
    ({ draftId, terms, endsApproval }, { who }) =>
      `${who} changed draft ${draftId}: ${terms}${endsApproval === undefined ? '' : `; ${endsApproval} had approved it`}`,
  ),
  draftDropped: kept(z.object({ draftId: words }), ({ draftId }, { who }) => `${who} dropped draft ${draftId}`),
  draftRejected: kept(
    z.object({ draftId: words, terms: words, reason }),
    (detail, { who }) => `${who} rejected draft ${detail.draftId}: ${detail.terms}${because(detail.reason)}`,
  ),
  /** `text` and `signature` can be verified with the signer's keys. */
  approved: kept(
    z.object({ draftId: words, terms: words, text: signed.optional(), signature: words.optional() }),
    ({ draftId, terms }, { who }) => `${who} approved draft ${draftId}: ${terms}`,
  ),
  approvalRefused: kept(
    z.object({ draftId: words, reason: words }),
    (detail, { who }) => `${who} could not approve draft ${detail.draftId}: ${detail.reason}`,
  ),
  planBegun: kept(planDetail, ({ planId, terms }, { who }) => `${who} began plan ${planId}: ${terms}`),
  planChanged: kept(planDetail, ({ planId, terms }, { who }) => `${who} changed plan ${planId}: ${terms}`),
  /** The subject is the plan's owner, if someone else. */
  planCanceled: kept(
    z.object({ planId: words, how: z.enum(['takeBack', 'leave']) }),
    ({ planId, how }, { who, whom }) => {
      const orders = how === 'takeBack' ? 'its orders canceled' : 'its orders left at the exchange'
      return `${who} canceled plan ${planId}${whom === 'nobody' ? '' : ` of ${whom}`}: ${orders}`
    },
  ),
  planResumed: kept(z.object({ planId: words }), ({ planId }, { who }) => `${who} let plan ${planId} go on`),
  /** An entry, or an order of a scale, as it is about to leave. */
  planSent: kept(
    z.object({ planId: words, role: z.enum(['entry', 'slice']), terms: words, clientOrderId: words }),
    ({ planId, role, terms, clientOrderId }, { who }) =>
      `plan ${planId} of ${who} sends its ${role}: order ${terms} (client order id ${clientOrderId})`,
  ),
  planEnded: kept(
    z.object({ planId: words, how: z.enum(planEndKinds), why: words }),
    ({ planId, why }, { who }) => `plan ${planId} of ${who} ended: ${why}`,
  ),
  halted: kept(
    z.object({ reason, by: by.optional() }),
    (detail, { who }) => `${who} halted all orders and withdrawals${because(detail.reason)}`,
  ),
  resumed: kept(
    z.object({ reason, by: by.optional() }),
    (detail, { who }) => `${who} allowed orders and withdrawals again${because(detail.reason)}`,
  ),
}
type Actions = typeof auditActions
export type AuditAction = keyof Actions

/** An action to record permanently. */
export type AuditEvent = {
  [Action in AuditAction]: {
    /** The person whose token was used; null for a command on the database itself. */
    person: string | null
    /** The person concerned, if not the one who acted. */
    subject?: string | null
    action: Action
    detail: z.input<Actions[Action]['schema']>
  }
}[AuditAction]

/** A stored row. `detail` is JSON; `action` may be one that only a later version knows. */
export type AuditRow = {
  readonly number: number
  readonly atMs: number
  readonly person: string | null
  readonly subject: string | null
  readonly action: string
  readonly detail: string
  /** Digest of this row and all before it: 64 hexadecimal digits. */
  readonly digest: string
}

const isAction = (action: string): action is AuditAction => Object.hasOwn(auditActions, action)

const doneBy = z.object({ by })

/** Describes a row in one line of English without control characters, so that nothing in it can affect a terminal. */
export function describeAudit({
  person,
  subject,
  action,
  detail,
}: Pick<AuditRow, 'person' | 'subject' | 'action' | 'detail'>): string {
  const read = jsonOf(detail)
  const command = doneBy.safeParse(read)
  const who = person ?? (command.success ? `a command of ${command.data.by}` : 'a command')
  const known = isAction(action) ? auditActions[action].sentence(read, { who, whom: subject ?? 'nobody' }) : null
  // From a later version, or not written by this program: shown as stored.
  const sentence = known ?? `${who}: ${action} ${detail}`
  // A person's name keeps its case.
  return plainText(person === null ? capital(sentence) : sentence)
}

/** Parses JSON; null when invalid. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
