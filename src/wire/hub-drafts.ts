import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { noteLengthMax, refusedState } from '../domain/draft.ts'
import type { HubDraft } from '../domain/hub/draft.ts'
import type { UnreadableEntry } from '../domain/listing.ts'
import { parseAmount } from '../domain/money.ts'
import type { DraftApproval, DraftState } from '../domain/transfers/draft.ts'
import type { WithdrawalAmount } from '../domain/transfers/transfer.ts'
import type { KnownWhitelist } from '../domain/transfers/whitelist.ts'
import type { JsonBounds } from './exact-json.ts'
import { anyList, entryReader, type Known, readWithEntries } from './listing.ts'
import {
  type FieldReader,
  mapResult,
  message,
  ofAsked,
  optional,
  optionalBoolean,
  optionalStrictText,
  optionalText,
  optionalTimestamp,
  optionalWord,
  readMessage,
  readOwnId,
  required,
  strictName,
  text,
  thenRead,
  timestamp,
  word,
} from './message.ts'

const readRaw: FieldReader<string> = (value) =>
  typeof value === 'string' && value.isWellFormed() ? { value } : { must: 'must be a string' }
/** Text without cleaning: part of a signed text, or an exact identifier. */
const exact = required(readRaw)

const keyLengthMax = 64

/** Plain digits above zero, or `max` for the whole available balance. Refuses more digits than any currency has. */
const readDraftAmount: FieldReader<WithdrawalAmount> = (value) => {
  if (value === 'max') return { value }
  const parsed = typeof value === 'string' && /^\d{1,20}(\.\d{1,20})?$/.test(value) ? parseAmount(value) : undefined
  return parsed?.gt(0) === true ? { value: parsed } : { must: 'must be an amount above zero in quotes, or "max"' }
}
const draftAmount = required(readDraftAmount)
const amountText = (amount: WithdrawalAmount): string => (amount === 'max' ? amount : amount.toFixed())

/** A request to the hub to save a draft, or to change one. */
export type HubDraftRequest = {
  /** Id of a new draft; null lets the hub assign one. */
  draftId: string | null
  currency: string
  /** A whitelist id. */
  beneficiary: string
  amount: WithdrawalAmount
  note: string | null
  key: string | null
  wantsApproval: boolean
}

const requestMessage = message({
  draftId: optional(readOwnId),
  currency: strictName,
  beneficiary: strictName,
  amount: draftAmount,
  note: optionalStrictText,
  key: optionalStrictText,
  wantsApproval: optionalBoolean,
})

/** Reads a request to save a draft. */
export function readHubDraftRequest(json: string, bounds: JsonBounds): Result<HubDraftRequest> {
  const read = readMessage(requestMessage, json, bounds)
  if (!read.ok) return read
  const { note, key, wantsApproval, ...rest } = read.value
  if (rest.currency === '' || rest.beneficiary === '')
    return err('fields "currency" and "beneficiary" must not be empty')
  if (key !== null && (key === '' || key.length > keyLengthMax))
    return err(`field "key" must have 1 to ${keyLengthMax} characters`)
  if ((note ?? '').length > noteLengthMax) return err(`field "note" must have at most ${noteLengthMax} characters`)
  return ok({ ...rest, note, key, wantsApproval: wantsApproval === true })
}

export const writeHubDraftRequest = ({ amount, ...rest }: HubDraftRequest, version: number | null): string =>
  JSON.stringify({ ...rest, amount: amountText(amount), ...(version === null ? {} : { version }) })

const versionMessage = message({ version: timestamp })
/** The version of the draft that a change is based on. */
export const readDraftVersion = (json: string, bounds: JsonBounds): Result<number> =>
  mapResult(readMessage(versionMessage, json, bounds), ({ version }) => version)

const approvalMessage = message({ terms: exact, signature: exact })
export type HubApprovalRequest = { terms: string; signature: string }

export const readHubApproval = (json: string, bounds: JsonBounds): Result<HubApprovalRequest> =>
  readMessage(approvalMessage, json, bounds)

const reasonMessage = message({ reason: optionalStrictText })
/** The reason for a halt or a rejection; null when none is given. */
export const readReason = (json: string, bounds: JsonBounds): Result<string | null> =>
  json.trim() === '' ? ok(null) : mapResult(readMessage(reasonMessage, json, bounds), ({ reason }) => reason)

const approvalKinds = ['none', 'wanted', 'given'] as const
const notTaken = ['notPlaced', 'notSent'] as const
const stateKinds = ['draft', 'sending', 'unknown', 'sent', 'refused', 'dropped'] as const
const draftMessage = message({
  draftId: required(readOwnId),
  version: timestamp,
  revision: timestamp,
  madeBy: text,
  createdAt: timestamp,
  currency: exact,
  beneficiary: exact,
  name: exact,
  amount: draftAmount,
  note: optionalText,
  key: optionalText,
  approval: word(approvalKinds),
  approvedBy: optionalText,
  approvedAt: optionalTimestamp,
  state: word(stateKinds),
  stateAt: optionalTimestamp,
  journalKey: optionalText,
  withdrawalId: optionalText,
  reason: optionalText,
  how: optionalWord(notTaken),
  refusedFor: optionalText,
})

