// The console as it is shipped, in a terminal of its own, on a tape: started by the bench, which tells it over a socket
// what to play.
import { createWriteStream } from 'node:fs'
import { connect } from 'node:net'
import { PassThrough, Writable } from 'node:stream'
import { render } from 'ink'
import { systemClock } from '../../../src/base/clock.ts'
import { keepHeapSmall } from '../../../src/desk/screen/memory.ts'
import { Console } from '../../../src/ui/console/console.tsx'
import { openConsole } from '../../../src/ui/console/open-console.tsx'
import type { ChildReply, ChildRequest } from './child-talk.ts'
import { createFlood } from './flood.ts'
import { openTape } from './tape.ts'
import { createTapeDesk } from './tape-desk.ts'

const [tapePath = '', place = '', sizeText = ''] = process.argv.slice(2)
const desk = createTapeDesk(openTape(tapePath), systemClock.sleep, () => process.exit(0))
const { store, commands, clock } = desk
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Plays `count` updates, `perSecond` of them in a second of real time, each at its own moment however long drawing
 * takes. Resolves with the processor time that reading the tape took, in ms.
 */
async function play(count: number, perSecond: number, update: () => void, prepare: () => void): Promise<number> {
  const startedAt = performance.now()
  let preparedMs = 0
  for (let index = 0; index < count; index += 1) {
    const dueMs = startedAt + (index * 1_000) / perSecond
    const { user, system } = process.cpuUsage()
    prepare()
    const after = process.cpuUsage({ user, system })
    preparedMs += (after.user + after.system) / 1_000
    await systemClock.sleep(Math.max(0, dueMs - performance.now()))
    update()
  }
  const endMs = startedAt + (count * 1_000) / perSecond
  await systemClock.sleep(Math.max(0, endMs - performance.now()))
  return preparedMs
}

const flood = createFlood(desk)
/**
 * Processor time of this thread from each key that came to the bytes that went out next, in ms: what the machine's
 * other work does not change.
 */
let keyCostsMs: number[] = []

function watchKeys(): void {
  const { stdin, stdout } = process
  let before: NodeJS.CpuUsage | null = null
  stdin.prependListener('data', () => {
    before = process.threadCpuUsage()
  })
  const write = stdout.write.bind(stdout)
  const timed = (...written: Parameters<typeof write>): boolean => {
    if (before !== null && written[0] !== '') {
      const { user, system } = process.threadCpuUsage(before)
      keyCostsMs.push((user + system) / 1_000)
      before = null
    }
    return write(...written)
  }
  Object.assign(stdout, { write: timed })
}

async function carryOut(request: ChildRequest): Promise<ChildReply> {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  let preparedMs = 0
  if (request.kind === 'play') {
    const stepMs = request.isRealTime === true ? 1_000 / request.perSecond : undefined
    preparedMs = await play(
      request.count,
      request.perSecond,
      () => desk.next(stepMs),
      () => desk.prepare(stepMs),
    )
  } else if (request.kind === 'nothingNew')
    await play(
      request.count,
      request.perSecond,
      () => desk.nothingNew(1_000 / request.perSecond),
      () => undefined,
    )
  else await flood(request.count, request.stepMs, request.updatesPerTurn)
  const { user, system } = process.cpuUsage(before)
  const keysMs = keyCostsMs
  keyCostsMs = []
  return {
    keyCostsMs: keysMs,
    cpuMs: (user + system) / 1_000 - preparedMs,
    realMs: performance.now() - startedAt,
    heapMiB: process.memoryUsage().heapUsed / 2 ** 20,
    isFrozen: store.getState().picture.kind === 'frozen',
  }
}

/** In a terminal: draws there, and does what it is asked one after the other. */
function inTerminal(socketPath: string): void {
  // As the program does when it opens a desk.
  void keepHeapSmall(systemClock, new AbortController().signal)
  watchKeys()
  const { stdin, stdout } = process
  const opened = openConsole({ store, commands, stdin, stdout, clock, env: process.env, onExit: () => process.exit(0) })
  if (!opened.ok) throw new Error(opened.error)
  const socket = connect(socketPath)
  let text = ''
  let last = Promise.resolve()
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      const request: ChildRequest = JSON.parse(line)
      last = last.then(async () => {
        socket.write(`${JSON.stringify(await carryOut(request))}\n`)
      })
    }
  })
  socket.on('close', () => opened.value.close())
}

class Frames extends Writable {
  readonly isTTY = true
  readonly columns: number
  readonly rows: number
  newest = ''

  constructor(columns: number, rows: number) {
    super({ decodeStrings: false })
    this.columns = columns
    this.rows = rows
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.newest = String(chunk)
    done()
  }
}

class NoKeys extends PassThrough {
  readonly isTTY = true
  setRawMode = () => this
  ref = () => this
  unref = () => this
}

/** Without a terminal: writes the frame after each update to a file, whole, as Ink made it. */
async function toFile(path: string, columns: number, rows: number): Promise<void> {
  const stdout = new Frames(columns, rows)
  const file = createWriteStream(path)
  const view = <Console store={store} commands={commands} env={process.env} clock={clock} />
  // Ink's debugging output is every frame, whole and by itself.
  const options = { debug: true, patchConsole: false, exitOnCtrlC: false }
  render(view, Object.assign(options, { stdin: new NoKeys(), stdout }))
  for (let index = 0; index < openTape(tapePath).updates.length; index += 1) {
    desk.next()
    for (let turns = 0; turns < 3; turns += 1) await turn()
    file.write(`${JSON.stringify(stdout.newest.split('\n'))}\n`)
  }
  file.end(() => process.exit(0))
}

const [columns = 0, rows = 0] = sizeText.split('x').map(Number)
if (columns > 0) void toFile(place, columns, rows)
else inTerminal(place)
