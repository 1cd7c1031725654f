export const alternateOn = '\u001b[?1049h'
export const alternateOff = '\u001b[?1049l'

/**
 * Applies `rewrite` to terminal output. If the alternate screen `isTaken` and already drawn on, the first switch to it
 * is removed, because it would blank the screen; later ones pass.
 */
export function onScreen(rewrite: (text: string) => string, isTaken = false): (text: string) => string {
  return (text) => {
    const written = rewrite(text)
    if (!isTaken || !written.includes(alternateOn)) return written
    isTaken = false
    return written.replace(alternateOn, '')
  }
}

/**
 * Makes writes to a terminal queue instead of blocking. Node writes to terminals synchronously: one that stalls, say at
 * the end of a slow line, would hold up answers, polls and signals too. Node reopens the terminal for itself, so other
 * programs' mode is not affected. False if it cannot be done.
 */
export function unblock(stream: object): boolean {
  const handle: unknown = Reflect.get(stream, '_handle')
  if (typeof handle !== 'object' || handle === null) return false
  const setBlocking: unknown = Reflect.get(handle, 'setBlocking')
  if (typeof setBlocking !== 'function') return false
  return Reflect.apply(setBlocking, handle, [false]) === 0
}
