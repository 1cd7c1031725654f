import { createInterface } from 'node:readline'
import type { CommandIo } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Arguments } from './arguments.ts'

/** The open question of each terminal: its last line, where the answer is typed. */
const questions = new WeakMap<CommandIo['stdin'], string>()

/** Prints a sentence on stderr, and any open question again after it: so the question stays the last line. */
export function tellBeside({ stdin, printError }: Pick<CommandIo, 'stdin' | 'printError'>, sentence: string): void {
  printError(sentence)
  const question = questions.get(stdin)
  if (question !== undefined) printError(question)
}

/** Asks for one line on the terminal; null when the input ended, or a signal came, before it. */
export function askLine({ stdin, printError, signal }: CommandIo, question: string): Promise<string | null> {
  printError(question)
  questions.set(stdin, question.split('\n').at(-1) ?? question)
  const lines = createInterface({ input: stdin, terminal: false })
  return new Promise((resolve) => {
    const end = (line: string | null) => {
      signal.removeEventListener('abort', onAbort)
      questions.delete(stdin)
      // First, because closing resolves again with null.
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

/** Whether to ask the user, or a script has consented beforehand. */
export type Consent = 'asked' | 'given'

/**
 * Whether a question can be asked, or was answered beforehand; an error is wrong usage. Call it before anything is sent
 * or done (`doing` names that).
 */
export function consentOf(given: Arguments, { stdin }: CommandIo, doing = 'send'): Result<Consent> {
  if (stdin.isTTY) return ok('asked')
  return given.has('yes') ? ok('given') : err(`stdin is not a terminal: add --yes to ${doing} without a question`)
}

/** Asks for an exact answer on the terminal, unless consent was given beforehand. */
export async function confirmed(
  consent: Consent,
  io: CommandIo,
  { question, isYes }: { question: string; isYes: (typed: string) => boolean },
): Promise<boolean> {
  if (consent === 'given') return true
  const typed = await askLine(io, question)
  return typed !== null && isYes(typed.trim())
}

/** Lines typed without echo. */
export type HiddenLines = {
  /** The typed line until Enter; null when the terminal ended, Ctrl-C was pressed or a signal came. */
  ask(question: string): Promise<string | null>
  /** Restores the terminal. */
  close(): void
}

const erase = '\b\u007f'
const enter = '\r\n'
const ends = '\u0003\u0004'
const eraseLine = '\u0015'

/** Takes the terminal's keys, without echo, until `close`. Text typed ahead goes to the next question. */
export function openHiddenLines({ stdin, printError, signal, restoreAtCrash }: CommandIo): HiddenLines {
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

  /** The next character; null at the end. */
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
      printError(question)
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
