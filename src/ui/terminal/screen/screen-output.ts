import { changesOf, drawRow, drawRuns, type Pen, type Run, runsOf } from './changed-cells.ts'
import { type CellRow, GlyphTable, readLine, type Tables, unknownRow } from './glyphs.ts'
import { type StyleId, StyleTable } from './styles.ts'

type ShownRow = { line: string | null; styleBefore: StyleId; styleAfter: StyleId; cells: CellRow }

const nothingKnown = (columns: number): ShownRow => ({
  line: null,
  styleBefore: 0,
  styleAfter: 0,
  cells: unknownRow(columns),
})

/** What a terminal of fixed size shows just now, and the way from there to another picture. */
type ScreenBuffer = {
  /** The bytes that turn what is shown into the frame; the empty text when they are the same. */
  draw(lines: readonly string[]): string
  /** Somebody else wrote to the terminal: the next frame is drawn cell by cell. */
  forget(): void
}

/**
 * A picture of `columns` × `rows` cells of which nothing is known yet. Lines beyond the last row are left out, missing
 * ones are blank. `base`: the sequence of the ink and the ground where the frame names none; empty for the terminal's
 * own.
 */
export function createScreenBuffer(columns: number, rows: number, base = ''): ScreenBuffer {
  const tables: Tables = { styles: new StyleTable(base), glyphs: new GlyphTable() }
  let shown: ShownRow[] = []
  let pen: Pen = { cursor: { row: 0, column: -1 }, style: 0 }
  let isPenKnown = false
  /** Takes the next line that is read; the row it replaces takes the one after. */
  let spare = unknownRow(columns)
  const forget = () => {
    shown = Array.from({ length: rows }, () => nothingKnown(columns))
    isPenKnown = false
  }
  forget()
  return {
    forget,
    draw(lines) {
      let out = ''
      if (!isPenKnown) {
        pen = { cursor: { row: 0, column: -1 }, style: 0 }
        out = '\u001b[m'
        isPenKnown = true
      }
      let style: StyleId = tables.styles.base
      const runs: Run[] = []
      for (let row = 0; row < rows; row += 1) {
        const line = lines[row] ?? ''
        const before = shown[row]
        if (before === undefined) continue
        if (before.line === line && before.styleBefore === style) {
          style = before.styleAfter
          continue
        }
        const cells = spare
        const styleAfter = readLine(line, cells, style, tables)
        const { changed, isPlain } = changesOf(before.cells, cells, tables)
        if (isPlain) runs.push(...runsOf(changed, cells, row, tables))
        else out += drawRow(changed, cells, row, pen, tables)
        spare = before.cells
        shown[row] = { line, styleBefore: style, styleAfter, cells }
        style = styleAfter
      }
      out += drawRuns(runs, pen, tables)
      // Others write in the plain style, and so does a shell that comes after.
      if (pen.style !== 0) {
        out += tables.styles.change(pen.style, 0)
        pen.style = 0
      }
      return out
    },
  }
}

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

type ScreenOutput<Stream extends TerminalStream> = {
  /**
   * Stands in for the terminal: frames written here arrive there as the cells that changed; all else passes as it is.
   */
  readonly stream: Stream
  /** Shows the newest frame as it is to look now, after `base` became another. */
  refresh(): void
  /** Somebody else drew on the terminal, or it was cleared: the next frame is drawn whole. */
  forget(): void
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

/** Plain style, home, erase to the end. */
const blankScreen = '\u001b[m\u001b[H\u001b[J'
const beginUpdate = '\u001b[?2026h'
const endUpdate = '\u001b[?2026l'
/** A short change is on the screen at once anyway: the marks would be a third of it. */
const markLeast = 120

/**
 * A stream that takes whole frames, as Ink writes them, and sends a terminal only what changed. A terminal that is slow
 * to take it gets the newest frame when it is ready again, never a queue of old ones. A frame is a text of as many
 * lines as the terminal has rows.
 */
export function createScreenOutput<Stream extends TerminalStream>(
  terminal: Stream,
  options: ScreenOutputOptions,
): ScreenOutput<Stream> {
  let size = { columns: 0, rows: 0, base: '' }
  let picture: ScreenBuffer = createScreenBuffer(0, 0)
  let isFull = false
  /** The newest frame while the terminal takes none, and the one it was given last. */
  let newest: readonly string[] | null = null
  let given: readonly string[] | null = null

  const draw = (lines: readonly string[]) => {
    const { columns = 80, rows = 24 } = terminal
    const { base } = options
    if (size.columns !== columns || size.rows !== rows || size.base !== base) {
      size = { columns, rows, base }
      picture = createScreenBuffer(columns, rows, base)
    }
    given = lines
    const change = picture.draw(lines)
    if (change === '') return
    const isMarked = options.hasMarks && change.length >= markLeast
    isFull = !terminal.write(isMarked ? beginUpdate + change + endUpdate : change)
  }
  const take = (text: string) => {
    if (updateMark.test(text)) return
    const prefix = takenBack.exec(text)?.[0] ?? ''
    const rest = text.slice(prefix.length)
    const lines = rest.split('\n')
    if (rest !== '' && lines.length === (terminal.rows ?? 24)) {
      if (isFull) newest = lines
      else draw(lines)
      return
    }
    if (rest === '' && prefix !== '') {
      // A frame is taken back and none comes in its place.
      picture.forget()
      newest = null
      given = null
      terminal.write(blankScreen)
      return
    }
    if (!harmless.test(text)) {
      picture.forget()
      newest = null
      given = null
    }
    terminal.write(text)
  }
  const onDrain = () => {
    isFull = false
    const lines = newest
    newest = null
    if (lines !== null) draw(lines)
  }
  terminal.on('drain', onDrain)

  const write = (text: string | Uint8Array, ...rest: unknown[]): boolean => {
    const done = rest.find((each) => typeof each === 'function')
    if (typeof text !== 'string') take(new TextDecoder().decode(text))
    else if (text !== '') take(text)
    // What was asked to be told of is told once everything before it has left.
    if (done !== undefined) terminal.write('', () => Reflect.apply(done, undefined, []))
    return !isFull
  }
  const stream = new Proxy(terminal, {
    get(target, property) {
      if (property === 'write') return write
      const value: unknown = Reflect.get(target, property)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    stream,
    refresh() {
      if (given === null || given.length !== (terminal.rows ?? 24)) return
      if (isFull) newest ??= given
      else draw(given)
    },
    forget: () => picture.forget(),
    stop: () => terminal.off('drain', onDrain),
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

/** Stands in for a stream: text written here arrives there as `rewrite` makes it; all else passes as it is. */
export function rewritten<Stream extends object>(stream: Stream, rewrite: (text: string) => string): Stream {
  return new Proxy(stream, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      if (property !== 'write') return value.bind(target)
      return (text: unknown, ...rest: unknown[]): unknown =>
        Reflect.apply(value, target, [typeof text === 'string' ? rewrite(text) : text, ...rest])
    },
  })
}

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
}

/** Passes on what is written, whole lines with their movements, in the colors of a base that is asked each time. */
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
  return { stream: rewritten(terminal, dressed), isOld: () => options.base !== shown }
}

/** What the drawing writes to in the place of the terminal. */
type DeskOutput<Stream extends TerminalStream> = {
  readonly stream: Stream
  /** Whether changes are made out of whole frames here, so that the drawing need not. */
  readonly makesChanges: boolean
  /** What is behind the words may be another color now: draws anew what would look otherwise. */
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
