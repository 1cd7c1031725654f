import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createCommands } from '../../src/store/create-commands.ts'
import { createDeskStore } from '../../src/store/store.ts'
import { openConsole } from '../../src/ui/open-console.tsx'
import { deskNowMs, deskState } from '../fakes/desk-state.ts'
import { quietPort } from '../fakes/quiet-port.ts'
import { createFakeTerminal } from '../fakes/terminal.ts'

/** A console on a terminal in memory, and how much it has written. */
async function opened() {
  const store = createDeskStore(deskState({ unsettled: [] }))
  const commands = createCommands({ store, port: quietPort(deskNowMs), exit: () => undefined })
  const { stdin, stdout, screen } = createFakeTerminal(120, 40)
  const env = { TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  const console = openConsole({ store, commands, stdin, stdout, clock: systemClock, env, onExit: () => undefined })
  if (!console.ok) throw new Error(console.error)
  onTestFinished(console.value.close)
  await vi.waitFor(() => expect(screen()).toContain('? keys'), { interval: 2 })
  /** Turns of the event loop, in which everything that waits to be drawn is drawn. */
  const settled = async () => {
    for (let turns = 0; turns < 20; turns += 1) await new Promise<void>((resolve) => setImmediate(resolve))
    return stdout.written.length
  }
  return { store, screen, settled }
}

test('time that passes within one beat draws nothing, and the next beat draws the ages once', async () => {
  const { store, screen, settled } = await opened()
  const beat = Math.ceil(deskNowMs / 1_000) * 1_000
  store.dispatch({ type: 'ticked', nowMs: beat })
  const before = await settled()
  for (const ms of [100, 200, 300, 400]) store.dispatch({ type: 'ticked', nowMs: beat + ms })
  expect(await settled()).toBe(before)
  store.dispatch({ type: 'ticked', nowMs: beat + 500 })
  expect(await settled()).toBeGreaterThan(before)
  expect(screen()).toContain('book 0.9s')
})

test('a frozen picture draws nothing but its header, whatever comes in', async () => {
  const { store, screen, settled } = await opened()
  store.dispatch({ type: 'pictureFrozen', atMs: deskNowMs })
  await settled()
  const below = () => screen().split('\n').slice(2, -2).join('\n')
  const picture = below()
  for (let count = 1; count <= 5; count += 1) {
    store.dispatch({ type: 'orders', orders: [], atMs: deskNowMs + count * 1_000 })
    store.dispatch({ type: 'ticked', nowMs: deskNowMs + count * 1_000 })
    await settled()
  }
  expect(below()).toBe(picture)
  expect(screen()).toContain('14:02:12Z')
})
