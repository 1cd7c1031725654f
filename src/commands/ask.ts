import { createInterface } from 'node:readline'
import type { CommandIo } from './io.ts'

/** Asks for one line on the terminal; null when it ended, or a signal came, before there was one. */
export function askLine({ stdin, complain, signal }: CommandIo, question: string): Promise<string | null> {
  complain(question)
  const lines = createInterface({ input: stdin, terminal: false })
  return new Promise((resolve) => {
    const end = (line: string | null) => {
      signal.removeEventListener('abort', onAbort)
      // First, because closing says once more that there is nothing.
      resolve(line)
      lines.close()
    }
    const onAbort = () => end(null)
    if (signal.aborted) end(null)
    signal.addEventListener('abort', onAbort, { once: true })
    lines.once('line', end)
    lines.once('close', () => end(null))
  })
}
