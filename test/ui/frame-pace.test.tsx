import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { clockText } from '../../src/base/text/time-text.ts'
import { createCommands } from '../../src/store/commands.ts'
import type { StoreEvent } from '../../src/store/desk.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { openConsole } from '../../src/ui/console/open-console.tsx'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { eventually } from '../fakes/eventually.ts'
import { quietPort } from '../fakes/quiet-port.ts'
import { createFakeTerminal } from '../fakes/terminal.ts'

/** A console on a terminal in memory. */
async function opened() {
  const store = createDeskStore(deskState({ unknownWrites: [] }))
  const commands = createCommands({ store, port: quietPort(deskNowMs), exit: () => undefined })
  const { stdin, stdout, screen } = createFakeTerminal(120, 40)
  const env = { TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  const console = openConsole({ store, commands, stdin, stdout, clock: systemClock, env, onExit: () => undefined })
  if (!console.ok) throw new Error(console.error)
  onTestFinished(console.value.close)
  await eventually(() => expect(screen()).toContain('? keys'))
  const sees = (words: string) => eventually(() => expect(screen()).toContain(words))
  /** Events, and a notice with them: once that is on screen everything else they changed is too. */
  const drawn = async (mark: string, events: readonly StoreEvent[]) => {
    store.dispatchAll([...events, { type: 'noted', level: 'info', text: mark, atMs: deskNowMs }])
    await sees(mark)
  }
  return { store, stdout, screen, drawn, sees, drawDue: console.value.drawDue }
}

test('time that passes within one beat draws nothing, and the next beat draws the ages once', async () => {
  const { store, screen, drawn, sees } = await opened()
  const beat = Math.ceil(deskNowMs / 1_000) * 1_000
  store.dispatch({ type: 'ticked', nowMs: beat })
  // The fills are in view once the desk knows the size of its screen.
  await sees('fl 1.3s')
  const header = screen().split('\n')[0]
  for (const ms of [100, 200, 300, 400]) {
    await drawn(`mark ${ms}`, [{ type: 'ticked', nowMs: beat + ms }])
    expect(screen().split('\n')[0]).toBe(header)
  }
  store.dispatch({ type: 'ticked', nowMs: beat + 500 })
  await sees('bk 0.9s')
})

test('a frozen picture draws nothing but its header, whatever comes in', async () => {
  const { store, screen, sees } = await opened()
  store.dispatch({ type: 'pictureFrozen', atMs: deskNowMs })
  await sees('FROZEN')
  const below = () => screen().split('\n').slice(2, -2).join('\n')
  const picture = below()
  for (let count = 1; count <= 5; count += 1) {
    const atMs = deskNowMs + count * 1_000
    store.dispatchAll([
      { type: 'orders', orders: [], atMs },
      { type: 'ticked', nowMs: atMs },
    ])
    await sees(`${clockText(atMs)}Z`)
  }
  expect(below()).toBe(picture)
})

test('what is due is drawn at once where that is asked for, and only then', async () => {
  const { store, stdout, drawn, drawDue, sees } = await opened()
  await drawn('all before', [])
  const { length } = stdout.written
  store.dispatch({ type: 'noted', level: 'info', text: 'first prices', atMs: deskNowMs })
  expect(stdout.written.length).toBe(length)
  drawDue()
  expect(stdout.written.length).toBeGreaterThan(length)
  await sees('first prices')
  const drawnLength = stdout.written.length
  drawDue()
  expect(stdout.written.length).toBe(drawnLength)
})
