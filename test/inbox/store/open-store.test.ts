import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/inbox/store/open-store.ts'
import { openSqliteStore } from '../../../src/inbox/store/sqlite-store.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { incoming, readOn } from './store-suite.ts'

const clock = new FakeClock()

test('a file is opened by its address, also with a blank or a question mark in its name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-open-'))
  const address = pathToFileURL(join(folder, 'my inbox?.sqlite')).href.replace('file:', 'sqlite:')
  for (const id of ['a', 'b']) {
    const opened = await openStore(address, { clock })
    if (!opened.ok) throw new Error(opened.error)
    expect(await opened.value.record([incoming(id)])).toEqual(['new'])
    await opened.value.close()
  }
  const opened = await openStore(address, { clock })
  if (!opened.ok) throw new Error(opened.error)
  expect(await readOn(opened.value)).toEqual(['a', 'b'])
  await opened.value.close()
  rmSync(folder, { recursive: true })
})

test.each([
  '',
  'inbox.sqlite',
  'mysql://host/x',
  'sqlite://',
  'sqlite:///',
  'sqlite://host/x',
  'postgres:',
  'sqlite:///%00',
])('the address %j is refused in one sentence', async (address) => {
  const opened = await openStore(address, { clock })
  expect(opened).toEqual({ ok: false, error: expect.stringMatching(/^[A-Z][^\n]*$/) })
})

/** A file with one event, of which nothing is open. */
async function filled(): Promise<{ path: string; address: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-open-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'inbox.sqlite')
  const store = openSqliteStore({ path, clock })
  await store.record([incoming('a')])
  await store.close()
  return { path, address: `sqlite://${path}` }
}

const uses = ['read', 'change'] as const

test.each(uses)('who opens a store to %s finds none where nobody received, and makes none', async (use) => {
  const { path } = await filled()
  const missing = `${path}.other`
  expect(await openStore(`sqlite://${missing}`, { clock, use })).toEqual({
    ...{ ok: false, error: expect.stringMatching(new RegExp(`^There is no inbox at ${missing}: `)) },
  })
  expect(existsSync(missing)).toBe(false)
  writeFileSync(missing, '')
  expect(await openStore(`sqlite://${missing}`, { clock, use })).toMatchObject({ ok: false })
})

test('a file of this version is opened without a write: also while another process writes, and on a full disk', async () => {
  const { path, address } = await filled()
  const writer = new DatabaseSync(path)
  writer.exec('BEGIN IMMEDIATE')
  const opened = await openStore(address, { clock, use: 'read' })
  if (!opened.ok) throw new Error(opened.error)
  expect(await readOn(opened.value)).toEqual(['a'])
  await opened.value.close()
  writer.close()
})

test('where nothing can be written beside the file it is read as it is, and not changed', async () => {
  const { path, address } = await filled()
  // As on a read-only disk SQLite can make none of its files.
  symlinkSync(join(path, 'nowhere'), `${path}-shm`)
  const opened = await openStore(address, { clock, use: 'read' })
  if (!opened.ok) throw new Error(opened.error)
  expect(await readOn(opened.value)).toEqual(['a'])
  await opened.value.close()
  expect(await openStore(address, { clock, use: 'change' })).toMatchObject({ ok: false })
  // What is in a log would be left out.
  writeFileSync(`${path}-wal`, 'something')
  expect(await openStore(address, { clock, use: 'read' })).toMatchObject({ ok: false })
})
