import { useWindowSize } from 'ink'
import { useEffect, useLayoutEffect, useMemo } from 'react'
import { useStore } from 'zustand'
import type { Clock } from '../../base/clock.ts'
import type { Commands } from '../../store/commands.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { shownTheme } from '../../store/looks.ts'
import { hasOrderForm } from '../../store/order-form.ts'
import { reviewArmedAfterMs } from '../../store/ticket/ticket.ts'
import { act, actionOf, bindingOf, handleInput } from '../keys/handle-input.ts'
import { createInputGuard } from '../keys/input-guard.ts'
import { layoutFor, layoutsThatFit, needsDesk } from '../panes/layout/layout.ts'
import { followIdleLists } from '../panes/list-room.ts'
import type { Scope } from '../tables/key-scopes.ts'
import type { Environment } from '../terminal/colors.ts'
import { useKeys } from '../terminal/key-reader.ts'
import type { InputEvent } from '../terminal/key-sequences.ts'
import type { Regions } from '../terminal/screen/screen-output.ts'
import type { TerminalLink } from '../terminal/terminal-link.ts'
import { ConsoleProvider, type Leaving } from '../text/desk-context.ts'
import { readTheme } from '../text/theme.ts'
import { ConsoleScreen } from './console-screen.tsx'

/** Reports what is visible to the desk, which polls it faster and learns the ladder's height. */
export function useReportedScreen(store: DeskStore, columns: number, rows: number): void {
  const focus = useStore(store, (state) => state.focus)
  const view = useStore(store, (state) => state.view)
  const hasTicket = useStore(store, hasOrderForm)
  const hasGateway = useStore(store, ({ gateway }) => gateway.isShown)
  const isMore = useStore(store, needsDesk)
  useLayoutEffect(() => {
    const layout = layoutFor(columns, rows, { ...view, focus, hasTicket, hasGateway, needsDesk: isMore })
    const layouts = layoutsThatFit(columns, rows)
    const { screen } = store.getState()
    const next =
      layout.kind === 'tooSmall'
        ? { ladderRowCount: screen.ladderRowCount, visiblePanes: ['orders' as const] }
        : { ladderRowCount: layout.ladderRowCount, visiblePanes: layout.visiblePanes }
    store.dispatch({ type: 'resized', screen: { columns, rows, layouts, ...next } })
  }, [store, columns, rows, focus, view, hasTicket, hasGateway, isMore])
}

export type ConsoleProps = {
  store: DeskStore
  commands: Commands | Leaving
  /** Decides about colors and border characters. */
  env: Environment
  clock: Clock
  /** The terminal's reports besides keys; none unless given. */
  link?: TerminalLink
  /** Where regions draw themselves; unless given, all lines are rendered as text. */
  regions?: Regions | null
  /** Called when the theme or the background has changed. */
  onLooks?: () => void
}

const ignored = () => undefined

/** The console in a terminal: the screen, and the keys that act on it. */
export function Console({ store, commands, env, clock, link, regions = null, onLooks = ignored }: ConsoleProps) {
  const { columns, rows } = useWindowSize()
  useReportedScreen(store, columns, rows)
  // Each key is handled before the next is read, in the state that the previous one left: no key waits for the screen.
  const input = useMemo(() => createInput({ store, commands, clock, link }), [store, commands, clock, link])
  useEffect(() => () => input.stop(), [input])
  useEffect(() => followIdleLists(store), [store])
  useKeys(input.take, clock, link)
  const file = useStore(store, shownTheme)
  const ground = useStore(store, ({ looks }) => looks.ground)
  const theme = useMemo(() => readTheme(env, file), [env, file])
  // biome-ignore lint/correctness/useExhaustiveDependencies: after what was drawn because of them.
  useEffect(() => onLooks(), [file, ground, onLooks])
  const context = useMemo(() => ({ store, commands, theme, regions }), [store, commands, theme, regions])
  return (
    <ConsoleProvider value={context}>
      <ConsoleScreen columns={columns} rows={rows} />
    </ConsoleProvider>
  )
}

/**
 * Tells a pressed key from a held one on a terminal that does not report it. Depending on the keyboard's settings, a
 * held key first repeats after up to two seconds, and then about every 30 ms, at the slowest twice a second. So the key
 * that sends counts as pressed anew only after `freshMs` without it (or with another key in between), and then waits
 * for a beat in which a repeat would reveal a held key: a long one while the initial delay of a held key may just have
 * ended, a short one once it would have ended long ago.
 */
export const freshMs = 700
export const surelyFreshMs = 2_500
export const longBeatMs = 700
export const sendBeatMs = 130

type Input = { take: (event: InputEvent) => void; stop: () => void }

type InputContext = {
  store: DeskStore
  commands: Commands | Leaving
  clock: Clock
  /** Counts keys that a desk still being opened does not take. */
  link?: Pick<TerminalLink, 'notTaken'> | undefined
}

