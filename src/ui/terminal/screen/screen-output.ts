import { Picture, type ScreenRegion } from './picture.ts'

/** The part of a terminal's stream that is used: its current size, writes, and the drain and resize events. */
export type TerminalStream = {
  readonly columns?: number
  readonly rows?: number
  write(text: string, done?: (error?: Error | null) => void): boolean
  on(event: 'drain' | 'resize', listener: () => void): unknown
  off(event: 'drain' | 'resize', listener: () => void): unknown
}

export type ScreenOutputOptions = {
  /** Whether the terminal supports synchronized updates; read for each update. */
  readonly hasMarks: boolean
  /** The sequence of the default text and background color; empty for the terminal's own. Read each time. */
  readonly base: string
}

/** Registry of the regions: each draws itself, and all changes go out in one write. */
export type Regions = {
  /** Draws the region from now on; call the result to remove it from the screen. */
  add(region: ScreenRegion): () => void
  /** A region may have changed: all are asked for their lines before the next update. */
  changed(): void
  /** The layout may have moved regions. */
  moved(): void
}

type ScreenOutput<Stream extends TerminalStream> = {
  /**
   * Replaces the terminal's stream: frames written to it are sent as changed cells; everything else passes unchanged.
   */
  readonly stream: Stream
  readonly regions: Regions
  /** Redraws the current frame, after `base` has changed. */
  refresh(): void
  /** Draws pending changes now instead of at the end of the turn. Returns the bytes, without update marks. */
  drawDue(): string
  /** Draws everything again, whatever the terminal shows. */
  drawAgain(): void
  /** A row as last drawn, one character a cell. */
  textOf(row: number): string
  /** Removes its listeners from the terminal. */
  stop(): void
}

/**
 * How Ink erases a frame before the next: lines erased upwards and the cursor to the start, or home and erase below.
 */
