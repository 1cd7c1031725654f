import { PassThrough } from 'node:stream'

/** The keyboard's side of a terminal in memory. */
export class TerminalInput extends PassThrough {
  readonly isTTY = true
  isRaw = false

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}

/** What arrives of a text: a terminal line adds the carriage return to each line feed, also in raw mode. */
export const throughLine = (chunk: string | Uint8Array): string =>
  (typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)).replaceAll('\n', '\r\n')
