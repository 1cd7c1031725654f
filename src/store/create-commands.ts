import { nextMode } from '../domain/desk/mode.ts'
import { createAlertCommands } from './alerts/alert-commands.ts'
import { createCancelCommands } from './cancel-commands.ts'
import { createChartCommands } from './chart-commands.ts'
import type { CommandContext } from './command-context.ts'
import type { Commands } from './commands.ts'
import { createGatewayCommands } from './gateway/gateway-commands.ts'
import { createHaltCommands } from './halt-commands.ts'
import { createHelpCommands } from './help-commands.ts'
import { createFillHistoryCommands } from './history/fill-history-commands.ts'
import { createOrderHistoryCommands, lookAtOrderHistory } from './history/order-history-commands.ts'
import { createLadderCommands } from './ladder/ladder-commands.ts'
import { createLockCommands } from './lock-commands.ts'
import { createLooksCommands } from './looks-commands.ts'
import { createMoveCommands } from './move/move-commands.ts'
import { createPaletteCommands } from './palette/palette-commands.ts'
import { createPictureCommands } from './picture-commands.ts'
import { createPracticeCommands } from './practice/practice-commands.ts'
import { createQuitCommands } from './quit-commands.ts'
import { createStatementCommands } from './statement/statement-commands.ts'
import { createSymbolsCommands } from './symbols-commands.ts'
import { createExportCommands } from './tables/export-commands.ts'
import { createTableCommands } from './tables/table-commands.ts'
import { createTerminalCommands } from './terminal/terminal-commands.ts'
import { createTicketCommands } from './ticket-commands.ts'
import { createTicketEditCommands } from './ticket-edit-commands.ts'
import { createDepositCommands } from './transfers/deposit-commands.ts'
import { createTransferListCommands } from './transfers/transfer-list-commands.ts'
import { createWithdrawCommands } from './transfers/withdraw-commands.ts'
import { createUnsettledCommands } from './unsettled-commands.ts'

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
