/**
 * Text as every store keeps it: the character 0 and halves of characters, which databases do not take or take for others, stand as JSON writes them, and
 * so do quotes and backslashes, so that no two texts become one.
 */
export const toKept = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The text that `toKept` was given. */
export function fromKept(kept: string): string {
  const text: unknown = JSON.parse(`"${kept}"`)
  if (typeof text !== 'string') throw new Error('a string was kept')
  return text
}
