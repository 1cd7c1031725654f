import { plainText } from '../../base/text/plain-text.ts'
import { characterKey, type InputEvent, namedKey, sequenceKey } from './key-sequences.ts'

/**
 * What the bytes so far leave open: nothing, a lone Esc (or another key that may continue), the middle of a sequence,
 * or the middle of a paste.
 */
export type Waiting = 'nothing' | 'escape' | 'sequence' | 'paste'

/** Reads a complete control sequence, or a string from `ESC ]`, as a report; null if it is not one. */
type ReadReport<Report> = (introducer: '[' | 'O' | ']', body: string, final: string) => Report | null

type KeyTokenizer<Report = never> = {
  /** Returns the keys, pastes and reports that `chunk` completes. Chunks may split anywhere, even within a sequence. */
  push(chunk: string): (InputEvent | Report)[]
  waiting(): Waiting
  /** The bytes that are still open. */
  rest(): string
  /**
   * Ends what is open because nothing more arrived in time: a lone Esc is Esc, half a sequence is dropped, a paste
   * ends, cut.
   */
  flush(): InputEvent[]
}

const escapeCharacter = '\u001b'
/**
 * `ESC [` as one character of 8 bits, which is no UTF-8 by itself: where a whole sequence with a number follows, it was
 * one.
 */
const shortStart = /^(?:\u009b|\ufffd(?=[?<=>]?\d[\d;]*[@-~]))/
const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'
/** No terminal sends longer sequences for keys. */
const sequenceMax = 64
/** A terminal's answer longer than this is cut off, and input counts again after it. */
const stringMax = 4_096
/** Longer pastes are cut: no field takes more, and memory stays bounded. */
const pasteMax = 65_536

/** What was read from the start of `rest`: an event, or null for nothing of use, and the characters consumed. */
type Step<Report = never> = { event: InputEvent | Report | null; length: number }

/** The control sequence at the start of `rest`; null while incomplete. */
function readSequence<Report>(rest: string, readReport: ReadReport<Report>): Step<Report> | null {
  const introducer = rest[1] === '[' ? '[' : 'O'
  // The second bracket of the Linux console's `ESC [ [ A` is not a final character.
  for (let index = introducer === '[' && rest[2] === '[' ? 3 : 2; index < rest.length; index += 1) {
    const code = rest.charCodeAt(index)
    // A control character ends the sequence and is read on its own: an Enter is never swallowed.
    if (code < 0x20 || code > 0x7e || index > sequenceMax) return { event: null, length: index }
    if (code >= 0x40) {
      const [body, final] = [rest.slice(2, index), rest.charAt(index)]
      const event = readReport(introducer, body, final) ?? sequenceKey(introducer, body, final)
      return { event, length: index + 1 }
    }
  }
  return null
}

/** Legacy mouse reports: `ESC [ M` and three arbitrary characters. */
const mouseStart = '\u001b[M'
const mouseLength = mouseStart.length + 3

/**
 * A string that a terminal answers with, such as its background color: from `ESC ]` and digits, `ESC P`, or the `ESC _
 * G` of graphics, to its end (BEL or `ESC \`). `ESC ]`, `ESC P` and `ESC _` alone are Alt and a key.
 */
