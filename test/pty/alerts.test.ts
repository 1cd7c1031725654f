import { expect, test } from 'vitest'
import { aHome, builtForTests, leave, startProgram } from './program.ts'
import type { Terminal } from './terminal.ts'

const home = aHome('alerts')

builtForTests()

const start = () => startProgram(home, [])

const isDesk = (text: string) => text.includes('PRACTICE') && /Ladder BTC-USD .* sp \d/.test(text)

async function quit(terminal: Terminal): Promise<void> {
  await leave(terminal, 'q')
  expect(await terminal.ended()).toEqual({ exitCode: 0, signal: 0 })
}

test('an alert rings and notifies once, leaves the picture whole, and stays fired after a restart', async () => {
  const first = start()
  await first.until(isDesk)
  first.type(':')
  await first.until((text) => text.includes('What to do'))
  first.type('alert btc-usd > 1 now')
  await first.until((text) => text.includes('rises above 1.00'))
  first.type('\r')
  await first.until((text) => text.includes(' ALERT '))
  await first.until(() => first.bellCount > 0 && first.notifications.length > 0)
  const sentence = /^pitdesk: BTC-USD last [\d,.]+ is above 1\.00 \(alert 1\)\.$/
  expect(first.notifications).toEqual([expect.stringMatching(sentence)])
  expect(first.bellCount).toBe(1)
  // No cell moved: the ladder's frame stands where it stood, and nothing of the sequence is on the screen.
  expect(first.text()).not.toContain('pitdesk:')
  expect(first.lines()[2]).toMatch(/^┏ 1 Ladder BTC-USD/)
  await quit(first)
  expect([first.bellCount, first.notifications.length]).toEqual([1, 1])

  const second = start()
  await second.until(isDesk)
  second.type('A')
  await second.until((text) => /1 BTC-USD last > 1\.00 +FIRED/.test(text))
  expect([second.bellCount, second.notifications.length]).toEqual([0, 0])
  second.type('\u001b')
  await second.until((text) => !text.includes('FIRED LATELY'))
  // Right after Esc a key may be the rest of another one: the desk is not left by it.
  second.type('1')
  await quit(second)
})
