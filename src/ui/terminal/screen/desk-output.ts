import { createLinesOutput } from './lines-output.ts'
import { createScreenOutput, type ScreenOutputOptions, type TerminalStream } from './screen-output.ts'

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
