#!/usr/bin/env node
// Kept to the JavaScript of old Nodes, so that a wrong Node gets a sentence and not a syntax error.
import { goOn, isClosed, refuseOldNode } from './own-node.mjs'

refuseOldNode()
if (isClosed()) start()
else void goOn(process.execPath, process.argv[1], process.argv.slice(2))

/**
 * Where what was compiled is kept; null where there is no place for it, or one that others can write in: what is kept
 * there runs. Without it the program only starts a little slower.
 */
function cacheFolder(fs) {
  const home = process.env.XDG_CACHE_HOME || `${process.env.HOME || '.'}/.cache`
  const own = [`${home}/pitdesk`, `${home}/pitdesk/compile`]
  try {
    // Folder by folder: Node's own way to make several never returns where nobody may make anything, as in /proc.
    for (const folder of [home].concat(own)) if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 0o700 })
    return isSafe(fs.statSync(home)) && own.every((folder) => isOwn(fs.statSync(folder))) ? own[1] : null
  } catch {
    return null
  }
}

/** Not everybody can put theirs in the place of what is ours there: in /tmp nobody can, though all may write. */
function isSafe({ mode }) {
  return (mode & 0o2) === 0 || (mode & 0o1000) !== 0
}

function isOwn({ uid, mode }) {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o22) === 0)
}

function start() {
  // Nothing listens for it any more: without this it would end the program.
  process.on('SIGUSR1', () => {})
  // Not by `import`: that would read every name these have, and some load more.
  const folder = cacheFolder(process.getBuiltinModule('node:fs'))
  if (folder !== null) process.getBuiltinModule('node:module').enableCompileCache(folder)
  import('./main.js').catch((error) => {
    process.stderr.write(`pitdesk could not start: ${error instanceof Error ? error.stack : error}\n`)
    process.exitCode = 1
  })
}