/** Handles the keyboard: everything on an open desk; on a desk still being opened only quitting, and redrawing. */
export const createInput = (context: InputContext): Input => {
  const { store, commands, link } = context
  return 'leave' in commands ? createWaitingInput(store, commands, link) : createDeskInput({ ...context, commands })
}

const createWaitingInput = (store: DeskStore, { leave }: Leaving, link: InputContext['link']): Input => ({
  take(event) {
    const action = actionOf(event, store.getState())
    if (action === 'quit' || action === 'quitNow') leave()
    else if (action === 'redraw') store.dispatch({ type: 'redrawAsked' })
    else link?.notTaken()
  },
  stop: () => undefined,
})

/** Returns the time in ms since the same key was last pressed with no other in between, and records this one. */
function createRepeats(clock: Clock): (event: InputEvent) => number {
  let last: { key: string; atMs: number } | null = null
  return (event) => {
    const key = event.kind === 'key' ? event.key : 'paste'
    const nowMs = clock.now()
    const sinceMs = last?.key === key ? nowMs - last.atMs : Number.POSITIVE_INFINITY
    last = { key, atMs: nowMs }
    return sinceMs
  }
}

/** Since when what is to be sent stands under review, in ms; null where nothing does. */
function reviewedSince({ ticket, move, overlay }: DeskState): number | null {
  if (overlay?.kind === 'planReview' || overlay?.kind === 'planResume') return overlay.openedAtMs
  if (overlay?.kind === 'withdrawReview') return overlay.reviewedAtMs
  if (ticket?.stage === 'review') return ticket.reviewedAtMs
  return move?.stage === 'review' ? move.reviewedAtMs : null
}

/**
 * Handles the keyboard's events in order. Each key counts as activity. The key that sends an order does not act at
 * once: the first repeat of a held key looks like a fresh press, so the order waits for a beat, and any key or click in
 * the meantime drops it.
 */
function createDeskInput({ store, commands, clock }: InputContext & { commands: Commands }): Input {
  let beat: AbortController | null = null
  const sendAfter = async (beatMs: number, action: string) => {
    const waiting = new AbortController()
    beat = waiting
    const { clicks } = store.getState().terminal
    await clock.sleep(beatMs, waiting.signal)
    if (waiting.signal.aborted) return
    beat = null
    if (store.getState().terminal.clicks !== clicks) return commands.explain('Not sent: a click came with Enter.')
    // Updates the clock first: if the desk stood still during the beat, the review is closed and nothing is sent.
    commands.keyPressed()
    act(action, '', store, commands)
  }
  const isArmed = (scope: Scope) => {
    // Actions on a list's row, such as resuming a held plan, have no review.
    if (scope === 'plans') return true
    const reviewedAtMs = reviewedSince(store.getState())
    return reviewedAtMs !== null && clock.now() - reviewedAtMs >= reviewArmedAfterMs
  }
  const whyNot = createInputGuard(store, clock)
  const sinceSame = createRepeats(clock)
  return {
    take(event) {
      commands.keyPressed()
      const refusal = whyNot(event)
      const sinceMs = sinceSame(event)
      const binding = bindingOf(event, store.getState())
      const isSend = binding?.danger === 'sends'
      if (beat !== null) {
        beat.abort()
        beat = null
        if (isSend) return commands.explain('Not sent: Enter repeats. Release Enter, press it.')
        commands.explain('Not sent: another key came with Enter.')
      }
      if (refusal !== null) return commands.explain(refusal)
      if (!isSend) return handleInput(event, store, commands)
      if (sinceMs < freshMs) return commands.explain('Release Enter, then press it once to send.')
      const isAtOnce = binding.scope === 'oneKey'
      const refused = binding.refusal?.(store.getState()) ?? null
      if (refused !== null) return commands.explain(refused)
      // What is sent is the order shown now: it stays under review, and visible, for the whole beat.
      if (isAtOnce) act(binding.action, '', store, commands)
      if (isAtOnce ? store.getState().ticket?.stage !== 'review' : !isArmed(binding.scope)) return
      // The terminal reports that it is not a repeat: no beat is needed, except one for reading an order without a
      // review.
      const isFresh = event.kind === 'key' && event.press === 'fresh'
      if (isFresh && !isAtOnce) return act(binding.action, '', store, commands)
      const beatMs = isAtOnce ? Math.max(sendBeatMs, reviewArmedAfterMs) : sendBeatMs
      if (isFresh || sinceMs >= surelyFreshMs) return void sendAfter(beatMs, binding.action)
      // Of the form: once it has left nothing stops it, and a notice that stayed until the answer would say so.
      commands.explainForm('Sending: any key or click stops it.')
      void sendAfter(longBeatMs, binding.action)
    },
    stop: () => beat?.abort(),
  }
}
