import type { InputEvent } from './key-sequences.ts'
import { createKeyTokenizer, type Waiting } from './key-tokenizer.ts'

/** The part of a clock that waiting for the rest of a sequence needs. */
export type Sleeper = { sleep(ms: number, signal?: AbortSignal): Promise<void> }

/**
 * How long to wait for what may still follow. A lone Esc must feel immediate, yet the rest of an arrow key may lag on a
 * slow line. A paste without an end must not lock the keys out for ever.
 */
export const patienceMs: Readonly<Record<Exclude<Waiting, 'nothing'>, number>> = {
  escape: 30,
  sequence: 500,
  paste: 2_000,
}

export type KeyReader = { take(chunk: string): void; stop(): void }

/** Feeds what arrives to a tokenizer and hands each key on at once, in order, whatever is being drawn meanwhile. */
export function createKeyReader(onInput: (event: InputEvent) => void, clock: Sleeper): KeyReader {
  const tokenizer = createKeyTokenizer()
  let pause: AbortController | null = null

  const endWhenNothingComes = async (waiting: Exclude<Waiting, 'nothing'>) => {
    pause = new AbortController()
    const { signal } = pause
    await clock.sleep(patienceMs[waiting], signal)
    if (signal.aborted) return
    for (const event of tokenizer.flush()) onInput(event)
  }
  return {
    take(chunk) {
      pause?.abort()
      for (const event of tokenizer.push(chunk)) onInput(event)
      const waiting = tokenizer.waiting()
      if (waiting !== 'nothing') void endWhenNothingComes(waiting)
    },
    stop: () => pause?.abort(),
  }
}
