import type { Environment } from '../theme/colour-depth.ts'

/**
 * The sequence by which a terminal takes text into the clipboard of the machine one sits at (OSC 52), also through SSH.
 * Whether it does so cannot be asked. Null for a terminal that would print it instead.
 */
export function clipboardSequence(text: string, env: Environment): string | null {
  if (env.TERM === 'dumb' || env.TERM === 'linux' || env.TERM === undefined) return null
  const sequence = `\u001b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\u0007`
  // tmux keeps to itself what is not wrapped for the terminal around it.
  return env.TMUX === undefined ? sequence : `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`
}

/**
 * Copies a text by writing to the terminal that the screen is drawn on; false where nothing was written that could copy
 * it.
 */
export const createCopy =
  (write: (bytes: string) => void, env: Environment) =>
  (text: string): boolean => {
    const sequence = clipboardSequence(text, env)
    if (sequence === null) return false
    write(sequence)
    return true
  }