/** A draft in a hub's list. */
const draftFields = (draft: HubDraft) => {
  const { draftId, version, revision, madeBy, createdAtMs, currency, beneficiary, note, key, approval, state } = draft
  const given = approval.kind === 'given' ? { approvedBy: approval.by, approvedAt: approval.atMs } : {}
  const { kind, atMs: stateAt, ...rest } = { atMs: undefined, ...state }
  return {
    ...{ draftId, version, revision, madeBy, createdAt: createdAtMs, currency },
    ...{ beneficiary: beneficiary.whitelistId, name: beneficiary.name },
    amount: amountText(draft.amount),
    ...{ note, key: key ?? null, approval: approval.kind, ...given },
    ...{ state: kind, stateAt, ...('isBegun' in rest ? {} : rest) },
  }
}

export const writeHubDraft = (draft: HubDraft): string => JSON.stringify(draftFields(draft))

/** The drafts of a hub, and the hub's identity, which approvals name. */
export type HubDraftList = { hub: string; drafts: readonly HubDraft[]; unreadable: readonly UnreadableEntry[] }

export const writeHubDrafts = ({ hub, drafts }: Pick<HubDraftList, 'hub' | 'drafts'>): string =>
  JSON.stringify({ hub, drafts: drafts.map(draftFields) })

type DraftMessage = z.output<typeof draftMessage>

function approvalOf({ approval, approvedBy, approvedAt }: DraftMessage): DraftApproval {
  return approval === 'given' ? { kind: 'given', by: approvedBy ?? '', atMs: approvedAt ?? 0 } : { kind: approval }
}

function stateOf({ state, stateAt, journalKey, withdrawalId, reason, how, refusedFor }: DraftMessage): DraftState {
  const atMs = stateAt ?? 0
  switch (state) {
    case 'draft':
      return { kind: state }
    case 'sending':
      return { kind: state, atMs, isBegun: true }
    case 'unknown':
      return { kind: state, atMs, journalKey: journalKey ?? '' }
    case 'sent':
      return { kind: state, atMs, withdrawalId }
    case 'refused':
      return refusedState(
        { reason: reason ?? '', refusedFor: refusedFor === 'tooManyCalls' ? refusedFor : undefined },
        atMs,
        how ?? undefined,
      )
    case 'dropped':
      return { kind: state, atMs }
  }
}

/** An approval without a name cannot be checked with anyone. */
function toHubDraft(read: DraftMessage): Result<HubDraft> {
  if (read.approval === 'given' && (read.approvedBy ?? '') === '') return err('field "approvedBy" is missing')
  const { draftId, version, revision, madeBy, createdAt, currency, beneficiary, name, amount, note, key } = read
  return ok({
    ...{ draftId, version, revision, madeBy, createdAtMs: createdAt, currency, amount, note },
    beneficiary: { whitelistId: beneficiary, name },
    ...(key === null ? {} : { key }),
    approval: approvalOf(read),
    state: stateOf(read),
  })
}

const listMessage = message({ hub: exact, drafts: anyList })
const readDraftEntry = entryReader(draftMessage, toHubDraft)

/** GET /hub/drafts. An unreadable draft costs only itself. */
export const readHubDrafts = (json: string, known?: Known<HubDraft>): Result<HubDraftList> =>
  mapResult(readWithEntries(json, listMessage, readDraftEntry, known), ({ message: { hub, drafts }, listing }) => {
    const { entries, unreadable } = listing(drafts)
    return { hub, drafts: entries, unreadable }
  })

/** The answer to a change of a draft; with `draftId`, refuses an answer about another draft. */
export function readHubDraft(json: string, draftId: string | null): Result<HubDraft> {
  const draft = thenRead(readMessage(draftMessage, json), toHubDraft)
  if (!draft.ok || draftId === null) return draft
  return ofAsked('draft', draftId, draft.value.draftId, draft.value)
}

const knownMessage = message({
  whitelistId: exact,
  name: exact,
  currency: optionalText,
  firstSeen: timestamp,
  trustedName: optional(readRaw),
})
const whitelistMessage = message({ entries: z.nullable(anyList) })
const readKnownEntry = entryReader(knownMessage, (entry) => ok(entry))

export const writeKnownWhitelist = (known: KnownWhitelist | null): string =>
  JSON.stringify({
    entries:
      known === null
        ? null
        : [...known].map(([whitelistId, { firstSeenMs, ...rest }]) => ({
            whitelistId,
            ...rest,
            firstSeen: firstSeenMs,
          })),
  })

/**
 * GET /hub/whitelist: the whitelist as known at the firm; null until it was read once. An unreadable entry counts as
 * unknown.
 */
export const readKnownWhitelist = (json: string): Result<KnownWhitelist | null> =>
  mapResult(readWithEntries(json, whitelistMessage, readKnownEntry), ({ message: { entries }, listing }) =>
    entries === null
      ? null
      : new Map(
          listing(entries).entries.map(({ whitelistId, firstSeen, ...rest }) => [
            whitelistId,
            { ...rest, firstSeenMs: firstSeen },
          ]),
        ),
  )

const haltMessage = message({ halted: optionalText })
/** The answer to a halt or its end: why nothing may be sent, or null. */
export const readHalted = (json: string): Result<string | null> =>
  mapResult(readMessage(haltMessage, json), ({ halted }) => halted)

export const writeReason = (reason: string | null): string => JSON.stringify(reason === null ? {} : { reason })
