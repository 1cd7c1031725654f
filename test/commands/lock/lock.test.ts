import { existsSync, readFileSync, rmSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { takeLock } from '../../../src/journal/locks.ts'
import { eventually } from '../../fakes/eventually.ts'
import { aHome } from './lock-home.ts'

const passphrase = 'correct horse battery'

test('setup asks twice without showing anything, and remove asks for it again', async () => {
  const { run, path } = aHome()
  const setup = await run('lock setup', `${passphrase}\r${passphrase}\r`)
  expect(setup).toMatchObject({ code: 0, raw: [true, false] })
  expect([...setup.printed, ...setup.complained].join('\n')).not.toContain('horse')
  expect(readFileSync(path, 'utf8')).not.toContain('horse')

  const wrong = await run('lock remove', 'not the one\r')
  expect(wrong.code).toBe(1)
  expect(wrong.complained.join('\n')).toContain('Wrong passphrase or code. Nothing was changed.')
  expect(existsSync(path)).toBe(true)

  // A slip is taken back by Backspace, a whole line by Ctrl-U.
  const removed = await run('lock remove', `oops\u0015${passphrase}x\u007f\r`)
  expect(removed.code).toBe(0)
  expect(existsSync(path)).toBe(false)
  expect((await run('lock remove', '')).printed).toEqual(['No lock is set up.'])
})

test('codes: the secret is shown once, and a code of it is asked for before anything is kept', async () => {
  const { run, clock, path } = aHome()
  const codeOf = (printed: string[]) => {
    const secret = /secret {3}([A-Z2-7]+)/.exec(printed.join('\n'))?.[1]
    if (secret === undefined) return ''
    const app = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: 30 })
    return `${app.generate({ timestamp: clock.now() })}\r`
  }
  const wrong = await run('lock setup --code', '12345\r')
  expect(wrong.complained.join('\n')).toContain('Wrong code for this secret now')
  expect(existsSync(path)).toBe(false)
  const setup = await run('lock setup --code', codeOf)
  expect(setup.code).toBe(0)
  expect(setup.printed.join('\n')).toContain('otpauth://totp/')
  expect(readFileSync(path, 'utf8')).toContain('"kind":"code"')
})

test.each([
  ['too short', 'short\r', 'A passphrase has 8 characters or more'],
  ['not the same twice', `${passphrase}\rsomething else\r`, 'The two are not the same'],
  ['left with Ctrl-C', `${passphrase}\r\u0003`, 'The two are not the same'],
])('a passphrase that is %s changes nothing', async (_, typed, sentence) => {
  const { run, path } = aHome()
  const { code, complained } = await run('lock setup', typed)
  expect(code).toBe(1)
  expect(complained.join('\n')).toContain(sentence)
  expect(existsSync(path)).toBe(false)
})

test('a lock that is there is opened before another takes its place', async () => {
  const { run, path } = aHome()
  await run('lock setup', `${passphrase}\r${passphrase}\r`)
  const before = readFileSync(path, 'utf8')
  const refused = await run('lock setup', 'not the one\rnew passphrase\rnew passphrase\r')
  expect(refused.code).toBe(1)
  expect(JSON.parse(readFileSync(path, 'utf8')).secret).toEqual(JSON.parse(before).secret)
  expect((await run('lock setup', `${passphrase}\rnew passphrase\rnew passphrase\r`)).code).toBe(0)
  expect((await run('lock remove', 'new passphrase\r')).code).toBe(0)
})

test('a lock that came, went or changed while another is being typed stays as it is: nobody has opened that one', async () => {
  const { run, start, path } = aHome()
  const asks = async (line: string, until: string, typed = '') => {
    const asking = start(line, typed)
    await eventually(async () => expect(asking.said()).toContain(until))
    return asking
  }
  const finished = async ({ type, ended }: Awaited<ReturnType<typeof asks>>) => {
    type(`a stranger's one\ra stranger's one\r`)
    return await ended
  }
  const meanwhile = 'The lock was changed meanwhile. Nothing was changed.'
  const early = await asks('lock setup', 'New passphrase')
  await run('lock setup', `${passphrase}\r${passphrase}\r`)
  expect(await finished(early)).toMatchObject({ code: 1, said: expect.stringContaining(meanwhile) })
  const opened = await asks('lock setup', 'New passphrase', `${passphrase}\r`)
  await run('lock setup', `${passphrase}\rnew passphrase\rnew passphrase\r`)
  expect(await finished(opened)).toMatchObject({ code: 1, said: expect.stringContaining(meanwhile) })
  const gone = await asks('lock approver setup Ada', 'New passphrase', 'new passphrase\r')
  expect((await run('lock remove', 'new passphrase\r')).code).toBe(0)
  expect(await finished(gone)).toMatchObject({ code: 1, said: expect.stringContaining(meanwhile) })
  expect(existsSync(path)).toBe(false)
})

test('a lock stays while there is an approver, who came while its removal asked for it', async () => {
  const { run, start, path } = aHome()
  await run('lock setup', `${passphrase}\r${passphrase}\r`)
  const removing = start('lock remove')
  await eventually(async () => expect(removing.said()).toContain('Unlock it'))
  const other = 'another bird entirely'
  expect((await run('lock approver setup Ada', `${passphrase}\r${other}\r${other}\r`)).code).toBe(0)
  removing.type(`${passphrase}\r`)
  expect(await removing.ended).toMatchObject({ code: 1, said: expect.stringContaining('changed meanwhile') })
  expect(existsSync(path)).toBe(true)
})

test('without a terminal nothing is asked, and no flag takes a passphrase', async () => {
  const { run, path } = aHome()
  expect(await run('lock setup', `${passphrase}\r${passphrase}\r`, false)).toMatchObject({ code: 1, raw: [] })
  const flag = await run(`lock setup --passphrase=${passphrase.replaceAll(' ', '-')}`, '')
  expect(flag.code).toBe(2)
  expect(flag.complained.join('\n')).not.toContain('horse')
  expect(existsSync(path)).toBe(false)
})

test('a lock is set up only while no try is under way, which would put the one it has read in its place again', async () => {
  const { run, clock, path } = aHome()
  await run('lock setup', `${passphrase}\r${passphrase}\r`)
  rmSync(path)
  const trying = takeLock(`${path}.turn`)
  if (!trying.ok || trying.value === null) throw new Error('the turn is taken')
  const state = { isOver: false }
  const setup = run('lock setup', `${passphrase}\r${passphrase}\r`).finally(() => {
    state.isOver = true
  })
  while (!state.isOver) await clock.advance(25)
  expect(await setup).toMatchObject({ code: 1, said: expect.stringMatching(/opening the lock: .*Nothing was changed/) })
  expect(existsSync(path)).toBe(false)
  trying.value.release()
  expect((await run('lock setup', `${passphrase}\r${passphrase}\r`)).code).toBe(0)
})
