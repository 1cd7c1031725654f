/** What a terminal says by itself, or because it was asked; never a key. */
export type TerminalReport =
  /** The keyboard came to this terminal or left it. */
  | { kind: 'focus'; isHere: boolean }
  /** Whether it knows a mode (DECRPM). */
  | { kind: 'mode'; mode: number; isKnown: boolean }
  /** What it is (DA1). It answers in the order it was asked, and nearly every terminal answers this. */
  | { kind: 'identity' }

/** The mode that shows everything between two marks at once. */
export const updateMode = 2026

/**
 * The report of a complete control sequence, by what stands between `ESC [` and its final character; null for a key and for all else.
 * Mode states 1, 2 and 3 can be used; 0 is a mode not known, 4 one that is off for ever.
 */
export function readReport(introducer: '[' | 'O', body: string, final: string): TerminalReport | null {
  if (introducer !== '[') return null
  if (body === '' && (final === 'I' || final === 'O')) return { kind: 'focus', isHere: final === 'I' }
  if (final === 'c' && body.startsWith('?')) return { kind: 'identity' }
  const mode = final === 'y' ? /^\?(\d{1,5});([0-4])\$$/.exec(body) : null
  return mode === null ? null : { kind: 'mode', mode: Number(mode[1]), isKnown: /[123]/.test(mode[2] ?? '') }
}
