import { closeSync, constants, openSync, readSync } from 'node:fs'

const pauseMs = 10

/** The end of an answer to "what are you" (DA1), also where its beginning was read by somebody else. */
const identity = /(?:^(?:\[\?|\?)?[\d;]+|\u001b\[\?[\d;]*)c/

const sleeper = new Int32Array(new SharedArrayBuffer(4))
const pause = () => void Atomics.wait(sleeper, 0, 0, pauseMs)

/** What reads a terminal without waiting: text, '' where there is none yet, null where there will be none. */
type Reading = { read(): string | null; close(): void }

/** The terminal of this program, read beside standard input, which may be closed or held by its reader already. */
function openTerminal(): Reading | null {
  try {
    const file = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    const bytes = Buffer.alloc(4_096)
    return {
      read() {
        try {
          const length = readSync(file, bytes)
          return length === 0 ? null : bytes.toString('latin1', 0, length)
        } catch (error) {
          const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : null
          return code === 'EAGAIN' ? '' : null
        }
      },
      close: () => closeSync(file),
    }
  } catch {
    // No terminal of its own, or one that is gone: nothing can arrive there.
    return null
  }
}

/**
 * Takes the answers that a terminal still owes, so that no shell reads them as keys: blocks for at most `mostMs`, or
 * until the last one (DA1) and what came with it is there. It holds the program up on purpose, as a crash lets nothing
 * else run. The terminal must be in raw mode.
 */
export function takeLateAnswers(mostMs: number, open: () => Reading | null = openTerminal): void {
  const terminal = open()
  if (terminal === null) return
  let taken = ''
  for (let waitedMs = 0; waitedMs < mostMs; ) {
    const text = terminal.read()
    if (text === null) break
    taken += text
    if (text !== '') continue
    if (identity.test(taken)) break
    pause()
    waitedMs += pauseMs
  }
  terminal.close()
}
