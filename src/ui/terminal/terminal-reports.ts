/** What a terminal says by itself, or because it was asked; never a key. */
export type TerminalReport =
  /** The keyboard came to this terminal or left it. */
  | { kind: 'focus'; isHere: boolean }
  /** Whether it knows a mode (DECRPM). */
  | { kind: 'mode'; mode: number; isKnown: boolean }
  /** What it is (DA1). It answers in the order it was asked, and nearly every terminal answers this. */
  | { kind: 'identity' }
  /** Its ground (OSC 11), `#rrggbb`. */
  | { kind: 'ground'; colour: string }

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
  const colour = whole ?? `#${channel(red)}${channel(green)}${channel(blue)}`
  return { kind: 'ground', colour: colour.toLowerCase() }
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
