// Builds what runs: `dist/main.js` (the program, in few files, so that it starts quickly), `dist/store-thread.js` and
// `dist/practice-thread.js` (threads of the inbox and of the practice exchange), `dist/pitdesk.js` (the launcher, plain
// JavaScript, which names the Node it needs) and `dist/man` (man pages). `npm start` runs it when a source is newer,
// `npm run release` always.

import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { asciiPlugin } from './ascii.mjs'
import { buildAlone } from './build-lock.mjs'
import { builtinsPlugin } from './builtins.mjs'
import { inkMemoryPlugin } from './ink-memory.mjs'
import { lateProtocolsPlugin } from './late-protocols.mjs'
import { lazyEmojiPlugin } from './lazy-emoji.mjs'
import { buildManPages, manualPlugin } from './manual.mjs'
import { programParts } from './parts.mjs'
import { isProgramNew, programLock } from './program-age.mjs'
import { yogaBytesPlugin } from './yoga-bytes.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const empty = `${root}.tools/empty.mjs`
export const inkTablePath = `${root}.cache/ink-table.js`
/** The packages that are in it. */
const inkTablePackages = `${root}.cache/ink-table.json`

/**
 * ink-table is CommonJS and `require`s Ink, whose module graph has a top-level await, so no loader can import it as it
 * is. Built once to an ES module with Ink and React left outside, it works everywhere; bundle and tests both use that.
 */
export async function buildInkTable() {
  if (existsSync(inkTablePath) && existsSync(inkTablePackages)) return
  const bundle = await rolldown({
    input: `${root}node_modules/ink-table/dist/index.js`,
    platform: 'node',
    logLevel: 'silent',
    plugins: [esmExternalRequirePlugin({ external: ['ink', 'react'] })],
  })
  const fresh = `${inkTablePath}.${process.pid}`
  const { output } = await bundle.write({ file: fresh, format: 'esm', codeSplitting: false })
  await rename(fresh, inkTablePath)
  await writeFile(inkTablePackages, JSON.stringify(contentsOf(output).packages))
}

/** What the program starts as threads, which look for their files beside it: a bundle of it needs them all. */
export const threads = {
  'store-thread': `${root}src/inbox/store/sqlite/store-thread.ts`,
  'practice-thread': `${root}src/sandbox/apart/practice-thread.ts`,
}

/** How the program is bundled, for whatever is to run as the program does: production React. */
export const programInput = {
  platform: 'node',
  plugins: [yogaBytesPlugin, lazyEmojiPlugin, manualPlugin],
  resolve: {
    alias: {
      'ink-table': inkTablePath,
      'react-devtools-core': empty,
    },
  },
  transform: {
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.DEV': '"false"',
      'Intl.Segmenter': 'LazySegmenter',
      // undici's word for a build of Node's own, which has no second parser to try out: a quarter of it.
      esbuildDetection: 'true',
    },
    inject: { LazySegmenter: `${root}.tools/lazy-segmenter.mjs` },
  },
  logLevel: 'warn',
  // The ES build of ink-table asks a module for an export that only CommonJS has, and does without.
  onLog: (level, log, report) => (log.code === 'IMPORT_IS_UNDEFINED' ? undefined : report(level, log)),
}

/** Bundles Ink into `folder`, as the program has it but with a memory, and what tests use beside it; without React. */
export async function buildInk(folder) {
  await buildInkTable()
  const bundle = await rolldown({
    ...programInput,
    input: {
      ink: `${root}node_modules/ink/build/index.js`,
      'ink-table': inkTablePath,
      'ink-testing-library': `${root}node_modules/ink-testing-library/build/index.js`,
    },
    plugins: [...programInput.plugins, inkMemoryPlugin, esmExternalRequirePlugin({ external: ['react'] })],
  })
  await bundle.write({ dir: folder, format: 'esm' })
}

/**
 * What Fastify loads when a route has a schema, something is logged or a request is injected: none of it is done here
 * (`src/http-server/app.ts`), and it is half of its code, held in memory by each thread that serves.
 */
