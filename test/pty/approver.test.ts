import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome, builtForTests, startProgram, writtenIn } from './program.ts'
import type { Terminal } from './terminal.ts'

const home = aHome('pty-approver')
const own = 'Kestrel over Lake Zug'
const other = 'Nine heavy umbrellas'

builtForTests()

const start = (...argv: string[]) => startProgram(home, argv, { columns: 100 })

/** Answers one question after the other, each when it is asked. */
async function answer(terminal: Terminal, answers: ReadonlyArray<readonly [string, string]>): Promise<void> {
  for (const [question, typed] of answers) {
    await terminal.until((text) => text.includes(question))
    terminal.type(`${typed}\r`)
  }
}

const written = () => writtenIn(home)

test('two persons at one terminal: the desk lock makes room, the other types a name and a passphrase that nobody sees', async () => {
  const lock = start('lock', 'setup')
  await answer(lock, [
    ['New passphrase', own],
    ['The same once more', own],
  ])
  expect(await lock.ended()).toEqual({ exitCode: 0, signal: 0 })

  const same = start('lock', 'approver', 'setup', 'Ada')
  await answer(same, [
    ['A lock is set up. Unlock it', own],
    ['New passphrase', own],
    ['The same once more', own],
  ])
  expect(await same.ended()).toEqual({ exitCode: 1, signal: 0 })
  expect(same.text()).toContain("That passphrase opens the desk's lock")

  const setup = start('lock', 'approver', 'setup')
  await answer(setup, [
    ['Name of the approver', 'Ada'],
    ['A lock is set up. Unlock it', own],
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
  const left = readdirSync(join(home, '.local/state/pitdesk')).filter((name) => !name.endsWith('.turn'))
  expect(left).toEqual(['lock.json'])
  expect(written().filter((text) => /Kestrel|umbrellas/.test(text))).toEqual([])
})
