import type { Overlay } from '../../store/desk.ts'
import { AlertsOverlay } from './alerts/alerts.tsx'
import { ColumnsOverlay } from './columns.tsx'
import { HaltOverlay, QuitOverlay } from './confirm.tsx'
import { ConfirmCancelOverlay } from './confirm-cancel.tsx'
import { DetailsOverlay } from './details.tsx'
import type { ScreenSize } from './dialog.tsx'
import { HelpOverlay } from './help/help.tsx'
import { TourOverlay } from './help/tour.tsx'
import { PaletteOverlay } from './palette/palette.tsx'
import { SymbolsOverlay } from './symbols/symbols.tsx'
import { ThemesOverlay } from './themes.tsx'
import { DepositChooseOverlay, DepositOverlay } from './transfers/deposit.tsx'
import { WithdrawOverlay } from './transfers/withdraw.tsx'
import { UnsettledOverlay } from './unsettled.tsx'

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
      return <UnsettledOverlay screen={screen} />
    case 'alerts':
      return <AlertsOverlay screen={screen} />
    case 'withdraw':
    case 'withdrawReview':
    case 'withdrawSecret':
      return <WithdrawOverlay screen={screen} />
    case 'depositChoose':
      return <DepositChooseOverlay screen={screen} />
    case 'deposit':
      return <DepositOverlay screen={screen} />
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
