import type { Unsettled, Verdict } from '../../domain/orders/unknown-write.ts'
import type { Withdrawal } from '../../domain/transfers/transfer.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from '../slice.ts'
import type { TablesSlice } from '../tables/tables.ts'
import type { TransfersSlice } from '../transfers/transfers.ts'
import type { ViewSlice } from '../view/view.ts'
import type { WritesSlice } from './writes.ts'

/** What its commands work with. */
type Context = SliceContext<
  ViewSlice & WritesSlice & TablesSlice & TransfersSlice & Covering,
  OverlayEvent<UnknownWriteOverlay> | NotedEvent,
  UnknownWritePort
>

export type UnsettledCommands = {
  /** Puts the question about the chosen unsettled write, or about the first one that has one. */
  askUnsettled(): void
  /** Chooses another write to settle, or another of those listed that may be it. */
  moveInUnsettled(rows: number): void
  /** A person's answer to it. */
  sayUnsettled(verdict: Verdict): void
}

/**
 * The key of the write that the chosen row stands for, in the transfers the one a draft became; it may be settled
 * already.
 */
function chosenWrite({ focus, tables, drafts }: ViewSlice & TablesSlice & TransfersSlice): string | null {
  if (focus !== 'transfers') return tables.views.orders.selectedKey
  const { selectedKey } = tables.views.withdrawals
  const draft = drafts.find(({ draftId }) => draftId === selectedKey)
  return draft?.state.kind === 'unknown' ? draft.state.journalKey : selectedKey
}

/**
 * What a person can be asked about, one after the other: each write with a question, once for each withdrawal that may
 * be it.
 */
export const unsettledChoices = (unsettled: readonly Unsettled[]): readonly { key: string; selected: number }[] =>
  unsettled.flatMap(({ key, question }) => {
    if (question === null) return []
    const count = Math.max(1, question.withdrawals?.matches.length ?? 0)
    return Array.from({ length: count }, (_, selected) => ({ key, selected }))
  })

const matchesOf = (unsettled: readonly Unsettled[], key: string): readonly Withdrawal[] =>
  unsettled.find((entry) => entry.key === key)?.question?.withdrawals?.matches ?? []

/** Commands by which a person settles what the exchange's reports do not: nothing here sends anything. */
export function createUnsettledCommands({ store, port }: Context): UnsettledCommands {
  const say = sayer({ store, port })
  return {
    askUnsettled() {
      const { unsettled } = store.getState()
      if (unsettled.length === 0) return say('Nothing is unsettled: every outcome is known.')
      const chosen = unsettled.find(({ key }) => key === chosenWrite(store.getState()))
      const entry = chosen ?? unsettled.find(({ question }) => question !== null)
      if (entry === undefined || entry.question === null) return say('Still checking: its evidence is incomplete.')
      store.dispatch({ type: 'overlayOpened', overlay: { kind: 'unsettled', key: entry.key, selected: 0 } })
    },
    moveInUnsettled(rows) {
      const { overlay, unsettled } = store.getState()
      if (!isOverlay<UnknownWriteOverlay>(overlay, 'unsettled')) return
      const choices = unsettledChoices(unsettled)
      if (choices.length < 2) return say('There is only this one to settle.')
      const at = choices.findIndex(({ key, selected }) => key === overlay.key && selected === overlay.selected)
      const next = choices[Math.max(0, Math.min(choices.length - 1, at + rows))]
      if (next !== undefined) store.dispatch({ type: 'overlayOpened', overlay: { kind: 'unsettled', ...next } })
    },
    sayUnsettled(verdict: Verdict) {
      const { overlay, unsettled } = store.getState()
      if (!isOverlay<UnknownWriteOverlay>(overlay, 'unsettled')) return
      const question = unsettled.find(({ key }) => key === overlay.key)?.question ?? null
      if (question !== null && !question.verdicts.includes(verdict))
        return say(`Not settled: the evidence does not allow "${verdict === 'placed' ? 'placed' : 'not placed'}".`)
      store.dispatch({ type: 'overlayClosed' })
      if (question === null) say('That one is settled already.')
      else {
        const match = verdict === 'placed' ? matchesOf(unsettled, overlay.key)[overlay.selected] : undefined
        port.decideUnsettled(overlay.key, verdict, match?.withdrawalId ?? null)
      }
    },
  }
}

/**
 * Asks for a person's word on a write that the exchange's reports do not settle; `selected` of those that may be it.
 */
export type UnknownWriteOverlay = { kind: 'unsettled'; key: string; selected: number }

export type UnknownWritePort = {
  /** A person's word on an unsettled write that a question was put about; `id`: which of those listed it was. */
  decideUnsettled(key: string, verdict: Verdict, id: string | null): void
}
