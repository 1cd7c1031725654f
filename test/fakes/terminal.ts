import { Writable } from 'node:stream'
import xterm from '@xterm/headless'
import { TerminalInput, throughLine } from './terminal-input.ts'

// A CommonJS module, of whose names Node sees none.
const { Terminal } = xterm

class Output extends Writable {
  readonly isTTY = true
  columns: number
  rows: number
  readonly #terminal: InstanceType<typeof Terminal>
  /** Everything that was written, for what a screen does not show: modes that were switched on and off. */
  written = ''

  constructor(terminal: InstanceType<typeof Terminal>) {
    super({ decodeStrings: false })
    this.#terminal = terminal
    this.columns = terminal.cols
    this.rows = terminal.rows
  }

  override _write(chunk: string | Uint8Array, _encoding: string, done: () => void): void {
    this.written += String(chunk)
    this.#terminal.write(throughLine(chunk), done)
  }
}

/**
 * A terminal in memory: what a program draws is read as the screen a person would see, and keys are typed into it.
 * Asked for its ground it says `ground`, `#rrggbb`, or nothing.
 */
export function createFakeTerminal(columns: number, rows: number, ground: string | null = null) {
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 })
  const stdin = new TerminalInput()
  const stdout = new Output(terminal)
  // What a program asks of a terminal it is told.
  terminal.onData((answer) => stdin.write(answer))
  terminal.parser.registerOscHandler(11, (text) => {
    const parts = [1, 3, 5].map((at) => ground?.slice(at, at + 2))
    if (text === '?' && ground !== null) stdin.write(`\u001b]11;rgb:${parts.join('/')}\u001b\\`)
    return true
  })
  const lines = (): string[] => {
    const { active } = terminal.buffer
    return Array.from(
      { length: terminal.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '',
    )
  }
  return {
    stdin,
    stdout,
    /** Characters as a keyboard sends them, all in one piece. */
    press(keys: string): void {
      stdin.write(keys)
    },
    resize(newColumns: number, newRows: number): void {
      terminal.resize(newColumns, newRows)
      stdout.columns = newColumns
      stdout.rows = newRows
      stdout.emit('resize')
    },
    /** The lines of the screen, without spaces at their ends. */
    lines,
    screen: (): string => lines().join('\n'),
    /** The cell as a terminal keeps it: its character, its attributes, its colors. */
    cellAt: (column: number, row: number) => terminal.buffer.active.getLine(row)?.getCell(column),
    isAlternateScreen: (): boolean => terminal.buffer.active.type === 'alternate',
  }
}
