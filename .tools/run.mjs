// `node .tools/run.mjs SCRIPT …`: runs it on the Node that `npm start` would use, so that what is tested and measured
// is what people run.
import { fileURLToPath } from 'node:url'
import { goOn, newestNode, refuseOldNode } from './own-node.mjs'

const node = await newestNode(fileURLToPath(new URL('..', import.meta.url)))
if (node === process.execPath) refuseOldNode()
const [script = '', ...argv] = process.argv.slice(2)
await goOn(node, script, argv)
