import type { DeskState } from '../../../store/desk.ts'
import { type Binding, footEntriesOf, withKeys } from '../../tables/key-bindings.ts'
import { useBindings } from '../../tables/key-context.ts'
import { useDesk } from '../../text/desk-context.ts'
import { type Row, span, wordRows } from '../../text/row.ts'
import { Dialog, LiveDialog } from '../dialog.tsx'
import { keysRow, type ScreenSize } from '../dialog-room.ts'
import { helpRows, helpSize, tourPages, tourText } from './help-text.ts'

const title = [span('Keys', 'title')]

/** Every key, from the key table as bound. */
export function HelpOverlay({ screen }: { screen: ScreenSize }) {
  const { width, height } = helpSize(screen)
  const bindings = useBindings()
  return (
    <LiveDialog
      title={title}
      make={(state) => helpRows(state, bindings, screen)}
      width={width}
      height={height}
      screen={screen}
    />
  )
}

const width = 72

/** A page of the tour with the keys as bound, and how to continue. */
export function tourRows(page: number, bindings: readonly Binding[], isInside: boolean): Row[] {
  const paragraphs = tourPages[page]?.paragraphs ?? []
  const body = paragraphs.flatMap((text): Row[] => [
    ...wordRows(withKeys(tourText(text, isInside), bindings), width - 2),
    [],
  ])
  return [[], ...body, keysRow(footEntriesOf(bindings, ['tour']), ' ')]
}

const tourTitle = (page: number): string => `${tourPages[page]?.title ?? ''} (${page + 1} of ${tourPages.length})`

/** A short tour for first-time users. */
export function TourOverlay({ screen }: { screen: ScreenSize }) {
  const overlay = useDesk((state: DeskState) => state.overlay)
  const isInside = useDesk(({ practice }: DeskState) => practice !== null)
  const bindings = useBindings()
  if (overlay?.kind !== 'tour') return null
  const rows = tourRows(overlay.page, bindings, isInside)
  const title = [span(tourTitle(overlay.page), 'title')]
  return <Dialog title={title} rows={rows} width={width} height={rows.length + 2} screen={screen} />
}
