export const alternateOn = '\u001b[?1049h'
export const alternateOff = '\u001b[?1049l'

/**
 * What goes to a terminal as `rewrite` has it. Where its alternate screen `isTaken` already, with a picture on it, that
 * is not taken once more, which would blank it; after it was given back it is taken as ever.
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
 * Lets what is written to a terminal wait in line instead of stopping the program. Node writes to terminals until they
 * have taken everything: one that takes nothing for a while, at the end of a line that stalls, would hold up answers,
 * polls and signals as well. Node opens the terminal anew for itself, so that no other program's is changed. False
 * where it cannot be done.
 */
export function unblock(stream: object): boolean {
  const handle: unknown = Reflect.get(stream, '_handle')
  if (typeof handle !== 'object' || handle === null) return false
  const setBlocking: unknown = Reflect.get(handle, 'setBlocking')
  if (typeof setBlocking !== 'function') return false
  return Reflect.apply(setBlocking, handle, [false]) === 0
}
