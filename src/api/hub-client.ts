import { err, type Result } from '../base/result.ts'
import type { HubDraft } from '../domain/hub/draft.ts'
import type { HubPerson } from '../domain/hub/person.ts'
import { requestOf } from '../domain/transfers/draft.ts'
import { isSameRequest, type Withdrawal, type WithdrawalRequest } from '../domain/transfers/transfer.ts'
import type { KnownWhitelist } from '../domain/transfers/whitelist.ts'
import { readHubPerson } from '../wire/hub.ts'
import { type HubAuditPage, readHubAudit } from '../wire/hub-audit.ts'
import {
  type HubApprovalRequest,
  type HubDraftList,
  type HubDraftRequest,
  readHalted,
  readHubDraft,
  readHubDrafts,
  readKnownWhitelist,
  writeHubDraftRequest,
  writeReason,
} from '../wire/hub-drafts.ts'
import { readWithdrawal, writeNewWithdrawal } from '../wire/transfers.ts'
import { type Caller, endpointPath, memoizeReader } from './caller.ts'
import type { TransportRequest } from './transport.ts'

export type HubAuditQuery = {
  before: number | null
  limit: number
  person?: string
  /** First and last moment, in ms since 1970. */
  fromMs?: number
  toMs?: number
}

/** Calls that only a hub answers. An answer that is not from a hub is a failure. */
export type HubClient = {
  /** GET /hub/me: the person the token belongs to. */
  fetchHubPerson(signal?: AbortSignal): Promise<HubPerson>
  /** GET /hub/drafts: the firm's drafts, newest first, and the hub's identity, which approvals name. */
  fetchHubDrafts(signal?: AbortSignal): Promise<HubDraftList>
  /** GET /hub/whitelist: the firm's memory of the whitelist; null until it was read once. */
  fetchHubWhitelist(signal?: AbortSignal): Promise<KnownWhitelist | null>
  /** POST /hub/drafts */
  makeHubDraft(draftId: string, request: Omit<HubDraftRequest, 'draftId'>): Promise<HubDraft>
  /** PUT /hub/drafts/{draftId}: refused unless `version` is current. */
  changeHubDraft(draftId: string, version: number, request: Omit<HubDraftRequest, 'draftId'>): Promise<HubDraft>
  /** DELETE /hub/drafts/{draftId}: refused unless `version` is current. */
  dropHubDraft(draftId: string, version: number): Promise<HubDraft>
  /** POST /hub/drafts/{draftId}/approve */
  approveHubDraft(draftId: string, approval: HubApprovalRequest): Promise<HubDraft>
  /** POST /hub/drafts/{draftId}/reject */
  rejectHubDraft(draftId: string, reason: string | null): Promise<HubDraft>
  /** POST /hub/drafts/{draftId}/send: a withdrawal with the reviewed terms. `stoppedNow`: see `TransportRequest`. */
  sendHubDraft(
    draftId: string,
    request: WithdrawalRequest,
    signal?: AbortSignal,
    stoppedNow?: TransportRequest['stoppedNow'],
  ): Promise<Withdrawal>
  /** POST /hub/halt: from then on only cancels are sent. Resolves with the reason as the hub has it. */
  haltHub(reason: string): Promise<string | null>
  /** POST /hub/resume: ends the halt for the reason `seen`; any where it is not given. */
  resumeHub(seen?: string): Promise<string | null>
  /** GET /hub/audit: who did what, newest first; only rows before a number if one is given. */
  fetchHubAudit(query: HubAuditQuery, signal?: AbortSignal): Promise<HubAuditPage>
}

const isIn =
  (kind: HubDraft['state']['kind']) =>
  ({ state }: HubDraft): boolean =>
    state.kind === kind
const isApproved = ({ approval }: HubDraft): boolean => approval.kind === 'given'
const isHaltedFor =
  (reason: string) =>
  (halted: string | null): boolean =>
    halted === reason
const isResumed = (reason: string | null): boolean => reason === null

/** Creates the client of a hub's own interface. An answer to a change that does not show it leaves it unknown. */
export function createHubClient(caller: Caller): HubClient {
  const drafts = memoizeReader(readHubDrafts)
  const saying =
    <T>(read: (json: string) => Result<T>, isAsked: (value: T) => boolean) =>
    (json: string): Result<T> => {
      const value = read(json)
      return value.ok && !isAsked(value.value) ? err('the answer says something else than was asked for') : value
    }
  const ofDraft = (draftId: string, isAsked: (draft: HubDraft) => boolean) =>
    saying((json) => readHubDraft(json, draftId), isAsked)
  const hasTerms = (request: WithdrawalRequest) => (draft: HubDraft) => isSameRequest(requestOf(draft), request)
  const textOf = (request: Omit<HubDraftRequest, 'draftId'>, draftId: string | null, version: number | null) =>
    writeHubDraftRequest({ ...request, draftId }, version)
  return {
    fetchHubPerson: (signal) => caller.find(endpointPath`/hub/me`, readHubPerson, signal),
    fetchHubDrafts: (signal) => caller.find(endpointPath`/hub/drafts`, drafts, signal),
    fetchHubWhitelist: (signal) => caller.find(endpointPath`/hub/whitelist`, readKnownWhitelist, signal),
    makeHubDraft: (draftId, request) =>
      caller.write('POST', endpointPath`/hub/drafts`, ofDraft(draftId, hasTerms(request)), {
        body: textOf(request, draftId, null),
      }),
    changeHubDraft: (draftId, version, request) =>
      caller.write('PUT', endpointPath`/hub/drafts/${draftId}`, ofDraft(draftId, hasTerms(request)), {
        body: textOf(request, null, version),
      }),
    dropHubDraft: (draftId, version) =>
      caller.write('DELETE', endpointPath`/hub/drafts/${draftId}`, ofDraft(draftId, isIn('dropped')), {
        body: JSON.stringify({ version }),
      }),
    approveHubDraft: (draftId, approval) =>
      caller.write('POST', endpointPath`/hub/drafts/${draftId}/approve`, ofDraft(draftId, isApproved), {
        body: JSON.stringify(approval),
      }),
    rejectHubDraft: (draftId, reason) =>
      caller.write('POST', endpointPath`/hub/drafts/${draftId}/reject`, ofDraft(draftId, isIn('refused')), {
        body: writeReason(reason),
      }),
    sendHubDraft: (draftId, request, signal, stoppedNow) =>
      caller.post(
        endpointPath`/hub/drafts/${draftId}/send`,
        writeNewWithdrawal(request, 'numbers'),
        readWithdrawal,
        signal,
        stoppedNow,
      ),
    haltHub: (reason) =>
      caller.write('POST', endpointPath`/hub/halt`, saying(readHalted, isHaltedFor(reason)), {
        body: writeReason(reason),
      }),
    resumeHub: (seen) =>
      caller.write('POST', endpointPath`/hub/resume`, saying(readHalted, isResumed), {
        body: writeReason(seen ?? null),
      }),
    fetchHubAudit: ({ before, limit, person, fromMs, toMs }, signal) =>
      caller.get(endpointPath`/hub/audit`, readHubAudit, signal, {
        ...{ before, limit, person: person ?? null, from: fromMs ?? null, to: toMs ?? null },
      }),
  }
}
