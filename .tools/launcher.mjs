#!/usr/bin/env node
// Kept to the JavaScript of old Nodes, so that a wrong Node gets a sentence and not a syntax error.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    `pitdesk needs Node 24 or newer, and this is Node ${process.versions.node}: install Node 24, or in a clone start it with \`npm start\`, which brings its own.\n`,
  )
  process.exit(1)
} else {
  import('node:module')
    .then((nodeModule) => {
      const cacheHome = process.env.XDG_CACHE_HOME || `${process.env.HOME || '.'}/.cache`
      // Without a place for its cache the program only starts a little slower: the answer is not needed.
      nodeModule.enableCompileCache(`${cacheHome}/pitdesk/compile`)
      // Kept when the start is over: after days, what only the start needs is not compiled any more, and a program that is killed keeps nothing.
      setTimeout(() => nodeModule.flushCompileCache(), 5000).unref()
      return import('./main.js')
    })
    .catch((error) => {
      process.stderr.write(`pitdesk could not start: ${error instanceof Error ? error.stack : error}\n`)
      process.exitCode = 1
    })
}
