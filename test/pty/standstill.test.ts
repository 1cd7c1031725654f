import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { errorCode } from '../../src/base/text/error-text.ts'
import { standstillMs } from '../../src/store/time.ts'
import { type DeskHome, isQuoted, isReviewable, openDeskHome } from './desk-home.ts'
import { builtForTests, pressUntil, program } from './program.ts'

let home: DeskHome

builtForTests()

beforeAll(async () => {
  home = await openDeskHome(program, '')
})
afterAll(() => home.stop())

/** Writes to the terminal of a process what it takes; whether it took any. */
function fill(pid: number): boolean {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  const terminal = openSync(`/proc/${pid}/fd/1`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  let written = 0
  try {
    for (;;) written += writeSync(terminal, ' '.repeat(1_000))
  } catch (error) {
    if (errorCode(error) !== 'EAGAIN') throw error
    return written > 0
  } finally {
    closeSync(terminal)
  }
}

test.each(['cells', 'lines'])('a signal ends a desk on a terminal that takes nothing any more (%s)', async (form) => {
  const terminal = home.start({ shell: 'exec $DESK', variables: { PITDESK_SCREEN_OUTPUT: form } })
  await terminal.until(isQuoted)
  terminal.stall(true)
  // The system moves on what it has taken, which makes room a moment later.
  for (let fulls = 0; fulls < 5; fulls += 1) {
    if (fill(terminal.pid)) fulls = 0
    await systemClock.sleep(10)
  }
  process.kill(terminal.pid, 'SIGTERM')
  expect(await terminal.ended()).toEqual({ exitCode: 143, signal: 0 })
})

test('the process is stopped under a review and the market moves: Enter at the frozen picture sends nothing', async () => {
  const terminal = home.start({ shell: 'exec $DESK' })
  await terminal.until(isQuoted)
  terminal.type('c')
  terminal.type('s')
  await terminal.until((text) => text.includes('Ticket SELL') && isReviewable(text))
  await pressUntil(terminal, '\r', (text) => text.includes('REVIEW on PRACTICE'))
  process.kill(terminal.pid, 'SIGSTOP')
  // What is typed now lies in the terminal. The stop has to be as long as one that counts, and a stopped process knows
  // real time alone.
  terminal.type('\r')
  await home.quote('66000.00', '66000.50')
  await systemClock.sleep(2 * standstillMs)
  const { greetedCount } = terminal
  process.kill(terminal.pid, 'SIGCONT')
  await terminal.until((text) => text.includes('Ticket SELL') && text.includes('stood still'))
  // Where the desk would have sent it, it has by then. It takes the screen anew, and no key before the terminal has
  // said what it is.
  await terminal.until((text) => terminal.greetedCount > greetedCount && text.includes('Ticket SELL'))
  terminal.type('\u001b')
  await terminal.until((text) => text.includes('Market BTC-USD') && !text.includes('Ticket SELL'))
  terminal.type('7')
  await terminal.until((text) => /Desk stood still \d+ s: prices may have moved. Review again/.test(text))
  terminal.type('q')
  expect(await terminal.ended()).toEqual({ exitCode: 0, signal: 0 })
  expect((await home.client.fetchOrders({})).entries).toEqual([])
  expect((await home.client.fetchFills({})).entries).toEqual([])
})
