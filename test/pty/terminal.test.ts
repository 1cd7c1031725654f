import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { eventually } from '../fakes/eventually.ts'
import { endingWithTest } from './program.ts'
import { Terminal } from './terminal.ts'

const shell = (script: string): Terminal =>
  endingWithTest(
    new Terminal('/bin/sh', ['-c', script], { columns: 40, rows: 4, folder: tmpdir(), environment: { PATH: '/bin' } }),
  )

test('whoever waits for a picture gets a whole one, however its pieces arrive', async () => {
  const terminal = shell('printf "\\033[?2026hone "; read go; printf "two\\033[?2026l"; read end')
  await eventually(() => expect(terminal.text()).toContain('one'))
  const seen = terminal.until((text) => text.includes('one'))
  terminal.type('\r')
  expect(await seen).toMatch(/one\s+two/)
})

test('a failure says what was typed last, and names the line that waited', async () => {
  const terminal = shell('read line')
  terminal.type('abc\r')
  const failure = await terminal.until((text) => text.includes('never')).catch((error: unknown) => error)
  expect(failure).toMatchObject({ message: expect.stringMatching(/^ended with 0, last typed "abc\\r", last:/) })
  expect(failure).toMatchObject({ stack: expect.stringContaining('terminal.test.ts') })
})
