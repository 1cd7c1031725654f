import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Secret } from '../../../src/base/secret.ts'
import { openAccount, openAccountJournal } from '../../../src/desk/account/account.ts'
import { accountJournalFolder } from '../../../src/desk/account/account-folder.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { anIntent, atMs } from '../../journal/scene.ts'

const settings = { profileName: 'mine', exchange: { kind: 'own' } } as const

test('a profile that a full disk did not take at the start is noted as soon as the journal takes writes again', async () => {
  const state = temporaryFolder('state')
  const io = { environment: { XDG_STATE_HOME: state } }
  const tools = { clock: new FakeClock(atMs), randomBytes }
  const folder = join(state, 'pitdesk/accounts/practice')
  // A note is written beside its place first: this is in the way of it.
  const inTheWay = join(folder, `account.json.${process.pid}.new`)
  mkdirSync(inTheWay, { recursive: true, mode: 0o700 })
  const opened = await openAccount(settings, new Secret('key'), io, tools)
  if (!opened.ok) throw new Error(opened.error.sentence)
  const { account, notices } = opened.value
  expect(notices).toEqual([expect.stringContaining(': the note about the account in ')])
  const journal = await openAccountJournal(account, io, tools)
  if (!journal.ok) throw new Error(journal.error.sentence)
  onTestFinished(() => journal.value.close())
  const place = accountJournalFolder(account)
  renameSync(place, `${place}-away`)
  await expect(journal.value.begin(anIntent('c1'), atMs)).rejects.toThrow('removed')
  renameSync(`${place}-away`, place)
  rmdirSync(inTheWay)
  expect(await journal.value.retry()).toBe(true)
  await journal.value.close()
  expect(JSON.parse(readFileSync(join(folder, 'account.json'), 'utf8'))).toMatchObject({
    profiles: [{ name: 'mine', earlierMs: 0 }],
  })
  const again = await openAccount(settings, new Secret('key'), io, tools)
  expect(again).toMatchObject({ ok: true, value: { notices: [] } })
  expect(again.ok ? again.value.account.noteLater : null).toBeUndefined()
})
