// `npm run drill -- hostile [--seed N] [--writes N] [--only NAME] [--program FOLDER]`: the built program, as commands
// and as a desk in a terminal, talks to a practice exchange through a proxy with bad intent, while its processes, clock
// and disk fail. Afterwards everything it did and said is held against what the exchange has. First come scenarios of
// what went wrong once, then work by chance. `--only` takes a distortion, a fault of the process, `work` (all of that,
// no scenarios), or beginnings of scenarios' names with commas between them, which are played in that order.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/base/clock.ts'
import { buildProgram } from './built-program.ts'
import { workDesk } from './hostile/desk-shift.ts'
import type { Finding, FindingKind } from './hostile/judge.ts'
import { type FaultName, faultNames, Lane } from './hostile/lane.ts'
import { type Build, openBuild } from './hostile/program.ts'
import type { Scenario } from './hostile/scenario.ts'
import { answerScenarios } from './hostile/scenarios-answers.ts'
import { draftScenarios } from './hostile/scenarios-drafts.ts'
import { machineScenarios } from './hostile/scenarios-machine.ts'
import { workShift } from './hostile/shift.ts'
import { World } from './hostile/world.ts'

type Options = { seed: number; writes: number; only: string | null; program: string | null }
type Part = { name: string; run: () => Promise<Finding[]> }
type Tools = { build: Build; cacheFolder: string; seed: number; distorted: Map<string, number> }

const scenarios: readonly Scenario[] = [...answerScenarios, ...draftScenarios, ...machineScenarios]
const isFault = (name: string): name is FaultName => faultNames.some((each) => each === name)
/** Work by chance without the scenarios, all of it or with one thing that goes wrong. */
const workOnly = 'work'
const isWork = (only: string): boolean => only === workOnly || isFault(only)
const say = (line: string) => void process.stdout.write(`${line}\n`)

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      writes: { type: 'string', default: '300' },
      only: { type: 'string' },
      program: { type: 'string' },
    },
  })
  const whole = (name: 'seed' | 'writes'): number => {
    const number = Number(values[name])
    if (!Number.isInteger(number) || number < 0) throw new Error(`--${name} must be a whole number`)
    return number
  }
  const { only = null, program = null } = values
  const isPlayed = (start: string) => scenarios.some(({ name }) => name.startsWith(start))
  if (only !== null && !isWork(only) && !only.split(',').every(isPlayed))
    throw new Error(`--only takes one of ${[workOnly, ...faultNames, ...scenarios.map(({ name }) => name)].join(', ')}`)
  return { seed: whole('seed'), writes: whole('writes'), only, program }
}

const scenarioParts = ({ build, cacheFolder }: Tools, only: string | null): Part[] =>
  (only === null ? [''] : only.split(','))
    .flatMap((start) => scenarios.filter(({ name }) => name.startsWith(start)))
    .map(({ name, factor, run }) => ({
      name,
      run: () => slowedDown(name, factor, (slower) => playedOnce({ build, cacheFolder }, { factor: slower, run })),
    }))

async function playedOnce({ build, cacheFolder }: Pick<Tools, 'build' | 'cacheFolder'>, played: Played) {
  const world = await World.open({ build, seed: 1, factor: played.factor, cacheFolder })
  try {
    return await played.run(world)
  } finally {
    await world.stop(false)
  }
}

type Played = Pick<Scenario, 'factor' | 'run'>

/** How often the clock is slowed down for a scenario, each time to the half. */
const slowedMax = 3

/**
 * On a busy machine a clock that runs ten times as fast lets calls time out that nothing delayed, and the scenario
 * cannot go on. It is played again with a slower one then, and its last result counts. What the program did or said
 * wrong is never played again.
 */
async function slowedDown(name: string, factor: number, play: (factor: number) => Promise<Finding[]>) {
  for (let slower = factor; ; slower /= 2) {
    const findings = await play(slower).catch((error: unknown): Finding[] => [stuckBy(error)])
    const isStuck = findings.length > 0 && findings.every(({ kind }) => kind === 'stuck')
    if (!isStuck || slower <= factor / 2 ** slowedMax) return findings
    say(`? ${name}: stuck with its clock ${slower} times as fast, played again at half of that`)
  }
}

const stuckBy = (error: unknown): Finding => ({
  kind: 'stuck',
  text: error instanceof Error ? (error.stack ?? error.message) : String(error),
})

/** How the work is shared: by commands in two homes, and at a desk. `factor` is how fast time runs there. */
const lanes = [
  { name: 'commands-1', share: 0.4, factor: 8, work: workShift },
  { name: 'commands-2', share: 0.4, factor: 8, work: workShift },
  { name: 'desk', share: 0.2, factor: 3, work: workDesk },
] as const

const laneParts = ({ build, cacheFolder, seed, distorted }: Tools, { writes, only }: Options): Part[] =>
  lanes.map(({ name, share, factor, work }) => ({
    name,
    run: async () => {
      const world = await World.open({ build, seed, factor, cacheFolder })
      const kind = only !== null && isFault(only) ? only : null
      const lane = new Lane(world, { name, seed, writes: Math.round(writes * share), only: kind })
      try {
        await work(lane)
        for (const [fault, count] of lane.faults) distorted.set(fault, (distorted.get(fault) ?? 0) + count)
        return lane.findings
      } finally {
        await world.stop(lane.findings.length > 0)
        if (lane.findings.length > 0) say(`what ${name} left is in ${world.folder}`)
      }
    },
  }))

/** Several at once, for most of the time something is waited for. */
const besideMax = 3

async function runParts(parts: readonly Part[], found: (part: Part, finding: Finding) => void): Promise<void> {
  const left = parts.values()
  const worker = async () => {
    for (const part of left) {
      try {
        for (const finding of await part.run()) found(part, finding)
      } catch (error) {
        found(part, stuckBy(error))
      }
    }
  }
  await Promise.all(Array.from({ length: besideMax }, worker))
}

async function drill(options: Options): Promise<boolean> {
  const startedMs = systemClock.now()
  const cacheFolder = mkdtempSync(join(tmpdir(), 'pitdesk-hostile-cache-'))
  process.once('exit', () => rmSync(cacheFolder, { recursive: true, force: true }))
  const preload = fileURLToPath(new URL('program-clock.js', import.meta.url))
  const build = openBuild(options.program ?? (await buildProgram()), preload)
  const { seed, writes, only } = options
  const tools: Tools = { build, cacheFolder, seed, distorted: new Map() }
  const counts: Record<FindingKind, number> = {
    doubled: 0,
    forgotten: 0,
    false: 0,
    untold: 0,
    unasked: 0,
    crash: 0,
    unread: 0,
    stuck: 0,
  }
  const found = ({ name }: Part, { kind, text }: Finding) => {
    counts[kind] += 1
    say(`! ${name}: ${kind}: ${text}`)
  }
  const played = only === null || !isWork(only) ? scenarioParts(tools, only) : []
  await runParts(played, found)
  if (writes > 0 && (only === null || isWork(only))) await runParts(laneParts(tools, options), found)
  const seconds = Math.round((systemClock.now() - startedMs) / 1_000)
  const distorted = Object.fromEntries([...tools.distorted].sort(([left], [right]) => (left < right ? -1 : 1)))
  say(JSON.stringify({ seed, writes, scenarios: played.length, distorted, ...counts, seconds }))
  return Object.values(counts).every((count) => count === 0)
}

// Ended from outside it still takes with it what it started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1))
try {
  process.exit((await drill(readOptions())) ? 0 : 1)
} catch (error) {
  // What it started may still go on: nothing of it is to be waited for.
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
}
