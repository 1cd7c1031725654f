import { Writable } from 'node:stream'
import xterm from '@xterm/headless'
import { TerminalInput, throughLine } from '../../fakes/terminal-input.ts'

class Output extends Writable {
  readonly isTTY = true
  columns: number
  rows: number
  byteCount = 0
  readonly #screen: xterm.Terminal

  constructor(screen: xterm.Terminal) {
    super({ decodeStrings: false })
    this.#screen = screen
    this.columns = screen.cols
    this.rows = screen.rows
  }

  override _write(chunk: string | Uint8Array, _encoding: string, done: () => void): void {
    this.byteCount += chunk.length
    this.#screen.write(throughLine(chunk), done)
  }
}

/** A terminal in memory that lasts: it keeps the screen a person would see, and nothing of what led to it. */
export function createDrillTerminal(columns: number, rows: number) {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 })
  const stdin = new TerminalInput()
  const stdout = new Output(screen)
  return {
    stdin,
    stdout,
    press: (keys: string) => stdin.write(keys),
    resize(newColumns: number, newRows: number) {
      screen.resize(newColumns, newRows)
      stdout.columns = newColumns
      stdout.rows = newRows
      stdout.emit('resize')
    },
    text(): string {
      const { active } = screen.buffer
      const line = (row: number) => active.getLine(active.baseY + row)?.translateToString(true) ?? ''
      return Array.from({ length: screen.rows }, (_, row) => line(row)).join('\n')
    },
  }
}

export type DrillTerminal = ReturnType<typeof createDrillTerminal>
