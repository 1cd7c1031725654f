import type { Clock } from '../../../src/base/clock.ts'
import type { Terminal } from '../../pty/terminal.ts'

const esc = '\u001b'
/** After this a key counts as one of its own, and a review takes its Enter. In ms of the drill. */
const keyMs = 150
const reviewMs = 1_400
const escapeMs = 900
/** How long something is waited for that a desk in order shows soon, in ms of the drill. */
const shownMs = 30_000

/**
 * A desk in a terminal, driven by its keys and read from its screen. The log has the screen for itself, whole sentences
 * in it.
 */
export class Desk {
  readonly terminal: Terminal
  readonly #clock: Clock
  #seen = new Set<string>()

  constructor(terminal: Terminal, clock: Clock) {
    this.terminal = terminal
    this.#clock = clock
  }

  get text(): string {
    return this.terminal.text()
  }

  /** The screen in few words, for a report. */
  get brief(): string {
    const rows = this.terminal
      .lines()
      .map((row) => row.replaceAll(/[┃│║┏┓┗┛┌┐└┘╔╗╚╝━─═]+/g, ' ').replaceAll(/ {2,}/g, '  '))
    return rows
      .filter((row) => row.trim() !== '')
      .join('\n')
      .slice(0, 1_500)
  }

  /** Waits until the screen is so; false when it does not come to it, or the desk has ended. */
  async until(isSo: (text: string) => boolean, maxMs = shownMs): Promise<boolean> {
    const endMs = this.#clock.now() + maxMs
    while (!isSo(this.text)) {
      if (this.terminal.hasEnded || this.#clock.now() > endMs) return isSo(this.text)
      await this.#clock.sleep(keyMs / 2)
    }
    return true
  }

  /** Ready to trade, with the log in front. */
  async open(): Promise<boolean> {
    const isOpen = (text: string) => /ARMED/.test(text) && /Ladder BTC-USD.* sp \d|spread \d/.test(text)
    if (!(await this.until(isOpen))) return false
    const isAlone = (text: string) => /7 Log/.test(text) && !/1 Ladder/.test(text)
    // What is typed in the first moments of a screen is not taken.
    for (let attempt = 0; attempt < 5 && !isAlone(this.text); attempt += 1) {
      await this.pause(700)
      await this.press('7', 'z')
      await this.until(isAlone, 3_000)
    }
    return isAlone(this.text)
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.terminal.type(key)
      // Esc and a key right after it are one key with Alt.
      await this.#clock.sleep(key === esc ? escapeMs : keyMs)
    }
  }

  pause(ms: number): Promise<void> {
    return this.#clock.sleep(ms)
  }

  /** Types a sentence into the palette and has it done. */
  async say(sentence: string): Promise<void> {
    await this.press(esc, ':')
    await this.until((text) => /What to do/.test(text), 5_000)
    this.terminal.type(sentence)
    await this.until((text) => text.includes(sentence), 5_000)
    await this.press('\r')
  }

