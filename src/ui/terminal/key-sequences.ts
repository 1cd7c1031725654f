import { plainText } from '../../base/text/plain-text.ts'

/** The user's keyboard input. A paste is never a key. */
export type InputEvent =
  | {
      kind: 'key'
      /** The key's name as the key table writes it: a character as typed, `space`, or a name such as `up`, `ctrl+u`. */
      key: string
      /** The character a text field would take; null for keys that write nothing. */
      text: string | null
      /**
       * Set if the bytes leave open which key it is. `escape`: a lone Esc, which may be the first byte of another key.
       * `rest`: input so soon after such an Esc, or after half a sequence, that it may be the rest of that key.
       */
      doubt?: 'escape' | 'rest'
      /** Whether the key was pressed or is held, if the terminal tells (see `codedKey`). */
      press?: 'fresh' | 'held'
      /** Arrived with the previous key, or was waiting when that one had been handled, however long that took. */
      isTogether?: true
    }
  /** `isCut`: its end did not arrive in time, so the rest of it will look like keys. */
  | { kind: 'paste'; text: string; isCut?: true }

export const namedKey = (key: string): InputEvent => ({ kind: 'key', key, text: null })

const cursorKeys: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'center',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
  Z: 'shift+tab',
  M: 'enter', // the keypad's
}

const numberedKeys: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'pgup',
  6: 'pgdn',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
}

/** `ctrl+`, `alt+shift+` and so on for a sequence's modifier parameter (1 + a bit each), always in one order. */
function modifiers(parameter: string | undefined): string {
  const bits = Number(parameter ?? '1') - 1
  if (!Number.isInteger(bits) || bits <= 0) return ''
  return `${bits & 4 ? 'ctrl+' : ''}${bits & 2 ? 'alt+' : ''}${bits & 1 ? 'shift+' : ''}`
}

/**
 * The key of a complete control sequence: `body` is the text between the introducer (`ESC [` or `ESC O`) and the final
 * character. Null for anything that is not a key: terminal replies, mouse and focus reports, unknown sequences.
 */
export function sequenceKey(introducer: '[' | 'O', body: string, final: string): InputEvent | null {
  if (introducer === '[' && body.startsWith('[')) return linuxFunctionKey(final)
  const [first, second] = body.split(';')
  if (introducer === 'O' || final !== '~') {
    // `ESC [ M` opens a mouse report; only the keypad's `ESC O M` is Enter.
    const name = introducer === '[' && final === 'M' ? undefined : cursorKeys[final]
    // More than `1;modifier` is a report, such as the cursor position.
    if (name === undefined || !/^(1(;\d{1,2})?|\d?)$/.test(body)) return null
    return namedKey(modifiers(second ?? (introducer === 'O' && body !== '' ? first : undefined)) + name)
  }
  const other = /^27;(\d{1,3});(\d{1,7})$/.exec(body)
  if (other !== null) return otherKey(Number(other[1]), Number(other[2]))
  const name = numberedKeys[first ?? '']
  return name === undefined ? null : namedKey(modifiers(second) + name)
}

/**
 * A key with a modifier as terminals write it in the mode modifyOtherKeys, `ESC [ 27 ; 2 ; 75 ~` for `K`. It is never
 * asked for; an editor that died may have left it on, and halting is such a key.
 */
function otherKey(modifier: number, code: number): InputEvent | null {
  if (modifier < 1 || code > 0x10_ffff) return null
  return codedName(code, [code], (modifier - 1) & ~lockBits, '')
}

/** The Linux console sends F1 to F5 as `ESC [ [ A` to `ESC [ [ E`. */
function linuxFunctionKey(final: string): InputEvent | null {
  const index = 'ABCDE'.indexOf(final)
  return index === -1 ? null : namedKey(`f${index + 1}`)
}

const controlKeys: Readonly<Record<number, string>> = {
  0: 'ctrl+space',
  8: 'backspace',
  9: 'tab',
  13: 'enter',
  28: 'ctrl+\\',
  29: 'ctrl+]',
  30: 'ctrl+^',
  31: 'ctrl+_',
  127: 'backspace',
}

/**
 * The key of one character: printable ones by themselves, control characters by name; null for other unprintable ones.
 */
