import type { ScreenOutputOptions, TerminalStream } from './screen-output.ts'

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
export function createLinesOutput<Stream extends TerminalStream>(
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
