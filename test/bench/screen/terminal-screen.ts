import xterm from '@xterm/headless'

export type Size = { columns: number; rows: number }

/** A frame on a screen that was erased. */
export const wholeText = (lines: readonly string[]): string =>
  `\u001b[m\u001b[H\u001b[2J${lines.map((line, row) => `\u001b[${row + 1}H\u001b[m${line}`).join('')}`

/** The lines that a terminal shows after what was written to it. */
export async function screenOf(written: readonly (string | Uint8Array)[], { columns, rows }: Size): Promise<string[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 0 })
  for (const text of written) await new Promise<void>((resolve) => terminal.write(text, resolve))
  const { active } = terminal.buffer
  const lines = Array.from({ length: rows }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
  terminal.dispose()
  return lines
}
