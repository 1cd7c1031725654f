/** What a person did at the keyboard. A paste is never a key. */
export type InputEvent =
  | {
      kind: 'key'
      /** The key's name as the key table writes it: a character as typed, `space`, or a name such as `up`, `ctrl+u`. */
      key: string
      /** The character a text field would take; null for keys that write nothing. */
      text: string | null
      /**
       * Where its bytes leave open what it is. `escape`: a lone Esc, which may be the first byte of another key.
       * `rest`: what came so soon after such an Esc that it may be the rest of that key.
       */
      doubt?: 'escape' | 'rest'
      /** It came with the key before it, or lay ready when that one had been dealt with, however long that took. */
      isTogether?: true
    }
  /** `isCut`: its end has not come in time, and what is still on its way will look like keys. */
  | { kind: 'paste'; text: string; isCut?: true }

export const namedKey = (key: string): InputEvent => ({ kind: 'key', key, text: null })

const cursorKeys: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  E: 'centre',
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
 * The key of a complete control sequence: `body` is what stands between the introducer (`ESC [` or `ESC O`) and the
 * final character. Null for everything that is no key: replies of the terminal, mouse and focus reports, sequences not
 * known.
 */
export function sequenceKey(introducer: '[' | 'O', body: string, final: string): InputEvent | null {
  if (introducer === '[' && body.startsWith('[')) return linuxFunctionKey(final)
  const [first, second] = body.split(';')
  if (introducer === 'O' || final !== '~') {
    // `ESC [ M` opens a mouse report; only the keypad's `ESC O M` is Enter.
    const name = introducer === '[' && final === 'M' ? undefined : cursorKeys[final]
    // More than `1;modifier` is a report, such as where the cursor stands.
    if (name === undefined || !/^(1(;\d{1,2})?|\d?)$/.test(body)) return null
    return namedKey(modifiers(second ?? (introducer === 'O' && body !== '' ? first : undefined)) + name)
  }
  const name = numberedKeys[first ?? '']
  return name === undefined ? null : namedKey(modifiers(second) + name)
}

/** The Linux console writes F1 to F5 as `ESC [ [ A` to `ESC [ [ E`. */
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

/** The key of one character: printable as itself, control characters by name, the unprintable rest null. */
export function characterKey(character: string): InputEvent | null {
  const code = character.codePointAt(0) ?? 0
  const named = controlKeys[code]
  if (named !== undefined) return namedKey(named)
  if (code < 27) return namedKey(`ctrl+${String.fromCharCode(code + 96)}`)
  if (code < 32 || (code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000)) return null
  return { kind: 'key', key: character === ' ' ? 'space' : character, text: character }
}

/** What a terminal says by itself, or because it was asked; never a key. */
export type TerminalReport =
  /** The keyboard came to this terminal or left it. */
  | { kind: 'focus'; isHere: boolean }
  /** Whether it knows a mode (DECRPM). */
  | { kind: 'mode'; mode: number; isKnown: boolean }
  /** What it is (DA1). It answers in the order it was asked, and nearly every terminal answers this. */
  | { kind: 'identity' }
  /** Its ground (OSC 11), `#rrggbb`. */
  | { kind: 'ground'; color: string }

/** The mode that shows everything between two marks at once. */
export const updateMode = 2026

/** A channel of one to four hexadecimal digits as two. */
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
 * The report of a complete control sequence, by what stands between `ESC [` and its final character, or of a string
 * from `ESC ]` to its end; null for a key and for all else. Mode states 1, 2 and 3 can be used; 0 is a mode not known,
 * 4 one that is off for ever.
 */
export function readReport(introducer: '[' | 'O' | ']', body: string, final: string): TerminalReport | null {
  if (introducer === ']') return readGround(body)
  if (introducer !== '[') return null
  if (body === '' && (final === 'I' || final === 'O')) return { kind: 'focus', isHere: final === 'I' }
  if (final === 'c' && body.startsWith('?')) return { kind: 'identity' }
  const mode = final === 'y' ? /^\?(\d{1,5});([0-4])\$$/.exec(body) : null
  return mode === null ? null : { kind: 'mode', mode: Number(mode[1]), isKnown: /[123]/.test(mode[2] ?? '') }
}
