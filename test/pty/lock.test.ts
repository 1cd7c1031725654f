import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aHome, builtForTests, startProgram, writtenIn } from './program.ts'

const home = aHome('pty-lock')
const passphrase = 'Kestrel over Lake Zug'

builtForTests()

const start = (...argv: string[]) => startProgram(home, argv)

const written = () => writtenIn(home)

test('a lock that is set up on a terminal opens a real desk, and is nowhere to be read', async () => {
  const setup = start('lock', 'setup')
  await setup.until((text) => text.includes('New passphrase'))
  setup.type(`${passphrase}\r`)
  await setup.until((text) => text.includes('The same once more'))
  setup.type(`${passphrase}\r`)
  expect(await setup.ended()).toEqual({ exitCode: 0, signal: 0 })
  expect(setup.text()).not.toContain('Kestrel')
  expect(statSync(join(home, '.local/state/pitdesk/lock.json')).mode & 0o777).toBe(0o600)

  const desk = start()
  const isDesk = (text: string) => /Ladder BTC-USD .* sp \d/.test(text)
  const open = async () => {
    desk.type('\r')
    await desk.until((text) => text.includes('Passphrase: _'))
    desk.type(`${passphrase}\r`)
    await desk.until(isDesk)
  }
  await desk.until((text) => text.includes('LOCKED'))
  await open()
  desk.type('Z')
  await desk.until((text) => text.includes('LOCKED') && !text.includes('Ladder'))
  desk.type('\r')
  await desk.until((text) => text.includes('Passphrase: _'))
  desk.type('not this one\r')
  await desk.until((text) => text.includes('Wrong passphrase or code.'))
  desk.type('\r')
  await desk.until((text) => text.includes('Passphrase: _'))
  desk.type(passphrase)
  await desk.until((text) => text.includes('•'.repeat(passphrase.length)))
  expect(desk.text()).not.toContain('Kestrel')
  desk.type('\r')
  await desk.until((text) => isDesk(text) && text.includes('SAFE'))
  // One that is killed comes back locked.
  process.kill(desk.pid, 'SIGKILL')
  await desk.ended()
  const next = start()
  await next.until((text) => text.includes('LOCKED') && !/\d{5}\.\d\d/.test(text))
  process.kill(next.pid, 'SIGHUP')
  await next.ended()
  expect(written().filter((text) => text.includes('Kestrel'))).toEqual([])
})
