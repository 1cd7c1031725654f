import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { createJsonFile } from '../../src/state-files/json-file.ts'

const schema = z.object({ version: z.literal(1), names: z.array(z.string()) })
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitdesk-state-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const fileAt = (path: string) => createJsonFile(path, 'the names', schema)

test('what is written is read again, by its owner alone, and nothing else stays behind', async () => {
  const path = join(folder, 'desk', 'names.json')
  const file = fileAt(path)
  expect(await file.read()).toEqual({ ok: true, value: null })
  expect(await file.write({ version: 1, names: ['a'] })).toEqual({ ok: true, value: null })
  expect(await fileAt(path).read()).toEqual({ ok: true, value: { version: 1, names: ['a'] } })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'desk')).mode & 0o777).toBe(0o700)
  expect(readdirSync(join(folder, 'desk'))).toEqual(['names.json'])
})

test('what could not be read again is not written, and what was kept stays', async () => {
  const path = join(folder, 'names.json')
  const short = z.object({ version: z.literal(1), names: z.array(z.string().max(3)) })
  const file = createJsonFile(path, 'the names', short)
  await file.write({ version: 1, names: ['a'] })
  expect(await file.write({ version: 1, names: ['b', 'long'] })).toEqual({
    ok: false,
    error: `Not kept: the names, for names.1 could not be read again. ${path} is left unchanged.`,
  })
  expect(await file.read()).toEqual({ ok: true, value: { version: 1, names: ['a'] } })
  expect(readdirSync(folder)).toEqual(['names.json'])
})

test('writes asked for at once end with the last one', async () => {
  const path = join(folder, 'names.json')
  const file = fileAt(path)
  const results = await Promise.all(['a', 'b', 'c'].map((name) => file.write({ version: 1, names: [name] })))
  expect(results.map((result) => result.ok)).toEqual([true, true, true])
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 1, names: ['c'] })
})

test.each([
  ['no JSON', '{"version":1,"na'],
  ['nothing at all', ''],
  ['something else', '{"version":1,"names":7}'],
])('a damaged file (%s) is put aside before a change, under a name of its own, and not by reading', async (_, text) => {
  const path = join(folder, 'names.json')
  const damaged = `${path} is damaged: the names cannot be read.`
  for (const number of [1, 2]) {
    writeFileSync(path, text)
    const file = fileAt(path)
    const before = readdirSync(folder)
    for (const _ of [1, 2])
      expect(await file.read()).toEqual({
        ok: false,
        error: `${damaged} Whatever is written there next keeps the damaged file beside it.`,
      })
    expect(readdirSync(folder)).toEqual(before)
    const aside = `${path}.damaged-${number}`
    if (number === 2)
      expect(await fileAt(path).readToChange()).toEqual({
        ok: false,
        error: `${damaged} The damaged file is kept as ${aside}.`,
      })
    expect(await file.write({ version: 1, names: [] })).toEqual({ ok: true, value: null })
    expect(readFileSync(aside, 'utf8')).toBe(text)
  }
  expect(readdirSync(folder)).toEqual(['names.json', 'names.json.damaged-1', 'names.json.damaged-2'])
})

test('what cannot be read is left alone and never written over', async () => {
  const path = join(folder, 'names.json')
  mkdirSync(path)
  const file = fileAt(path)
  const read = await file.read()
  expect(read.ok ? '' : read.error).toMatch(
    /cannot be read: not a plain file \(EFTYPE\)\. It is left alone, and the names with it\.$/,
  )
  const written = await file.write({ version: 1, names: [] })
  expect(written.ok ? '' : written.error).toMatch(/^Not kept: the names, for .*EFTYPE/)
  expect(readdirSync(folder)).toEqual(['names.json'])
})

test('a folder that cannot be made is a sentence', async () => {
  writeFileSync(join(folder, 'taken'), '')
  const written = await fileAt(join(folder, 'taken', 'names.json')).write({ version: 1, names: [] })
  expect(written.ok ? '' : written.error).toMatch(/^Not kept, .*: the names in .*names\.json\.$/)
})

test('a byte order mark is no damage', async () => {
  const path = join(folder, 'names.json')
  writeFileSync(path, '\uFEFF{"version":1,"names":["a"]}')
  expect(await fileAt(path).read()).toEqual({ ok: true, value: { version: 1, names: ['a'] } })
})

test('a pipe, a device or a huge file in its place costs a sentence', async () => {
  const [pipe, device, huge] = ['pipe.json', 'device.json', 'huge.json'].map((name) => join(folder, name))
  execFileSync('mkfifo', [pipe ?? ''])
  symlinkSync('/dev/zero', device ?? '')
  writeFileSync(huge ?? '', '')
  truncateSync(huge ?? '', 8e9)
  for (const path of [pipe, device, huge]) {
    const read = await fileAt(path ?? '').read()
    expect(read.ok ? '' : read.error, path).toMatch(/^[^\n]*cannot be read: [^\n]+\.$/)
  }
})

test.each([
  ['of a newer program', () => '{"version":2}', /was written by a newer pitdesk/],
  ['that cannot be read', () => 'x'.repeat(64 * 1024 * 1024 + 1), /cannot be read/],
])('once a file %s is moved away, what is written after it is kept', async (_, text, why) => {
  for (const looksAgain of [true, false]) {
    const path = join(folder, 'names.json')
    writeFileSync(path, text())
    const file = fileAt(path)
    expect(await file.read()).toMatchObject({ ok: false, error: expect.stringMatching(why) })
    expect(await file.write({ version: 1, names: ['a'] })).toMatchObject({
      ok: false,
      error: expect.stringMatching(why),
    })
    rmSync(path)
    if (looksAgain) expect(await file.readToChange()).toEqual({ ok: true, value: null })
    expect(await file.write({ version: 1, names: ['a'] })).toEqual({ ok: true, value: null })
    expect([file.isNewer(), await file.read()]).toEqual([false, { ok: true, value: { version: 1, names: ['a'] } }])
    rmSync(path)
  }
})
