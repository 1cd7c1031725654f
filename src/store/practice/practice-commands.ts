import type { Result } from '../../base/result.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { type ModeSlice, modeSentence } from '../mode.ts'
import type { SliceContext } from '../slice.ts'
import { type PracticeRequest, type PracticeSlice, practiceRequestText } from './practice-line.ts'

/** What its commands work with. */
type Context = SliceContext<ModeSlice & PracticeSlice, NotedEvent, PracticePort>

export type PracticeCommands = {
  /**
   * Does one thing with the desk's own practice exchange; its answer comes as a notice. A desk on another exchange only
   * says no.
   */
  practise(request: PracticeRequest): void
}

/** What a person does with the practice exchange beside trading on it. */
export function createPracticeCommands({ store, port }: Context): PracticeCommands {
  const say = sayer({ store, port })
  return {
    practise(request) {
      const state = store.getState()
      if (state.practice === null) return say('This desk does not run a practice exchange of its own.')
      if (state.mode.kind === 'MONITOR') return say(modeSentence(state))
      port.runPractice(request)
    },
  }
}

const sentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/**
 * The answer in the log, and its first line as the notice: what was done and what the exchange says of it, or why it
 * was not.
 */
export function practiceAnswered(
  request: PracticeRequest,
  answer: Result<readonly string[]>,
  atMs: number,
): readonly NotedEvent[] {
  const what = practiceRequestText(request)
  if (!answer.ok) return [{ type: 'noted', level: 'warn', text: sentence(`Practice ${what}: ${answer.error}`), atMs }]
  const [first = 'done', ...more] = answer.value
  // The log shows the newest first: so they stand there in the exchange's order, below what was done.
  const details = more.toReversed().map((text): NotedEvent => ({ type: 'noted', level: 'info', text, atMs }))
  return [...details, { type: 'noted', level: 'good', text: sentence(`Practice ${what}: ${first}`), atMs }]
}

export type PracticePort = {
  /** Asks the desk's own practice exchange to do something; what it says arrives as notices. */
  runPractice(request: PracticeRequest): void
}
