import type { Tone } from '../theme/theme.ts'
import { type Span, span } from './row.ts'

/** A text with the letters at these places in the tone of keys: which letters of it a search found. */
export function highlighted(text: string, positions: readonly number[], tone: Tone): Span[] {
  const marked = new Set(positions)
  const spans: Span[] = []
  for (let at = 0; at < text.length; at += 1) {
    const each: Tone = marked.has(at) ? 'key' : tone
    const last = spans.at(-1)
    if (last?.tone === each) spans[spans.length - 1] = span(last.text + text.charAt(at), each)
    else spans.push(span(text.charAt(at), each))
  }
  return spans
}
