import type pg from 'pg'
import { z } from 'zod'
import { err, ok, type Result } from '../../base/result.ts'
import { verifyApproval } from '../../base/token-signature.ts'
import { asRecorded, keptNote, refusedState, whyNotADraft } from '../../domain/draft.ts'
import { approvalText, type HubDraft } from '../../domain/hub/draft.ts'
import { may } from '../../domain/hub/roles.ts'
import { unchangedText } from '../../domain/hub/unchanged.ts'
import { Decimal } from '../../domain/money.ts'
import { asksTheSame, type DraftApproval, type DraftState } from '../../domain/transfers/draft.ts'
import { mayHaveLeft, type WriteJournal } from '../../journal/entry.ts'
import { draftRecords } from '../../services/transfers/withdrawal-drafts.ts'
import type { HubApprovalRequest, HubDraftRequest } from '../../wire/hub-drafts.ts'
import { appendAudit } from '../people/audit.ts'
import type { AuditEvent } from '../people/audit-events.ts'
import { wholeColumn } from '../people/limit-rows.ts'
import { type Asker, approvalKeysOf, mayNow, roleOf } from '../people/people.ts'
import { inTransaction, type Questions } from '../store/database.ts'

/** Why an operation on a draft was refused: status, sentence, and the current draft when that helps. */
export type DraftRefusal = { readonly status: 403 | 404 | 409; readonly error: string; readonly draft?: HubDraft }
type Answered<T = HubDraft> = Promise<Result<T, DraftRefusal>>

/** The stored contents of a draft, with the beneficiary's name from the exchange's whitelist. */
export type KeptContent = Omit<HubDraftRequest, 'draftId' | 'beneficiary'> & {
  readonly beneficiary: HubDraft['beneficiary']
}

type Approver = Asker & { readonly approvalKey: string }

/** The firm's drafts in the hub's database. Every operation rejects when the database fails. */
export type HubDrafts = {
  /** All unsent drafts and the latest finished ones, newest first. */
  list(): Promise<readonly HubDraft[]>
  make(maker: Asker, draftId: string, content: KeptContent): Answered
  /** Changes a draft: only by its maker, and only the version they saw. Changed terms end its approval. */
  change(maker: Asker, draftId: string, version: number, content: KeptContent): Answered
  /** Drops a draft, under the same conditions. */
  drop(maker: Asker, draftId: string, version: number): Answered
  /** An approver's rejection; the draft is never sent. */
  reject(approver: Asker, draftId: string, reason: string | null): Answered
  /** An approver's signed approval of the current terms; never of their own draft. */
  approve(approver: Approver, draftId: string, request: HubApprovalRequest): Answered
  /**
   * The draft, if this person may send it now: checks the approval's signature and signer. An unapproved draft is sent
   * by its maker only.
   */
  sendable(person: string, draftId: string): Answered
}

/** Maximum listed drafts that are finished. */
const endedMax = 500
const listedMax = 2_000
/** Maximum unsent drafts per person, so that others' drafts stay on the list. */
const openMaxEach = 400

const columns = `d.id, d.version, d.revision, d.made_by, d.created_at_ms, d.currency, d.beneficiary, d.beneficiary_name,
  d.amount, d.note, d.key, d.wants_approval, d.ended_as, d.ended_reason, d.ended_at_ms,
  a.person AS approved_by, a.at_ms AS approved_at_ms, a.terms, a.signature`
const isOpen = `d.ended_as IS NULL
  AND NOT EXISTS (SELECT FROM hub_write_key WHERE hub_write_key.key = 'draft ' || d.id)`
const tables = 'hub_draft AS d LEFT JOIN hub_approval AS a ON a.draft_id = d.id AND a.revision = d.revision'

