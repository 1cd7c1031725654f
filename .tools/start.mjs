// `npm start`: builds when a source is newer than the build, in a process that is told no key, then goes on as the
// program.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { goOn, isClosed, isOld, newestNode, refuseOldNode } from './own-node.mjs'
import { isProgramReady } from './program-age.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** What a build may know: hundreds of packages run in it. */
const toldToBuild =
  /^(HOME|PATH|LANG|LC_\w+|TMPDIR|TEMP|TMP|TERM|NO_COLOR|SystemRoot|SYSTEMROOT|windir|Path|USERPROFILE)$/

function buildApart(node) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => toldToBuild.test(name)))
  process.on('SIGUSR1', () => {})
  // What it says must not come before the first line of the program's own output.
  const { status, error } = spawnSync(node, [`${root}.tools/build.mjs`, '--unless-new'], {
    env,
    stdio: ['ignore', 2, 2],
  })
  if (status === 0) return
  process.stderr.write(`pitdesk could not be built${error ? `: ${error.message}` : ''}\n`)
  process.exit(1)
}

const node = await newestNode(root)
if (node === process.execPath) refuseOldNode()
const argv = process.argv.slice(2)
// What follows may need a Node of this time.
const isStale = !isOld() && !isProgramReady()
if (isOld() || (isStale && !isClosed())) await goOn(node, fileURLToPath(import.meta.url), argv)
else {
  if (isStale) buildApart(node)
  await goOn(node, `${root}dist/pitdesk.js`, argv)
}
