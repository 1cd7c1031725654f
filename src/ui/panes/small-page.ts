import { keyOf, rowKeysOf } from '../../domain/desk/session.ts'
import type { DeskState } from '../../store/desk.ts'
import { noOrdersListed } from '../../store/feeds/feeds.ts'
import { hiddenOnSmall } from '../tables/key-scopes.ts'
import { type OrderItem, orderItems } from '../tables/order-items.ts'
import { columnsMin, rowsMin } from '../text/cells.ts'
import { type Row, wordRows } from '../text/row.ts'
import { compactColumnsMin, compactRowsMin } from './layout/layout.ts'

type ScreenSize = { columns: number; rows: number }

/** The page's orders: all except ended ones. */
export const smallItems = (state: DeskState): OrderItem[] => orderItems(state).filter(({ kind }) => kind !== 'ended')

/** Why only this page is shown: no room for a ladder, or for what is open. Longest wording first. */
function neededTexts({ columns, rows }: ScreenSize, isOpen: boolean): string[] {
  const has = `This terminal has ${columns}x${rows} cells`
  const isCompact = columns >= compactColumnsMin && rows >= compactRowsMin
  const needs = `Needs ${columnsMin}x${rowsMin}.`
  if (isCompact) return isOpen ? [`${has}; that needs ${columnsMin}x${rowsMin}. Cancels work here:`, needs] : []
  const least = `a ladder alone ${compactColumnsMin}x${compactRowsMin}`
  return [`${has}; the desk needs ${columnsMin}x${rowsMin}, ${least}. Cancels work here:`, needs]
}

/** The warning that something is open but does not fit; longest wording first. */
function openTexts(state: DeskState): string[] {
  const hidden = hiddenOnSmall(state)
  if (hidden === null) return []
  // A cancel waits for confirmation: say what its question needs, and which key cancels orders here.
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

/** If fewer rows than this would be left for the list, a long sentence above it is not worth its lines. */
const rowsWanted = 3
/** The notice line and the key line. */
const footCount = 2

/** The lines above the list, and the number of lines left for it. */
type SmallPage = { hasIdentity: boolean; top: Row[]; room: number }

/**
 * Divides the lines of a terminal too small for the desk. The list comes first, since it is what the user acts on: it
 * gets its line before mode and exchange get theirs, and sentences are shortened or dropped to make room for it.
 * `wanted`: the lines the list would fill.
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

/**
 * The keys of the rows the page can show. It always has room for at least one, so the cursor's row is visible; empty if
 * it has no line for rows.
 */
export function smallKeys(state: DeskState): string[] {
  const items = smallItems(state)
  return smallPage(state, state.screen, items.length).room === 0 ? [] : items.map(({ key }) => key)
}

/** From this width on, a normal notice fits. */
const wideMin = 60

/** Why nothing was done to an order: its row is not listed, or no row is selected. */
export const whyNoRow = ({ reboundKeys, tables }: Pick<DeskState, 'reboundKeys' | 'tables'>): string =>
  tables.views.orders.selectedKey === null
    ? `No order is selected: ${rowKeysOf(reboundKeys)} select one.`
    : `The selected order is not listed: ${rowKeysOf(reboundKeys)} select one.`

/** The same for the small page, in words that fit its width. */
export function whyNoSmallRow(state: DeskState): string {
  const isWide = state.screen.columns >= wideMin
  if (smallItems(state).length === 0) return `${noOrdersListed(state)}.`
  if (smallKeys(state).length === 0) return isWide ? 'No room for a row: nothing was done.' : 'No row shown.'
  return isWide ? whyNoRow(state) : `Select: ${rowKeysOf(state.reboundKeys).replace(' and ', '/')}.`
}
