import type { Clock } from '../../clock.ts'
import type { InputEvent } from './key-sequences.ts'
import { createKeyTokenizer, type Waiting } from './key-tokenizer.ts'
import type { TerminalLink } from './terminal-link.ts'
import { readReport, type TerminalReport } from './terminal-reports.ts'

/**
 * How long to wait for what may still follow. A lone Esc must feel immediate, yet the rest of an arrow key may lag on a
 * slow line. A paste without an end must not lock the keys out for ever.
 */
export const patienceMs: Readonly<Record<Exclude<Waiting, 'nothing'>, number>> = {
  escape: 30,
  sequence: 500,
  paste: 2_000,
}
/** While a terminal is to answer, what looks like the start of a sequence may well be the start of its answer. */
export const answerPatienceMs = 1_000
/** The rest of a sequence that comes so late after its Esc was taken for a key is still no text. */
export const lateMs = 1_000

export type KeyReader = { take(chunk: string): void; stop(): void }

/** The rest of a control sequence without its Esc: nobody types a bracket and what follows it in one piece. */
const restOfSequence = /^\[[\d;?<=>]*[@-~]/

/**
 * Feeds what arrives to a tokenizer and hands each key on at once, in order, whatever is being drawn meanwhile. What the terminal itself
 * says goes to `link`, and so do keys that were typed before there was anything to see.
 */
export function createKeyReader(
  onInput: (event: InputEvent) => void,
  clock: Clock,
  link: TerminalLink | null = null,
): KeyReader {
  const tokenizer = createKeyTokenizer<TerminalReport>(readReport)
  let pause: AbortController | null = null
  let escapedAtMs = Number.NEGATIVE_INFINITY

  const hand = (event: InputEvent | TerminalReport) => {
    if (event.kind !== 'key' && event.kind !== 'paste') return link?.told(event)
    if (link?.isTypedAhead(event) !== true) onInput(event)
  }
  const patienceOf = (waiting: Exclude<Waiting, 'nothing'>): number =>
    waiting !== 'paste' && link?.isAnswerDue() === true ? answerPatienceMs : patienceMs[waiting]
  const endWhenNothingComes = async (waiting: Exclude<Waiting, 'nothing'>) => {
    pause = new AbortController()
    const { signal } = pause
    await clock.sleep(patienceOf(waiting), signal)
    if (signal.aborted) return
    if (waiting === 'escape') escapedAtMs = clock.now()
    for (const event of tokenizer.flush()) hand(event)
  }
  return {
    take(chunk) {
      pause?.abort()
      const isLate = clock.now() - escapedAtMs < lateMs && restOfSequence.test(chunk)
      escapedAtMs = Number.NEGATIVE_INFINITY
      for (const event of tokenizer.push(isLate ? `\u001b${chunk}` : chunk)) hand(event)
      const waiting = tokenizer.waiting()
      if (waiting !== 'nothing') void endWhenNothingComes(waiting)
    },
    stop: () => pause?.abort(),
  }
}
