import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { compiled, testCluster, testInk } from './test-builds.mjs'
import LongestFirst from './vitest-order.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

// What Node compiles, in the processes of tests and in those that they start, is kept from one to the next.
process.env.NODE_COMPILE_CACHE ??= compiled

const testFiles = (room) => [`${room}/**/*.test.ts`, `${room}/**/*.test.tsx`]

const filesOf = (rooms) => rooms.flatMap((room) => testFiles(`test/${room}`))

/** Rooms whose files change nothing outside them, and take no long. */
const fastRooms = filesOf([
  ...['api', 'base', 'config', 'desk', 'domain', 'services', 'state-files', 'store', 'themes', 'ui', 'wire'],
  ...['admin', 'core', 'engine', 'gateway', 'http', 'ledger', 'market'].map((room) => `sandbox/${room}`),
])

/** Rooms with whole desks and commands, files and databases, each in folders of its own. */
const longRooms = [
  ...filesOf(['commands', 'fakes', 'history', 'http-server', 'hub', 'inbox', 'journal', 'journeys', 'lock', 'manual']),
  ...filesOf(['sandbox/persistence']),
  ...['test/sandbox/gateway-simulation.test.ts', 'test/sandbox/start-sandbox.test.ts'],
]

/** Rooms that start the program: their own processes do little but look, and load the same things for it. */
const startingRooms = filesOf(['drill', 'pty'])

export default defineConfig(({ mode }) => ({
  root,
  test: {
    projects: [
      // Few processes, each of which loads the program once for many files.
      // Most functions run too seldom there for the slowest compiler to give back what it takes.
      { extends: true, test: { name: 'shared', include: fastRooms, isolate: false, execArgv: ['--no-turbofan'] } },
      { extends: true, test: { name: 'long', include: longRooms, isolate: false } },
      { extends: true, test: { name: 'starting', include: startingRooms, isolate: false } },
      // A process for each file.
      {
        extends: true,
        test: { name: 'apart', include: testFiles('test'), exclude: [...fastRooms, ...longRooms, ...startingRooms] },
      },
    ],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['.tools/vitest-setup.mjs'],
    // Code is loaded by Node itself. The screen is drawn by what the program draws it with: Ink with its memory,
    // production React.
    setupFiles: ['.tools/test-modules.mjs', '.tools/chance.mjs'],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Fixed terminal size and colours: without them Ink starts `tput` at every render.
    // `--mode long` asks for the long form of what runs short otherwise (`test/fakes/runs.ts`).
    env: {
      ...{ COLUMNS: '120', LINES: '40', FORCE_COLOR: '3', NODE_ENV: 'production', TZ: 'UTC' },
      ...{ PITDESK_TEST_FORM: mode, PITDESK_TEST_CLUSTER: testCluster, PITDESK_TEST_INK: testInk },
    },
    pool: 'forks',
    // More than there are processors: real terminals and databases are waited for more than they are reckoned with.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', '.tools/vitest-summary.mjs'],
    // Far above what a test takes on a busy machine: they end what hangs, and fail nothing for being slow.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
}))