const draftRow = z.object({
  id: z.string(),
  version: wholeColumn,
  revision: wholeColumn,
  made_by: z.string(),
  created_at_ms: wholeColumn,
  currency: z.string(),
  beneficiary: z.string(),
  beneficiary_name: z.string(),
  amount: z.string(),
  note: z.string().nullable(),
  key: z.string().nullable(),
  wants_approval: z.boolean(),
  ended_as: z.enum(['dropped', 'rejected']).nullable(),
  ended_reason: z.string().nullable(),
  ended_at_ms: wholeColumn.nullable(),
  approved_by: z.string().nullable(),
  approved_at_ms: wholeColumn.nullable(),
  terms: z.string().nullable(),
  signature: z.string().nullable(),
})
type DraftRow = z.output<typeof draftRow>

function approvalOf({ approved_by: by, approved_at_ms: atMs, wants_approval: isWanted }: DraftRow): DraftApproval {
  return by !== null && atMs !== null ? { kind: 'given', by, atMs } : { kind: isWanted ? 'wanted' : 'none' }
}

function endOf({ ended_as: how, ended_reason: reason, ended_at_ms: atMs }: DraftRow): DraftState {
  if (how === null || atMs === null) return { kind: 'draft' }
  return how === 'dropped' ? { kind: 'dropped', atMs } : refusedState({ reason: reason ?? '' }, atMs, 'notSent')
}

/** The draft as stored, without the journal's outcome. */
const draftOf = (row: DraftRow): HubDraft => ({
  ...{ draftId: row.id, version: row.version, revision: row.revision, madeBy: row.made_by },
  ...{ currency: row.currency, beneficiary: { whitelistId: row.beneficiary, name: row.beneficiary_name } },
  amount: row.amount === 'max' ? 'max' : new Decimal(row.amount),
  ...{ createdAtMs: row.created_at_ms, note: row.note },
  ...(row.key === null ? {} : { key: row.key }),
  ...{ approval: approvalOf(row), state: endOf(row) },
})

/** `1.5 BTC to "cold" (w1)` */
export const draftTerms = ({ amount, currency, beneficiary }: Omit<KeptContent, 'note' | 'key' | 'wantsApproval'>) =>
  `${amount === 'max' ? 'all' : amount.toFixed()} ${currency} to "${beneficiary.name}" (${beneficiary.whitelistId})`

const refuse = (status: DraftRefusal['status'], error: string, draft?: HubDraft) =>
  err({ status, error, ...(draft === undefined ? {} : { draft }) })

const notNow = refuse(403, 'you are not an approver now: the draft stays as it was')
const notMaker = refuse(403, unchangedText('you may not draft withdrawals now'))
const missing = (draftId: string) => refuse(404, `no draft ${draftId} is kept at this hub`)
const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

type Options = {
  pool: pg.Pool
  /** The identity of the database. */
  hub: string
  /** The outcomes of sent drafts. */
  journal: Pick<WriteJournal, 'findAll'>
}

/** Opens the firm's drafts. */
export const createHubDrafts = (options: Options): HubDrafts => new PostgresDrafts(options)

