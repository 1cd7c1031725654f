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
