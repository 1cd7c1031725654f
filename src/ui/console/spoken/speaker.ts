import { isLocked } from '../../../domain/desk/lock.ts'
import type { DeskState, DeskStore } from '../../../store/desk.ts'
import { activeSymbol } from '../../../store/ladder/ladder.ts'
import { announcements, cursorSentence, ladderSentences } from './sentences.ts'

/** What a person is at: one of these is read as a whole when it appears, and its changes as they are made. */
export type SpokenPart =
  | { kind: 'lock' }
  | { kind: 'overlay' }
  | { kind: 'ticket' }
  | { kind: 'pane'; pane: DeskState['focus'] }

export function partOf({ lock, overlay, ticket, move, focus }: DeskState): SpokenPart {
  if (isLocked(lock)) return { kind: 'lock' }
  if (overlay !== null) return { kind: 'overlay' }
  // The form of an order, or of its move to another price.
  if (ticket !== null && ticket.stage !== 'sending') return { kind: 'ticket' }
  if (move?.stage === 'choose' || move?.stage === 'review') return { kind: 'ticket' }
  return { kind: 'pane', pane: focus }
}

/** Tells two parts apart, also two overlays and two stages of a ticket. */
function nameOf(state: DeskState): string {
  const part = partOf(state)
  const detail = {
    lock: state.lock.kind,
    overlay: state.overlay?.kind,
    ticket: state.ticket?.stage ?? `move ${state.move?.stage}`,
    pane: state.focus,
  }
  return `${part.kind} ${detail[part.kind] ?? ''}`
}

const isLadder = (part: SpokenPart): boolean =>
  part.kind === 'pane' && (part.pane === 'ladder' || part.pane === 'ladder2')

const hasBook = (state: DeskState): boolean => {
  const symbol = activeSymbol(state)
  return state.instruments.value?.has(symbol) === true && (state.books.get(symbol)?.value ?? null) !== null
}

/** The first book of the ladder one waits at. */
const hasArrived = (before: DeskState, state: DeskState): boolean =>
  isLadder(partOf(state)) && !hasBook(before) && hasBook(state)

export type Speaker = {
  /** Tells where the desk is and what stands there; called once, before anything happens. */
  begin(): void
  /**
   * After a key was acted on: what it changed here, or everything again where the same pane was asked for once more.
   */
  afterKey(isAskedAgain: boolean): void
  stop(): void
}

type SpeakerOptions = {
  store: DeskStore
  /** The lines of a part as they are read. */
  linesOf: (part: SpokenPart) => string[]
  say: (sentences: readonly string[]) => void
}

/** Follows the desk and says what a person needs to hear: what they reached, what they changed, and what happened. */
export function createSpeaker({ store, linesOf, say }: SpeakerOptions): Speaker {
  let told: readonly string[] = []
  const whole = (state: DeskState): string[] => {
    const part = partOf(state)
    return isLadder(part) ? ladderSentences(state) : linesOf(part)
  }
  /** Where the cursor is kept apart from the rest: what a step of it changes. */
  const steps = (state: DeskState): string[] => (isLadder(partOf(state)) ? [cursorSentence(state)] : whole(state))
  const tellPart = (state: DeskState) => {
    say(whole(state))
    told = steps(state)
  }
  /** Back at what was read before: where that is, and what is chosen there. */
  const tellReturn = (state: DeskState) => {
    const lines = whole(state)
    say(lines.filter((line, at) => at === 0 || /^(Chosen: |Cursor at )/.test(line)))
    told = steps(state)
  }
  const unsubscribe = store.subscribe((state, before) => {
    const news = announcements(before, state)
    if (news.length > 0) say(news)
    if (state.symbol !== before.symbol || hasArrived(before, state)) tellPart(state)
    else if (nameOf(state) !== nameOf(before)) {
      const isReturn = partOf(before).kind !== 'pane' && partOf(state).kind === 'pane' && before.focus === state.focus
      if (isReturn) tellReturn(state)
      else tellPart(state)
    }
  })
  return {
    begin() {
      const state = store.getState()
      const venue = state.venue.kind === 'practice' ? 'PRACTICE' : 'LIVE'
      say([
        `pitdesk, ${venue}, mode ${state.mode.kind}.`,
        "The keys are those of the screen: question mark reads them, a pane's number reads the pane.",
      ])
      tellPart(state)
    },
    afterKey(isAskedAgain) {
      const state = store.getState()
      if (isAskedAgain) return tellPart(state)
      const now = steps(state)
      const changed = now.filter((line) => !told.includes(line))
      const chosen = changed.filter((line) => /^(Chosen: |BLOCK |WARN |ASK )/.test(line))
      told = now
      if (changed.length > 0) say(chosen.length > 0 ? chosen : changed)
    },
    stop: unsubscribe,
  }
}