export function characterKey(character: string): InputEvent | null {
  const code = character.codePointAt(0) ?? 0
  const named = controlKeys[code]
  if (named !== undefined) return namedKey(named)
  if (code < 27) return namedKey(`ctrl+${String.fromCharCode(code + 96)}`)
  if (code < 32 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000)) return null
  // As in a paste: an amount with an invisible character would look right and not be one.
  if (plainText(character) === '') return null
  return { kind: 'key', key: character === ' ' ? 'space' : character, text: character }
}

/**
 * Kitty keyboard flags to request: disambiguated keys (1), press, repeat and release events (2), alternate characters
 * by Shift and layout (4), codes for all keys (8), with the text they write (16). All are needed: without 8, a held
 * Enter looks like many.
 */
export const codedFlags = 31

const codedNames: Readonly<Record<number, string>> = {
  ...controlKeys,
  27: 'esc',
  57414: 'enter',
  57417: 'left',
  57418: 'right',
  57419: 'up',
  57420: 'down',
  57421: 'pgup',
  57422: 'pgdn',
  57423: 'home',
  57424: 'end',
  57425: 'insert',
  57426: 'delete',
  57427: 'center',
}
/** The code range of keys without a character: Shift alone, media keys and the like. */
const isWithoutCharacter = (code: number): boolean => code >= 57_344 && code <= 63_743

const shiftBit = 1
const altBit = 2
const ctrlBit = 4
/** Caps and Num Lock add nothing that the key's text does not tell. */
const lockBits = 64 | 128

const textOfCodes = (codes: string | undefined): string =>
  (codes ?? '')
    .split(':')
    .map(Number)
    .filter((code) => code >= 32 && code <= 0x10_ffff && characterKey(String.fromCodePoint(code)) !== null)
    .map((code) => String.fromCodePoint(code))
    .join('')

/** The name of a coded key: the same as the uncoded key's, if that has one. */
function codedName(
  code: number,
  codes: readonly (number | undefined)[],
  bits: number,
  text: string,
): InputEvent | null {
  const [, shifted, base] = codes
  // Super, Hyper and Meta combinations belong to the desktop.
  if ((bits & ~(shiftBit | altBit | ctrlBit)) !== 0) return null
  const named = codedNames[code]
  // These three ignore Shift, as on every terminal.
  const kept = named === 'enter' || named === 'backspace' || named === 'esc' ? bits & ~shiftBit : bits
  if (named !== undefined) return namedKey(modifiers(String(kept + 1)) + named)
  const own = code < 32 || isWithoutCharacter(code) ? '' : String.fromCodePoint(code)
  const withShift =
    (bits & shiftBit) === 0 ? own : shifted === undefined ? own.toUpperCase() : String.fromCodePoint(shifted)
  // On a Mac, Option types characters of its own: such text is not Alt plus a plain character.
  const isWritten =
    text !== '' && (bits & ctrlBit) === 0 && ((bits & altBit) === 0 || (text !== own && text !== withShift))
  if (isWritten) return [...text].length === 1 ? characterKey(text) : null
  if (own === '') return null
  const latin = base === undefined || own <= '~' ? own : String.fromCodePoint(base)
  if ((bits & ctrlBit) !== 0) return namedKey(`${modifiers(String(bits + 1))}${latin === ' ' ? 'space' : latin}`)
  const plain = characterKey(withShift)
  return (bits & altBit) === 0 || plain?.kind !== 'key' ? plain : namedKey(`alt+${plain.key}`)
}

/**
 * A key in the Kitty keyboard protocol, `ESC [ 97:65;2:1;65 u`, or a cursor key with the same parameters; its event is
 * null for a release and for keys without a name here. Null for every other sequence.
 */
