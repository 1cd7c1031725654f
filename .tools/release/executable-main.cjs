// What a single executable starts: lays the package that is inside out once for its user, then goes on as its launcher.
const { createRequire } = require('node:module')
const fs = require('node:fs')
const path = require('node:path')
const sea = require('node:sea')

const sum = 'SUM'

/**
 * Where nobody else can put a folder of theirs in the place of one that is there; in /tmp nobody can either. What this
 * user's own group may do is the user's own choice.
 */
function isSafe({ uid, gid, mode }) {
  if (process.getuid === undefined) return true
  const othersWrite = (mode & 0o2) !== 0 || ((mode & 0o20) !== 0 && gid !== process.getgid())
  return (uid === process.getuid() || uid === 0) && (!othersWrite || (mode & 0o1000) !== 0)
}

/** A folder of this user's own that nobody else can write in or exchange; throws where there is none. */
function ownFolder() {
  const cache = process.env.XDG_CACHE_HOME || path.join(process.env.HOME || '.', '.cache')
  fs.mkdirSync(cache, { recursive: true, mode: 0o700 })
  let folder = fs.realpathSync(cache)
  for (let above = folder; ; above = path.dirname(above)) {
    if (!isSafe(fs.statSync(above))) throw new Error(`others can exchange what is in ${above}`)
    if (above === path.dirname(above)) break
  }
  for (const name of ['pitdesk', 'executable']) {
    folder = path.join(folder, name)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = fs.lstatSync(folder)
    if ((process.getuid !== undefined && uid !== process.getuid()) || (mode & 0o22) !== 0)
      throw new Error(`others can write in ${folder}`)
  }
  return folder
}

/** The package's folder. It is whole or not there: it gets its name when every file of it is written. */
function laidOut() {
  const own = ownFolder()
  const folder = path.join(own, sum)
  if (fs.existsSync(folder)) return folder
  const fresh = fs.mkdtempSync(path.join(own, '.new-'))
  for (const name of sea.getAssetKeys()) {
    const file = path.join(fresh, name)
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    fs.writeFileSync(file, Buffer.from(sea.getRawAsset(name)), { mode: 0o600, flush: true })
  }
  try {
    fs.renameSync(fresh, folder)
  } catch (error) {
    fs.rmSync(fresh, { recursive: true, force: true })
    // Another start was first.
    if (!fs.existsSync(folder)) throw error
  }
  return folder
}

function start() {
  // An executable takes no options of Node's, so that nothing opens a debugger: what it starts is told none either.
  delete process.env.NODE_OPTIONS
  let launcher
  try {
    launcher = path.join(laidOut(), 'dist', 'pitdesk.js')
  } catch (error) {
    process.stderr.write(`pitdesk could not start: the program cannot be laid out in the cache: ${error.message}\n`)
    process.exitCode = 1
    return
  }
  const argv = process.argv.slice(2)
  const load = createRequire(launcher)
  // The C library reads its bounds once, at the start of a process.
  if (process.env.MALLOC_ARENA_MAX === undefined && typeof process.execve === 'function') {
    const bounds = load('./own-node.mjs').heapBounds(argv)
    process.execve(process.execPath, [process.execPath, ...argv], { ...process.env, ...bounds })
  }
  process.argv[1] = launcher
  load(launcher)
}

start()
