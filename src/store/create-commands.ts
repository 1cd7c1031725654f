import { nextMode } from '../domain/desk/mode.ts'
import { createAlertCommands } from './alerts/alert-commands.ts'
import type { Commands } from './commands.ts'
import type { CommandContext } from './context.ts'
import { createExportCommands, createStatementCommands } from './exports.ts'
import { createGatewayCommands } from './gateway/gateway-commands.ts'
import { createHelpCommands } from './help.ts'
import {
  createFillHistoryCommands,
  createOrderHistoryCommands,
  lookAtOrderHistory,
} from './history/history-commands.ts'
import { createLockCommands } from './lock.ts'
import { createLooksCommands } from './looks/looks-commands.ts'
import { createMoveCommands } from './move/move-commands.ts'
import { createCancelCommands, createHaltCommands } from './orders/cancel-commands.ts'
import { createUnsettledCommands } from './orders/resolve-commands.ts'
import { createPaletteCommands } from './palette/palette-commands.ts'
import { createPracticeCommands } from './practice/practice-commands.ts'
import { createQuitCommands } from './quit.ts'
import { createSymbolsCommands } from './symbols.ts'
import { createTableCommands, createTransferListCommands } from './tables/table-commands.ts'
import { createTerminalCommands } from './terminal/reduce-terminal.ts'
import { createTicketCommands } from './ticket/ticket-commands.ts'
import { createTicketEditCommands } from './ticket/ticket-edit-commands.ts'
import { createDepositCommands } from './transfers/deposit-commands.ts'
import { createWithdrawCommands } from './transfers/withdraw-commands.ts'
import { createChartCommands, createLadderCommands, createPictureCommands } from './view/view-commands.ts'

type ViewCommands = Pick<
  Commands,
  'focusPane' | 'moveCursor' | 'centreLadder' | 'changeGroup' | 'toggleArmed' | 'keyPressed' | 'explain'
>
type OverlayCommands = Pick<Commands, 'closeOverlay'>

function createViewCommands({ store, port }: CommandContext): ViewCommands {
  return {
    focusPane(pane) {
      store.dispatch({ type: 'paneFocused', pane })
      if (pane === 'orders') lookAtOrderHistory({ store, port })
    },
    moveCursor: (rows) => store.dispatch({ type: 'cursorMoved', rows, atMs: port.now() }),
    centreLadder: () => store.dispatch({ type: 'ladderCentred', atMs: port.now() }),
    changeGroup: (step) => store.dispatch({ type: 'groupChanged', step, atMs: port.now() }),
    toggleArmed() {
      const { mode } = store.getState()
      const atMs = port.now()
      if (mode.kind === 'MONITOR') {
        const text = 'MONITOR is read only: start without --monitor.'
        return store.dispatch({ type: 'noted', level: 'warn', text, atMs })
      }
      store.dispatch({
        type: 'modeChanged',
        mode: nextMode(mode, mode.kind === 'ARMED' ? 'makeSafe' : 'arm'),
        atMs,
      })
    },
    keyPressed: () => store.dispatch({ type: 'keyPressed', atMs: port.now(), wallMs: port.wallMs() }),
    explain: (text) => store.dispatch({ type: 'noted', level: 'warn', text, atMs: port.now() }),
  }
}

const createOverlayCommands = ({ store }: CommandContext): OverlayCommands => ({
  closeOverlay: () => store.dispatch({ type: 'overlayClosed' }),
})

/** Everything a person may do, over one store and one set of services. */
export function createCommands(context: CommandContext): Commands {
  return {
    ...createViewCommands(context),
    ...createTicketEditCommands(context),
    ...createTicketCommands(context),
    ...createCancelCommands(context),
    ...createHaltCommands(context),
    ...createLockCommands(context),
    ...createUnsettledCommands(context),
    ...createTableCommands(context),
    ...createTransferListCommands(context),
    ...createGatewayCommands(context),
    ...createExportCommands(context),
    ...createStatementCommands(context),
    ...createOrderHistoryCommands(context),
    ...createFillHistoryCommands(context),
    ...createOverlayCommands(context),
    ...createQuitCommands(context),
    ...createHelpCommands(context),
    ...createSymbolsCommands(context),
    ...createPaletteCommands(context),
    ...createPracticeCommands(context),
    ...createChartCommands(context),
    ...createPictureCommands(context),
    ...createLooksCommands(context),
    ...createAlertCommands(context),
    ...createDepositCommands(context),
    ...createWithdrawCommands(context),
    ...createLadderCommands(context),
    ...createMoveCommands(context),
    ...createTerminalCommands(context),
  }
}
