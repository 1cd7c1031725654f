import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { inkTablePath } from './build.mjs'
import { manualPlugin } from './manual.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig({
  root,
  plugins: [manualPlugin],
  resolve: { alias: { 'ink-table': inkTablePath } },
  define: { 'process.env.DEV': '"false"' },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
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
