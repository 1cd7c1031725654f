import { type Covering, isOverlay, type OverlayEvent, type SliceContext } from './slice.ts'

/** The parts that its commands use. */
type Context = SliceContext<Covering, OverlayEvent<HelpOverlay | TourOverlay>>

export type HelpCommands = {
  openHelp(): void
  /** Filters the lines by the typed text. */
  typeIntoHelp(text: string): void
  eraseInHelp(): void
  clearHelp(): void
  /** Clears the typed text; without any it closes the help. */
  leaveHelp(): void
  /** Shows the help from this line on. */
  scrollHelpTo(top: number): void
  openTour(): void
  showTourPage(page: number): void
}

const queryMax = 40

/** Commands of the help and the tour. The screen knows their length. */
export function createHelpCommands({ store }: Context): HelpCommands {
  const open = () => {
    const { overlay } = store.getState()
    return isOverlay<HelpOverlay>(overlay, 'help') ? overlay : null
  }
  const show = (query: string, top = 0) =>
    store.dispatch({ type: 'overlayOpened', overlay: { kind: 'help', query, top } })
  const write = (edit: (query: string) => string) => {
    const overlay = open()
    if (overlay !== null) show(edit(overlay.query).slice(0, queryMax))
  }
  const showTour = (page: number) => store.dispatch({ type: 'overlayOpened', overlay: { kind: 'tour', page } })
  return {
    openHelp: () => show(''),
    // A slash starts a filter elsewhere; here typing does, and a slash is ignored.
    typeIntoHelp: (text) => write((query) => (query === '' && text === '/' ? '' : query + text)),
    eraseInHelp: () => write((query) => [...query].slice(0, -1).join('')),
    clearHelp: () => write(() => ''),
    leaveHelp() {
      if (open()?.query === '') store.dispatch({ type: 'overlayClosed' })
      else show('')
    },
    scrollHelpTo(top) {
      const overlay = open()
      if (overlay !== null) show(overlay.query, top)
    },
    openTour: () => showTour(0),
    showTourPage: showTour,
  }
}

/** All keys, filtered by the typed text; `top` is the first line on screen. */
export type HelpOverlay = { kind: 'help'; query: string; top: number }

/** A few pages for the first start. */
export type TourOverlay = { kind: 'tour'; page: number }
