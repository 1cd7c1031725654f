import { usePaste, useStdin } from 'ink'
import { useEffectEvent, useLayoutEffect } from 'react'
import type { Clock } from '../../base/clock.ts'
import { createKeyReader } from './key-reader.ts'
import type { InputEvent } from './key-sequences.ts'
import type { TerminalLink } from './terminal-link.ts'

const ignored = () => undefined

/**
 * Every key and paste of the terminal, one call each. Ink owns the terminal's modes (raw input, bracketed paste) and
 * puts them back at the end; the bytes it reads are taken here as they are, because Ink hands on what arrived together
 * as one.
 */
export function useKeys(onInput: (event: InputEvent) => void, clock: Clock, link: TerminalLink | null = null): void {
  const { stdin } = useStdin()
  // Asks Ink for raw mode and bracketed paste for as long as this is mounted; the text itself comes through the reader.
  usePaste(ignored)
  const handle = useEffectEvent(onInput)
  useLayoutEffect(() => {
    const reader = createKeyReader((event) => handle(event), clock, link)
    const take = (chunk: string | Uint8Array) => reader.take(typeof chunk === 'string' ? chunk : String(chunk))
    // Characters of several bytes that arrive in two chunks are put together by the stream.
    stdin.setEncoding('utf8')
    stdin.on('data', take)
    return () => {
      stdin.off('data', take)
      reader.stop()
    }
  }, [stdin, clock, link])
}
