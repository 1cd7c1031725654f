import { mayCancel, mayPlace } from '../../domain/desk/mode.ts'
import type { Side } from '../../domain/side.ts'
import type { DeskState } from '../../store/desk.ts'
import { activeSymbol } from '../../store/ladder/ladder.ts'
import type { EntryWay } from '../../store/ticket/ticket-reading.ts'
import { type Run, sharedAction } from '../tables/key-bindings.ts'
import { typedBefore } from './typed-text.ts'

// Actions with keys in several scopes, and why some are currently unavailable.

export const onlyWatches = 'MONITOR is read only'

/** Why no order can be placed or moved. */
export function whyNoPlacing({ mode }: DeskState): string | null {
  if (mayPlace(mode)) return null
  return mode.kind === 'MONITOR' ? onlyWatches : `the desk is ${mode.kind}: arm it first`
}

/** Why no ticket can be opened: a SAFE desk opens one as a what-if. */
const whyNoTicket = (state: DeskState): string | null => (state.mode.kind === 'SAFE' ? null : whyNoPlacing(state))

/** Opens a ticket for the ladder's symbol, unless a different one is selected in the front list. */
export const openTicket =
  (side: Side, way: EntryWay): Run =>
  ({ commands, state }) => {
    const chosen = state.focus === 'tickers' ? state.tables.views.tickers.selectedKey : null
    if (chosen === null || chosen === activeSymbol(state)) return commands.openTicket(side, way, state)
    commands.explain(`${chosen} is selected, ${activeSymbol(state)} is shown: Enter shows ${chosen} first.`)
  }

export const entry = { isWrite: true, unavailable: whyNoTicket } as const
export const buy = sharedAction('buy', openTicket('BUY', 'join'), { ...entry, name: 'buy at the cursor or the bid' })
export const sell = sharedAction('sell', openTicket('SELL', 'join'), {
  ...entry,
  name: 'sell at the cursor or the ask',
})

/** Why no order can be canceled. */
export const whyNoCanceling = ({ mode }: DeskState): string | null => (mayCancel(mode) ? null : onlyWatches)

export const closeOverlay = sharedAction('closeOverlay', ({ commands }) => commands.closeOverlay(), {
  name: 'close what is open',
})
/** A letter right after typed text may have been meant as text: the question is given that text. */
const haltFrom: Run = ({ commands, state, text }) =>
  commands.askHalt((/^\p{L}$/u.test(text) ? typedBefore(state) : null) ?? undefined)
export const askHalt = sharedAction('askHalt', haltFrom, {
  name: 'halt, cancel orders (asks)',
  danger: 'asks',
  isWrite: true,
  unavailable: whyNoCanceling,
})
export const lock = sharedAction('lock', ({ commands }) => commands.lock(), { name: 'lock the screen' })
export const quit = sharedAction('quit', ({ commands }) => commands.quit(), { caution: 'leaves' })
export const redraw = sharedAction('redraw', ({ commands }) => commands.redraw(), { name: 'redraw the screen' })
export const help = sharedAction('help', ({ commands }) => commands.openHelp(), { name: 'help: all keys' })
export const openPalette = sharedAction('openPalette', ({ commands }) => commands.openPalette())