function codedKey(body: string, final: string): { kind: 'coded'; event: InputEvent | null } | null {
  const isCharacter = final === 'u'
  const match = /^(\d*(?::\d*){0,2})(?:;(\d*)(?::([1-3]))?)?(?:;(\d*(?::\d+)*))?$/.exec(body)
  // A cursor key without an event type is an ordinary one.
  if (match === null || !(isCharacter || /[A-HPQRS~]/.test(final)) || body.length > 60) return null
  const [, key = '', mods = '', kind = '1', text] = match
  if (!isCharacter && match[3] === undefined) return null
  const press = kind === '2' ? 'held' : 'fresh'
  if (kind === '3') return { kind: 'coded', event: null }
  const bits = (mods === '' ? 0 : Number(mods) - 1) & ~lockBits
  const codes = key.split(':').map((each) => (each === '' || Number(each) > 0x10_ffff ? undefined : Number(each)))
  const event = isCharacter
    ? codedName(codes[0] ?? 0, codes, bits, textOfCodes(text))
    : sequenceKey('[', final === '~' ? `${key};${bits + 1}` : `1;${bits + 1}`, final)
  return { kind: 'coded', event: event?.kind === 'key' ? { ...event, press } : null }
}

/** A mouse event at a cell, counted from 0. */
export type MouseEvent = { kind: 'mouse'; act: 'press' | 'wheelUp' | 'wheelDown'; column: number; row: number }

/** A mouse report (SGR, 1006): a press of the left button, or the wheel; null for every other one. */
function readMouse(body: string, final: string): MouseEvent | null {
  const match = /^<(\d{1,3});(\d{1,4});(\d{1,4})$/.exec(body)
  if (match === null || final !== 'M') return null
  const [, button, column, row] = match.map(Number)
  // Buttons with Shift, Alt or Ctrl are reserved for the terminal or desktop by many users.
  const act = button === 0 ? 'press' : button === 64 ? 'wheelUp' : button === 65 ? 'wheelDown' : null
  return act === null ? null : { kind: 'mouse', act, column: (column ?? 1) - 1, row: (row ?? 1) - 1 }
}

/** What a terminal reports unasked, or in answer to a question. */
export type TerminalReport =
  | MouseEvent
  /** A coded key; null for a release. The link says whether it counts. */
  | { kind: 'coded'; event: InputEvent | null }
  /** The keyboard flags in force. */
  | { kind: 'keyboard'; flags: number }
  /** The terminal gained or lost keyboard focus. */
  | { kind: 'focus'; isHere: boolean }
  /** Whether the terminal supports a mode (DECRPM). */
  | { kind: 'mode'; mode: number; isKnown: boolean }
  /** The terminal's identity (DA1). It answers in the order asked, and nearly every terminal answers this. */
  | { kind: 'identity' }
  /** The terminal's background color (OSC 11), `#rrggbb`. */
  | { kind: 'ground'; color: string }

/** Synchronized update: everything between two marks is shown at once. */
export const updateMode = 2026

/** Scales a color channel of one to four hexadecimal digits to two. */
const channel = (digits: string): string =>
  Math.round((Number.parseInt(digits, 16) / (16 ** digits.length - 1)) * 255)
    .toString(16)
    .padStart(2, '0')

const groundAnswer = /^11;(?:rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?|(#[\da-f]{6}))$/i

function readGround(body: string): TerminalReport | null {
  const match = groundAnswer.exec(body)
  if (match === null) return null
  const [, red = '', green = '', blue = '', whole] = match
  const color = whole ?? `#${channel(red)}${channel(green)}${channel(blue)}`
  return { kind: 'ground', color: color.toLowerCase() }
}

/**
 * The report in a complete control sequence, given the text between `ESC [` and its final character, or in a string
 * from `ESC ]` to its end; null for a key and for anything else. Mode states 1, 2 and 3 are usable; 0 is an unknown
 * mode, 4 one that is permanently off.
 */
export function readReport(introducer: '[' | 'O' | ']', body: string, final: string): TerminalReport | null {
  if (introducer === ']') return readGround(body)
  if (introducer !== '[') return null
  if (body === '' && (final === 'I' || final === 'O')) return { kind: 'focus', isHere: final === 'I' }
  if (final === 'c' && body.startsWith('?')) return { kind: 'identity' }
  const flags = final === 'u' ? /^\?(\d{1,3})$/.exec(body) : null
  if (flags !== null) return { kind: 'keyboard', flags: Number(flags[1]) }
  const own = readMouse(body, final) ?? codedKey(body, final)
  if (own !== null) return own
  const mode = final === 'y' ? /^\?(\d{1,5});([0-4])\$$/.exec(body) : null
  return mode === null ? null : { kind: 'mode', mode: Number(mode[1]), isKnown: /[123]/.test(mode[2] ?? '') }
}
