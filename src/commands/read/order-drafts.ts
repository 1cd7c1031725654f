import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { ofTypedName } from '../../base/text/nearest-name.ts'
import { plainText, withoutStop } from '../../base/text/plain-text.ts'
import { openAccount, openOrderDrafts } from '../../desk/account/account.ts'
import { fetchToken } from '../../desk/account/profile.ts'
import { draftStateName, draftStateText, isEnded } from '../../domain/draft.ts'
import { aged, type DraftedOrder, draftedOrderId, endsAtMs, isListed } from '../../domain/orders/drafted-order.ts'
import { fromNewOrder } from '../../wire/order-requests.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, type Fields, failed, settingsFailure, wrongUsage } from '../cli/exit-codes.ts'
import { amount, type Column, cut, type Form, formOf, list, one, printReading, text, time } from '../cli/output.ts'
import { readProfile } from '../cli/session.ts'

/** On a narrow terminal order type and prices outlast times, notes and ids, because they distinguish drafts. */
const columns: readonly Column[] = [
  text('draftId', 'DRAFT'),
  time('timestamp', 'MADE (UTC)', 5),
  time('expiresAt', 'EXPIRES (UTC)', 2),
  text('state', 'STATE'),
  text('by', 'BY'),
  text('symbol', 'SYMBOL'),
  text('side', 'SIDE'),
  text('ordType', 'TYPE'),
  amount('orderQty', 'QUANTITY'),
  amount('price', 'PRICE'),
  amount('stopPx', 'STOP', 1),
  text('timeInForce', 'TIF', 4),
  cut(text('reason', 'REASON', 3)),
  text('exOrdId', 'ORDER', 6),
]

const csvColumns: readonly Column[] = [
  ...columns,
  text('expireDate', 'EXPIRE DATE'),
  amount('minQty', 'MIN QTY'),
  text('execInst', 'EXEC INST'),
  text('clOrdId', 'CLIENT ID'),
  text('why', 'WHY'),
]

/** An order draft by the wire's names, where there are any; its state at `nowMs` of the wall clock. */
export function orderDraftFields(kept: DraftedOrder, nowMs: number): Fields {
  const draft = aged(kept, nowMs)
  const { draftId, order, by, reason, createdAtMs, state } = draft
  return {
    draftId,
    state: draftStateName(state),
    by,
    reason,
    ...fromNewOrder({ ...order, clientOrderId: draftedOrderId(draftId) }),
    exOrdId: state.kind === 'sent' && state.orderId !== null ? BigInt(state.orderId) : null,
    why: state.kind === 'refused' ? state.reason : null,
    timestamp: createdAtMs,
    expiresAt: endsAtMs(draft),
  }
}

/** `orderDraftFields` as printed: in a table the state has the desk's words. */
function shownFields(kept: DraftedOrder, nowMs: number, form: Form): Fields {
  const fields = orderDraftFields(kept, nowMs)
  return form === 'table' ? { ...fields, state: draftStateText(aged(kept, nowMs).state, 'discarded') } : fields
}

/**
 * The order drafts on this machine, without a call to the exchange. Expired ones are recorded at once, so that no clock
 * change revives them. The error is the command's ending.
 */
async function readDrafts(
  given: Arguments,
  io: CommandIo,
  tools: CommandTools,
): Promise<Result<DraftedOrder[], Ending>> {
  const settings = readProfile(given, io)
  if (!settings.ok) return err(settingsFailure(settings.error))
  const token = await fetchToken(settings.value, io, tools)
  if (!token.ok) return err(failed(token.error))
  const opened = await openAccount(settings.value, token.value, io, tools)
  if (!opened.ok) return err(failed(withoutStop(opened.error.sentence)))
  for (const notice of opened.value.notices) io.printError(plainText(notice))
  const file = openOrderDrafts(opened.value.account, tools)
  const read = await file.read()
  if (!read.ok) return err(failed(withoutStop(read.error)))
  const nowMs = tools.clock.wallMs()
  const drafts = read.value.map((draft) => aged(draft, nowMs))
  if (drafts.some((draft, at) => draft !== read.value[at])) {
    const noted = await file.update((before) => ok(before.map((draft) => aged(draft, nowMs))))
    if (!noted.ok) io.printError(plainText(noted.error))
  }
  return ok(drafts)
}

/** Waiting drafts, and those that ended within a day. */
export const runOrderDrafts: Run = async (given, io, tools) => {
  const drafts = await readDrafts(given, io, tools)
  if (!drafts.ok) return drafts.error
  const nowMs = tools.clock.wallMs()
  const form = formOf(given, io.stdout)
  const listed = drafts.value.filter((draft) => isListed(draft, nowMs))
  const rows = [...listed.filter((draft) => !isEnded(draft)), ...listed.filter(isEnded)].map((draft) =>
    shownFields(draft, nowMs, form),
  )
  await printReading(list(rows, 'No drafts of orders.'), form === 'csv' ? csvColumns : columns, form, io)
  return done
}

/** The usage error of a command without a draft id. */
export const draftMissing = 'draft missing: pitdesk order drafts lists them'

/** The error for an unknown draft id, as a clause. */
export const unknownDraft = (typed: string): string =>
  `unknown draft ${plainText(typed).slice(0, 40)}: pitdesk order drafts lists them`

/** One draft, even one that ended long ago, while it is on file. */
export const runOrderDraft: Run = async (given, io, tools) => {
  const [typed] = given.words
  if (typed === undefined) return wrongUsage(draftMissing)
  const drafts = await readDrafts(given, io, tools)
  if (!drafts.ok) return drafts.error
  const draft = ofTypedName(drafts.value, ({ draftId }) => draftId, typed)
  if (draft === undefined) return failed(unknownDraft(typed))
  const form = formOf(given, io.stdout)
  await printReading(one(shownFields(draft, tools.clock.wallMs(), form)), csvColumns, form, io)
  return done
}
