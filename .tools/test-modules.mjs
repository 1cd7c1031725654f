// How tests load code: as Node does, with types and JSX taken out of each file by what bundles the program. Vitest's
// own way takes an eighth more processor time of the rooms that start no program: every file is asked for from its main
// process, and every name that is imported is looked up behind a getter each time that it is used.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const require = createRequire(import.meta.url)
const root = new URL('..', import.meta.url).href
const isOwn = (url) => url.startsWith(root) && !url.includes('/node_modules/')

/** Where the code of sources is kept (`test-builds.mjs`). */
const transformed = fileURLToPath(`${root}.cache/transformed`)

/** Ink as the program has it, with a memory (`test-builds.mjs`). */
const inkFiles = new Map(
  ['ink', 'ink-table', 'ink-testing-library'].map((name) => [
    name,
    pathToFileURL(`${process.env.PITDESK_TEST_INK}/${name}.js`).href,
  ]),
)

/** What a name stands for that is no path: the same in every file of ours. */
const packages = new Map()

function resolve(specifier, context, next) {
  const isOurs = context.parentURL !== undefined && isOwn(context.parentURL)
  // By full names, as the compiler asks for them: nothing has to be looked for.
  if (isOurs && specifier.startsWith('.'))
    return {
      url: new URL(specifier, context.parentURL).href,
      importAttributes: context.importAttributes,
      shortCircuit: true,
    }
  if (!isOurs) return resolved(specifier, context, next)
  const found = packages.get(specifier) ?? resolved(specifier, context, next)
  packages.set(specifier, found)
  return found
}

function resolved(specifier, context, next) {
  const ink = inkFiles.get(specifier)
  if (ink !== undefined) return { url: ink, format: 'module', shortCircuit: true }
  const found = next(specifier, context)
  // Vitest gives a file of tests another name each time: what was compiled of it would not be found again.
  return { ...found, url: found.url.replace(/\?vitest=\d+$/, ''), shortCircuit: true }
}

/** The code of a source, with a map by which a failure names its line. */
function codeOf(path, source) {
  // Loaded only where something is new.
  const { transformSync } = require('rolldown/utils')
  const jsx = { runtime: 'automatic', development: false }
  const { code, map, errors } = transformSync(path, source, { jsx, sourcemap: true })
  if (errors.length > 0) throw new SyntaxError(errors.map(({ message }) => `${path}: ${message}`).join('\n'))
  const text = Buffer.from(JSON.stringify(map)).toString('base64')
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${text}`
}

const transformer = require('rolldown/package.json').version

/**
 * The same, kept from one process to the next for each source and path: that takes a whole desk's code three seconds of
 * processor time.
 */
function keptCodeOf(path) {
  const source = readFileSync(path, 'utf8')
  const sum = createHash('sha1').update(`${transformer} ${path}\n${source}`).digest('hex')
  const kept = `${transformed}/${sum}.js`
  try {
    return readFileSync(kept, 'utf8')
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  const code = codeOf(path, source)
  // In one go: other processes read it meanwhile.
  const fresh = `${kept}.${process.pid}`
  mkdirSync(transformed, { recursive: true })
  writeFileSync(fresh, code)
  renameSync(fresh, kept)
  return code
}

function load(url, context, next) {
  if (!isOwn(url)) return next(url, context)
  const path = fileURLToPath(url)
  if (/\.tsx?$/.test(path)) return { format: 'module', source: keptCodeOf(path), shortCircuit: true }
  if (!path.endsWith('.md')) return next(url, context)
  const page = `export default ${JSON.stringify(readFileSync(path, 'utf8'))}`
  return { format: 'module', source: page, shortCircuit: true }
}

// Vitest asks for it before every file of tests, and hooks stay for the whole process.
const known = Symbol.for('pitdesk.test-modules')
if (globalThis[known] === undefined) registerHooks({ resolve, load })
globalThis[known] = true
