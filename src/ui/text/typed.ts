/** More dots than this would only tell how long a secret is. */
const dotsMost = 32

/** A secret that is being typed: a dot for each character. */
export const dots = (length: number): string => `${'•'.repeat(Math.min(length, dotsMost))}_`

/** A typed value as it stands; what is longer than its place shows its end, where the typing goes on. */
export function typedText(text: string, hasCaret: boolean, width: number): string {
  const full = hasCaret ? `${text}_` : text
  return full.length <= width ? full : `…${full.slice(full.length - width + 1)}`
}
