#!/usr/bin/env node
// Kept to the JavaScript of old Nodes, so that a wrong Node gets a sentence and not a syntax error.
const major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  process.stderr.write(
    `pitdesk needs Node 24 or newer, and this is Node ${process.versions.node}: install Node 24, or in a clone start it with \`npm start\`, which brings its own.\n`,
  )
  process.exit(1)
} else {
  Promise.all([import('node:module'), import('node:fs')])
    .then(([nodeModule, fs]) => {
      const cacheHome = process.env.XDG_CACHE_HOME || `${process.env.HOME || '.'}/.cache`
      try {
        // Folder by folder: Node's own way to make several never returns where nobody may make anything, as in /proc.
        for (const folder of [cacheHome, `${cacheHome}/pitdesk`, `${cacheHome}/pitdesk/compile`])
          if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 0o700 })
        nodeModule.enableCompileCache(`${cacheHome}/pitdesk/compile`)
      } catch {
        // Without a place for its cache the program only starts a little slower.
      }
      return import('./main.js')
    })
    .catch((error) => {
      process.stderr.write(`pitdesk could not start: ${error instanceof Error ? error.stack : error}\n`)
      process.exitCode = 1
    })
}
