import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { readSettings } from '../../src/config/settings.ts'
import { openDesk } from '../../src/desk/opening.ts'
import { noReboundKeys } from '../../src/domain/desk/session.ts'
import { usualLooks } from '../../src/store/looks.ts'
import { quietIo } from '../fakes/quiet-io.ts'

/** Opens a desk on its own practice exchange, with empty files under these names in its state folder. */
async function open(...blocked: string[]) {
  const home = mkdtempSync(join(tmpdir(), 'pitdesk-opening-'))
  const state = join(home, '.local', 'state', 'pitdesk')
  mkdirSync(state, { recursive: true, mode: 0o700 })
  for (const path of blocked.map((name) => join(state, name))) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    writeFileSync(path, '')
  }
  const environment = { HOME: home, TERM: 'xterm-256color' }
  const settings = readSettings(environment, {})
  if (!settings.ok) throw new Error(settings.error.sentence)
  const quit = new AbortController()
  const io = quietIo(environment, quit.signal)
  const tools = { clock: systemClock, random: () => 0.5, randomBytes, isOwnProcess: false }
  const plan = { settings: settings.value, looks: usualLooks, reboundKeys: noReboundKeys, quit, io, tools }
  onTestFinished(() => {
    quit.abort()
    rmSync(home, { recursive: true, force: true })
  })
  /** What tells others of a practice exchange that runs. */
  const notes = () => readdirSync(join(state, 'sandbox')).filter((name) => name.endsWith('.json'))
  return { opened: await openDesk(plan), notes, plan }
}

test('where the inbox has no folder, trading goes on without it, and a sentence says so', async () => {
  const { opened, notes } = await open('practice-inbox')
  if (!opened.ok) throw new Error(opened.error)
  expect(opened.value.trouble).toEqual([
    expect.stringMatching(/practice-inbox cannot be made: a file of this name is in the way \(EEXIST\)/),
  ])
  expect(notes()).toHaveLength(1)
  await opened.value.stop()
  expect(notes()).toEqual([])
})

test('where its lock cannot be read, the desk ends with one sentence, and its practice exchange with it', async () => {
  const { opened, notes } = await open('lock.json')
  expect(opened).toEqual({ ok: false, error: expect.stringMatching(/^[^\n]*lock\.json[^\n]*$/) })
  expect(notes()).toEqual([])
})

test('where the practice exchange has no folder, the desk ends with one sentence', async () => {
  const { opened } = await open('practice')
  expect(opened).toEqual({ ok: false, error: expect.stringMatching(/^[^\n]*practice[^\n]*$/) })
})

test('where another practice exchange has its folder, the desk ends with what to do about that', async () => {
  const first = await open()
  if (!first.opened.ok) throw new Error(first.opened.error)
  const second = await openDesk(first.plan)
  expect(second).toEqual({
    ok: false,
    error: expect.stringMatching(/practice is in use by another practice exchange\. Another desk .*: use that one, or/),
  })
  await first.opened.value.stop()
})

test.each([
  ['the accounts', 'accounts'],
  ['the account', 'accounts/practice'],
])(
  'where %s have no folder, one sentence says before trading what is not sent, and what to do',
  async (_name, path) => {
    const { opened } = await open(path)
    if (!opened.ok) throw new Error(opened.error)
    expect(opened.value.trouble).toEqual([
      expect.stringMatching(
        `${path} is a file in the place of a folder: no order or withdrawal is sent, .* Nothing was sent. Move that file`,
      ),
    ])
    await opened.value.stop()
  },
)