  /** An order up to its review; false when a check or something else is in the way. */
  async review(sentence: string): Promise<boolean> {
    await this.say(sentence)
    if (!(await this.until((text) => /Ticket (BUY|SELL)/.test(text), 6_000))) return false
    await this.pause(keyMs * 2)
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await this.press('\r')
      if (await this.until((text) => /REVIEW/.test(text), 2_500)) return true
    }
    return false
  }

  /** Has what is under review sent. Where the review went back to a ticket meanwhile, it is reviewed once more. */
  async send(hasLeft: () => boolean): Promise<boolean> {
    for (let attempt = 0; attempt < 5 && !hasLeft(); attempt += 1) {
      await this.pause(reviewMs)
      if (!/REVIEW/.test(this.text)) await this.press('\r')
      else {
        await this.press('\r')
        await this.until(() => hasLeft() || !/REVIEW/.test(this.text), 4_000)
      }
    }
    return hasLeft()
  }

  async cancel(what: string, hasLeft: () => boolean): Promise<boolean> {
    await this.say(`cancel ${what}`)
    await this.until((text) => /Cancel\?|CANCEL THEM|CANCEL/.test(text), 3_000)
    for (let attempt = 0; attempt < 3 && !hasLeft(); attempt += 1) {
      await this.pause(keyMs * 4)
      await this.press('x')
      await this.until(hasLeft, 2_000)
    }
    return hasLeft()
  }

  /** The first working order of the list to another price, `steps` ticks up, as far as its review. */
  async reviewMove(orderId: string, steps: number): Promise<boolean> {
    const isListed = (text: string) => /2 Orders/.test(text) && new RegExp(`\\b${orderId}\\b`).test(text)
    await this.press(esc, '2')
    if (!(await this.until(isListed, 8_000))) return false
    for (let row = 0; row < 40 && !new RegExp(`>\\s?#?${orderId}\\b`).test(this.text); row += 1) await this.press('j')
    if (!new RegExp(`>\\s?#?${orderId}\\b`).test(this.text)) return false
    await this.press('m')
    if (!(await this.until((text) => /Move|MOVE/.test(text), 4_000))) return false
    for (let step = 0; step < steps; step += 1) await this.press('k')
    await this.press('\r')
    return this.until((text) => /REVIEW/.test(text), 4_000)
  }

  /** Back at the log, whatever is open. */
  async toLog(): Promise<void> {
    await this.press(esc, esc, '7')
    await this.until((text) => /7 Log/.test(text), 3_000)
  }

  /**
   * Sentences of the log that were not read before, oldest first; none while something else covers a part of it. The
   * screen is read twice: a line that is half one frame and half another is not there the second time.
   */
  async news(): Promise<string[]> {
    const first = this.#log()
    await this.#clock.sleep(keyMs)
    const again = new Set(this.#log())
    const fresh = first.filter((line) => again.has(line) && !this.#seen.has(line))
    for (const line of fresh) this.#seen.add(line)
    return fresh.map((line) => line.slice('00:00:00 '.length).replace(/^(!{1,2}|[✓✗+x]) /, '')).toReversed()
  }

  /** Waits until the log tells how something ended, and reads it. */
  async outcome(maxMs: number, isEnd: (sentence: string) => boolean): Promise<string[]> {
    await this.toLog()
    const said: string[] = []
    const endMs = this.#clock.now() + maxMs
    for (;;) {
      said.push(...(await this.news()))
      if (/[║╔]/.test(this.text)) await this.press(esc)
      if (said.some(isEnd) || this.terminal.hasEnded || this.#clock.now() > endMs) return said
      await this.#clock.sleep(keyMs * 2)
    }
  }

  #log(): string[] {
    return /[║╔]|1 Ladder/.test(this.text) ? [] : logLines(this.terminal.lines())
  }

  kill(name: NodeJS.Signals): void {
    if (!this.terminal.hasEnded) process.kill(this.terminal.pid, name)
  }

  /** Ends it at once, as nothing else does. */
  async end(): Promise<void> {
    this.kill('SIGKILL')
    await this.terminal.ended()
  }
}

/** The lines of the log's pane, newest first as it has them. */
function logLines(rows: readonly string[]): string[] {
  const start = rows.findIndex((row) => /7 Log/.test(row))
  return rows.slice(start + 1).flatMap((row) => {
    const [, line] = /^[┃│|][ >](\d\d:\d\d:\d\d .*?)\s*[┃│|]$/.exec(row) ?? []
    return start < 0 || line === undefined ? [] : [line]
  })
}

/** Whether a sentence tells how a write ended, or that it is not known. */
export const isOutcome = (sentence: string): boolean =>
  /is working|is (CANCELED|FILLED|REJECTED|PENDING)|rejected|cancell?ed\.|refused|Not sent|Found: |may (be|still)|No answer|took effect|settled|resolved|Moved|ALERT|mismatch/i.test(
    sentence,
  ) && !/^Sent |^Cancell?ing /.test(sentence)
