import type { CommandIo } from './io.ts'

/** Lines that are typed without being shown. */
export type HiddenLines = {
  /** What is typed until Enter; null when the terminal ended, Ctrl-C was pressed or a signal came. */
  ask(question: string): Promise<string | null>
  /** Gives the terminal back as it was. */
  close(): void
}

const erase = '\b\u007f'
const enter = '\r\n'
const ends = '\u0003\u0004'
const eraseLine = '\u0015'

/** Takes the terminal's keys, unshown, until `close`. What is typed ahead counts for the next question. */
export function openHiddenLines({ stdin, complain, signal, restoreAtCrash }: CommandIo): HiddenLines {
  let ahead = ''
  let isOver = signal.aborted
  let wake = () => {}
  const take = (chunk: string | Uint8Array) => {
    ahead += String(chunk)
    wake()
  }
  const finish = () => {
    isOver = true
    wake()
  }
  const close = () => {
    stdin.off('data', take)
    stdin.off('end', finish)
    signal.removeEventListener('abort', finish)
    stdin.setRawMode(false)
    stdin.pause()
  }
  restoreAtCrash(close)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  stdin.on('data', take)
  stdin.on('end', finish)
  signal.addEventListener('abort', finish, { once: true })
  stdin.resume()

  /** The next character; null when there will be none. */
  const next = async (): Promise<string | null> => {
    while (ahead === '') {
      if (isOver) return null
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    const character = String.fromCodePoint(ahead.codePointAt(0) ?? 0)
    ahead = ahead.slice(character.length)
    return character
  }
  return {
    async ask(question) {
      complain(question)
      let typed = ''
      for (;;) {
        const character = await next()
        if (character === null || ends.includes(character)) return null
        if (enter.includes(character)) return typed
        if (erase.includes(character)) typed = [...typed].slice(0, -1).join('')
        else typed = character === eraseLine ? '' : typed + character
      }
    },
    close,
  }
}
