import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../../.tools/build.mjs'
import { buildTestProgram, testProgram } from '../../.tools/test-builds.mjs'

const folder = `${process.cwd()}/.cache/parts-program`
const home = mkdtempSync(join(tmpdir(), 'pitdesk-parts-'))

beforeAll(async () => {
  await buildTestProgram()
  rmSync(folder, { recursive: true, force: true })
  cpSync(testProgram, folder, { recursive: true })
})
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
  for (const name of ['client', 'services', 'opening', 'sandbox', 'receiver'])
    expect(loaded).not.toContain(partOf(name))
  expect(loadedBy(partOf('opening'))).toContain(partOf('services'))
})

test('every start loads little, and a desk begins its practice exchange before it loads what draws', () => {
  const first = loadedBy('main.js')
  for (const name of ['start', 'base', 'screen', 'client', 'services']) expect(first).not.toContain(partOf(name))
  const begun = loadedBy(partOf('start'))
  for (const name of ['base', 'screen', 'client', 'services']) expect(begun).not.toContain(partOf(name))
})

test('a thread has files of its own, and its exchange starts without the HTTP client', () => {
  const own = loadedBy('practice-thread.js')
  for (const name of [...own].filter((each) => !each.startsWith('rolldown-runtime')))
    expect([...loadedBy('main.js'), ...loadedBy(partOf('screen')), ...loadedBy(partOf('opening'))]).not.toContain(name)
  expect(files()).toContain(partOf('undici'))
  expect(own).not.toContain(partOf('undici'))
})

test('what serves has no compilers of schemas, and what asks no second parser', () => {
  // One that only passes names on to it may have the same name.
  const text = (name: string) => {
    const all = files().filter((file) => file.startsWith(`${name}-`))
    return all.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n')
  }
  // A word of each that no other code has, in a file that is known to hold the rest of its package.
  expect(text('fastify')).toContain('FST_ERR_CTP_ALREADY_PRESENT')
  for (const word of ['strictTypes', 'largeArrayMechanism', 'thread-stream', 'node:http2', 'require(`node:https`)'])
    expect(text('fastify')).not.toContain(word)
  for (const name of ['undici', 'client']) {
    expect(text(name)).toContain('llhttp_execute')
    expect(text(name)).not.toContain('miloPackage')
    expect(text(name)).not.toContain('node:http2')
  }
})

test('telemetry is in files of its own, which an inbox loads only when it is asked for it', () => {
  const holds = (name: string) => readFileSync(`${folder}/${name}`, 'utf8').includes('OTEL_EXPORTER_OTLP_CLIENT_KEY')
  expect(files().filter(holds)).toEqual([partOf('open-telemetry')])
  for (const name of files().filter((each) => each !== partOf('open-telemetry')))
    expect(loadedBy(name), name).not.toContain(partOf('open-telemetry'))
})

test('what serves agents is in a file of its own, which only that command loads', () => {
  const holds = (name: string) =>
    readFileSync(`${folder}/${name}`, 'utf8').includes('io.modelcontextprotocol/clientInfo')
  const own = files().filter(holds)
  expect(own.length).toBeGreaterThan(0)
  const starts = ['main.js', partOf('screen'), partOf('opening'), partOf('mcp')]
  for (const start of starts) for (const name of own) expect(loadedBy(start), start).not.toContain(name)
})

test('no file reads every name of node:http, behind one of which another HTTP client is loaded', () => {
  for (const name of files()) {
    const text = readFileSync(`${folder}/${name}`, 'utf8')
    expect({ name, is: /(?:from|import)\s*["'](?:node:)?http["']/.test(text) }).toEqual({ name, is: false })
  }
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
    const options = { env, encoding: 'utf8', timeout: 120_000 } as const
    const { stdout, stderr, status } = spawnSync(process.execPath, [`${folder}/pitdesk.js`, '--version'], options)
    expect({ stdout, stderr, status }).toEqual({
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
      status: 0,
    })
  },
)

/** What of the program is kept compiled in a cache folder after a start. */
function keptIn(cacheHome: string): readonly string[] {
  const env = { PATH: process.env.PATH, HOME: home, XDG_CACHE_HOME: cacheHome }
  const options = { env, encoding: 'utf8', timeout: 120_000 } as const
  const { stderr, status } = spawnSync(process.execPath, [`${folder}/pitdesk.js`, '--version'], options)
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return readdirSync(cacheHome, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
}

/** A cache folder as an earlier start left it, in which nothing is kept yet. */
function aCache(): { cacheHome: string; own: string } {
  const cacheHome = mkdtempSync(join(home, 'cache-'))
  const own = join(cacheHome, 'pitdesk')
  mkdirSync(join(own, 'compile'), { recursive: true, mode: 0o700 })
  return { cacheHome, own }
}

test('what was compiled is kept in a folder of the user, for nobody else to read', () => {
  const { cacheHome } = aCache()
  expect(keptIn(cacheHome).length).toBeGreaterThan(1)
  const made = mkdtempSync(join(home, 'cache-'))
  expect(keptIn(made).length).toBeGreaterThan(1)
  for (const name of ['pitdesk', 'pitdesk/compile']) expect(statSync(join(made, name)).mode & 0o777).toBe(0o700)
})

test.each(['', 'pitdesk', 'pitdesk/compile'])('nothing is kept where others can write: %j', (name) => {
  const { cacheHome } = aCache()
  chmodSync(join(cacheHome, name), 0o777)
  expect(keptIn(cacheHome)).toEqual([])
})

test('a folder such as /tmp may hold the one of the user', () => {
  const { cacheHome } = aCache()
  chmodSync(cacheHome, 0o1777)
  expect(keptIn(cacheHome).length).toBeGreaterThan(1)
})

test('nothing is kept in a folder of another user', () => {
  const { cacheHome, own } = aCache()
  const compile = join(own, 'compile')
  if (process.getuid?.() === 0) chownSync(compile, 65_534, 65_534)
  else {
    rmSync(compile, { recursive: true })
    symlinkSync('/', compile)
  }
  expect(keptIn(cacheHome)).toEqual([])
})
