// `npm run mutate -- ROOM [--file GLOB] [--fresh] [--workers N]`: mutates a room's files, asks its tests of each
// mutant, lists those that survive, and writes the figures into test/README.md. `npm run coverage -- ROOM`: how many
// of their branches the same tests pass. Both end with 1 where a room is below its aim.
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join, matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { patternOf, rooms } from './rooms.mjs'
import { nameOf, rowOf, verdictOver, withRow } from './verdict.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readme = join(root, 'test/README.md')

/** Branches of a room's files that its tests pass, at least, in percent. */
const minBranches = 95

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    file: { type: 'string' },
    coverage: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    workers: { type: 'string', default: '1' },
  },
})
const name = positionals[0] ?? ''
const room = rooms[name]
if (room === undefined || positionals.length > 1) {
  process.stderr.write(
    `usage: npm run mutate -- ROOM [--file GLOB] [--fresh] [--workers N], npm run coverage -- ROOM; rooms: ` +
      `${Object.keys(rooms).join(', ')}\n`,
  )
  process.exit(2)
}
process.chdir(root)
process.env.PITDESK_MUTATE_ROOM = name
// It takes long, and gives way to what a person waits for.
setPriority(15)
const all = room.files.flatMap((entry) => globSync(patternOf(entry, '.ts'))).sort()
const files = values.file === undefined ? all : all.filter((file) => matchesGlob(file, values.file))
const isWhole = files.length === all.length
const memory = join(root, '.cache/mutate')
mkdirSync(memory, { recursive: true })
const scratch = mkdtempSync(join(tmpdir(), 'pitdesk-mutate-'))
// Packages are found above the copy: Stryker takes no folder of packages that is a link itself.
symlinkSync(realpathSync('node_modules'), join(scratch, 'node_modules'))
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }))
// Stryker ends at a signal by itself, and keeps what it found so far.
if (values.coverage) for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
process.exit((values.coverage ? await cover() : await kill()) ? 0 : 1)

/** Mutates, tells, writes the figures of a whole room down. Whether the room holds. */
async function kill() {
  const { mutate } = await import('./stryker.mjs')
  const mutants = await mutate({
    files,
    scratch,
    memory: join(memory, `${name}.json`),
    isFresh: values.fresh,
    workers: Number(values.workers),
  })
  const verdict = verdictOver(mutants, JSON.parse(readFileSync('test/mutants.json', 'utf8')), files)
  for (const mutant of verdict.left) console.log(`${mutant.outcome}: line ${mutant.line} of ${nameOf(mutant)}\n`)
  const entries = verdict.left.map(({ file, code, mutated }) => ({ file, code, mutated, why: '' }))
  writeFileSync(join(memory, `${name}-left.json`), `${JSON.stringify(entries, null, 2)}\n`)
  for (const fault of verdict.faults) console.log(`✗ ${fault}`)
  console.log(
    `${name}: ${verdict.mutants} mutants, ${verdict.killed} killed, ${verdict.hanging} hanging, ${verdict.equal} ` +
      `equal, score ${verdict.score.toFixed(1)} %`,
  )
  const { mutants: made, killed, hanging, equal, score } = verdict
  if (isWhole) note([made, killed, hanging, equal, `${score.toFixed(1)} %`], 0)
  return verdict.faults.length === 0
}

/** Asks the room's tests once, and tells the share of branches that they pass. Whether it is enough. */
async function cover() {
  const { startVitest } = await import('vitest/node')
  const run = await startVitest('test', [], {
    config: '.tools/mutate/vitest.config.mjs',
    watch: false,
    coverage: {
      enabled: true,
      provider: 'v8',
      include: files,
      reporter: ['json-summary', 'json'],
      reportsDirectory: scratch,
    },
  })
  const isPassed = run.state.getCountOfFailedTests() === 0
  await run.close()
  const { total } = JSON.parse(readFileSync(join(scratch, 'coverage-summary.json'), 'utf8'))
  for (const line of branchesNotTaken(JSON.parse(readFileSync(join(scratch, 'coverage-final.json'), 'utf8'))))
    console.log(`not taken: ${line}`)
  const percent = (100 * total.branches.covered) / total.branches.total
  console.log(`${name}: ${total.branches.covered} of ${total.branches.total} branches, ${percent.toFixed(1)} %`)
  if (isWhole && isPassed) note([`${percent.toFixed(1)} %`], 5)
  return isPassed && percent >= minBranches
}

/** Where a branch begins that no test takes: `src/wire/exact-json.ts:40`. */
function branchesNotTaken(report) {
  const places = Object.values(report).flatMap(({ path, branchMap, b: counts }) =>
    Object.entries(branchMap).flatMap(([id, { locations, loc }]) =>
      // An else that is not written has no place of its own.
      locations.flatMap(({ start }, at) =>
        counts[id][at] === 0 ? [`${relative(root, path)}:${start.line ?? loc.start.line}`] : [],
      ),
    ),
  )
  return [...new Set(places)]
}

/** Writes figures into the room's row, from cell `at` on, with the day. */
function note(figures, at) {
  const text = readFileSync(readme, 'utf8')
  const before = rowOf(text, name)
  const cells = Array.from({ length: 6 }, (_, cell) => figures[cell - at] ?? before[cell] ?? '')
  writeFileSync(readme, withRow(text, name, [...cells, new Date().toISOString().slice(0, 10)]))
}
