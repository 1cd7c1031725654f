import type { CommandTools } from '../base/command-io.ts'
import type { DeskStore } from '../store/desk.ts'
import { createDeskStore } from '../store/store.ts'
import type { Leaving } from '../ui/text/desk-context.ts'
import { type DeskPlan, venueOf } from './plan.ts'
import { deskStart } from './start.ts'

const tickMs = 1_000

/** What is to be known for it. */
export type WaitingPlan = Pick<DeskPlan, 'settings' | 'looks' | 'reboundKeys' | 'quit'> & {
  tools: Pick<CommandTools, 'clock'>
}

/** The desk as it looks before anything has answered. Its clock runs until `stop`. */
export type WaitingDesk = {
  store: DeskStore
  /** All that keys can do: what was typed ahead, or at a picture that shows no price yet, must not reach a desk. */
  commands: Leaving
  stop(): void
}

/**
 * What is on screen while the desk is opened: it has the face of the desk that comes, so that nothing jumps when it
 * takes its place.
 */
export function openWaitingDesk(plan: WaitingPlan): WaitingDesk {
  const { settings, looks, reboundKeys, quit } = plan
  const { clock } = plan.tools
  const venue = venueOf(settings)
  const isOwn = settings.exchange.kind === 'own'
  const store = createDeskStore(
    deskStart(
      {
        ...{ clock, venue, looks, reboundKeys },
        ...{ isMonitor: settings.isMonitor, symbol: settings.symbol, limits: settings.limits },
        idleRules: settings.idleRules,
        terminal: { hangUp: settings.onHangUp, focusRule: settings.onFocusLoss },
        gateway: { isKnown: true, receiver: { kind: 'opening' }, isOwn, seenSequence: 0 },
      },
      { method: 'none' },
    ),
  )
  const text = isOwn ? 'Opening the practice exchange…' : `Opening the desk on ${venue.profileName}…`
  store.dispatch({ type: 'noted', level: 'info', text, atMs: clock.now() })
  const stopping = new AbortController()
  const tick = async () => {
    while (!stopping.signal.aborted) {
      await clock.sleep(tickMs, stopping.signal)
      store.dispatch({ type: 'ticked', nowMs: clock.now(), wallMs: clock.wallMs() })
    }
  }
  void tick()
  return { store, commands: { leave: () => quit.abort() }, stop: () => stopping.abort() }
}