const takenBack = /^(?:(?:\u001b\[2K(?:\u001b\[1A)?)+\u001b\[G|\u001b\[(?:1;1)?H\u001b\[0?J)/
const updateMark = /^\u001b\[\?2026[hl]$/
/** Modes, titles, notifications and bells: they change neither cells nor cursor. */
const harmless =
  /^(?:\u001b\[\?(?!1049|1047|47)[\d;]*[hlu]|\u001b\[[<>=][\d;]*u|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u0007)+$/

/** A switch between the main and alternate screen: nothing is drawn until there is a frame for it. */
const otherScreen = /\u001b\[\?(?:1049|1047|47)[hl]/

/** Plain style, home, erase to the end. */
const blankScreen = '\u001b[m\u001b[H\u001b[J'
/**
 * Undoes what another program's output may have left on: a character set of lines, a scroll region and cells counted
 * from it, inserting instead of overwriting, and a visible cursor. Plain style comes with the picture itself.
 */
const undisturbed = '\u000f\u001b(B\u001b[r\u001b[?6l\u001b[4l\u001b[?25l'
const beginUpdate = '\u001b[?2026h'
const endUpdate = '\u001b[?2026l'
/** Bytes below which marks are not needed: what fits into one packet is shown at once anyway. */
const markMin = 1_000

/** A terminal's content: a frame, the regions beneath it, and their current cells. */
class Screen implements Regions {
  readonly #terminal: TerminalStream
  readonly #options: ScreenOutputOptions
  #picture = new Picture(0, 0)
  #regions: readonly ScreenRegion[] = []
  /** Null before the first frame: nothing is drawn. */
  #frame: readonly string[] | null = null
  #isMoved = false
  /** Another program may have changed how the terminal draws. */
  #isDisturbed = false
  /** The terminal's buffer is full. */
  #isFull = false
  #isStopped = false
  #due: NodeJS.Immediate | null = null

  constructor(terminal: TerminalStream, options: ScreenOutputOptions) {
    this.#terminal = terminal
    this.#options = options
    terminal.on('drain', this.#onDrain)
  }

  get isFull(): boolean {
    return this.#isFull
  }

  textOf(row: number): string {
    return this.#picture.textOf(row)
  }

  add(region: ScreenRegion): () => void {
    this.#regions = [...this.#regions, region].sort((left, right) => left.layer - right.layer)
    this.changed()
    return () => {
      this.#regions = this.#regions.filter((each) => each !== region)
      this.changed()
    }
  }

  changed(): void {
    if (!this.#isFull && !this.#isStopped) this.#due ??= setImmediate(() => this.#draw())
  }

  moved(): void {
    this.#isMoved = true
    this.changed()
  }

  show(frame: readonly string[]): void {
    this.#frame = frame
    this.moved()
  }

  /** Pending changes must precede the current write. */
  drawDue(): string {
    if (this.#due === null) return ''
    clearImmediate(this.#due)
    return this.#draw()
  }

  /** The bytes to send before others write. */
  rest(): string {
    return this.#picture.rest()
  }

  /** Redraws everything after foreign output. */
  forget(): void {
    this.#picture.forget()
    this.changed()
  }

  /** Another program has written on the terminal. */
  drawAgain(): void {
    this.#isDisturbed = true
    this.forget()
  }

  /** The screen is blank, or a different one: nothing is drawn until there is a frame for it. */
  leave(): void {
    this.#picture.forget()
    this.#frame = null
  }

  stop(): void {
    this.#isStopped = true
    this.#terminal.off('drain', this.#onDrain)
  }

  readonly #onDrain = (): void => {
    this.#isFull = false
    this.changed()
  }

  #draw(): string {
    this.#due = null
    const { columns = 80, rows = 24 } = this.#terminal
    const frame = this.#frame
    // The terminal has been resized: wait for the layout's frame for the new size.
    if (frame === null || frame.length !== rows || this.#isFull || this.#isStopped) return ''
    const { base } = this.#options
    const { columns: drawnColumns, rows: drawnRows, base: drawnBase } = this.#picture
    if (drawnColumns !== columns || drawnRows !== rows || drawnBase !== base)
      // A new screen resets the pen to plain style first.
      this.#picture = new Picture(columns, rows, base)
    const mended = this.#isDisturbed ? undisturbed : ''
    const change = mended + this.#picture.draw(frame, this.#regions, this.#isMoved)
    this.#isMoved = false
    this.#isDisturbed = false
    if (change === '') return ''
    const isMarked = this.#options.hasMarks && change.length >= markMin
    this.#isFull = !this.#terminal.write(isMarked ? beginUpdate + change + endUpdate : change)
    return change
  }
}

/**
 * A stream that takes whole frames from Ink, and regions that draw themselves, and sends the terminal only the changes.
 * Changes within one turn of the event loop are one update. A slow terminal gets the latest content once it is ready
 * again, never a queue of old updates, and nothing is even computed in the meantime. A frame is a text of exactly as
 * many lines as the terminal has rows.
 */
export function createScreenOutput<Stream extends TerminalStream>(
  terminal: Stream,
  options: ScreenOutputOptions,
): ScreenOutput<Stream> {
  const screen = new Screen(terminal, options)
  const take = (text: string) => {
    if (updateMark.test(text)) return
    const prefix = takenBack.exec(text)?.[0] ?? ''
    const taken = text.slice(prefix.length)
    const lines = taken.split('\n')
    // On a terminal of one line modes are as many lines as a frame: taken for one, they would never be switched off.
    const isFrame = taken !== '' && lines.length === (terminal.rows ?? 24) && !otherScreen.test(text)
    if (isFrame && !harmless.test(text)) return screen.show(lines)
    if (taken === '' && prefix !== '') {
      // The frame was erased without a replacement.
      screen.leave()
      terminal.write(blankScreen)
      return
    }
    if (harmless.test(text)) {
      terminal.write(text)
      return
    }
    const isOther = otherScreen.test(text)
    if (isOther) screen.drawDue()
    const rest = screen.rest()
    if (isOther) screen.leave()
    else screen.forget()
    terminal.write(rest + text)
  }
  const write = (text: string | Uint8Array, ...rest: unknown[]): boolean => {
    const done = rest.find((each) => typeof each === 'function')
    if (typeof text !== 'string') take(new TextDecoder().decode(text))
    else if (text !== '') take(text)
    // A completion callback fires only after all earlier output has left.
    if (done !== undefined) {
      screen.drawDue()
      terminal.write('', () => Reflect.apply(done, undefined, []))
    }
    return !screen.isFull
  }
  const stream = standIn(terminal, write)
  return {
    stream,
    regions: screen,
    refresh: () => screen.changed(),
    drawDue: () => screen.drawDue(),
    drawAgain: () => screen.drawAgain(),
    textOf: (row) => screen.textOf(row),
    stop: () => screen.stop(),
  }
}

/** A proxy of a stream: writes go to `write`, everything else is the stream's own. */
function standIn<Stream extends object>(
  stream: Stream,
  write: (text: string | Uint8Array, ...rest: unknown[]) => unknown,
): Stream {
  return new Proxy(stream, {
    get(target, property) {
      if (property === 'write') return write
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** A proxy of a stream whose text passes through `rewrite`; everything else is unchanged. */
export const rewritten = <Stream extends Pick<TerminalStream, 'write'>>(
  stream: Stream,
  rewrite: (text: string) => string,
): Stream =>
  standIn(stream, (text, ...rest) =>
    Reflect.apply(stream.write, stream, [typeof text === 'string' ? rewrite(text) : text, ...rest]),
  )

/** Sequences that reset the text color, the background or both to the terminal's own. */
const takenOff = /\u001b\[(?:0|39|49)?m/g

type LinesOutput<Stream extends TerminalStream> = {
  /** Replaces the terminal's stream: Ink's lines, with the default text and background color wherever they set none. */
  readonly stream: Stream
  /** Whether the last output would look different if written now. */
  isOld(): boolean
  /** Removes its listener from the terminal. */
  stop(): void
}

/**
 * Passes whole lines and cursor moves on, in the colors of a base that is read each time. Frames are dropped while the
 * terminal's buffer is full; `drawAll` is called once it drains.
 */
function createLinesOutput<Stream extends TerminalStream>(
  terminal: Stream,
  options: Pick<ScreenOutputOptions, 'base'>,
  drawAll: () => void,
): LinesOutput<Stream> {
  let shown = ''
  let [isFull, isMissed] = [false, false]
  const dressed = (text: string): string => {
    if (text === '') return text
    const { base } = options
    shown = base
    return base === '' ? text : `${base}${text.replace(takenOff, `$&${base}`)}\u001b[m`
  }
  const write = (text: string | Uint8Array, ...rest: unknown[]): unknown => {
    const isFrame = typeof text === 'string' && !harmless.test(text) && !otherScreen.test(text)
    const isLeftOut = isFull && isFrame && text !== ''
    isMissed ||= isLeftOut
    const left = isLeftOut ? '' : typeof text === 'string' ? dressed(text) : text
    isFull = !Reflect.apply(terminal.write, terminal, [left, ...rest])
    return !isFull
  }
  const onDrain = () => {
    isFull = false
    if (!isMissed) return
    isMissed = false
    drawAll()
  }
  terminal.on('drain', onDrain)
  return {
    stream: standIn(terminal, write),
    isOld: () => options.base !== shown,
    stop: () => void terminal.off('drain', onDrain),
  }
}

/** The output that Ink renders to instead of the terminal. */
type DeskOutput<Stream extends TerminalStream> = {
  readonly stream: Stream
  /** The registry of self-drawing regions; null if everything goes through Ink. */
  readonly regions: Regions | null
  /** The background may have changed: redraws what would look different. */
  refresh(): void
  /** Draws now what waits for the end of the turn; returns the bytes. Whole lines never wait. */
  drawDue(): string
  /** Draws everything again, whatever the terminal shows; nothing where all is passed unchanged. */
  drawAgain(): void
  /** A row as last drawn, one character a cell; empty where only Ink knows it. */
  textOf(row: number): string
  stop(): void
}

const nothing = () => undefined
const noText = () => ''

/**
 * `cells`: sends only changed cells. `lines`: sends whole lines as rendered; `drawAll` redraws all of them. `plain`:
 * passes everything unchanged.
 */
export function createDeskOutput<Stream extends TerminalStream>(
  terminal: Stream,
  kind: 'cells' | 'lines' | 'plain',
  options: ScreenOutputOptions,
  drawAll: () => void,
): DeskOutput<Stream> {
  if (kind === 'plain') {
    const still = { refresh: nothing, drawDue: noText, drawAgain: nothing, textOf: noText, stop: nothing }
    return { stream: terminal, regions: null, ...still }
  }
  if (kind === 'cells') {
    return createScreenOutput(terminal, options)
  }
  const { stream, isOld, stop } = createLinesOutput(terminal, options, drawAll)
  const refresh = () => {
    if (isOld()) queueMicrotask(drawAll)
  }
  const drawAgain = () => {
    terminal.write(undisturbed)
    drawAll()
  }
  return { stream, regions: null, refresh, drawDue: noText, drawAgain, textOf: noText, stop }
}
