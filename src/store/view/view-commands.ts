import { type LayoutName, layoutNames } from '../../domain/desk/session.ts'
import { type NotedEvent, sayer } from '../log.ts'
import type { SliceContext } from '../slice.ts'
import type { PaneName } from './panes.ts'
import { type FocusEvent, layoutRefusal, type ViewEvent, type ViewSlice } from './view.ts'

export type ViewCommands = {
  focusPane(pane: PaneName): void
  /** The next layout that fits the terminal. */
  nextLayout(): void
  /** Chooses a layout by name; one that does not fit the terminal is refused with a notice. */
  chooseLayout(layout: LayoutName): void
  /** The focused pane alone between header and footer, or all panes again. */
  toggleZoom(): void
  /** Freezes the screen, or resumes it. */
  toggleFreeze(): void
}

type Context = SliceContext<ViewSlice & { picture: { kind: 'moving' | 'frozen' } }, FocusEvent | ViewEvent | NotedEvent>

/** Commands for the layout, and to freeze the screen. `onFocused`: called for a pane that the user looks at. */
export function createViewCommands({ store, port }: Context, onFocused: (pane: PaneName) => void): ViewCommands {
  const say = sayer({ store, port })
  const show = sayer({ store, port }, { isPassing: true })
  const choose = (layout: LayoutName) => {
    const { screen } = store.getState()
    const refusal = layoutRefusal(screen, layout)
    if (refusal !== null) return say(refusal)
    store.dispatch({ type: 'layoutChosen', layout })
    const others = screen.layouts.filter((name) => name !== layout)
    show(`Layout ${layout}.${others.length === 0 ? '' : ` There are also ${others.join(', ')}.`}`, 'info')
  }
  return {
    focusPane(pane) {
      store.dispatch({ type: 'paneFocused', pane })
      onFocused(pane)
    },
    nextLayout() {
      const { screen, view } = store.getState()
      const at = layoutNames.indexOf(view.layout)
      const order = [...layoutNames.slice(at + 1), ...layoutNames.slice(0, at)]
      const next = order.find((name) => screen.layouts.includes(name))
      if (next === undefined) say('No other layout fits this terminal.')
      else choose(next)
    },
    chooseLayout: choose,
    toggleZoom: () => store.dispatch({ type: 'zoomToggled' }),
    toggleFreeze() {
      const { picture } = store.getState()
      store.dispatch({ type: picture.kind === 'moving' ? 'pictureFrozen' : 'pictureWentOn', atMs: port.now() })
    },
  }
}
