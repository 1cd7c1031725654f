// What the console costs: bytes over the terminal line, processor time, the time from a key to the screen, start and
// memory. `npm run bench -- screen [bytes|keys|cpu|start|desk|memory …] [UPDATES] [--before COMMIT]`; without a word,
// all of them. UPDATES: how many for the memory, a million unless told. COMMIT: the version to measure beside this one,
// built out of git, on the same tape in the same run. Ends with 1 when an aim is missed.
import { createHash } from 'node:crypto'
import { arch, cpus, loadavg, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { type Asked, readArguments } from './screen/arguments.ts'
import { benchBytes } from './screen/bytes.ts'
import { benchCpu } from './screen/cpu.ts'
import { benchDesk } from './screen/desk.ts'
import { fixed, missed } from './screen/figures.ts'
import { benchKeys } from './screen/keys.ts'
import { benchMemory } from './screen/memory.ts'
import { recordTape } from './screen/record-tape.ts'
import { inScratchFolder } from './screen/scratch-folder.ts'
import { benchStart } from './screen/start.ts'
import { keepTape } from './screen/tape.ts'
import { buildBefore, type CheckedOut, checkOut } from './screen/version-before.ts'
import { buildNow, type Version } from './screen/versions.ts'

const updateCount = 120
const parts = {
  bytes: benchBytes,
  keys: benchKeys,
  cpu: benchCpu,
  start: benchStart,
  desk: benchDesk,
  memory: benchMemory,
}
const partNames = ['bytes', 'keys', 'cpu', 'start', 'desk', 'memory'] as const satisfies (keyof typeof parts)[]

const asked = readArguments(process.argv.slice(2), partNames)
if (asked.ok) {
  const { value } = asked
  await inScratchFolder((home) => measure(home, value))
} else refuse(asked.error)

function refuse(sentence: string): void {
  console.error(sentence)
  process.exitCode = 2
}

async function measure(home: string, wanted: Asked<keyof typeof parts>): Promise<void> {
  const startedAtMs = performance.now()
  describeMachine()
  let before: Version | null = null
  if (wanted.before !== null) {
    const checkedOut = checkOut(wanted.before, join(home, 'before'))
    if (!checkedOut.ok) return refuse(checkedOut.error)
    before = await buildBefore(checkedOut.value)
    describeBefore(checkedOut.value)
  } else
    console.log('no version before is measured: `--before f09de3c` builds one out of git and plays it the same tape')
  const versions = { now: await buildNow(), before }
  const tape = await recordTape(updateCount)
  const tapePath = join(home, 'tape')
  keepTape(tapePath, tape)
  const sum = createHash('sha256').update(tape.updates.join('\n')).digest('hex')
  console.log(`tape ${sum.slice(0, 8)}: ${updateCount} updates, ${tape.stepMs} ms of the practice market each`)
  const { updateCount: memoryUpdates } = wanted
  for (const name of wanted.parts) await parts[name]({ tape, tapePath, home, versions, memoryUpdates })
  const minutes = fixed((performance.now() - startedAtMs) / 60_000, 1)
  const verdict = missed() === 0 ? 'every aim was met' : `aims missed: ${missed()}`
  console.log(`${verdict}; this took ${minutes} minutes`)
}

function describeMachine(): void {
  const processors = `${cpus()[0]?.model.trim()} × ${cpus().length}`
  const memory = `${fixed(totalmem() / 2 ** 30, 1)} GiB`
  const load = `load average ${fixed(loadavg()[0] ?? 0, 1)}`
  console.log(`node ${process.version}, ${type()} ${release()} ${arch()}, ${processors}, ${memory}, ${load}`)
}

function describeBefore({ name, day, hasSamePackages }: CheckedOut): void {
  const packages = hasSamePackages ? '' : '; it names other packages than are installed here, and gets these'
  console.log(`beside it: ${name} of ${day}, on the same tape${packages}`)
}
