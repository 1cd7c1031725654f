import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../../.tools/build.mjs'

const folder = `${process.cwd()}/.cache/parts-program`
const home = mkdtempSync(join(tmpdir(), 'pitdesk-parts-'))
beforeAll(() => build(folder))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const files = () => readdirSync(folder).filter((name) => name.endsWith('.js'))
const partOf = (name: string) => files().find((file) => file.startsWith(`${name}-`)) ?? ''

/** The files of the program that a file loads from the first moment, itself among them. */
function loadedBy(file: string): ReadonlySet<string> {
  const seen = new Set([file])
  for (const each of seen) {
    const text = readFileSync(`${folder}/${each}`, 'utf8')
    for (const [, next = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) seen.add(next)
  }
  return seen
}

test('the first screen is in few files, and waits for neither client nor exchange', () => {
  const loaded = loadedBy(partOf('screen'))
  expect(loaded.size).toBeLessThanOrEqual(8)
  expect(loaded).toContain(partOf('base'))
  for (const name of ['services', 'opening', 'sandbox', 'receiver']) expect(loaded).not.toContain(partOf(name))
  expect(loadedBy(partOf('opening'))).toContain(partOf('services'))
})

test('a second build leaves the files of the same program where they are, and nothing else', async () => {
  const before = files()
  writeFileSync(`${folder}/left-over.js`, '')
  await build(folder)
  expect(files()).toEqual(before)
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
})

test.each(['/proc/nowhere', '/dev/null', join(home, 'none', 'below')])(
  'without a place for its cache, such as %s, the program starts all the same',
  (cacheHome) => {
    const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: cacheHome }
    const options = { env, encoding: 'utf8', timeout: 20_000 } as const
    const { stdout, stderr, status } = spawnSync(process.execPath, [`${folder}/pitdesk.js`, '--version'], options)
    expect({ stdout, stderr, status }).toEqual({
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
      status: 0,
    })
  },
)
