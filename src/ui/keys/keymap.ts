import { alertsActions, alertsKeys } from './alerts.ts'
import type { Action, Binding, Scope } from './binding.ts'
import { chartActions, chartKeys } from './chart.ts'
import { depositActions, depositKeys } from './deposit.ts'
import { deskActions, deskKeys } from './desk.ts'
import { gatewayListsActions, gatewayListsKeys } from './gateway-lists.ts'
import { haltActions, haltKeys } from './halt.ts'
import { helpActions, helpKeys } from './help.ts'
import { ladderActions, ladderKeys } from './ladder.ts'
import { lockActions, lockKeys } from './lock.ts'
import { moveActions, moveKeys } from './move.ts'
import { ordersActions, ordersKeys } from './orders.ts'
import { paletteActions, paletteKeys } from './palette.ts'
import { symbolsActions, symbolsKeys } from './symbols.ts'
import { tablesActions, tablesKeys } from './tables.ts'
import { themesActions, themesKeys } from './themes.ts'
import { tickersActions, tickersKeys } from './tickers.ts'
import { ticketActions, ticketKeys } from './ticket.ts'
import { transferListsActions, transferListsKeys } from './transfer-lists.ts'
import { viewActions, viewKeys } from './view.ts'
import { withdrawActions, withdrawKeys } from './withdraw.ts'

const everyAction = {
  ...ladderActions,
  ...moveActions,
  ...ordersActions,
  ...tablesActions,
  ...transferListsActions,
  ...gatewayListsActions,
  ...deskActions,
  ...ticketActions,
  ...symbolsActions,
  ...helpActions,
  ...paletteActions,
  ...haltActions,
  ...lockActions,
  ...chartActions,
  ...tickersActions,
  ...viewActions,
  ...themesActions,
  ...alertsActions,
  ...depositActions,
  ...withdrawActions,
}
export type ActionId = keyof typeof everyAction

/** Every action as what it asks of the desk. */
export const actions: Readonly<Record<ActionId, Action>> = everyAction

/** The one table of keys: what they do, the foot line, the help and the manual all come from it. A file a scope. */
export const keymap: readonly Binding<ActionId>[] = [
  ...ladderKeys,
  ...moveKeys,
  ...ordersKeys,
  ...tablesKeys,
  ...deskKeys,
  ...ticketKeys,
  ...symbolsKeys,
  ...helpKeys,
  ...paletteKeys,
  ...haltKeys,
  ...lockKeys,
  ...chartKeys,
  ...tickersKeys,
  ...viewKeys,
  ...themesKeys,
  ...alertsKeys,
  ...depositKeys,
  ...withdrawKeys,
  ...transferListsKeys,
  ...gatewayListsKeys,
]

/**
 * What a key does in the given scopes, or undefined. A key bound anywhere in them comes before one that is only text.
 */
export function findBinding(
  scopes: readonly Scope[],
  key: string,
  text: string | null,
  bindings: readonly Binding<ActionId>[] = keymap,
): Binding<ActionId> | undefined {
  for (const scope of scopes) {
    const bound = bindings.find((binding) => binding.scope === scope && binding.keys.includes(key))
    if (bound !== undefined) return bound
  }
  if (text === null) return undefined
  return bindings.find((binding) => binding.takesText === true && scopes.includes(binding.scope))
}
