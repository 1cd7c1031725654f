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
