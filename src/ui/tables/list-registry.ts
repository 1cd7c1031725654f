import type { DeskState, Overlay } from '../../store/desk.ts'
import type { ListPane } from '../../store/view/lists.ts'
import { cellText, left, wrapWords } from '../text/cells.ts'
import { type Row, span } from '../text/row.ts'
import { balancesSource } from './balances-table.ts'
import { fillsSource } from './fills-table.ts'
import { deliveriesSource } from './gateway/deliveries-table.ts'
import { currenciesSource, methodsSource, regionsSource } from './gateway/eligibility-tables.ts'
import { inboxSource } from './gateway/inbox-table.ts'
import { quarantineSource } from './gateway/quarantine-table.ts'
import { sumsSource } from './gateway/sums-table.ts'
import type { FieldText, ListSource } from './list-source.ts'
import { logSource } from './log-table.ts'
import { ordersSource } from './orders-table.ts'
import { plansSource } from './plans-table.ts'
import { positionsSource } from './positions-table.ts'
import { tickersSource } from './tickers-table.ts'
import { depositsSource } from './transfers/deposits-table.ts'
import { whitelistSource } from './transfers/whitelist-table.ts'
import { withdrawalsSource } from './transfers/withdrawals-table.ts'

/** Every list by name. */
export const sources = {
  orders: ordersSource,
  fills: fillsSource,
  balances: balancesSource,
  withdrawals: withdrawalsSource,
  deposits: depositsSource,
  whitelist: whitelistSource,
  inbox: inboxSource,
  sums: sumsSource,
  quarantine: quarantineSource,
  deliveries: deliveriesSource,
  currencies: currenciesSource,
  regions: regionsSource,
  methods: methodsSource,
  tickers: tickersSource,
  log: logSource,
  positions: positionsSource,
  plans: plansSource,
} satisfies Readonly<Record<ListPane, ListSource>>

/** A list's source, for row keys and overlays. */
export const sourceOf = (pane: ListPane): ListSource => sources[pane]

export type DetailsOf = Extract<Overlay, { kind: 'details' }>

export const detailsWidth = 70
/** The border, and a blank line above and below the text. */
const frameLines = 4
const labelMin = 20
const labelMax = 28

/** Lines of details that the overlay shows at once. */
export const detailLinesShown = ({ rows }: Pick<DeskState['screen'], 'rows'>): number =>
  Math.max(1, rows - frameLines - 2)

/** A transaction hash: letters, digits and a few other characters, of plausible length. */
const hashLike = /^[\w.:=+/-]{4,200}$/

/**
 * The link to a transaction: the settings' template for its currency, with the hash URL-encoded. The exchange supplies
 * only the hash, never the address. Null without a template, or for an implausible hash.
 */
export function transactionLink(
  links: Readonly<Record<string, string>>,
  { currency, hash }: { currency: string; hash: string },
): string | null {
  const name = currency.toUpperCase()
  const template = Object.hasOwn(links, name) ? links[name] : undefined
  if (template === undefined || !hashLike.test(hash)) return null
  return template.split('{hash}').join(encodeURIComponent(hash))
}

/** A field, wrapped over as many lines as needed. */
function fieldLines(
  { label, text, isThere, transaction }: FieldText,
  labelWidth: number,
  { terminal }: DeskState,
): Row[] {
  const link = transaction === undefined ? null : transactionLink(terminal.links, transaction)
  const room = detailsWidth - 4 - labelWidth
  const lines = wrapWords(cellText(text), room)
  return lines.map((line, index) => [
    span(` ${left(index === 0 ? label : '', labelWidth)}`, 'label'),
    { ...span(line, isThere ? 'text' : 'dim'), ...(link === null ? {} : { link }) },
  ])
}

const gone: readonly Row[] = [[span(' This row is no longer in the list.', 'dim')]]

/** All lines of a row's details. */
export function detailLines(state: DeskState, { pane, key }: Pick<DetailsOf, 'pane' | 'key'>): readonly Row[] {
  const fields = sourceOf(pane).details(state, key)
  if (fields === null) return gone
  // A label is never cut, and never touches its value.
  const labelWidth = Math.min(labelMax, Math.max(labelMin, ...fields.map(({ label }) => label.length + 1)))
  return fields.flatMap((field) => fieldLines(field, labelWidth, state))
}

export const detailLineCount = (state: DeskState, overlay: DetailsOf): number => detailLines(state, overlay).length
