#!/usr/bin/env node
// Kept to the JavaScript of old Nodes, so that a wrong Node gets a sentence and not a syntax error.
import { goOn, isClosed, refuseOldNode } from './own-node.mjs'

refuseOldNode()
if (isClosed()) start()
else void goOn(process.execPath, process.argv[1], process.argv.slice(2))

function start() {
  // Nothing listens for it any more: without this it would end the program.
  process.on('SIGUSR1', () => {})
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
