import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WhitelistEntry } from '../../src/domain/transfers/transfer.ts'
import { whitelistNews } from '../../src/domain/transfers/whitelist.ts'
import { createWhitelistMemory } from '../../src/state-files/whitelist-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pitdesk-whitelist-'))
})
afterEach(() => {
  chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true, force: true })
})

const cold: WhitelistEntry = { whitelistId: 'w1', name: 'cold', currency: 'BTC' }
const ops: WhitelistEntry = { whitelistId: 'w2', name: 'ops', currency: null }
const path = () => join(folder, 'whitelist', 'main.json')

test('the first look takes every entry for what it is; what comes after a restart is new until something is sent to it', async () => {
  const first = createWhitelistMemory(path())
  expect(await first.read()).toBeNull()
  await first.look([cold], 1_000)
  const second = createWhitelistMemory(path())
  const { memory, trouble } = await second.look([cold, ops], 2_000)
  expect(trouble).toBeNull()
  expect(whitelistNews(cold, memory, 9_000)).toEqual({ kind: 'known' })
  expect(whitelistNews(ops, memory, 9_000)).toEqual({ kind: 'new', sinceMs: 2_000 })
  // Looking again and again does not make it known.
  await second.look([cold, ops], 3_000)
  const third = createWhitelistMemory(path())
  expect(whitelistNews(ops, await third.read(), 9_000)).toEqual({ kind: 'new', sinceMs: 2_000 })
  await third.trust('w2')
  expect(whitelistNews(ops, await createWhitelistMemory(path()).read(), 9_000)).toEqual({ kind: 'known' })
  expect(statSync(path()).mode & 0o777).toBe(0o600)
})

test('a name that changed is told over restarts, with the name that was trusted', async () => {
  await createWhitelistMemory(path()).look([cold], 1_000)
  await createWhitelistMemory(path()).look([{ ...cold, name: 'hot' }], 2_000)
  const renamed = { ...cold, name: 'hotter' }
  const { memory } = await createWhitelistMemory(path()).look([renamed], 3_000)
  expect(whitelistNews(renamed, memory, 9_000)).toEqual({ kind: 'renamed', from: 'cold' })
  // Back under its own name it is who it was.
  expect(whitelistNews(cold, memory, 9_000)).toEqual({ kind: 'known' })
})

test('nothing is written while nothing changes', async () => {
  const memory = createWhitelistMemory(path())
  await memory.look([cold], 1_000)
  const { ino } = statSync(path())
  await memory.look([cold], 2_000)
  // Each write replaces the file.
  expect(statSync(path()).ino).toBe(ino)
})

test('a memory that is removed while a desk runs is there for the next one, and makes nothing known', async () => {
  const memory = createWhitelistMemory(path())
  await memory.look([cold], 1_000)
  await memory.look([cold, ops], 2_000)
  rmSync(dirname(path()), { recursive: true })
  await memory.look([cold, ops], 3_000)
  const next = await createWhitelistMemory(path()).look([cold, ops], 4_000)
  expect(whitelistNews(ops, next.memory, 9_000)).toEqual({ kind: 'new', sinceMs: 2_000 })
  expect(whitelistNews(cold, next.memory, 9_000)).toEqual({ kind: 'known' })
})

test('what two desks of a profile learn is all kept', async () => {
  const one = createWhitelistMemory(path())
  const other = createWhitelistMemory(path())
  await one.look([cold], 1_000)
  await other.look([cold, ops], 2_000)
  await one.trust('w2')
  const kept = await createWhitelistMemory(path()).read()
  expect([...(kept ?? [])].map(([id, { trustedName }]) => [id, trustedName])).toEqual([
    ['w1', 'cold'],
    ['w2', 'ops'],
  ])
})

test('a damaged memory is put aside and told of once, and from then on every entry counts as new, after a restart too', async () => {
  mkdirSync(dirname(path()), { recursive: true })
  writeFileSync(path(), '{"version":1,"entries":[{"whitelistId":7}]}')
  const memory = createWhitelistMemory(path())
  expect((await memory.read())?.size).toBe(0)
  const looked = await memory.look([cold], 1_000)
  expect(looked.trouble).toContain('main.json is damaged')
  expect((await memory.look([cold, ops], 1_500)).trouble).toBeNull()
  expect(whitelistNews(cold, looked.memory, 9_000)).toMatchObject({ kind: 'new' })
  expect(readdirSync(dirname(path())).toSorted()).toEqual(['main.json', 'main.json.damaged-1'])
  const restarted = await createWhitelistMemory(path()).look([cold], 2_000)
  expect(whitelistNews(cold, restarted.memory, 9_000)).toEqual({ kind: 'new', sinceMs: 1_000 })
})

test('what the disk does not take is remembered all the same, and told of once', async () => {
  mkdirSync(join(folder, 'whitelist'))
  writeFileSync(join(folder, 'whitelist', 'main.json'), 'no JSON')
  // A folder in the place where a damaged file would be kept can be none of ours to replace.
  const memory = createWhitelistMemory(join(folder, 'whitelist', 'main.json', 'below'))
  const first = await memory.look([cold], 1_000)
  expect(first.trouble).toContain('its memory of the whitelist')
  const second = await memory.look([cold, ops], 2_000)
  expect(second.trouble).toBeNull()
  expect(whitelistNews(ops, second.memory, 9_000)).toMatchObject({ kind: 'new' })
  expect(readFileSync(join(folder, 'whitelist', 'main.json'), 'utf8')).toBe('no JSON')
})

test('what another program sent meanwhile is known at the next look', async () => {
  const desk = createWhitelistMemory(path())
  await desk.look([cold], 1_000)
  await desk.look([cold, ops], 2_000)
  await createWhitelistMemory(path()).trust('w2')
  const { memory } = await desk.look([cold, ops], 3_000)
  expect(whitelistNews(ops, memory, 9_000)).toEqual({ kind: 'known' })
})
