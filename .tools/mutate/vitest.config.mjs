// The tests of one room (`PITDESK_MUTATE_ROOM`), as `npm run mutate` and `npm run coverage` ask them: one process, no
// screen, and chance from one seed, so that two runs have the same mutants killed.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { manualPlugin } from '../manual.mjs'
import { patternOf, rooms } from './rooms.mjs'

const room = rooms[process.env.PITDESK_MUTATE_ROOM ?? '']
if (room === undefined) throw new Error('PITDESK_MUTATE_ROOM names no room of .tools/mutate/rooms.mjs')

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [manualPlugin],
  define: { 'process.env.DEV': '"false"' },
  test: {
    include: room.tests.map((name) => patternOf(name, '.test.ts')),
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
