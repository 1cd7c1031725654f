import type { Overlay } from '../../store/state.ts'
import { HaltOverlay, QuitOverlay } from './confirm.tsx'
import type { ScreenSize } from './dialog.tsx'
import { HelpOverlay } from './help.tsx'
import { SymbolsOverlay } from './symbols.tsx'
import { ThemesOverlay } from './themes.tsx'
import { UnsettledOverlay } from './unsettled.tsx'

/** The one overlay that is open, above the desk. */
export function OverlayView({ kind, screen }: { kind: Overlay['kind']; screen: ScreenSize }) {
  switch (kind) {
    case 'help':
      return <HelpOverlay screen={screen} />
    case 'symbols':
      return <SymbolsOverlay screen={screen} />
    case 'halt':
      return <HaltOverlay screen={screen} />
    case 'unsettled':
      return <UnsettledOverlay screen={screen} />
    case 'themes':
      return <ThemesOverlay screen={screen} />
    case 'confirmQuit':
      return <QuitOverlay screen={screen} />
  }
}
