import { keyOf, rowKeysOf } from '../../domain/desk/session.ts'
import type { DeskState } from '../../store/desk.ts'
import { noOrdersListed } from '../../store/feeds/feeds.ts'
import { hiddenOnSmall } from '../tables/key-scopes.ts'
import { type OrderItem, orderItems } from '../tables/order-items.ts'
import { columnsMin, rowsMin } from '../text/cells.ts'
import { type Row, wordRows } from '../text/row.ts'
import { compactColumnsMin, compactRowsMin } from './layout/layout.ts'

type ScreenSize = { columns: number; rows: number }

/** What the page lists: all but what has ended. */
export const smallItems = (state: DeskState): OrderItem[] => orderItems(state).filter(({ kind }) => kind !== 'ended')

/** Why there is only a page: no room for a ladder, or for what is open. The longest way to say it comes first. */
function neededTexts({ columns, rows }: ScreenSize, isOpen: boolean): string[] {
  const has = `This terminal has ${columns}x${rows} cells`
  const isCompact = columns >= compactColumnsMin && rows >= compactRowsMin
  const needs = `Needs ${columnsMin}x${rowsMin}.`
  if (isCompact) return isOpen ? [`${has}; that needs ${columnsMin}x${rowsMin}. Cancels work here:`, needs] : []
  const least = `a ladder alone ${compactColumnsMin}x${compactRowsMin}`
  return [`${has}; the desk needs ${columnsMin}x${rowsMin}, ${least}. Cancels work here:`, needs]
}

/** That something is open which has no room; the longest way to say it first. */
function openTexts(state: DeskState): string[] {
  const hidden = hiddenOnSmall(state)
  if (hidden === null) return []
  // Somebody waits for a cancel: what is missing for it, and the key that takes back orders here.
  if (state.overlay?.kind === 'confirmCancel') {
    const halt = keyOf(state.reboundKeys, 'askHalt')
    const needs = `needs ${compactColumnsMin}x${compactRowsMin}`
    return [
      `Not canceled yet: the question about it ${needs}. ${halt} halts, Esc closes it.`,
      `Not canceled: ${needs}. ${halt} halts.`,
      `Not canceled: ${halt} halts.`,
      `${halt} halts.`,
    ]
  }
  return [`A ${hidden} is open: it takes the keys once it has room. Esc closes it.`, `Esc closes a ${hidden}.`]
}

/** Rows that fewer than these leave to the list are not worth a long sentence above it. */
const rowsWanted = 3
/** The line of notices, and that of keys. */
const footCount = 2

/** What stands above the list, and the lines that it has. */
type SmallPage = { hasIdentity: boolean; top: Row[]; room: number }

/**
 * How the lines of a terminal that the desk does not fit are shared. The list is what is acted on: it has a line before
 * mode and venue have theirs, and sentences are shortened or left out before it is. `wanted`: what stands in its place.
 */
export function smallPage(state: DeskState, { columns, rows }: ScreenSize, wanted: number): SmallPage {
  const free = Math.max(0, rows - footCount)
  const hasIdentity = free > 1
  let room = free - (hasIdentity ? 1 : 0)
  const fitting = (texts: readonly string[], least: number): Row[] => {
    const forms = texts.map((text) => wordRows(text, columns, 'warn'))
    const form = forms.find(({ length }) => room - length >= least) ?? []
    room -= form.length
    return form
  }
  const open = openTexts(state)
  const said = fitting(open, 1)
  const needed = fitting(neededTexts({ columns, rows }, open.length > 0), Math.min(rowsWanted, wanted))
  return { hasIdentity, top: [...needed, ...said], room }
}

/** The rows that the page shows at least one of, so that the cursor's is there; none where it has no line for them. */
export function smallKeys(state: DeskState): string[] {
  const items = smallItems(state)
  return smallPage(state, state.screen, items.length).room === 0 ? [] : items.map(({ key }) => key)
}

/** From here on a usual notice fits. */
const wideMin = 60

/** Why nothing is done to an order of which no row is there. */
export const whyNoRow = ({ reboundKeys, tables }: Pick<DeskState, 'reboundKeys' | 'tables'>): string =>
  tables.views.orders.selectedKey === null
    ? `No order is selected: ${rowKeysOf(reboundKeys)} select one.`
    : `The selected order is not listed: ${rowKeysOf(reboundKeys)} select one.`

/** The same of a small page, in words that fit its width. */
export function whyNoSmallRow(state: DeskState): string {
  const isWide = state.screen.columns >= wideMin
  if (smallItems(state).length === 0) return `${noOrdersListed(state)}.`
  if (smallKeys(state).length === 0) return isWide ? 'No room for a row: nothing was done.' : 'No row shown.'
  return isWide ? whyNoRow(state) : `Select: ${rowKeysOf(state.reboundKeys).replace(' and ', '/')}.`
}
