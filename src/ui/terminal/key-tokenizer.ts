import { plainText } from '../../domain/plain-text.ts'
import { characterKey, type InputEvent, namedKey, sequenceKey } from './key-sequences.ts'

/** What the bytes so far leave open: nothing, a lone Esc, the middle of a sequence, or the middle of a paste. */
export type Waiting = 'nothing' | 'escape' | 'sequence' | 'paste'

/** Reads a complete control sequence as something that is no key; null for all else. */
type ReadReport<Report> = (introducer: '[' | 'O', body: string, final: string) => Report | null

export type KeyTokenizer<Report = never> = {
  /** The keys, pastes and reports that `chunk` completes. Chunks may break anywhere, also inside a sequence. */
  push(chunk: string): (InputEvent | Report)[]
  waiting(): Waiting
  /** Ends what is open because nothing more came in time: a lone Esc is Esc, half a sequence is dropped, a paste ends. */
  flush(): InputEvent[]
}

const escapeCharacter = '\u001b'
const pasteStart = '\u001b[200~'
const pasteEnd = '\u001b[201~'
/** No terminal sends longer sequences for keys. */
const sequenceMost = 64
/** Longer pastes are cut: no field takes more, and memory stays bounded. */
const pasteMost = 65_536

/** What was read at the start of `rest`: an event or nothing worth one, and how many characters it took. */
type Step<Report = never> = { event: InputEvent | Report | null; length: number }

/** A control sequence at the start of `rest`, or null while its end has not come. */
function readSequence<Report>(rest: string, readReport: ReadReport<Report>): Step<Report> | null {
  const introducer = rest[1] === '[' ? '[' : 'O'
  // The Linux console's `ESC [ [ A`: its second bracket is no final character.
  for (let index = introducer === '[' && rest[2] === '[' ? 3 : 2; index < rest.length; index += 1) {
    const code = rest.charCodeAt(index)
    // A control character breaks the sequence off and counts by itself: an Enter is never swallowed.
    if (code < 0x20 || code > 0x7e || index > sequenceMost) return { event: null, length: index }
    if (code >= 0x40) {
      const [body, final] = [rest.slice(2, index), rest.charAt(index)]
      const event = readReport(introducer, body, final) ?? sequenceKey(introducer, body, final)
      return { event, length: index + 1 }
    }
  }
  return null
}

function readCharacter(rest: string): Step | null {
  const code = rest.codePointAt(0) ?? 0
  const isHalf = code >= 0xd800 && code < 0xdc00
  if (isHalf && rest.length === 1) return null
  const character = String.fromCodePoint(code)
  return { event: characterKey(character), length: character.length }
}

/** The next key at the start of `rest` (which is not empty), or null while it is not complete. */
function readKey<Report>(rest: string, readReport: ReadReport<Report>): Step<Report> | null {
  if (rest[0] !== escapeCharacter) return readCharacter(rest)
  const second = rest[1]
  if (second === undefined) return null
  if (second === escapeCharacter) return { event: namedKey('esc'), length: 1 }
  if (second === '[' || second === 'O') return readSequence(rest, readReport)
  // Alt and a key: a key of its own, never Esc and then the key, which may be a dangerous one.
  const step = readCharacter(rest.slice(1))
  if (step === null) return null
  const event = step.event?.kind === 'key' ? namedKey(`alt+${step.event.key}`) : null
  return { event, length: 1 + step.length }
}

/** How many characters at the end of `text` could be the start of the mark that ends a paste. */
function endMarkStart(text: string): number {
  for (let length = Math.min(text.length, pasteEnd.length - 1); length > 0; length -= 1) {
    if (text.endsWith(pasteEnd.slice(0, length))) return length
  }
  return 0
}

/**
 * Splits what a terminal sends into keys and pastes. Keys that arrive together come out one by one, what arrives in
 * pieces is put together: only the characters count, never how they were grouped.
 */
export function createKeyTokenizer<Report = never>(readReport: ReadReport<Report> = () => null): KeyTokenizer<Report> {
  let rest = ''
  let paste: string | null = null

  const keep = (text: string) => {
    paste = ((paste ?? '') + text).slice(0, pasteMost)
  }
  const endPaste = (): InputEvent => {
    const text = plainText(paste ?? '')
    paste = null
    return { kind: 'paste', text }
  }
  /** Takes pasted text from `rest`; the paste once its end has come. */
  const readPaste = (): InputEvent | null => {
    const end = rest.indexOf(pasteEnd)
    if (end === -1) {
      const open = endMarkStart(rest)
      keep(rest.slice(0, rest.length - open))
      rest = rest.slice(rest.length - open)
      return null
    }
    keep(rest.slice(0, end))
    rest = rest.slice(end + pasteEnd.length)
    return endPaste()
  }

  return {
    push(chunk) {
      rest += chunk
      const events: (InputEvent | Report)[] = []
      while (rest !== '') {
        if (paste !== null) {
          const event = readPaste()
          if (event === null) break
          events.push(event)
        } else if (rest.startsWith(pasteStart)) {
          paste = ''
          rest = rest.slice(pasteStart.length)
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
      return rest === escapeCharacter ? 'escape' : 'sequence'
    },
    flush() {
      const isEscape = rest === escapeCharacter && paste === null
      const events = isEscape ? [namedKey('esc')] : paste === null ? [] : [endPaste()]
      rest = ''
      return events
    },
  }
}