const unusedByFastify = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request', 'pino']

async function bundleInto(dir, input, { plugins = [], ...options }, codeSplitting = true) {
  const alias = { ...programInput.resolve.alias, undici: `${root}.tools/undici/index.js` }
  for (const name of unusedByFastify) alias[name] = empty
  const bundle = await rolldown({
    ...programInput,
    plugins: [...programInput.plugins, ...plugins, lateProtocolsPlugin, builtinsPlugin, asciiPlugin],
    resolve: { alias },
    input,
    ...options,
  })
  const { output } = await bundle.write({
    dir,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    format: 'esm',
    charset: 'ascii',
    sourcemap: true,
    codeSplitting,
    // Names of functions and classes stay, for whoever reads a crash report; space and other names are half the text.
    minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  })
  return output.filter(({ type }) => type === 'chunk')
}

const packageOf = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//

/**
 * What there is in a bundle: the folders of packages whose code is in it, and what its files import that neither lies
 * beside them nor is Node's own.
 */
function contentsOf(chunks) {
  const own = new Set(chunks.map(({ fileName }) => fileName))
  const modules = chunks.flatMap(({ moduleIds }) =>
    moduleIds.map((id) => id.replace(/^\0+/, '').replace(/[?#].*$/, '')),
  )
  const outside = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((name) => !own.has(name) && !isBuiltin(name))
  return {
    packages: [...new Set(modules.flatMap((id) => packageOf.exec(id)?.[0] ?? []))].sort(),
    outside: [...new Set(outside)].sort(),
  }
}

/**
 * Bundles the program into `folder`, with every package that it uses; those that a desk's first screen does not need
 * are files of their own, loaded when used. Gives what is in it, as `contentsOf` does. Files are put in place one by
 * one and old ones go last: a program that runs from the folder finds what it loads later for as long as it is the
 * same.
 */
export async function build(folder = `${root}dist`) {
  await buildInkTable()
  await mkdir(folder, { recursive: true })
  const fresh = await mkdtemp(`${folder}/.new-`)
  const { plugin, groups } = programParts({
    start: 'src/commands/desk.ts',
    screen: 'src/desk/screen/on-screen.ts',
    opening: 'src/desk/opening.ts',
  })
  const chunks = await bundleInto(fresh, { main: `${root}src/main.tsx` }, { plugins: [plugin] }, { groups })
  // Each thread has files of its own, with what it needs and no more: what is compiled of them is kept for it alone,
  // and its servers' many files are one.
  for (const [name, file] of Object.entries(threads)) chunks.push(...(await bundleInto(fresh, { [name]: file }, {})))
  await copyFile(`${root}.tools/launcher.mjs`, `${fresh}/pitdesk.js`)
  await copyFile(`${root}.tools/own-node.mjs`, `${fresh}/own-node.mjs`)
  await chmod(`${fresh}/pitdesk.js`, 0o755)
  const names = await readdir(fresh)
  const isEntry = (name) => !name.includes('-') || Object.keys(threads).some((thread) => name.startsWith(`${thread}.`))
  // What starts the program comes last: before, it would look for files that are not there yet.
  for (const name of names.toSorted((one, two) => Number(isEntry(one)) - Number(isEntry(two))))
    await rename(`${fresh}/${name}`, `${folder}/${name}`)
  await rmdir(fresh)
  await buildManPages(`${folder}/man`)
  for (const name of await readdir(folder))
    if (!names.includes(name) && name !== 'man') await rm(`${folder}/${name}`, { recursive: true })
  const { packages, outside } = contentsOf(chunks)
  const ofInkTable = JSON.parse(await readFile(inkTablePackages, 'utf8'))
  return { packages: [...new Set([...packages, ...ofInkTable])].sort(), outside }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let hasBuilt = false
  const isBuilt = () => hasBuilt || (process.argv.includes('--unless-new') && isProgramNew())
  await mkdir(`${root}.cache`, { recursive: true })
  await buildAlone({
    ...{ lock: programLock, isBuilt },
    build: async () => {
      await build()
      hasBuilt = true
    },
  })
}
