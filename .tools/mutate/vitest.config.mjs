// The tests of one room (`PITDESK_MUTATE_ROOM`), as `npm run mutate` and `npm run coverage` ask them: one process, no
// screen, and chance from one seed, so that two runs have the same mutants killed.
import { matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { manualPlugin } from '../manual.mjs'
import { patternOf, rooms } from './rooms.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const room = rooms[process.env.PITDESK_MUTATE_ROOM ?? '']
if (room === undefined) throw new Error('PITDESK_MUTATE_ROOM names no room of .tools/mutate/rooms.mjs')

const patterns = room.tests.map((name) => patternOf(name, '.test.ts'))
const place = (file) => patterns.findIndex((pattern) => matchesGlob(relative(root, file), pattern))

/** Files in the order of the table: the first test that fails ends the run of a mutant. */
class AsListed extends BaseSequencer {
  async sort(files) {
    return files.toSorted((left, right) => place(left.moduleId) - place(right.moduleId))
  }
}

export default defineConfig({
  root,
  plugins: [manualPlugin],
  define: { 'process.env.DEV': '"false"' },
  test: {
    include: patterns,
    sequence: { sequencer: AsListed },
    setupFiles: ['.tools/mutate/one-seed.mjs'],
    env: { COLUMNS: '120', LINES: '40', NODE_ENV: 'production', TZ: 'UTC', PITDESK_TEST_FORM: 'test' },
    pool: room.pool ?? 'threads',
    // All files of a run load the code once, in a process or thread that ends with the run: the next has it anew.
    maxWorkers: 1,
    isolate: false,
    // A mutant for which a test waits forever is told by Stryker's own bound, and is not taken for killed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
