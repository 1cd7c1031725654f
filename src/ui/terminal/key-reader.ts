import { usePaste, useStdin } from 'ink'
import { useEffectEvent, useLayoutEffect } from 'react'
import { type Clock, nextTurn } from '../../base/clock.ts'
import { type InputEvent, readReport, type TerminalReport } from './key-sequences.ts'
import { createKeyTokenizer, type Waiting } from './key-tokenizer.ts'
import type { TerminalLink } from './terminal-link.ts'

/**
 * How long in ms to wait for bytes that may still follow. A lone Esc must feel immediate, so its key may turn out to be
 * the start of another one: see `lateMs`. Half a sequence is not a key, and may wait for its rest on a slow line. A
 * paste without an end must not lock the keyboard forever.
 */
export const patienceMs: Readonly<Record<Exclude<Waiting, 'nothing'>, number>> = {
  escape: 30,
  sequence: 1_500,
  paste: 2_000,
}
/**
 * While an answer from the terminal is due, what looks like the start of a sequence may be the start of that answer.
 */
const answerPatienceMs = 1_000
/**
 * Bytes this soon after an Esc that was taken for a key may be the rest of its sequence: TCP retransmits take this
 * long.
 */
export const lateMs = 1_000

/** Two different keys pressed by hand are further apart; those of a paste, or from a line that stalled, are not. */
export const burstMs = 10

type KeyReader = { take(chunk: string): void; stop(): void }

/** The complete rest of a control sequence: no one types that in one piece, however long ago the Esc was. */
const wholeRest = /^\[[\d;?<=>]*[@-~]/

/**
 * Continuations of an Esc that was taken for a key: no one types a bracket, or two characters of a sequence in one
 * piece, right after it. `O`, `P`, `]` and `_` alone can be keys the user pressed.
 */
const goesOnFrom: Readonly<Record<string, RegExp>> = {
  '\u001b': /^(?:\[|O[ -~]|\][\dlL]|P[\d;>|$+!=]|_G)/,
  '\u001b]': /^[\dlL]/,
  '\u001bP': /^[\d;>|$+!=]/,
  '\u001b_': /^G/,
}

/**
 * Feeds input to a tokenizer and passes each key on at once, in order, even while the screen is being drawn. The
 * terminal's own reports go to `link`, which also drops keys typed before there was a screen. `takesCodes`: coded keys
 * count although this desk does not ask for them, because another program may have left them on; every key comes as one
 * then, Ctrl-C too.
 */
export function createKeyReader(
  onInput: (event: InputEvent) => void,
  clock: Clock,
  link: TerminalLink | null,
  takesCodes: boolean,
): KeyReader {
  const tokenizer = createKeyTokenizer<TerminalReport>(readReport)
  let pause: AbortController | null = null
  let openPaste = false
  /** The line has not been seen empty since the last input: what arrives now may have arrived with it, and waited. */
  let isCrowded = false
  let crowd = new AbortController()
  /** A busy program reads early input late: only a look at the line after the pause shows that it was empty. */
  const watchLine = async () => {
    crowd.abort()
    crowd = new AbortController()
    isCrowded = true
    const { signal } = crowd
    await clock.sleep(burstMs, signal)
    // Input that is waiting by now is read first: I/O comes before this in each turn of the event loop.
    await nextTurn()
    if (!signal.aborted) isCrowded = false
  }
  /**
   * What was taken for a key, or dropped as half a sequence, because nothing followed in time, and until when its rest
   * may still arrive.
   */
  let loose = { text: '', untilMs: Number.NEGATIVE_INFINITY }

  const hand = (event: InputEvent | TerminalReport) => {
    if (event.kind === 'coded') {
      if (event.event !== null && (takesCodes || link?.isKeyCoded() === true)) hand(event.event)
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
    // With coded keys, Esc itself is a code: a lone one is the start of a sequence.
    return link?.isKeyCoded() === true ? patienceMs.sequence : patienceMs.escape
  }
  const endWhenNothingComes = async (waiting: Exclude<Waiting, 'nothing'>) => {
    pause = new AbortController()
    const { signal } = pause
    await clock.sleep(patienceOf(waiting), signal)
    if (signal.aborted) return
    openPaste = false
    if (waiting !== 'paste') loose = { text: tokenizer.rest(), untilMs: clock.now() + lateMs }
    for (const event of tokenizer.flush()) hand(event)
  }
  /**
   * Keys that may continue an Esc: the first is doubtful, and so is the next one after `O` and its digits, `P`, `]` and
   * `_`. After half a sequence so are its digits, and the one that may end it.
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
      // Single keys do not prolong a paste without an end: whoever presses them wants the keyboard back.
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
 * Every key and paste of the terminal, one call each. Ink sets the terminal's modes (raw input, bracketed paste) and
 * restores them at the end. The raw bytes are read here, because Ink merges keys that arrive together.
 */
export function useKeys(onInput: (event: InputEvent) => void, clock: Clock, link: TerminalLink | null = null): void {
  const { stdin } = useStdin()
  // Only makes Ink enable raw mode and bracketed paste while this is mounted; the text comes through the reader.
  usePaste(ignored)
  const handle = useEffectEvent(onInput)
  useLayoutEffect(() => {
    // A desk that asks the terminal nothing cannot know whether codes are on.
    const reader = createKeyReader((event) => handle(event), clock, link, link === null)
    const take = (chunk: string | Uint8Array) => reader.take(typeof chunk === 'string' ? chunk : String(chunk))
    // The stream joins multi-byte characters that arrive in two chunks.
    stdin.setEncoding('utf8')
    stdin.on('data', take)
    return () => {
      stdin.off('data', take)
      reader.stop()
    }
  }, [stdin, clock, link])
}
