import { useCallback } from 'react'
import { formatQuantity } from '../../domain/market/instrument.ts'
import type { DeskState } from '../../store/desk.ts'
import { cutMark, noOrdersListed } from '../../store/feeds/feeds.ts'
import { planAlarm } from '../../store/plans/plans.ts'
import { keymapOf } from '../keys/keymap.ts'
import { haltAnswers, haltQuestion, quitAnswers, quitWords } from '../overlays/confirm.tsx'
import type { ScreenSize } from '../overlays/dialog-room.ts'
import { waitingNote } from '../panes/pane-view.tsx'
import { smallItems, smallPage } from '../panes/small-page.ts'
import { windowOf } from '../tables/list-window.ts'
import { type OrderItem, ordersContext, quantities, stateWord } from '../tables/order-items.ts'
import { priceText } from '../tables/orders-table.ts'
import { inSymbol } from '../tables/symbols-context.ts'
import { cellText, cutWords, nameText } from '../text/cells.ts'
import { own } from '../text/privacy.ts'
import { Region, wholeState } from '../text/region.tsx'
import { cursorMark, dots, type Row, rowText, span, wordRows } from '../text/row.ts'
import { footLine, noticeRow } from './foot-rows.ts'
import { headerRow, identityIn } from './header-row.ts'

/** The prompt for the secret, with a dot per typed character. */
function fieldRow({ lock, lockMethod }: DeskState): Row {
  const name = lockMethod === 'code' ? 'Code' : 'Passphrase'
  switch (lock.kind) {
    case 'typing':
      return [span(` ${name}: `, 'label'), span(dots(lock.length), 'cursor')]
    case 'checking':
      return [span(' Checking…', 'warn')]
    case 'covered':
    case 'open':
      return [span(lockMethod === 'none' ? ' Enter opens it.' : ` Enter asks for the ${name.toLowerCase()}.`, 'label')]
  }
}

/** Counts of working orders and of writes with an unknown outcome: anyone must be able to see them before halting. */
function countRow(state: DeskState): Row {
  const { orders, unknownWrites } = state
  const count = orders.value === null ? 'not known yet' : `${orders.value.length}${cutMark(state)}`
  const working = `Working orders: ${count}`
  return [
    span(` ${working}`),
    ...(unknownWrites.length === 0 ? [] : [span(`   UNKNOWN: ${unknownWrites.length}`, 'bad')]),
  ]
}

/** Counts of open, unprotected and held plans, without names or amounts: enough to know that someone must be called. */
function planCountRows(state: DeskState): Row[] {
  const { open, bare, held } = planAlarm(state)
  if (open === 0) return []
  const alarms = [...(bare === 0 ? [] : [`${bare} not protected`]), ...(held === 0 ? [] : [`${held} held`])]
  const tone = alarms.length === 0 ? 'text' : 'bad'
  return [[span(` Plans: ${[`${open}`, ...alarms].join(', ')}`, tone)]]
}

/** What the lock screen counts, in words. */
export const lockCounts = (state: DeskState): string[] =>
  [countRow(state), ...planCountRows(state)].map((row) => rowText(row).trim())

/**
 * Covers everything except mode, exchange, ages of the feeds, and counts of working orders and open plans; halting is
 * possible here too.
 */
function lockRows(state: DeskState, { columns, rows }: ScreenSize): Row[] {
  const { lock, overlay } = state
  const words = (text: string, tone: 'warn' | 'text') => wordRows(text, columns, tone)
  const sentence = lock.kind === 'covered' && lock.sentence !== '' ? words(lock.sentence, 'warn') : []
  const isHalt = overlay?.kind === 'halt'
  const body: Row[] = isHalt
    ? [...words(haltQuestion(state, overlay), 'warn'), [span(` ${overlay.typed}_`, 'cursor')]]
    : [...sentence, fieldRow(state)]
  const answers: Row[] = isHalt ? [[], haltAnswers(keymapOf(state), state)] : []
  const title: Row = [span(' LOCKED', 'title')]
  const counts = [countRow(state), ...planCountRows(state)]
  const room = Math.max(0, rows - 2)
  const shown = lockForm([[title, [], ...counts, [], ...body, ...answers], [title, ...counts, ...body], body], room)
  const above = Math.max(0, Math.floor((room - shown.length) / 2))
  const middle = Array.from({ length: room }, (_, index): Row => shown[index - above] ?? [])
  return [headerRow(state, columns), ...middle, footLine(state, columns)].slice(0, rows)
}

/** The first form that fits; of the last one its end, where one types. The answers stand at the foot as well. */
const lockForm = (forms: readonly (readonly Row[])[], room: number): readonly Row[] =>
  forms.find((form) => form.length <= room) ?? (room === 0 ? [] : (forms.at(-1) ?? []).slice(-room))

