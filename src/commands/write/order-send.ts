import { ofTypedName } from '../../base/text/nearest-name.ts'
import { plainText, withoutStop } from '../../base/text/plain-text.ts'
import { utcText } from '../../base/text/time-text.ts'
import { mayHaveLeft, whyNotADraft } from '../../domain/draft.ts'
import { type DraftedOrder, draftedOrderId } from '../../domain/orders/drafted-order.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import type { Run } from '../cli/command.ts'
import { type Ending, failure, wrongUsage } from '../cli/exit-codes.ts'
import { formOf } from '../cli/output.ts'
import { consentOf } from '../cli/prompt.ts'
import { draftMissing, orderDraftFields, unknownDraft } from '../read/order-drafts.ts'
import { makerSays } from './agreement.ts'
import { orderAcceptance } from './checks.ts'
import { dryRun, formFault, knownSymbol, type Placing, place } from './order-place.ts'
import { earlierOrder, nothing, sentUnder } from './order-result.ts'
import { type WriteScene, withWriting } from './with-writing.ts'
import { ownPatienceMs } from './writing.ts'

/** Sends an order draft after all checks at present prices, as `order place` would, and at most once. */
export const runOrderSend: Run = (given, io, tools) => {
  const [typed] = given.words
  if (typed === undefined) return Promise.resolve(wrongUsage(draftMissing))
  const accepted = orderAcceptance.read(given)
  if (!accepted.ok) return Promise.resolve(wrongUsage(accepted.error))
  const unprintable = formFault(given)
  if (unprintable !== null) return Promise.resolve(wrongUsage(unprintable))
  const isDry = given.has('dry-run')
  const consent = isDry ? ({ ok: true, value: 'given' } as const) : consentOf(given, io)
  if (!consent.ok) return Promise.resolve(wrongUsage(consent.error))
  return withWriting({ given, io, tools, isDry }, (scene) =>
    withDraft(typed, scene, async (kept) => {
      const { draftId, order: draft } = kept
      if (kept.state.kind !== 'draft') return isDry ? notToSend('it would not be sent', kept) : await ended(kept, scene)
      if (!isDry) for (const line of originLines(kept)) io.printError(plainText(line))
      const agreement = { consent: consent.value, accepted: accepted.value }
      const placing: Placing = { ...scene, draft, draftId, clientOrderId: draftedOrderId(draftId), agreement }
      return await knownSymbol(placing, () => (isDry ? dryRun(placing) : place(placing)))
    }),
  )
}

/** Discards an order draft; nothing is sent. */
export const runOrderDiscard: Run = (given, io, tools) => {
  const [typed] = given.words
  if (typed === undefined) return Promise.resolve(wrongUsage(draftMissing))
  return withWriting({ given, io, tools, isDry: true }, (scene) =>
    withDraft(typed, scene, async (draft) => {
      if (draft.state.kind !== 'draft') return notDiscarded(draft)
      const { draftId } = draft
      const dropped = await scene.writing.trading.orderDrafts.drop(draftId)
      if (!dropped.ok) return failure('notSent', `not discarded: ${withoutStop(dropped.error)}`)
      const did = `Draft ${draftId} discarded. ${nothing}`
      const fields = orderDraftFields(dropped.value, tools.clock.wallMs())
      await io.print(formOf(given, io.stdout) === 'table' ? did : jsonLine(fields))
      return { code: 0, did }
    }),
  )
}

/** Runs with the named draft, updated from the journal. */
async function withDraft(
  typed: string,
  { writing }: Pick<WriteScene, 'writing'>,
  run: (draft: DraftedOrder) => Promise<Ending>,
): Promise<Ending> {
  const drafts = await writing.trading.orderDrafts.takeUp()
  if (!drafts.ok) return failure('notSent', `${withoutStop(drafts.error)}. ${nothing}`)
  const draft = ofTypedName(drafts.value, ({ draftId }) => draftId, typed)
  return draft === undefined ? failure('notSent', `${unknownDraft(typed)}. ${nothing}`) : await run(draft)
}

/** The draft's maker and reason, shown before the question: the reason is the maker's own text. */
const originLines = ({ draftId, by, createdAtMs, reason }: DraftedOrder): string[] => [
  `Draft ${draftId}, made by ${by} at ${utcText(createdAtMs)}`,
  ...(reason === null ? [] : [makerSays(reason)]),
]

/** The outcome of a former draft: sent, possibly sent, or discarded. */
async function ended(draft: DraftedOrder, scene: WriteScene): Promise<Ending> {
  const { state, order } = draft
  const clientOrderId = draftedOrderId(draft.draftId)
  if (state.kind !== 'dropped') {
    // Another command may be about to begin it.
    await scene.writing.until(
      async () => (await sentUnder(scene.writing.journal, clientOrderId)).entry !== undefined,
      state.kind === 'sending' ? ownPatienceMs : 0,
    )
    const earlier = await earlierOrder({ draft: order, clientOrderId }, scene)
    if (earlier !== null) return earlier
  }
  return notToSend('not sent', draft)
}

/** Why the draft can no longer be sent. A possibly sent one is never reported as not placed. */
function notToSend(what: string, draft: DraftedOrder): Ending {
  const why = `${what}: draft ${draft.draftId}: ${whyNotADraft(draft, 'discarded') ?? 'it is a draft again'}.`
  return failure('notSent', mayHaveLeft(draft) ? why : `${why} ${nothing}`)
}

/** The same for a discard; for a draft that is an order by now, names the command that cancels it. */
function notDiscarded(draft: DraftedOrder): Ending {
  const { state } = draft
  const orderId = state.kind === 'sent' ? state.orderId : null
  const ending = notToSend('not discarded', draft)
  return orderId === null ? ending : { ...ending, todo: `To remove the order: pitdesk order cancel ${orderId}.` }
}
