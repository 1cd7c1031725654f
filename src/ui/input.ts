import type { Clock } from '../clock.ts'
import { type Commands, reviewArmedAfterMs } from '../store/commands.ts'
import type { DeskStore } from '../store/store.ts'
import { actionOf, handleInput } from './keys/handle-input.ts'
import { createWariness } from './keys/wariness.ts'
import type { InputEvent } from './terminal/key-sequences.ts'

/**
 * A key that is held down repeats every 30 ms or so, 92 ms at the slowest usual setting. A send waits this long for a repeat to give
 * the key away as held, and a key that came again within `quietMs` is not taken as pressed anew.
 */
export const sendBeatMs = 130
export const quietMs = 150

export type Input = { take: (event: InputEvent) => void; stop: () => void }

/** All that a person can do with a desk that is still being opened. */
export type Leaving = { leave: () => void }

type InputContext = { store: DeskStore; commands: Commands | Leaving; clock: Clock }

/** What a person does at the keyboard: everything in a desk, and of a desk that is still being opened only to leave it. */
export const createInput = (context: InputContext): Input => {
  const { store, commands } = context
  return 'leave' in commands ? createWaitingInput(store, commands) : createDeskInput({ ...context, commands })
}

const createWaitingInput = (store: DeskStore, { leave }: Leaving): Input => ({
  take(event) {
    const action = actionOf(event, store.getState())
    if (action === 'quit' || action === 'quitNow') leave()
  },
  stop: () => undefined,
})

/**
 * Everything a person does at the keyboard, in order. Each key counts as activity. The key that sends an order is the one that is not
 * acted on at once: its first repeat after a long pause looks like a fresh press, so the order waits for one beat, and any key in that
 * beat drops it.
 */
function createDeskInput({ store, commands, clock }: InputContext & { commands: Commands }): Input {
  const pressedAtMs = new Map<string, number>()
  let beat: AbortController | null = null
  /** What sends an order, by the action of its key. */
  const sends: Readonly<Record<string, () => void>> = {
    send: commands.sendTicket,
    sendMove: commands.sendMove,
    sendWithdraw: commands.sendWithdraw,
  }

  /** Time since the same key came last, and the note that it came now. */
  const sincePressed = (key: string): number => {
    const nowMs = clock.now()
    const before = pressedAtMs.get(key)
    // Only what was pressed a moment ago matters.
    for (const [other, atMs] of pressedAtMs) if (nowMs - atMs > quietMs) pressedAtMs.delete(other)
    pressedAtMs.set(key, nowMs)
    return before === undefined ? Number.POSITIVE_INFINITY : nowMs - before
  }
  const sendAfterBeat = async (send: () => void) => {
    const waiting = new AbortController()
    beat = waiting
    await clock.sleep(sendBeatMs, waiting.signal)
    if (waiting.signal.aborted) return
    beat = null
    send()
  }
  const isArmed = () => {
    const { ticket, move, overlay } = store.getState()
    const isWithdraw = overlay?.kind === 'withdrawReview'
    const order = ticket?.stage === 'review' ? ticket : move?.stage === 'review' ? move : null
    const reviewed = isWithdraw ? overlay : order
    return reviewed !== null && clock.now() - reviewed.reviewedAtMs >= reviewArmedAfterMs
  }
  const whyWait = createWariness(store, clock)
  return {
    take(event) {
      commands.keyPressed()
      const refusal = whyWait(event)
      const since = event.kind === 'key' ? sincePressed(event.key) : Number.POSITIVE_INFINITY
      const send = sends[actionOf(event, store.getState()) ?? '']
      const isSend = send !== undefined
      if (beat !== null) {
        beat.abort()
        beat = null
        if (isSend) return commands.explain('Not sent: Enter repeats. Release Enter, then press it once.')
        commands.explain('Not sent: another key came with Enter.')
      }
      if (refusal !== null) return commands.explain(refusal)
      if (!isSend) return handleInput(event, store, commands)
      if (since < quietMs) return commands.explain('Release Enter, then press it once to send.')
      if (isArmed()) void sendAfterBeat(send)
    },
    stop: () => beat?.abort(),
  }
}
