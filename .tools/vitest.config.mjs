import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { inkTablePath } from './build.mjs'
import { manualPlugin } from './manual.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

const testFiles = (room) => [`${room}/**/*.test.ts`, `${room}/**/*.test.tsx`]

/**
 * Rooms whose files change nothing outside them: they share a process each with others, which loads the program once
 * for all.
 */
const sharedRooms = [
  ...['api', 'base', 'config', 'desk', 'domain', 'services', 'state-files', 'store', 'themes', 'ui', 'wire'],
  ...['admin', 'core', 'engine', 'gateway', 'http', 'ledger', 'market'].map((room) => `sandbox/${room}`),
].flatMap((room) => testFiles(`test/${room}`))

export default defineConfig({
  root,
  plugins: [manualPlugin],
  resolve: { alias: { 'ink-table': inkTablePath } },
  define: { 'process.env.DEV': '"false"' },
  test: {
    projects: [
      { extends: true, test: { name: 'shared', include: sharedRooms, isolate: false } },
      { extends: true, test: { name: 'apart', include: testFiles('test'), exclude: sharedRooms } },
    ],
    globalSetup: ['.tools/vitest-setup.mjs'],
    // Fixed terminal size and colours: without them Ink starts `tput` at every render.
    env: { COLUMNS: '120', LINES: '40', FORCE_COLOR: '3', NODE_ENV: 'test', TZ: 'UTC' },
    pool: 'forks',
    reporters: ['default', '.tools/vitest-summary.mjs'],
    // Far above what a test takes on a busy machine: they end what hangs, and fail nothing for being slow.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
