import { Picture, type ScreenRegion } from './picture.ts'

/** What is needed of a terminal's stream: its size now, what is written to it, and when it takes more. */
export type TerminalStream = {
  readonly columns?: number
  readonly rows?: number
  write(text: string, done?: (error?: Error | null) => void): boolean
  on(event: 'drain' | 'resize', listener: () => void): unknown
  off(event: 'drain' | 'resize', listener: () => void): unknown
}

export type ScreenOutputOptions = {
  /**
   * Whether the terminal knows the marks of a synchronised update and shows what stands between them at once: asked
   * each time.
   */
  readonly hasMarks: boolean
  /** The sequence of the ink and the ground where a frame names none; empty for the terminal's own. Asked each time. */
  readonly base: string
}

/** Where regions of the screen are known: each draws itself, and all that changed leaves in one write. */
export type Regions = {
  /** From now on the region is drawn; what this returns takes it off the screen. */
  add(region: ScreenRegion): () => void
  /** Something in a region may look otherwise: all are asked for their lines before the next picture. */
  changed(): void
  /** Layout may have put regions elsewhere. */
  moved(): void
}

type ScreenOutput<Stream extends TerminalStream> = {
  /**
   * Stands in for the terminal: frames written here arrive there as the cells that changed; all else passes as it is.
   */
  readonly stream: Stream
  readonly regions: Regions
  /** Shows the newest frame as it is to look now, after `base` became another. */
  refresh(): void
  /** What is due is drawn now, and not at the end of the turn. Returns its bytes, without the marks of an update. */
  drawDue(): string
  /** Takes its listeners off the terminal. */
  stop(): void
}

/**
 * Cursor to the start after lines were erased upwards, or home and erase below: how a frame is taken back before the
 * next.
 */
const takenBack = /^(?:(?:\u001b\[2K(?:\u001b\[1A)?)+\u001b\[G|\u001b\[(?:1;1)?H\u001b\[0?J)/
const updateMark = /^\u001b\[\?2026[hl]$/
/** Modes, titles, notifications and bells: they leave every cell and the cursor where they are. */
const harmless =
  /^(?:\u001b\[\?(?!1049|1047|47)[\d;]*[hlu]|\u001b\[[<>=][\d;]*u|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u0007)+$/

/** The screen is another one from here on: nothing is drawn on it before there is a frame for it. */
const otherScreen = /\u001b\[\?(?:1049|1047|47)[hl]/

/** Plain style, home, erase to the end. */
const blankScreen = '\u001b[m\u001b[H\u001b[J'
const beginUpdate = '\u001b[?2026h'
const endUpdate = '\u001b[?2026l'
/** What fits into one packet is on the screen at once anyway. */
const markMin = 1_000

/** What is on a terminal: a frame, the regions under it, and what they look like just now. */
class Screen implements Regions {
  readonly #terminal: TerminalStream
  readonly #options: ScreenOutputOptions
  #picture = new Picture(0, 0)
  #regions: readonly ScreenRegion[] = []
  /** Before the first one nothing is drawn. */
  #frame: readonly string[] | null = null
  #isMoved = false
  /** The terminal takes no more just now. */
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

  /** What was to be drawn goes before what is written now. */
  drawDue(): string {
    if (this.#due === null) return ''
    clearImmediate(this.#due)
    return this.#draw()
  }

  /** The bytes that come before what others write. */
  rest(): string {
    return this.#picture.rest()
  }

  /** Somebody else wrote to the terminal: everything is drawn once more. */
  forget(): void {
    this.#picture.forget()
    this.changed()
  }

  /** The screen is blank, or another one: nothing is drawn on it before there is a frame for it. */
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
    // A terminal that has another size by now is given the frame that layout makes for it.
    if (frame === null || frame.length !== rows || this.#isFull || this.#isStopped) return ''
    const { base } = this.#options
    const { columns: drawnColumns, rows: drawnRows, base: drawnBase } = this.#picture
    if (drawnColumns !== columns || drawnRows !== rows || drawnBase !== base)
      // It begins by putting the pen into the plain style.
      this.#picture = new Picture(columns, rows, base)
    const change = this.#picture.draw(frame, this.#regions, this.#isMoved)
    this.#isMoved = false
    if (change === '') return ''
    const isMarked = this.#options.hasMarks && change.length >= markMin
    this.#isFull = !this.#terminal.write(isMarked ? beginUpdate + change + endUpdate : change)
    return change
  }
}

/**
 * A stream that takes whole frames, as Ink writes them, and regions that draw themselves, and sends a terminal only
 * what changed. What happens in one turn of the event loop is one picture. A terminal that is slow to take it gets the
 * newest picture when it is ready again, never a queue of old ones, and nothing is even asked for meanwhile. A frame is
 * a text of as many lines as the terminal has rows.
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
    if (taken !== '' && lines.length === (terminal.rows ?? 24)) return screen.show(lines)
    if (taken === '' && prefix !== '') {
      // A frame is taken back and none comes in its place.
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
    // What was asked to be told of is told once everything before it has left.
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
    stop: () => screen.stop(),
  }
}

/** Stands in for a stream: what is written here goes to `write`, all else is the stream's own. */
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

/** Stands in for a stream: text written here arrives there as `rewrite` makes it; all else passes as it is. */
export const rewritten = <Stream extends Pick<TerminalStream, 'write'>>(
  stream: Stream,
  rewrite: (text: string) => string,
): Stream =>
  standIn(stream, (text, ...rest) =>
    Reflect.apply(stream.write, stream, [typeof text === 'string' ? rewrite(text) : text, ...rest]),
  )

/** Sequences after which the ink, the ground or both are the terminal's own. */
const takenOff = /\u001b\[(?:0|39|49)?m/g

type LinesOutput<Stream extends TerminalStream> = {
  /**
   * Stands in for the terminal: lines as Ink writes them, with the ink and the ground that are painted where they name
   * none.
   */
  readonly stream: Stream
  /** Whether what was written last was to look otherwise than it would now. */
  isOld(): boolean
  /** Takes its listener off the terminal. */
  stop(): void
}

/**
 * Passes on what is written, whole lines with their movements, in the colors of a base that is asked each time. Frames
 * that come while the terminal takes nothing are left out; `drawAll` is called once it does again.
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

/** What the drawing writes to in the place of the terminal. */
type DeskOutput<Stream extends TerminalStream> = {
  readonly stream: Stream
  /** Where regions draw themselves; null where everything goes through the drawing, which sends what changed itself. */
  readonly regions: Regions | null
  /** What is behind the words may be another color now: draws anew what would look otherwise. */
  refresh(): void
  /** What waits for the end of the turn is drawn now; returns its bytes. Whole lines never wait. */
  drawDue(): string
  stop(): void
}

const nothing = () => undefined
const nothingDue = () => ''

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
    return { stream: terminal, regions: null, refresh: nothing, drawDue: nothingDue, stop: nothing }
  }
  if (kind === 'cells') {
    return createScreenOutput(terminal, options)
  }
  const { stream, isOld, stop } = createLinesOutput(terminal, options, drawAll)
  const refresh = () => {
    if (isOld()) queueMicrotask(drawAll)
  }
  return { stream, regions: null, refresh, drawDue: nothingDue, stop }
}
