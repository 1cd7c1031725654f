// What the console costs: bytes over the terminal line, processor time, the time from a key to the screen, start and
// memory. `npm run bench -- screen [bytes|keys|cpu|start|desk|memory …] [UPDATES]`; without a word, all of them.
// UPDATES: how many for the memory, a million unless told. Ends with 1 when an aim is missed.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildChild } from './screen/build-child.ts'
import { benchBytes } from './screen/bytes.ts'
import { benchCpu } from './screen/cpu.ts'
import { benchDesk } from './screen/desk.ts'
import { missed } from './screen/figures.ts'
import { benchKeys } from './screen/keys.ts'
import { benchMemory } from './screen/memory.ts'
import { recordTape } from './screen/record-tape.ts'
import { benchStart } from './screen/start.ts'
import { keepTape } from './screen/tape.ts'

const updateCount = 120
const parts = {
  bytes: benchBytes,
  keys: benchKeys,
  cpu: benchCpu,
  start: benchStart,
  desk: benchDesk,
  memory: benchMemory,
}

const wanted = process.argv.slice(2).filter((word) => !/^\d+$/.test(word))
const unknown = wanted.find((word) => !(word in parts))
if (unknown !== undefined) {
  console.error(`there is no "${unknown}": ${Object.keys(parts).join(', ')}`)
  process.exit(2)
}
console.log(
  `node ${process.version}, ${cpus()[0]?.model.trim()} × ${cpus().length}, load average ${loadavg()[0]?.toFixed(1)}`,
)
const home = mkdtempSync(join(tmpdir(), 'pitdesk-bench-'))
try {
  await buildChild()
  const tape = await recordTape(updateCount)
  const tapePath = join(home, 'tape')
  keepTape(tapePath, tape)
  const sum = createHash('sha256').update(tape.updates.join('\n')).digest('hex')
  console.log(`tape ${sum.slice(0, 8)}: ${updateCount} updates, ${tape.stepMs} ms of the practice market each`)
  for (const [name, part] of Object.entries(parts)) {
    if (wanted.length === 0 || wanted.includes(name)) await part({ tape, tapePath, home })
  }
  console.log(missed() === 0 ? 'every aim was met' : `${missed()} figures miss their aim`)
} finally {
  rmSync(home, { recursive: true, force: true })
}
