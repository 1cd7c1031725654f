import { isLocked } from '../../domain/desk/lock.ts'
import { mayCancel } from '../../domain/desk/mode.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { DeskState, Overlay } from '../../store/desk.ts'
import { everySymbolWord } from '../../store/orders/cancel-commands.ts'
import { isSeenEmpty, leftBehind } from '../../store/quit.ts'
import { hangUpOf } from '../../store/terminal/reduce-terminal.ts'
import { useDesk } from '../console-context.ts'
import { keymapOf } from '../keys/rebinding.ts'
import { footEntries } from '../keys/shown-keys.ts'
import { cellText, nameText, wrapWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { SmallTable, smallTableSize } from '../widgets/small-table.tsx'
import { answersRow, askedOrders, cancelAllWords } from './asked-orders.ts'
import { Dialog, type ScreenSize } from './dialog.tsx'

const width = 60
const ordersMost = 8

/** The keys that answer whether to halt, as they are bound. */
export const haltAnswers = (state: Pick<DeskState, 'reboundKeys'>): Row =>
  answersRow(footEntries(['halt'], keymapOf(state)))

const sentence = (text: string): Row[] => wrapWords(text, width - 4).map((line) => [span(` ${line}`)])

type Halt = Extract<Overlay, { kind: 'halt' }>

const isEvery = ({ typed }: Halt): boolean => typed === everySymbolWord

/** The orders that halting would cancel; null before the list has answered. */
const haltedOrders = ({ orders }: Pick<DeskState, 'orders'>, halt: Halt): readonly Order[] | null =>
  orders.value?.filter(({ symbol }) => isEvery(halt) || symbol === halt.symbol) ?? null

/**
 * What halting does and would take out of the market, in words; behind the lock screen no more than how many orders.
 */
export function haltQuestion(state: DeskState, halt: Halt): string {
  const halts = 'Halt: no new orders until armed again.'
  const everywhere = () => cancelAllWords(state.orders.value?.length ?? null, 'every symbol')
  if (isEvery(halt)) return `${halts} ${everywhere()}`
  if (isLocked(state.lock)) return `${halts} ${everywhere()} The desk is locked: type ALL, then Enter.`
  const name = nameText(halt.symbol, 40)
  const every = halt.typed === '' ? 'Type ALL for every symbol.' : `Typed so far: ${halt.typed}`
  return `${halts} ${cancelAllWords(haltedOrders(state, halt)?.length ?? null, name)} ${every}`
}

const symbolColumns = ['ID', 'SIDE', 'TYPE', 'OPEN', 'PRICE'] as const
const everyColumns = ['ID', 'SYMBOL', 'SIDE', 'TYPE', 'OPEN', 'PRICE'] as const

const orderCells = (orders: readonly Order[], state: DeskState): Record<string, string>[] =>
  askedOrders(orders, state).map(({ side, open, symbol, type, price, id }) => ({
    SYMBOL: symbol,
    SIDE: side,
    TYPE: type,
    OPEN: open,
    PRICE: price,
    ID: id,
  }))

export function HaltOverlay({ screen }: { screen: ScreenSize }) {
  const state = useDesk((whole) => whole)
  if (state.overlay?.kind !== 'halt') return null
  const { overlay } = state
  const orders = haltedOrders(state, overlay) ?? []
  const cells = orderCells(orders.slice(0, ordersMost), state)
  const columns = isEvery(overlay) ? everyColumns : symbolColumns
  const question = sentence(haltQuestion(state, overlay))
  const table = smallTableSize(columns, cells)
  const tableRows = cells.length === 0 ? 0 : table.height
  const more: Row[] = orders.length > ordersMost ? [[span(` and ${orders.length - ordersMost} more`, 'label')]] : []
  const gap = Array.from({ length: tableRows }, (): Row => [])
  const rows: Row[] = [[], ...question, ...gap, ...more, [], haltAnswers(state)]
  return (
    <Dialog
      title={[span(`Halt, cancel all ${isEvery(overlay) ? 'symbols' : nameText(overlay.symbol)}`, 'warn')]}
      rows={rows}
      width={Math.max(width, table.width + 4)}
      height={rows.length + 2}
      screen={screen}
      {...(cells.length === 0
        ? {}
        : { inset: { atRow: question.length + 1, node: <SmallTable columns={columns} rows={cells} /> } })}
    />
  )
}

/**
 * What is asked before leaving, a sentence each: what stays behind, or what has become of it since it is being
 * canceled.
 */
export function quitWords(state: DeskState): string[] {
  const { overlay, orders, ticket, move } = state
  const isSending = ticket?.stage === 'sending' || move?.stage === 'sending'
  const open = isSending ? ['An order has no answer yet.'] : []
  const isCanceling = overlay?.kind === 'confirmQuit' && overlay.cancelSentAtMs !== null
  const left = [...leftBehind(state).map(cellText), ...open]
  const keeps = hangUpOf(state) === 'cancel' && (orders.value?.length ?? 0) > 0
  // What a hang-up does is set; a person who quits might think that it holds here too.
  const hangUp = keeps ? ['on_hangup cancels at a hang-up only: quitting keeps orders working.'] : []
  // What was asked about may have ended meanwhile.
  if (left.length === 0) return ['No working orders are listed any more.']
  return isCanceling ? ['Cancel sent. The desk quits once none is listed.', ...left] : [...left, ...hangUp]
}

/** Canceling is offered where there is something to cancel. */
export function quitAnswers(state: DeskState): Row {
  const mayCancelAny = mayCancel(state.mode) && !isSeenEmpty(state)
  const bindings = keymapOf(state).filter(({ action }) => mayCancelAny || action !== 'cancelAndQuit')
  return answersRow(footEntries(['confirmQuit'], bindings))
}

/** The question before leaving: what stays, what x does about it, and the keys. */
export const quitRows = (state: DeskState): Row[] => [
  [],
  ...quitWords(state).flatMap((text) => [...sentence(text), []]),
  quitAnswers(state),
]

export function QuitOverlay({ screen }: { screen: ScreenSize }) {
  const rows = quitRows(useDesk((whole) => whole))
  return (
    <Dialog title={[span('Quit now?', 'warn')]} rows={rows} width={width} height={rows.length + 2} screen={screen} />
  )
}