class PostgresDrafts implements HubDrafts {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async list(): Promise<readonly HubDraft[]> {
    const { rows } = await this.#options.pool.query(
      `SELECT ${columns} FROM ${tables}
       WHERE d.sequence IN (SELECT sequence FROM hub_draft ORDER BY sequence DESC LIMIT ${endedMax})
         OR (${isOpen})
       ORDER BY d.sequence DESC LIMIT ${listedMax}`,
    )
    return await this.#recorded(rows.map((row) => draftOf(draftRow.parse(row))))
  }

  make(maker: Asker, draftId: string, content: KeptContent): Answered {
    const { currency, beneficiary, amount, note, key, wantsApproval } = content
    const { name: person } = maker
    return inTransaction(this.#options.pool, async (client) => {
      if (!(await mayNow(client, maker, 'draft'))) return notMaker
      // Of several at once each counts those before it.
      await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`drafts of ${person}`])
      const open = await client.query(
        `SELECT count(*)::int AS count FROM hub_draft AS d WHERE d.made_by = $1 AND d.id <> $2 AND ${isOpen}`,
        [person, draftId],
      )
      if (Number(open.rows[0]?.count) >= openMaxEach)
        return refuse(409, `${openMaxEach} drafts of yours may still go, as many as one person may have: drop some`)
      const { rowCount } = await client.query(
        `INSERT INTO hub_draft (id, made_by, created_at_ms, currency, beneficiary, beneficiary_name, amount, note, key,
           wants_approval) VALUES ($1, $2, hub_now_ms(), $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
        [
          ...[draftId, person, currency, beneficiary.whitelistId, beneficiary.name],
          ...[amount === 'max' ? amount : amount.toFixed(), keptNote(note), key, wantsApproval],
        ],
      )
      const kept = await this.#find(client, 'd.id = $1', draftId)
      if (rowCount === 1 && kept !== null) {
        const detail = { draftId, terms: draftTerms(content) }
        await appendAudit(client, { person, action: 'drafted', detail })
        return ok(kept.draft)
      }
      if (kept !== null) {
        const now = await this.#now(kept.draft)
        const isRepeat =
          now.state.kind === 'draft' && isSame(now.madeBy, person) && hasContent(kept, content) && kept.row.key === key
        return isRepeat ? ok(now) : refuse(409, `draft ${draftId} is there already`, now)
      }
      const other = await this.#find(client, 'd.key = $1 AND d.ended_as IS NULL', key ?? '')
      return refuse(409, `key ${key ?? ''} names draft ${other?.draft.draftId ?? ''} already`, other?.draft)
    })
  }

  change(maker: Asker, draftId: string, version: number, content: KeptContent): Answered {
    const isDone = (kept: Kept) =>
      kept.row.version === version + 1 && isSame(kept.row.made_by, maker.name) && hasContent(kept, content)
    const run = async (client: Questions, before: HubDraft): Promise<AuditEvent> => {
      const { currency, beneficiary, amount, note, wantsApproval } = content
      const after = { ...before, currency, beneficiary, amount }
      const isSameMoney = asksTheSame(before, after)
      await client.query(
        `UPDATE hub_draft SET version = version + 1, revision = revision + $2, currency = $3, beneficiary = $4,
           beneficiary_name = $5, amount = $6, note = $7, wants_approval = $8 WHERE id = $1`,
        [
          ...[draftId, isSameMoney ? 0 : 1, currency, beneficiary.whitelistId, beneficiary.name],
          ...[amount === 'max' ? amount : amount.toFixed(), keptNote(note), wantsApproval],
        ],
      )
      const ends = !isSameMoney && before.approval.kind === 'given' ? { endsApproval: before.approval.by } : {}
      return { person: maker.name, action: 'draftChanged', detail: { draftId, terms: draftTerms(content), ...ends } }
    }
    return this.#ofMaker(maker, draftId, version, run, isDone)
  }

  drop(maker: Asker, draftId: string, version: number): Answered {
    const isDone = ({ row }: Kept) => row.ended_as === 'dropped' && isSame(row.made_by, maker.name)
    const run = async (client: Questions): Promise<AuditEvent> => {
      await endDraft(client, draftId, 'dropped', null)
      return { person: maker.name, action: 'draftDropped', detail: { draftId } }
    }
    return this.#ofMaker(maker, draftId, version, run, isDone)
  }

  reject(approver: Asker, draftId: string, reason: string | null): Answered {
    const { name: person } = approver
    const how = `rejected by ${person}${reason === null ? '' : `: ${reason}`}`
    const isDone = ({ row }: Kept) => row.ended_as === 'rejected' && row.ended_reason === how
    return this.#changed(draftId, isDone, async (client, { draft }) => {
      if (!(await mayNow(client, approver, 'approve'))) return notNow
      if (isSame(draft.madeBy, person)) return refuse(403, 'you cannot reject your own draft: drop it')
      await endDraft(client, draftId, 'rejected', how)
      const detail = { draftId, terms: draftTerms(draft), ...(reason === null ? {} : { reason }) }
      return ok({ person, action: 'draftRejected', detail })
    })
  }

  async approve(approver: Approver, draftId: string, request: HubApprovalRequest): Answered {
    const { pool, hub } = this.#options
    const { name, approvalKey } = approver
    const isDone = ({ row }: Kept) =>
      row.approved_by === name && row.terms === request.terms && row.signature === request.signature
    const approved = await this.#changed(draftId, isDone, async (client, { draft }) => {
      if (!(await mayNow(client, approver, 'approve'))) return notNow
      if (isSame(draft.madeBy, name)) return refuse(403, 'you cannot approve your own draft')
      if (draft.approval.kind === 'given') return refuse(409, `${draft.approval.by} has approved it already`, draft)
      const text = approvalText(hub, draft)
      if (request.terms !== text) return refuse(409, 'what was signed is not what the draft says now: review it', draft)
      if (!verifyApproval(approvalKey, text, request.signature))
        return refuse(403, 'the signature is not one of this token over these terms')
      await client.query(
        `INSERT INTO hub_approval (draft_id, revision, person, terms, signature, at_ms)
         VALUES ($1, $2, $3, $4, $5, hub_now_ms())`,
        [draftId, draft.revision, name, text, request.signature],
      )
      await client.query('UPDATE hub_draft SET version = version + 1 WHERE id = $1', [draftId])
      const signed = { text, signature: request.signature }
      return ok({ person: name, action: 'approved', detail: { draftId, terms: draftTerms(draft), ...signed } })
    })
    if (!approved.ok) {
      const detail = { draftId, reason: approved.error.error }
      await appendAudit(pool, { person: name, action: 'approvalRefused', detail })
    }
    return approved
  }

  async sendable(person: string, draftId: string): Answered {
    const { pool, hub } = this.#options
    const kept = await this.#find(pool, 'd.id = $1', draftId)
    if (kept === null) return missing(draftId)
    const draft = await this.#now(kept.draft)
    const reason = whyNotADraft(draft)
    if (reason !== null) return refuse(409, `draft ${draftId} is not sent: ${reason}`, draft)
    const { approval } = draft
    const { madeBy } = draft
    if (approval.kind !== 'given')
      return isSame(madeBy, person)
        ? ok(draft)
        : refuse(403, `${madeBy} made draft ${draftId}, and alone sends it while nobody has approved it`, draft)
    const role = await roleOf(pool, approval.by)
    if (role === null || !may(role, 'approve') || isSame(approval.by, draft.madeBy))
      return refuse(409, `draft ${draftId} is not sent: ${approval.by}, who approved it, is not an approver now`, draft)
    const text = approvalText(hub, draft)
    const keys = await approvalKeysOf(pool, approval.by)
    const { terms, signature } = kept.row
    const isSigned = terms === text && keys.some((key) => verifyApproval(key, text, signature ?? ''))
    return isSigned
      ? ok(draft)
      : refuse(409, `draft ${draftId} is not sent: ${approval.by} did not sign what it says now`, draft)
  }

  /** Changes a draft for its maker, and only in the version they saw. */
  #ofMaker(
    maker: Asker,
    draftId: string,
    version: number,
    run: (client: Questions, draft: HubDraft) => Promise<AuditEvent>,
    isDone: (kept: Kept) => boolean,
  ): Answered {
    return this.#changed(draftId, isDone, async (client, { draft }) => {
      if (!(await mayNow(client, maker, 'draft'))) return notMaker
      if (!isSame(draft.madeBy, maker.name))
        return refuse(403, `${draft.madeBy} made draft ${draftId}, and alone changes it`)
      if (draft.version !== version) return refuse(409, 'the draft was changed meanwhile: look at it again', draft)
      return ok(await run(client, draft))
    })
  }

  /**
   * Changes an unfinished draft under a lock against other changes and sending, with its audit row. `isDone`: it has
   * this very change, as where a proxy delivered the request twice: then the draft is the answer.
   */
  async #changed(
    draftId: string,
    isDone: (kept: Kept) => boolean,
    run: (client: Questions, kept: Kept) => Promise<Result<AuditEvent, DraftRefusal>>,
  ): Answered {
    return await inTransaction(this.#options.pool, async (client) => {
      // Locks first: only the next query sees the changes of whoever held the lock before.
      await client.query('SELECT 1 FROM hub_draft WHERE id = $1 FOR UPDATE', [draftId])
      const kept = await this.#find(client, 'd.id = $1', draftId)
      if (kept === null) return missing(draftId)
      const sent = await client.query('SELECT 1 FROM hub_write_key WHERE key = $1', [`draft ${draftId}`])
      const now = sent.rows.length === 0 ? kept.draft : await this.#now(kept.draft)
      if (isDone(kept)) return ok(now)
      const reason = whyNotADraft(now)
      if (reason !== null) return refuse(409, `draft ${draftId} stays as it was: ${reason}`, now)
      const done = await run(client, kept)
      if (!done.ok) return done
      const after = await this.#find(client, 'd.id = $1', draftId)
      await appendAudit(client, done.value)
      return after === null ? missing(draftId) : ok(after.draft)
    })
  }

  async #find(client: Questions, where: string, value: string): Promise<Kept | null> {
    const { rows } = await client.query(`SELECT ${columns} FROM ${tables} WHERE ${where}`, [value])
    if (rows[0] === undefined) return null
    const row = draftRow.parse(rows[0])
    return { row, draft: draftOf(row) }
  }

  async #now(draft: HubDraft): Promise<HubDraft> {
    const [now = draft] = await this.#recorded([draft])
    return now
  }

  /** Adds the outcomes of sent drafts; the journal overrides the draft's own state. */
  async #recorded(drafts: readonly HubDraft[]): Promise<readonly HubDraft[]> {
    if (drafts.length === 0) return drafts
    const found = await this.#options.journal.findAll(
      drafts.map(({ draftId }) => ({ kind: 'draft', id: draftId }) as const),
    )
    // One that did not leave is a draft, also while its key is still taken: that it did not is stored a moment later.
    const entries = found.entries.filter(mayHaveLeft)
    const records = draftRecords(entries)
    const sending = new Map(
      entries.flatMap(({ intent, outcome, settlement, atMs }) =>
        intent.kind === 'withdrawal' && intent.draftId !== null && outcome === null && settlement === null
          ? [[intent.draftId, atMs] as const]
          : [],
      ),
    )
    return drafts.map((draft) => {
      const atMs = sending.get(draft.draftId)
      if (atMs !== undefined) return { ...draft, state: { kind: 'sending', atMs, isBegun: true } }
      const { state } = asRecorded(draft, records.get(draft.draftId) ?? { kind: 'none' })
      return { ...draft, state }
    })
  }
}

type Kept = { readonly row: DraftRow; readonly draft: HubDraft }

/** Whether an unfinished draft says all that its maker asked for. */
const hasContent = ({ row, draft }: Kept, content: KeptContent): boolean => {
  const { currency, beneficiary, amount, note, wantsApproval } = content
  return (
    row.ended_as === null &&
    asksTheSame(draft, { ...draft, currency, beneficiary, amount }) &&
    row.note === keptNote(note) &&
    row.wants_approval === wantsApproval
  )
}

const endDraft = (client: Questions, draftId: string, how: 'dropped' | 'rejected', reason: string | null) =>
  client.query(
    `UPDATE hub_draft SET version = version + 1, ended_as = $2, ended_reason = $3, ended_at_ms = hub_now_ms()
     WHERE id = $1`,
    [draftId, how, reason],
  )
