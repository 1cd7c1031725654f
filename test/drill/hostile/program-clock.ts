// Loaded into the program before anything of it (`--import`): the time of the drill in the place of the machine's.
// Nothing in the program knows of it, as with a library that fakes the time of a process.
import { closeSync, openSync, readSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'

/** What the variable holds, as JSON. */
export type ProgramClock = {
  /** Both clocks agree at this moment, in ms since 1970. */
  epochMs: number
  /** How many ms pass here in one of the machine's. */
  factor: number
  /**
   * The wall clock is wrong by the number in this file, in ms; it may change at any time. Running time is not touched.
   */
  offsetPath: string
}

export const clockVariable = 'DRILL_PROGRAM_CLOCK'

/** So often, in ms of the machine, the file is looked at. */
const lookMs = 20

function install({ epochMs, factor, offsetPath }: ProgramClock): void {
  const realNow = Date.now.bind(Date)
  const realPerformance = performance.now.bind(performance)
  const realNanoseconds = process.hrtime.bigint.bind(process.hrtime)
  const file = openSync(offsetPath, 'r')
  process.once('exit', () => closeSync(file))
  const bytes = Buffer.alloc(32)
  let offsetMs = 0
  let lookedMs = Number.NEGATIVE_INFINITY

  function now(): number {
    const atMs = realPerformance()
    if (atMs - lookedMs >= lookMs) {
      lookedMs = atMs
      offsetMs = Number(bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0)))
    }
    return Math.floor(epochMs + (realNow() - epochMs) * factor + offsetMs)
  }

  globalThis.Date = new Proxy(Date, {
    construct: (target, argv, made) => Reflect.construct(target, argv.length === 0 ? [now()] : argv, made),
    apply: (target) => new target(now()).toString(),
    get: (target, name, self) => (name === 'now' ? now : Reflect.get(target, name, self)),
  })
  Object.defineProperty(performance, 'now', { value: () => realPerformance() * factor })
  const nanoseconds = () => BigInt(Math.round(Number(realNanoseconds()) * factor))
  const hrtime = (since: [number, number] = [0, 0]): [number, number] => {
    const passed = nanoseconds() - (BigInt(since[0]) * 1_000_000_000n + BigInt(since[1]))
    return [Number(passed / 1_000_000_000n), Number(passed % 1_000_000_000n)]
  }
  process.hrtime = Object.assign(hrtime, { bigint: nanoseconds })
  hurry(factor)
}

/** Every timer of Node ends `factor` times as soon. */
function hurry(factor: number): void {
  const hurried = (set: unknown) =>
    new Proxy(Object(set), {
      apply: (target, self, [run, ms, ...rest]: unknown[]) =>
        Reflect.apply(target, self, [run, Number(ms ?? 0) / factor, ...rest]),
    })
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const set = hurried(timers[name])
    Reflect.set(timers, name, set)
    Reflect.set(globalThis, name, set)
  }
  const sleep = timersPromises.setTimeout
  Reflect.set(timersPromises, 'setTimeout', (ms = 0, ...rest: []) => sleep(ms / factor, ...rest))
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  AbortSignal.timeout = (ms) => timeout(Math.ceil(ms / factor))
  syncBuiltinESMExports()
}

const given = process.env[clockVariable]
// Threads of the program have no time limits that the drill needs shorter.
if (given !== undefined && parentPort === null) install(JSON.parse(given))
