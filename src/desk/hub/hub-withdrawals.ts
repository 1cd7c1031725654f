import { ExchangeError } from '../../api/errors.ts'
import type { ExchangeClient } from '../../api/exchange-client.ts'
import type { Clock } from '../../base/clock.ts'
import { err, ok } from '../../base/result.ts'
import { errorText } from '../../base/text/error-text.ts'
import type { FeedEvent, WriteEvent } from '../../domain/desk/events.ts'
import { mayHaveLeft } from '../../domain/draft.ts'
import type { ApprovalRule, WithdrawalLimits } from '../../domain/limits.ts'
import { newDraft, requestOf, type WithdrawalDraft } from '../../domain/transfers/draft.ts'
import { isSameRequest, type WithdrawalRequest } from '../../domain/transfers/transfer.ts'
import type { WithdrawalRule } from '../../domain/transfers/withdrawal-checks.ts'
import { approvalReason } from '../../domain/transfers/withdrawal-review.ts'
import type { UsdPrices } from '../../domain/usd-worth.ts'
import { createHubDrafts, draftTerms } from '../../hub/drafts/drafts.ts'
import { createFirmWhitelist } from '../../hub/drafts/whitelist.ts'
import { type DraftRoutesContext, refusal } from '../../hub/http/draft-routes.ts'
import { type HubDatabase, isStoreFailure } from '../../hub/store/database.ts'
import { maybeSent } from '../../hub/writes/answers.ts'
import type { HubWritesContext } from '../../hub/writes/context.ts'
import { JournalError, type WriteJournal } from '../../journal/entry.ts'
import { failureSentence } from '../../services/failure-sentences.ts'
import { createWithdrawalJudge, stoppedFor } from '../../services/transfers/withdrawal-guard.ts'

type Parts = {
  database: HubDatabase
  journal: WriteJournal
  client: ExchangeClient
  limits: WithdrawalLimits
  prices: () => UsdPrices
  newDraftId: () => string
  clock: Clock
  /** How far the exchange's clock is ahead of the wall clock, in ms; null while unknown. */
  skewMs: () => number | null
  signal: AbortSignal
  /** Called after each change of a draft. */
  changed: () => void
  track: (work: Promise<unknown>) => void
  log: (line: string) => void
}

export type FirmWithdrawals = {
  routes: DraftRoutesContext
  /** The firm's rules for the writes of persons. */
  context: Pick<HubWritesContext, 'judgementOf' | 'draftOf'>
  /** Records paid beneficiaries, who are known to all desks from then on. */
  observe(event: FeedEvent | WriteEvent): void
  /** Records the present whitelist when this hub begins to lead, so that later entries count as new. */
  begin(): void
}

/** The rules the hub checks. Those that only need a confirmation were confirmed at the sending desk. */
const askedRules: readonly WithdrawalRule[] = ['fee', 'repeat', 'dayCurrency', 'dayUsd']
/** Without a draft the whitelist is checked too: nothing here records the beneficiary's name as it was chosen. */
const rulesOf = (version: number | null): readonly WithdrawalRule[] =>
  version === null ? [...askedRules, 'whitelist'] : askedRules

// Also for who sends a draft that nobody approved: that one is not saved anew.
const howToApprove = 'have a draft of it approved by another person, then send that draft'

/** Opens drafts, approvals and the memory of the whitelist, shared by all desks of the firm. */
export function openFirmWithdrawals(parts: Parts): FirmWithdrawals {
  const { database, journal, client, limits, prices, newDraftId, clock, skewMs, signal, track, log } = parts
  const drafts = createHubDrafts({ pool: database.pool, hub: database.id, journal })
  const memory = createFirmWhitelist(database.pool)
  const told = (work: Promise<unknown>, what: string) =>
    track(work.catch((error: unknown) => log(`${what}: ${errorText(error)}`)))
  const trust = (whitelistId: string) => told(memory.trust(whitelistId), `${whitelistId} is not remembered as paid`)
  const terms = async (whitelist: Parameters<typeof memory.look>[0] | null) => ({
    ...{ limits, approver: 'an approver' },
    memory: whitelist === null ? await memory.read() : await memory.look(whitelist, clock.wallMs()),
  })
  const judge = createWithdrawalJudge(client, { journal, clock, skewMs, signal, terms })
  const readWhitelist = async () => {
    try {
      const { entries } = await client.fetchWhitelist(signal)
      await memory.look(entries, clock.wallMs())
      return ok(entries)
    } catch (error) {
      if (error instanceof ExchangeError) return err(failureSentence(error))
      if (error instanceof JournalError) return err(error.message)
      throw error
    }
  }
  return {
    routes: { hub: database.id, drafts, memory, whitelist: readWhitelist, newDraftId, changed: parts.changed },
    context: {
      async judgementOf({ draft, version }) {
        const needed = approvalReason(requestOf(draft), limits.approval, prices()) ?? ofAll(draft, limits.approval)
        if (draft.approval.kind === 'wanted') return stoppedFor(`draft ${draft.draftId} waits for an approver`)
        return needed !== null && draft.approval.kind !== 'given'
          ? stoppedFor(`an approver has to approve it (${needed}): ${howToApprove}`)
          : await judge(draft, rulesOf(version))
      },
      async draftOf(person, draftId, request) {
        if (draftId === null) return ok({ draft: unkept(request, newDraftId(), clock.wallMs()), version: null })
        let kept: Awaited<ReturnType<typeof drafts.sendable>>
        try {
          kept = await drafts.sendable(person, draftId)
        } catch (error) {
          if (!isStoreFailure(error) && !(error instanceof JournalError)) throw error
          return err('unread')
        }
        if (!kept.ok) {
          const { error, draft } = kept.error
          // For a second sender at the same time this is not a refusal: the withdrawal was or may have been sent.
          if (draft !== undefined && mayHaveLeft(draft)) return err(maybeSent(error))
          return err(refusal({ ...kept.error, error: `${error}: nothing was sent` }))
        }
        const draft = kept.value
        if (isSameRequest(requestOf(draft), request)) return ok({ draft, version: draft.version })
        const error = `draft ${draftId} asks for ${draftTerms(draft)}, and this for something else: nothing was sent`
        return err(refusal({ status: 409, error, draft }))
      },
    },
    observe(event) {
      if (event.type === 'withdrawalOutcome' && event.outcome.kind === 'accepted') trust(event.request.beneficiary)
      if (event.type === 'writeResolved') parts.changed()
      if (event.type === 'writeResolved' && event.paid !== undefined) trust(event.paid)
    },
    begin() {
      const look = async () => {
        const read = await readWhitelist()
        if (!read.ok) log(`the whitelist is not known yet: ${read.error}`)
      }
      told(look(), 'the whitelist is not known yet')
    },
  }
}

/** The available balance may grow before sending, so an amount threshold for approval cannot be judged. */
function ofAll({ amount }: WithdrawalDraft, { kind }: ApprovalRule): string | null {
  return amount === 'max' && kind !== 'never' ? 'all that is available has no amount that could be judged' : null
}

/** A withdrawal without a draft, in the form the checks need. */
function unkept({ currency, beneficiary, amount }: WithdrawalRequest, draftId: string, nowMs: number): WithdrawalDraft {
  const paid = { whitelistId: beneficiary, name: '' }
  return newDraft({ currency, beneficiary: paid, amount, note: null, wantsApproval: false }, draftId, nowMs)
}
