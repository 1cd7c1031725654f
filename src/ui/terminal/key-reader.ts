import { usePaste, useStdin } from 'ink'
import { useEffectEvent, useLayoutEffect } from 'react'
import { type Clock, nextTurn } from '../../base/clock.ts'
import { type InputEvent, readReport, type TerminalReport } from './key-sequences.ts'
import { createKeyTokenizer, type Waiting } from './key-tokenizer.ts'
import type { TerminalLink } from './terminal-link.ts'

/**
 * How long to wait for what may still follow. A lone Esc must feel immediate, so that its key may turn out to have been
 * the beginning of another one: see `lateMs`. Half a sequence is not a key of anybody, and waits for its rest on a slow
 * line. A paste without an end must not lock the keys out for ever.
 */
export const patienceMs: Readonly<Record<Exclude<Waiting, 'nothing'>, number>> = {
  escape: 30,
  sequence: 1_500,
  paste: 2_000,
}
/** While a terminal is to answer, what looks like the start of a sequence may well be the start of its answer. */
const answerPatienceMs = 1_000
/**
 * What comes so soon after an Esc that was taken for a key may be the rest of a sequence: packets that are sent again
 * take this long.
 */
export const lateMs = 1_000

/**
 * Two different keys that a hand presses are further apart; those of a paste, or of a line that stood still, are not.
 */
export const burstMs = 10

type KeyReader = { take(chunk: string): void; stop(): void }

/** A whole rest of a control sequence: nobody types that in one piece, however long ago the Esc was. */
const wholeRest = /^\[[\d;?<=>]*[@-~]/

/**
 * What goes on from an Esc that was taken for a key: nobody types a bracket, or two characters of a sequence in one
 * piece, right after it. `O`, `P`, `]` and `_` by themselves are keys that somebody may have pressed.
 */
const goesOnFrom: Readonly<Record<string, RegExp>> = {
  '\u001b': /^(?:\[|O[ -~]|\][\dlL]|P[\d;>|$+!=]|_G)/,
  '\u001b]': /^[\dlL]/,
  '\u001bP': /^[\d;>|$+!=]/,
  '\u001b_': /^G/,
}

/**
 * Feeds what arrives to a tokenizer and hands each key on at once, in order, whatever is being drawn meanwhile. What
 * the terminal itself says goes to `link`, and so do keys that were typed before there was anything to see.
 */
export function createKeyReader(
  onInput: (event: InputEvent) => void,
  clock: Clock,
  link: TerminalLink | null = null,
): KeyReader {
  const tokenizer = createKeyTokenizer<TerminalReport>(readReport)
  let pause: AbortController | null = null
  let openPaste = false
  /** Since the last input the line has not been seen empty: what comes now may have come with it, and have waited. */
  let isCrowded = false
  let crowd = new AbortController()
  /**
   * A program that is busy reads late what came early: only a look at the line after the pause tells that it was empty.
   */
  const watchLine = async () => {
    crowd.abort()
    crowd = new AbortController()
    isCrowded = true
    const { signal } = crowd
    await clock.sleep(burstMs, signal)
    // What waits by now is read before this: the line comes first in each turn of the event loop.
    await nextTurn()
    if (!signal.aborted) isCrowded = false
  }
  /** What was taken for a key because nothing followed it in time, and until when something may. */
  let loose = { text: '', untilMs: Number.NEGATIVE_INFINITY }

  const hand = (event: InputEvent | TerminalReport) => {
    if (event.kind === 'coded') {
      if (event.event !== null && link?.isKeyCoded() === true) hand(event.event)
      return
    }
    if (event.kind !== 'key' && event.kind !== 'paste') return link?.told(event)
    if (link?.isTypedAhead(event) !== true)
      onInput(isCrowded && event.kind === 'key' ? { ...event, isTogether: true } : event)
    void watchLine()
  }
  const patienceOf = (waiting: Exclude<Waiting, 'nothing'>): number => {
    if (waiting !== 'escape') return patienceMs[waiting]
    if (link?.isAnswerDue() === true) return answerPatienceMs
    // Esc itself comes as a code there: a lone one is the beginning of more.
    return link?.isKeyCoded() === true ? patienceMs.sequence : patienceMs.escape
  }
  const endWhenNothingComes = async (waiting: Exclude<Waiting, 'nothing'>) => {
    pause = new AbortController()
    const { signal } = pause
    await clock.sleep(patienceOf(waiting), signal)
    if (signal.aborted) return
    openPaste = false
    if (waiting === 'escape') loose = { text: tokenizer.rest(), untilMs: clock.now() + lateMs }
    for (const event of tokenizer.flush()) hand(event)
  }
  /**
   * Keys that may go on from an Esc: the first is doubtful, and after `O` and its digits, `P`, `]` and `_` the next one
   * too.
   */
  const takeRest = (chunk: string, from: string) => {
    let isDoubtful = from !== ''
    let begun = from
    for (const event of tokenizer.push(chunk)) {
      hand(isDoubtful && event.kind === 'key' ? { ...event, doubt: 'rest' } : event)
      const goesOn = begun === '\u001b' ? /^[OP\]_]$/ : /^[\d;<=>?]$/
      isDoubtful &&= event.kind === 'key' && goesOn.test(event.key)
      if (begun === '\u001b' && event.kind === 'key') begun += event.key
    }
    if (isDoubtful) loose = { text: begun, untilMs: clock.now() + lateMs }
  }
  return {
    take(chunk) {
      // Single keys do not make a paste without an end last: whoever presses them wants the keyboard back.
      const isPressed = openPaste && chunk.length === 1
      if (!isPressed) pause?.abort()
      const isWhole = loose.text === '\u001b' && wholeRest.test(chunk)
      const from = isWhole || clock.now() < loose.untilMs ? loose.text : ''
      loose = { text: '', untilMs: Number.NEGATIVE_INFINITY }
      if (goesOnFrom[from]?.test(chunk) === true) {
        for (const event of tokenizer.push(from + chunk)) hand(event)
      } else takeRest(chunk, from)
      const waiting = tokenizer.waiting()
      if (isPressed && waiting === 'paste') return
      pause?.abort()
      openPaste = waiting === 'paste'
      if (waiting !== 'nothing') void endWhenNothingComes(waiting)
    },
    stop() {
      pause?.abort()
      crowd.abort()
    },
  }
}

const ignored = () => undefined

/**
 * Every key and paste of the terminal, one call each. Ink owns the terminal's modes (raw input, bracketed paste) and
 * puts them back at the end; the bytes it reads are taken here as they are, because Ink hands on what arrived together
 * as one.
 */
export function useKeys(onInput: (event: InputEvent) => void, clock: Clock, link: TerminalLink | null = null): void {
  const { stdin } = useStdin()
  // Asks Ink for raw mode and bracketed paste for as long as this is mounted; the text itself comes through the reader.
  usePaste(ignored)
  const handle = useEffectEvent(onInput)
  useLayoutEffect(() => {
    const reader = createKeyReader((event) => handle(event), clock, link)
    const take = (chunk: string | Uint8Array) => reader.take(typeof chunk === 'string' ? chunk : String(chunk))
    // Characters of several bytes that arrive in two chunks are put together by the stream.
    stdin.setEncoding('utf8')
    stdin.on('data', take)
    return () => {
      stdin.off('data', take)
      reader.stop()
    }
  }, [stdin, clock, link])
}