export function LockScreen({ screen }: { screen: ScreenSize }) {
  return <WholeScreen make={lockRows} screen={screen} />
}

type WholeScreenProps = { make: (state: DeskState, screen: ScreenSize) => Row[]; screen: ScreenSize }

/** A full screen made from the whole state. */
function WholeScreen({ make, screen: { columns, rows } }: WholeScreenProps) {
  const made = useCallback((state: DeskState) => make(state, { columns, rows }), [make, columns, rows])
  return <Region width={columns} height={rows} select={wholeState} rows={made} />
}

/**
 * One order in as few words as possible, its identification first. Short of room the state is dropped, then the symbol;
 * a price is never truncated.
 */
function orderLine(item: OrderItem, state: DeskState, width: number): string {
  const { order, key } = item
  if (order === null) return cutWords(`${stateWord(item)} ${cellText(key)}`, width)
  const context = ordersContext(state)
  const { open, ordered } = quantities(item, context.drafts)
  const quantity = open ?? ordered
  const size =
    quantity === null ? '?' : own(inSymbol(context, order.symbol, quantity, formatQuantity), state.looks.isPrivate)
  const price = priceText(item, context)
  const at = price === 'market' ? order.type : order.limitPrice === null ? `${order.type} ${price}` : `@ ${price}`
  const id = order.orderId ?? order.clientOrderId
  const symbol = nameText(order.symbol)
  const forms = [
    [id, order.side, size, symbol, at, stateWord(item)],
    [id, order.side, size, symbol, at],
    [id, order.side, size, at],
    [id, order.side, at],
  ].map((parts) => cellText(parts.join(' ')))
  return forms.find((form) => form.length <= width) ?? cutWords(forms[0] ?? '', width)
}

function questionRows(state: DeskState, columns: number, room: number): Row[] | null {
  const { overlay } = state
  if (overlay?.kind !== 'halt' && overlay?.kind !== 'confirmQuit') return null
  const isQuit = overlay.kind === 'confirmQuit'
  const text = isQuit ? `Quit now? ${quitWords(state).join(' ')}` : haltQuestion(state, overlay)
  const answers = wrappedAnswers(
    isQuit ? quitAnswers(state, keymapOf(state)) : haltAnswers(keymapOf(state), state),
    columns,
  )
  const question = wordRows(text, columns, 'warn')
  // The answer keys stay, however much of the question is cut.
  return [...question.slice(0, Math.max(0, room - answers.length)), ...answers]
}

/** Keys with their labels, wrapped: a key stays with its label. */
function wrappedAnswers(answers: Row, columns: number): Row[] {
  const lines: Row[] = []
  for (let at = 0; at < answers.length; at += 2) {
    const pair = answers.slice(at, at + 2)
    const last = lines.at(-1)
    // Trailing blanks of a label need no room.
    if (last !== undefined && rowText([...last, ...pair]).trimEnd().length <= columns)
      lines.splice(-1, 1, [...last, ...pair])
    else lines.push(pair)
  }
  return lines
}

/**
 * The page for a terminal too small for the desk: the size needed, and the working orders with the keys that cancel
 * them.
 */
export function tooSmallRows(state: DeskState, { columns, rows }: ScreenSize): Row[] {
  const items = smallItems(state)
  // Until the orders have loaded, it is unknown whether there are any.
  const none = state.orders.value === null ? waitingNote('your orders', state.orders) : `${noOrdersListed(state)}.`
  const empty = wordRows(none, columns, 'dim')
  const wanted = questionRows(state, columns, rows)?.length ?? (items.length === 0 ? empty.length : items.length)
  const { hasIdentity, top, room } = smallPage(state, { columns, rows }, wanted)
  const chosenKey = state.tables.views.orders.selectedKey
  const chosenAt = items.findIndex(({ key }) => key === chosenKey)
  const list = windowOf(items, chosenAt, room).map((item): Row => {
    const isChosen = item.key === chosenKey
    return [cursorMark(isChosen), span(orderLine(item, state, columns - 1), isChosen ? 'own' : 'text')]
  })
  const body = questionRows(state, columns, room) ?? (items.length === 0 ? empty : list)
  const middle = Array.from({ length: room }, (_, index): Row => body[index] ?? [])
  const identity = hasIdentity ? [identityIn(state, columns)] : []
  return [...identity, ...top, ...middle, noticeRow(state, columns), footLine(state, columns, true)].slice(-rows)
}

export function TooSmall({ screen }: { screen: ScreenSize }) {
  return <WholeScreen make={tooSmallRows} screen={screen} />
}
