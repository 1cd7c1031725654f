import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome, builtForTests, environmentOf, program, startProgram } from './program.ts'

// The manual of the built program: in a pipe, and in a terminal with a pager.

const home = aHome('help')

builtForTests()

test('a reader that leaves after the first line is no failure', () => {
  const script = `"${process.execPath}" "${program}/pitdesk.js" help inbox | head -1; echo "\${PIPESTATUS[@]}"`
  const stdout = execFileSync('bash', ['-c', script], { env: environmentOf(home), encoding: 'utf8' })
  expect(stdout).toBe('The inbox\n0 0\n')
})

/** A pager of the user's that shows what it is given, and notes what it is told. */
function aPager(name: string, lines: string): string {
  const path = join(home, name)
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
  return path
}

const shown = (words: string, environment: Record<string, string>) =>
  startProgram(home, ['help', ...words.split(' ')], { columns: 60, environment })

test("the user's pager gets the styled page, and no key of an account", async () => {
  const noted = join(home, 'noted')
  const pager = aPager('pager', `env > "${noted}"; echo "PAGED $1"; head -3`)
  const terminal = shown('ladder', { PAGER: `${pager} twice`, PITDESK_API_TOKEN: 'a-token-of-twenty-letters' })
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect(terminal.text()).toContain('PAGED twice')
  expect(terminal.text()).toContain('The ladder')
  expect(readFileSync(noted, 'utf8')).not.toContain('PITDESK_')
  expect(readFileSync(noted, 'utf8')).toContain('LESS=FRX')
})

test.each([
  ['that is not there', '/nowhere/pager'],
  ['that is empty', ''],
])('a pager %s leaves the page as it is', async (_, pager) => {
  const terminal = shown('chart', { PAGER: pager })
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 })
  expect(terminal.text()).toContain('volume stands below')
})
