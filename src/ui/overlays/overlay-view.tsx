import type { Overlay } from '../../store/desk.ts'
import { AlertsOverlay } from './alerts.tsx'
import { ConfirmCancelOverlay, HaltOverlay, QuitOverlay } from './confirm.tsx'
import { DepositAddressOverlay, DepositChooseOverlay } from './deposit.tsx'
import type { ScreenSize } from './dialog.tsx'
import { HelpOverlay, TourOverlay } from './help/help.tsx'
import { ColumnsOverlay, DetailsOverlay } from './list-overlays.tsx'
import { PaletteOverlay } from './palette/palette.tsx'
import { SymbolsOverlay } from './symbols.tsx'
import { ThemesOverlay } from './themes.tsx'
import { UnknownWriteOverlay } from './unknown-write.tsx'
import { WithdrawOverlay } from './withdraw/withdraw.tsx'

/** The one overlay that is open, above the desk. */
export function OverlayView({ kind, screen }: { kind: Overlay['kind']; screen: ScreenSize }) {
  switch (kind) {
    case 'help':
      return <HelpOverlay screen={screen} />
    case 'tour':
      return <TourOverlay screen={screen} />
    case 'palette':
      return <PaletteOverlay screen={screen} />
    case 'confirmCancel':
      return <ConfirmCancelOverlay screen={screen} />
    case 'symbols':
      return <SymbolsOverlay screen={screen} />
    case 'halt':
      return <HaltOverlay screen={screen} />
    case 'unsettled':
      return <UnknownWriteOverlay screen={screen} />
    case 'alerts':
      return <AlertsOverlay screen={screen} />
    case 'withdraw':
    case 'withdrawReview':
    case 'withdrawSecret':
      return <WithdrawOverlay screen={screen} />
    case 'depositChoose':
      return <DepositChooseOverlay screen={screen} />
    case 'deposit':
      return <DepositAddressOverlay screen={screen} />
    case 'themes':
      return <ThemesOverlay screen={screen} />
    case 'columns':
      return <ColumnsOverlay screen={screen} />
    case 'details':
      return <DetailsOverlay screen={screen} />
    case 'confirmQuit':
      return <QuitOverlay screen={screen} />
  }
}
