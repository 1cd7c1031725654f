import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The variable that has the thread of an inbox not hear that it is to close its file: it never ends by itself, as where
 * a disk does not answer.
 */
export function holdingStoreThread(folder: string): Record<string, string> {
  const file = join(folder, 'held-store.cjs')
  const text = `const { isMainThread, parentPort, workerData } = require('node:worker_threads')
if (!isMainThread && String(workerData).endsWith('inbox.sqlite')) {
  const on = parentPort.on.bind(parentPort)
  parentPort.on = (name, listener) => on(name, (message) => message.kind === 'close' || listener(message))
}
`
  writeFileSync(file, text)
  return { NODE_OPTIONS: `--require=${file}` }
}
