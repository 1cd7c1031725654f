import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/inbox/store/open-store.ts'
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
