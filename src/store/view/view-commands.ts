import { type LayoutName, layoutNames } from '../../domain/desk/session.ts'
import type { CommandContext } from '../context.ts'
import { activeLadder } from '../ladder/ladders.ts'

export type PictureCommands = {
  /** The next arrangement that fits the terminal. */
  nextLayout(): void
  /** An arrangement by its name; one that does not fit the terminal is refused in words. */
  chooseLayout(layout: LayoutName): void
  /** The focused pane alone between header and foot, or all panes again. */
  toggleZoom(): void
  /** Layout, columns and sorting as on a desk that was never used. */
  resetSession(): void
  /** Lets the picture stand still, or go on. */
  toggleFreeze(): void
}

/** How the panes stand, and whether the picture does. */
export function createPictureCommands({ store, port }: CommandContext): PictureCommands {
  const say = (text: string, level: 'info' | 'warn' = 'info') =>
    store.dispatch({ type: 'noted', level, text, atMs: port.now() })
  const choose = (layout: LayoutName) => {
    const { screen } = store.getState()
    if (!screen.layouts.includes(layout)) {
      const size = `${screen.columns}x${screen.rows}`
      return say(`The layout ${layout} does not fit a terminal of ${size}: make it larger.`, 'warn')
    }
    store.dispatch({ type: 'layoutChosen', layout })
    const others = screen.layouts.filter((name) => name !== layout)
    say(`Layout ${layout}.${others.length === 0 ? '' : ` There are also ${others.join(', ')}.`}`)
  }
  return {
    nextLayout() {
      const { screen, view } = store.getState()
      const at = layoutNames.indexOf(view.layout)
      const order = [...layoutNames.slice(at + 1), ...layoutNames.slice(0, at)]
      const next = order.find((name) => screen.layouts.includes(name))
      if (next === undefined) say('No other layout fits this terminal.', 'warn')
      else choose(next)
    },
    chooseLayout: choose,
    resetSession() {
      store.dispatch({ type: 'sessionReset' })
      say('Layout, columns and sorting are as on a new desk.')
    },
    toggleZoom: () => store.dispatch({ type: 'zoomToggled' }),
    toggleFreeze() {
      const { picture } = store.getState()
      store.dispatch({ type: picture.kind === 'moving' ? 'pictureFrozen' : 'pictureWentOn', atMs: port.now() })
    },
  }
}

export type ChartCommands = {
  /** Price or depth in front. */
  toggleChartView(): void
  /** +1 shows more time, −1 less. */
  changeChartSpan(step: 1 | -1): void
}

export function createChartCommands({ store }: CommandContext): ChartCommands {
  return {
    toggleChartView: () => store.dispatch({ type: 'chartViewChanged' }),
    changeChartSpan: (step) => store.dispatch({ type: 'chartSpanChanged', step }),
  }
}

export type LadderCommands = {
  /** Level 2 or level 3 in the active ladder. */
  toggleLadderView(): void
}

/** What a person does to how a ladder looks. */
export function createLadderCommands({ store, port }: CommandContext): LadderCommands {
  return {
    toggleLadderView() {
      const atMs = port.now()
      store.dispatch({ type: 'ladderViewToggled', atMs })
      const state = store.getState()
      const text =
        state[activeLadder(state)].view === 'queues'
          ? 'Level 3: each order in its queue. 3 goes back; 2, then 3: the fills.'
          : 'Level 2: what rests at each price, in sum.'
      store.dispatch({ type: 'noted', level: 'info', text, atMs })
    },
  }
}
