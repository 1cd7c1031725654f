import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openShell, type Shell } from './harness.ts'

function ownTheme(shell: Shell, name: string, text: string): void {
  const folder = join(shell.home, '.config', 'pitdesk', 'themes')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), text)
}

test('the desk takes a theme of one’s own by its name', async () => {
  const shell = openShell()
  ownTheme(shell, 'mine.json', '{"name":"mine","tones":{}}')
  const { code, stderr } = await shell.run('desk --theme mine')
  // This is no terminal; that the theme was taken shows in nothing being said about it.
  expect({ code, stderr }).toEqual({ code: 1, stderr: [expect.stringContaining('the desk needs a terminal')] })
})

test('a wished theme that is damaged is told with its mistake, and nothing starts', async () => {
  const shell = openShell({ PITDESK_THEME: 'mine' })
  ownTheme(shell, 'mine.json', '{"name":"mine","tones":{"bid":{"fg":"green"}}}')
  const { code, stderr } = await shell.run('desk', { isTerminal: true })
  expect(code).toBe(1)
  expect(stderr.join('\n')).toContain('unknown theme "mine" (there are auto, dark, light, ')
  expect(stderr.join('\n')).toContain('themes/mine.json: tones.bid.fg must be a color such as "#5fd78f".')
})

test('the doctor names the themes that are wrong, and fails for the one that is wished', async () => {
  const shell = openShell()
  ownTheme(shell, 'mine.json', '{"name":"mine"}')
  const well = await shell.run('doctor', { isTerminal: true })
  expect(well.code).toBe(0)
  expect(well.stdout.join('\n')).toMatch(/warn {2}themes +themes\/mine\.json: tones must be an object of tones/)
  shell.environment.PITDESK_THEME = 'mine'
  const sick = await shell.run('doctor', { isTerminal: true })
  expect(sick.code).toBe(1)
  expect(sick.stdout.join('\n')).toMatch(/fail {2}themes +unknown theme "mine"/)
})
