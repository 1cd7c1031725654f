import { isSameGatewayEvent } from '../wire/gateway-event.ts'

/**
 * Text as every store keeps it: the character 0 and halves of characters, which databases do not take or take for
 * others, stand as JSON writes them, and so do quotes and backslashes, so that no two texts become one.
 */
export const toKept = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The text that `toKept` was given. */
export function fromKept(kept: string): string {
  const text: unknown = JSON.parse(`"${kept}"`)
  if (typeof text !== 'string') throw new Error('a string was kept')
  return text
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Whether a kept body and one that came under the same id are one event, written otherwise. */
export const isSameEvent = (kept: unknown, body: Uint8Array): boolean =>
  kept instanceof Uint8Array && isSameGatewayEvent(utf8.decode(kept), utf8.decode(body))
