// What the drafts of the hub's drill came to: the exchange's own list of withdrawals against what everybody was told,
// what was signed, and what the hub has on record.
import { z } from 'zod'
import { verifyApproval } from '../../src/base/token-signature.ts'
import type { HubDraft } from '../../src/domain/hub/draft.ts'
import { Decimal } from '../../src/domain/money.ts'
import type { HubDatabase } from '../../src/hub/store/database.ts'
import type { DraftBook } from './hub-drafts.ts'

const withdrawalRow = z.object({
  withdrawalId: z.union([z.number(), z.string()]).transform(String),
  amount: z.union([z.number(), z.string()]).transform((text) => new Decimal(text).toFixed(8)),
  currency: z.string(),
})
const withdrawalList = z.array(withdrawalRow)
export const readWithdrawalList = (json: unknown) => withdrawalList.parse(json)
type Listed = z.infer<typeof withdrawalRow>

type Evidence = {
  book: DraftBook
  listed: readonly Listed[]
  /** As the hub lists them at the end. */
  drafts: readonly HubDraft[]
  database: HubDatabase
  /** What two persons may withdraw a day, in USD, and the least that one BTC counted. */
  limits: ReadonlyMap<string, number>
  usdMin: number
}

/** Complaints, in sentences, and how much there was of what. */
export async function judgeDrafts(evidence: Evidence) {
  const complaints = [
    ...judgeTold(evidence),
    ...(await judgeApprovals(evidence)),
    ...(await judgeHalts(evidence)),
    ...(await judgeLimits(evidence)),
  ]
  const { book, listed } = evidence
  const unknown = book.sendings.filter(({ told }) => told === 'unknown').length
  return {
    complaints,
    figures: {
      ...book.counts,
      halts: book.halts.length,
      sendings: book.sendings.length,
      withdrawn: listed.length,
      unknown,
    },
  }
}

/** Of each draft: at the exchange at most once, and nowhere said to be what it is not. */
function judgeTold({ book, listed, drafts }: Evidence): string[] {
  const complaints: string[] = []
  const ids = new Map<string, string[]>()
  for (const { amount, withdrawalId } of listed) {
    const draftId = book.drafts.get(amount)
    if (draftId === undefined) complaints.push(`withdrawal ${withdrawalId} of ${amount} was never asked for`)
    else ids.set(draftId, [...(ids.get(draftId) ?? []), withdrawalId])
  }
  for (const [draftId, sent] of ids)
    if (sent.length > 1) complaints.push(`draft ${draftId} was sent as ${sent.join(', ')}`)
  const known = new Map(drafts.map((draft) => [draft.draftId, draft]))
  for (const draftId of new Set(book.drafts.values())) {
    const [withdrawalId] = ids.get(draftId) ?? []
    const told = book.sendings.filter((each) => each.draftId === draftId)
    for (const each of told) {
      if (each.told === 'sent' && withdrawalId === undefined)
        complaints.push(`${draftId} was said to be sent, and is not`)
      if (each.told === 'sent' && each.withdrawalId !== withdrawalId)
        complaints.push(`${draftId} was said to be ${each.withdrawalId}, and is ${withdrawalId}`)
    }
    if (withdrawalId !== undefined && told.every((each) => each.told === 'notSent'))
      complaints.push(`${draftId} was said not to be sent, and is ${withdrawalId}`)
    const state = known.get(draftId)?.state
    if (state === undefined) continue
    if (state.kind === 'sending' || state.kind === 'unknown') complaints.push(`${draftId} is ${state.kind} at the end`)
    const isSaidSent = state.kind === 'sent'
    if (isSaidSent !== (withdrawalId !== undefined))
      complaints.push(`the hub has ${draftId} as ${state.kind}, and the exchange ${withdrawalId ?? 'has it not'}`)
    if (state.kind === 'sent' && state.withdrawalId !== withdrawalId)
      complaints.push(`the hub has ${draftId} as ${state.withdrawalId}, and it is ${withdrawalId}`)
  }
  return complaints
}

const approvalRow = z.object({
  draft_id: z.string(),
  person: z.string(),
  terms: z.string(),
  signature: z.string(),
  made_by: z.string(),
  approval_key: z.string(),
  role: z.string(),
})

/** What was sent was signed, by another person who approves, letter by letter as it went. */
async function judgeApprovals({ book, listed, database }: Evidence): Promise<string[]> {
  const { rows } = await database.pool.query(
    `SELECT a.draft_id, a.person, a.terms, a.signature, d.made_by, t.approval_key, p.role FROM hub_approval AS a
     JOIN hub_draft AS d ON d.id = a.draft_id JOIN hub_person AS p ON lower(p.name) = lower(a.person)
     JOIN hub_token AS t ON t.person_id = p.id`,
  )
  const approvals = rows.map((row) => approvalRow.parse(row))
  return listed.flatMap(({ amount, withdrawalId }) => {
    const draftId = book.drafts.get(amount)
    const isSigned = approvals.some(({ draft_id: of, terms, signature, approval_key: key, ...each }) => {
      const named = z.array(z.string()).safeParse(JSON.parse(terms))
      const isOfThis = of === draftId && named.data?.[1] === database.id && named.data[2] === of
      const asked = named.data?.[7]
      if (!isOfThis || asked === undefined || new Decimal(asked).toFixed(8) !== amount) return false
      return each.role === 'approver' && each.person !== each.made_by && verifyApproval(key, terms, signature)
    })
    return isSigned ? [] : [`withdrawal ${withdrawalId} of ${amount} left without a valid approval`]
  })
}

/** While everything was halted nothing but cancels began. */
async function judgeHalts({ book, database }: Evidence): Promise<string[]> {
  const { rows } = await database.pool.query(
    "SELECT id, begun_at_ms, intent->>'kind' AS kind FROM hub_write WHERE intent->>'kind' IN ('order', 'withdrawal', 'move')",
  )
  const begun = z.array(z.object({ id: z.string(), begun_at_ms: z.coerce.number(), kind: z.string() })).parse(rows)
  return begun
    .filter(({ begun_at_ms: atMs }) => book.halts.some(({ fromMs, toMs }) => atMs > fromMs && atMs < toMs))
    .map(({ id, kind }) => `${kind} ${id} began while the hub was halted`)
}

/** Day limits of persons, by what is at the exchange. */
async function judgeLimits({ listed, database, limits, usdMin }: Evidence): Promise<string[]> {
  const { rows } = await database.pool.query(
    "SELECT person, coalesce(settlement->>'id', outcome->>'id') AS id FROM hub_write WHERE intent->>'kind' = 'withdrawal'",
  )
  const sentBy = new Map(
    z
      .array(z.object({ person: z.string(), id: z.string().nullable() }))
      .parse(rows)
      .map(({ person, id }) => [id, person]),
  )
  const sums = new Map<string, Decimal>()
  const complaints: string[] = []
  for (const { withdrawalId, amount } of listed) {
    const person = sentBy.get(withdrawalId)
    if (person === undefined) complaints.push(`withdrawal ${withdrawalId} is not on record`)
    else sums.set(person, (sums.get(person) ?? new Decimal(0)).plus(new Decimal(amount).times(usdMin)))
  }
  for (const [person, most] of limits) {
    const usd = sums.get(person)
    if (usd?.gt(most) === true) complaints.push(`${person} withdrew ${usd.toFixed(2)} USD on a day, over ${most}`)
  }
  return complaints
}
