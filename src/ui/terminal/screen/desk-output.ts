import { createScreenOutput, type ScreenOutputOptions, type TerminalStream } from './screen-output.ts'

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

/** Sequences after which the ink, the ground or both are the terminal's own. */
const takenOff = /\u001b\[(?:0|39|49)?m/g

export type LinesOutput<Stream extends TerminalStream> = {
  /**
   * Stands in for the terminal: lines as Ink writes them, with the ink and the ground that are painted where they name
   * none.
   */
  readonly stream: Stream
  /** Whether what was written last was to look otherwise than it would now. */
  isOld(): boolean
}

/** Passes on what is written, whole lines with their movements, in the colours of a base that is asked each time. */
function createLinesOutput<Stream extends TerminalStream>(
  terminal: Stream,
  options: Pick<ScreenOutputOptions, 'base'>,
): LinesOutput<Stream> {
  let shown = ''
  const dressed = (text: string): string => {
    if (text === '') return text
    const { base } = options
    shown = base
    return base === '' ? text : `${base}${text.replace(takenOff, `$&${base}`)}\u001b[m`
  }
  const stream = new Proxy(terminal, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      if (property !== 'write') return value.bind(target)
      return (text: unknown, ...rest: unknown[]): unknown =>
        Reflect.apply(value, target, [typeof text === 'string' ? dressed(text) : text, ...rest])
    },
  })
  return { stream, isOld: () => options.base !== shown }
}

/** What the drawing writes to in the place of the terminal. */
export type DeskOutput<Stream extends TerminalStream> = {
  readonly stream: Stream
  /** Whether changes are made out of whole frames here, so that the drawing need not. */
  readonly makesChanges: boolean
  /** What is behind the words may be another colour now: draws anew what would look otherwise. */
  refresh(): void
  stop(): void
}

/**
 * `cells`: what changed goes to the terminal, cell by cell. `lines`: whole lines, as they were drawn; `drawAll` draws
 * all of them once more. `plain`: everything as it is.
 */
export function createDeskOutput<Stream extends TerminalStream>(
  terminal: Stream,
  kind: 'cells' | 'lines' | 'plain',
  options: ScreenOutputOptions,
  drawAll: () => void,
): DeskOutput<Stream> {
  if (kind === 'plain') {
    return { stream: terminal, makesChanges: false, refresh: () => undefined, stop: () => undefined }
  }
  if (kind === 'cells') {
    const { stream, refresh, stop } = createScreenOutput(terminal, options)
    return { stream, makesChanges: true, refresh, stop }
  }
  const { stream, isOld } = createLinesOutput(terminal, options)
  const refresh = () => {
    if (isOld()) queueMicrotask(drawAll)
  }
  return { stream, makesChanges: false, refresh, stop: () => undefined }
}