const stringStart = /^\u001b(?:\][\dlL]|P[\d;>|$+!=]|_G)/
const stringEnd = /\u0007|\u001b\\|\u009c/
/** A complete string of any kind in one piece: no one types its end right behind Alt and a key. */
const wholeString = /^\u001b[\]P_^X][^\u0007\u001b\u009c]+(?:\u001b\\|\u009c)/
/** The rest of an abandoned string, in one piece: not keys, because no one types its ending. */
const lateRest = /^(?:[\da-frg:/;#]*\u0007|[ -~]*(?:\u001b\\|\u009c))/i

/** Alt keys that may also start a string. */
const stringKeys: readonly string[] = ['\u001b]', '\u001bP', '\u001b_']

/** The string at the start of `rest`; null while incomplete. */
function readString<Report>(rest: string, readReport: ReadReport<Report>): Step<Report> | null {
  const end = stringEnd.exec(rest)
  if (end === null) return rest.length > stringMax ? { event: null, length: rest.length } : null
  const event = rest[1] === ']' ? readReport(']', rest.slice(2, end.index), '') : null
  return { event, length: end.index + end[0].length }
}

function readCharacter(rest: string): Step | null {
  const code = rest.codePointAt(0) ?? 0
  const isHalf = code >= 0xd800 && code < 0xdc00
  if (isHalf && rest.length === 1) return null
  const character = String.fromCodePoint(code)
  return { event: characterKey(character), length: character.length }
}

/** The next key at the start of a non-empty `rest`; null while incomplete. */
function readKey<Report>(rest: string, readReport: ReadReport<Report>): Step<Report> | null {
  if (rest[0] !== escapeCharacter) return readCharacter(rest)
  const second = rest[1]
  if (second === undefined) return null
  if (second === escapeCharacter) return { event: namedKey('esc'), length: 1 }
  if (rest.startsWith(mouseStart)) return rest.length < mouseLength ? null : { event: null, length: mouseLength }
  if (second === '[' || second === 'O') return readSequence(rest, readReport)
  if (stringStart.test(rest) || wholeString.test(rest)) return readString(rest, readReport)
  // The next character decides whether this is a string.
  if (stringKeys.includes(rest)) return null
  // Alt and a key is one key, never Esc followed by the key, which may be dangerous.
  const step = readCharacter(rest.slice(1))
  if (step === null) return null
  const event = step.event?.kind === 'key' ? namedKey(`alt+${step.event.key}`) : null
  return { event, length: 1 + step.length }
}

const pasteMark = /\u001b\[20[01]~/

/** How many characters at the end of `text` could be the start of a paste mark. */
function markStart(text: string): number {
  for (let length = Math.min(text.length, pasteEnd.length - 1); length > 0; length -= 1) {
    const tail = text.slice(-length)
    if (pasteEnd.startsWith(tail) || pasteStart.startsWith(tail)) return length
  }
  return 0
}

/** A key that may also be the start of more: Esc, and the Alt keys that start strings. */
const isOpenKey = (rest: string): boolean => rest === escapeCharacter || stringKeys.includes(rest)

const keysOf = (rest: string): InputEvent[] =>
  rest === escapeCharacter
    ? [{ kind: 'key', key: 'esc', text: null, doubt: 'escape' }]
    : [namedKey(`alt+${rest.slice(1)}`)]

/**
 * Splits terminal input into keys and pastes. Keys that arrive together come out one by one, and pieces are joined:
 * only the characters count, not how they were chunked.
 */
export function createKeyTokenizer<Report = never>(readReport: ReadReport<Report> = () => null): KeyTokenizer<Report> {
  let rest = ''
  /** A string was abandoned because its end did not arrive. */
  let isCutString = false
  let paste: string | null = null
  /** Paste starts within the paste that have no end yet. */
  let depth = 0

  const keep = (text: string) => {
    paste = ((paste ?? '') + text).slice(0, pasteMax)
  }
  const endPaste = (): InputEvent => {
    const text = plainText(paste ?? '')
    paste = null
    depth = 0
    return { kind: 'paste', text }
  }
  /**
   * Takes pasted text from `rest`; returns the paste once it is complete. Pasted text may contain paste marks to break
   * out: an end mark closes the paste only if it matches the outermost start.
   */
  const readPaste = (): InputEvent | null => {
    for (;;) {
      const mark = pasteMark.exec(rest)
      if (mark === null) {
        const open = markStart(rest)
        keep(rest.slice(0, rest.length - open))
        rest = rest.slice(rest.length - open)
        return null
      }
      keep(rest.slice(0, mark.index))
      rest = rest.slice(mark.index + mark[0].length)
      depth += mark[0] === pasteStart ? 1 : -1
      if (depth < 0) return endPaste()
    }
  }

  return {
    push(chunk) {
      rest += isCutString ? chunk.replace(lateRest, '') : chunk
      isCutString = false
      const events: (InputEvent | Report)[] = []
      while (rest !== '') {
        if (paste === null) rest = rest.replace(shortStart, '\u001b[')
        if (paste !== null) {
          const event = readPaste()
          if (event === null) break
          events.push(event)
        } else if (rest.startsWith(pasteStart)) {
          paste = ''
          rest = rest.slice(pasteStart.length)
        } else if (rest.startsWith(pasteEnd)) {
          // An end without a start: a paste broke out, or its start was abandoned.
          rest = rest.slice(pasteEnd.length)
          events.push({ kind: 'paste', text: '' })
        } else {
          const step = readKey(rest, readReport)
          if (step === null) break
          rest = rest.slice(step.length)
          if (step.event !== null) events.push(step.event)
        }
      }
      return events
    },
    waiting() {
      if (paste !== null) return 'paste'
      if (rest === '') return 'nothing'
      return isOpenKey(rest) ? 'escape' : 'sequence'
    },
    rest: () => rest,
    flush() {
      isCutString = paste === null && stringStart.test(rest)
      if (paste !== null) {
        rest = ''
        return [{ ...endPaste(), isCut: true }]
      }
      const events = isOpenKey(rest) ? keysOf(rest) : []
      rest = ''
      return events
    },
  }
}
