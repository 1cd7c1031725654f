import { type IPty, spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { patienceMs } from '../fakes/eventually.ts'

export type TerminalOptions = {
  columns: number
  rows: number
  environment: Readonly<Record<string, string>>
  folder: string
  /** False: it never answers what a program asks of it. */
  isAnswering?: boolean
  /** It tells keys by the Kitty keyboard protocol to whoever wishes so. */
  hasKeyCodes?: boolean
}

/** All that a program may have changed of a terminal and a shell would find changed. */
export type TerminalModes = {
  isAlternate: boolean
  isCursorHidden: boolean
  isPasteBracketed: boolean
  mouse: string
  sendsFocus: boolean
  isUpdateOpen: boolean
  /** Flags of the Kitty keyboard protocol, the last wish at the end. */
  keyboard: readonly number[]
  /** Titles that were put by and not taken back. */
  titlesKept: number
  /** The mark of progress: `0;0` is none. */
  progress: string
}

/** After the mark that ends an update. */
const pictureEnd = /(?<=\u001b\[\?2026l)/

/** Of what was typed a failure tells so many of the last characters. */
const typedMax = 40

/** A program in a real pseudo-terminal, with an emulator that keeps what a person would see. */
export class Terminal {
  readonly #pty: IPty
  readonly #screen: xterm.Terminal
  readonly #watchers = new Set<() => void>()
  #exitCode: number | null = null
  #bellCount = 0
  #takenCount = 0
  #greetedCount = 0
  #keyboard: number[] = []
  #titlesKept = 0
  #progress = '0;0'
  readonly #notifications: string[] = []
  #signal = 0
  #written = ''
  #typed = ''

  constructor(
    file: string,
    argv: readonly string[],
    { columns, rows, environment, folder, isAnswering = true, hasKeyCodes = false }: TerminalOptions,
  ) {
    this.#screen = new xterm.Terminal({
      ...{ cols: columns, rows, allowProposedApi: true },
      windowOptions: { pushTitle: true, popTitle: true },
    })
    this.#screen.onBell(() => {
      this.#bellCount += 1
    })
    this.#screen.parser.registerOscHandler(9, (text) => {
      this.#notifications.push(text)
      if (text.startsWith('4;')) this.#progress = text.slice(2)
      return true
    })
    this.#screen.parser.registerCsiHandler({ prefix: '?', final: 'h' }, (modes) => {
      if (modes.includes(1049)) this.#takenCount += 1
      return false
    })
    this.#screen.parser.registerCsiHandler({ final: 't' }, ([operation]) => {
      if (operation === 22) this.#titlesKept += 1
      if (operation === 23) this.#titlesKept -= 1
      return true
    })
    if (hasKeyCodes) this.#tellKeyCodes()
    this.#pty = spawn(file, [...argv], {
      name: 'xterm-256color',
      cols: columns,
      rows,
      cwd: folder,
      env: { ...environment },
    })
    // What a program asks of a terminal it is told.
    if (isAnswering)
      this.#screen.onData((answer) => {
        this.#pty.write(answer)
        if (/^\u001b\[\?[\d;]*c$/.test(answer)) this.#greetedCount = this.#takenCount
      })
    this.#pty.onData((data) => {
      this.#written += data
    })
    // Picture by picture, however many come in one piece: whoever waits for one sees each.
    this.#pty.onData((data) => {
      for (const picture of data.split(pictureEnd)) this.#screen.write(picture, () => this.#changed())
    })
    this.#pty.onExit(({ exitCode, signal }) => {
      // Once all that it wrote is on the screen.
      this.#screen.write('', () => {
        this.#exitCode = exitCode
        this.#signal = signal ?? 0
        this.#changed()
      })
    })
  }

  get pid(): number {
    return this.#pty.pid
  }

  get hasEnded(): boolean {
    return this.#exitCode !== null
  }

  /** All that the program has written. */
  get written(): string {
    return this.#written
  }

  /** How often the bell rang. */
  get bellCount(): number {
    return this.#bellCount
  }

  /** How often the alternate screen was taken, up to the last time that its taker was told what it is (DA1). */
  get greetedCount(): number {
    return this.#greetedCount
  }

  /** What the program asked the desktop to tell. */
  get notifications(): readonly string[] {
    return this.#notifications
  }

  /** The screen as lines of text, without trailing spaces. */
  lines(): string[] {
    const buffer = this.#screen.buffer.active
    return Array.from(
      { length: this.#screen.rows },
      (_, row) => buffer.getLine(buffer.viewportY + row)?.translateToString(true) ?? '',
    )
  }

  text(): string {
    return this.lines().join('\n')
  }

  /** Whether the alternate screen is showing, as full-screen programs use it. */
  isAlternate(): boolean {
    return this.#screen.buffer.active.type === 'alternate'
  }

  isCursorHidden(): boolean {
    // The emulator keeps it among its modes under a name of its own.
    const core: unknown = Reflect.get(this.#screen, '_core')
    const service: unknown = typeof core === 'object' && core !== null ? Reflect.get(core, 'coreService') : undefined
    return typeof service === 'object' && service !== null && Reflect.get(service, 'isCursorHidden') === true
  }

  /** What the programs in it have changed and not put back. */
  modes(): TerminalModes {
    const { bracketedPasteMode, mouseTrackingMode, sendFocusMode, synchronizedOutputMode } = this.#screen.modes
    return {
      ...{ isAlternate: this.isAlternate(), isCursorHidden: this.isCursorHidden() },
      ...{ isPasteBracketed: bracketedPasteMode, mouse: mouseTrackingMode, sendsFocus: sendFocusMode },
      ...{ isUpdateOpen: synchronizedOutputMode, keyboard: [...this.#keyboard] },
      ...{ titlesKept: this.#titlesKept, progress: this.#progress },
    }
  }

  type(keys: string): void {
    this.#typed = (this.#typed + keys).slice(-typedMax)
    this.#pty.write(keys)
  }

  resize(columns: number, rows: number): void {
    this.#screen.resize(columns, rows)
    this.#pty.resize(columns, rows)
  }

  /** It takes nothing more, as at the end of a line that stalls, until it goes on. */
  stall(isStalled: boolean): void {
    if (isStalled) this.#pty.pause()
    else this.#pty.resume()
  }

  /** The terminal goes away, as when its window is closed or the line to it breaks. */
  hangUp(): void {
    const destroy: unknown = Reflect.get(this.#pty, 'destroy')
    if (typeof destroy !== 'function') throw new Error('this terminal cannot be taken away')
    Reflect.apply(destroy, this.#pty, [])
  }

  kill(signal: string): void {
    this.#pty.kill(signal)
  }

  /**
   * Resolves once a picture satisfies `isThere`, a whole one: a terminal that knows the marks of an update shows no
   * half of it. Rejects with the last one when the program has ended, or after a long wait.
   */
  async until(isThere: (text: string) => boolean): Promise<string> {
    await this.#watch(() => isThere(this.text()))
    return this.text()
  }

  /** Resolves with exit code and signal once the program has ended and all it wrote is on the screen. */
  async ended(): Promise<{ exitCode: number; signal: number }> {
    await this.#watch(() => this.hasEnded)
    return { exitCode: this.#exitCode ?? -1, signal: this.#signal }
  }

  #tellKeyCodes(): void {
    const on = (prefix: string, take: (flags: number) => void) =>
      this.#screen.parser.registerCsiHandler({ prefix, final: 'u' }, ([flags]) => {
        take(typeof flags === 'number' ? flags : 0)
        return true
      })
    on('>', (flags) => this.#keyboard.push(flags))
    on('<', () => this.#keyboard.pop())
    on('?', () => this.#pty.write(`\u001b[?${this.#keyboard.at(-1) ?? 0}u`))
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher()
  }

  #watch(isDone: () => boolean): Promise<void> {
    // Made here, so that its stack names the line of the test that waits.
    const failure = new Error()
    return new Promise((resolve, reject) => {
      const limit = AbortSignal.timeout(patienceMs)
      const watcher = () => {
        const isOver = this.hasEnded || limit.aborted
        const isHalf = this.#screen.modes.synchronizedOutputMode && !isOver
        if (!isHalf && isDone()) resolve()
        else if (!isOver) return
        else {
          const why = this.hasEnded ? `ended with ${this.#exitCode}` : 'never'
          failure.message = `${why}, last typed ${JSON.stringify(this.#typed)}, last:\n${this.text()}`
          reject(failure)
        }
        this.#watchers.delete(watcher)
        limit.removeEventListener('abort', watcher)
      }
      limit.addEventListener('abort', watcher)
      this.#watchers.add(watcher)
      watcher()
    })
  }
}
