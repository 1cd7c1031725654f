// What Stryker is told, and its answer in the words of the report.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import { describeMutant } from './verdict.mjs'

/** Folders that no room's tests read. */
const notCopied = ['/dist', '/.cache', '/.github', '/.ci', '/share', '/test/journeys', '/test/pty', '/test/drill']

/** Time in ms that a mutant may take beyond four times its tests' own, before it is said to hang. */
const hangMs = 60_000

/**
 * Leaves in the memory of earlier runs only what was killed. Stryker itself would take survivors from there as well,
 * and of code that runs while a file is loaded even those that a new test kills.
 */
function forgetSurvivors(memory) {
  if (!existsSync(memory)) return
  const report = JSON.parse(readFileSync(memory, 'utf8'))
  for (const file of Object.values(report.files))
    file.mutants = file.mutants.filter((mutant) => outcomeOf(mutant) === 'killed')
  writeFileSync(memory, JSON.stringify(report))
}

/**
 * Mutates `files`, and asks of each mutant the tests of the room that `PITDESK_MUTATE_ROOM` names. Works in a copy of
 * the tree below `scratch`. What it found is kept in `memory` and, unless `isFresh`, taken from there where neither
 * the mutant nor its tests changed.
 */
export async function mutate({ files, scratch, memory, isFresh, workers }) {
  forgetSurvivors(memory)
  // As they are while they are copied: somebody may go on writing.
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const found = await new Stryker({
    mutate: files,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: '.tools/mutate/vitest.config.mjs', related: false },
    coverageAnalysis: 'perTest',
    // What is run once while a file is loaded, such as a table: each such mutant is asked of all tests of the room.
    ignoreStatic: false,
    disableTypeChecks: false,
    ignorePatterns: notCopied,
    symlinkNodeModules: false,
    tempDirName: scratch,
    cleanTempDir: 'always',
    incremental: true,
    incrementalFile: memory,
    force: isFresh,
    concurrency: workers,
    timeoutMS: hangMs,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 15,
    reporters: process.stdout.isTTY ? ['progress'] : ['progress-append-only'],
    thresholds: { high: 100, low: 90, break: null },
    allowConsoleColors: false,
    tsconfigFile: 'none',
  }).runMutationTest()
  return found.flatMap((mutant) => {
    const file = relative(process.cwd(), mutant.fileName)
    const text = texts.get(file)
    // Of the other files of the room the memory tells.
    if (text === undefined) return []
    return [{ ...describeMutant({ ...mutant, file }, text), outcome: outcomeOf(mutant) }]
  })
}

/**
 * What became of a mutant. An endless loop is told by how often it was passed, and counts as killed, as does code with
 * which tests cannot even be loaded; a mutant that was ended by the clock `hangs`, and does not: no test said that it
 * is wrong.
 */
function outcomeOf({ status, statusReason }) {
  if (status === 'Killed') return 'killed'
  if (status === 'Timeout') return statusReason?.startsWith('Hit limit') ? 'killed' : 'hangs'
  if (status === 'RuntimeError' && statusReason?.startsWith('An error occurred outside of a test run')) return 'killed'
  if (status === 'Survived' || status === 'NoCoverage') return 'survived'
  return 'broken'
}
