// Single executables: Node itself with the package in it, by Node's own tool. The first start lays the package out in
// the user's cache, where Node runs it from: threads, man pages and what is compiled need files.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetched, run } from './run.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))
const postject = `${root}node_modules/postject/dist/cli.js`
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

/** Node for a platform as the lock file names it: the sum of what was fetched is the one that stands there. */
function nodeFor(platform, stage) {
  const name = `node-${platform}`
  const { version, integrity } = lock.packages[`node_modules/${name}`]
  // npm has held this machine's own one against its sum already.
  const installed = `${root}node_modules/${name}`
  if (existsSync(`${installed}/bin/node`) && versionOf(installed) === version) return `${installed}/bin/node`
  const folder = mkdtempSync(join(stage, 'node-'))
  const tarball = join(folder, fetched(`${name}@${version}`, folder))
  const sum = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
  if (sum !== integrity) throw new Error(`${name}@${version} is not what package-lock.json names`)
  run('tar', ['-xzf', tarball, '-C', folder, 'package/bin/node'])
  return join(folder, 'package/bin/node')
}

const versionOf = (folder) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).version

/** Every file below `folder`, by its path there. */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

/** What Node starts in an executable, with the package's own sum in it. */
function mainOf(folder, stage) {
  const sum = createHash('sha256')
  for (const file of filesIn(folder)) sum.update(`${file.slice(folder.length)}\0`).update(readFileSync(file))
  const main = join(stage, 'executable-main.cjs')
  const text = readFileSync(new URL('executable-main.cjs', import.meta.url), 'utf8')
  writeFileSync(main, text.replace("'SUM'", `'${sum.digest('hex').slice(0, 32)}'`))
  return main
}

/**
 * The package in `folder` as executables `NAME-VERSION-PLATFORM` in `out`. Gives the package of Node that is in each.
 */
export function buildExecutables(folder, { out, stage, platforms, name, version }) {
  if (platforms.length === 0) return []
  // Node's own licence and those of what it is made of; the same text for every platform.
  const [installed = ''] = readdirSync(`${root}node_modules`).filter((each) => /^node-\w+-\w+$/.test(each))
  copyFileSync(`${root}node_modules/${installed}/LICENSE`, join(folder, 'LICENSE.node'))
  const blob = join(stage, 'program.blob')
  const config = {
    main: mainOf(folder, stage),
    output: blob,
    disableExperimentalSEAWarning: true,
    // No door for a debugger, and none by the environment.
    execArgv: ['--disable-sigusr1'],
    execArgvExtension: 'none',
    useCodeCache: false,
    useSnapshot: false,
    assets: Object.fromEntries(filesIn(folder).map((file) => [file.slice(folder.length + 1), file])),
  }
  const configPath = join(stage, 'executable.json')
  writeFileSync(configPath, JSON.stringify(config))
  mkdirSync(out, { recursive: true })
  for (const platform of platforms) {
    const node = nodeFor(platform, stage)
    // Made once, by the Node that runs here. Another platform's may be of an earlier release: the form of the blob is
    // one for all of 24 (24.22.3's was run in 24.21.0).
    if (platform === platforms[0]) run(process.execPath, ['--experimental-sea-config', configPath])
    const file = join(out, `${name}-${version}-${platform}`)
    copyFileSync(node, file)
    // A process of its own: it warns of every section of Node whose name it does not know.
    run(process.execPath, [postject, file, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse])
    chmodSync(file, 0o755)
  }
  return platforms.map((platform) => {
    const node = { name: `node-${platform}`, ...lock.packages[`node_modules/node-${platform}`] }
    return { platform, node }
  })
}
