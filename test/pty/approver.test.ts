import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../../.tools/build.mjs'
import { Terminal } from './terminal.ts'

const program = `${process.cwd()}/.cache/pty-approver`
const home = mkdtempSync(join(tmpdir(), 'pitdesk-pty-approver-'))
const own = 'Kestrel over Lake Zug'
const other = 'Nine heavy umbrellas'

beforeAll(() => build(program))
afterAll(() => rmSync(home, { recursive: true, force: true }))

function start(...argv: string[]): Terminal {
  const environment = { PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' }
  return new Terminal(process.execPath, [`${program}/pitdesk.js`, ...argv], {
    columns: 100,
    rows: 24,
    environment,
    folder: home,
  })
}

/** Answers one question after the other, each when it is asked. */
async function answer(terminal: Terminal, answers: ReadonlyArray<readonly [string, string]>): Promise<void> {
  for (const [question, typed] of answers) {
    await terminal.until((text) => text.includes(question))
    terminal.type(`${typed}\r`)
  }
}

/** Everything the program wrote into the home folder. */
const written = () =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))

test('two persons at one terminal: the desk lock makes room, the other types a name and a passphrase that nobody sees', async () => {
  const lock = start('lock', 'setup')
  await answer(lock, [
    ['New passphrase', own],
    ['The same once more', own],
  ])
  expect(await lock.ended()).toEqual({ exitCode: 0, signal: 0 })

  const same = start('lock', 'approver', 'setup', 'Ada')
  await answer(same, [
    ['What opens it now', own],
    ['New passphrase', own],
    ['The same once more', own],
  ])
  expect(await same.ended()).toEqual({ exitCode: 1, signal: 0 })
  expect(same.text()).toContain("That opens the desk's own lock")

  const setup = start('lock', 'approver', 'setup')
  await answer(setup, [
    ['The name of the person', 'Ada'],
    ['What opens it now', own],
    ['New passphrase', other],
    ['The same once more', other],
  ])
  expect(await setup.ended()).toEqual({ exitCode: 0, signal: 0 })
  expect(setup.text()).toContain('Ada approves withdrawals from now on')
  expect(setup.text()).not.toMatch(/Kestrel|umbrellas/)
  expect(statSync(join(home, '.local/state/pitdesk/approver.json')).mode & 0o777).toBe(0o600)

  const taken = start('lock', 'approver', 'remove')
  await answer(taken, [['Ada approves withdrawals now', own]])
  expect(await taken.ended()).toEqual({ exitCode: 1, signal: 0 })

  const removed = start('lock', 'approver', 'remove')
  await answer(removed, [['Ada approves withdrawals now', other]])
  expect(await removed.ended()).toEqual({ exitCode: 0, signal: 0 })
  expect(readdirSync(join(home, '.local/state/pitdesk'))).toEqual(['lock.json'])
  expect(written().filter((text) => /Kestrel|umbrellas/.test(text))).toEqual([])
})
