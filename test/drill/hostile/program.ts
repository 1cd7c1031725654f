import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemClock } from '../../../src/base/clock.ts'
import { errorCode } from '../../../src/base/text/error-text.ts'
import { nodeArgv } from '../../fakes/child-program.ts'
import { Terminal } from '../../pty/terminal.ts'
import { clockVariable, type ProgramClock } from './program-clock.ts'

/** A build of the program. */
export type Build = {
  /** The launcher. */
  file: string
  /** What this version knows: a flag for each, as its help has it. */
  features: { clientOrderId: boolean; key: boolean; accept: boolean }
  /** Loaded before it: see `program-clock.ts`. */
  preload: string
}

/** A build in `folder`, or in its `dist`. */
export function openBuild(folder: string, preload: string): Build {
  const file = [`${folder}/dist/pitdesk.js`, `${folder}/pitdesk.js`].find((path) => existsSync(path))
  if (file === undefined) throw new Error(`${folder} has no pitdesk.js, neither itself nor in dist`)
  const help = (...command: string[]) =>
    execFileSync(process.execPath, [file, ...command, '--help'], { encoding: 'utf8', env: { PATH: process.env.PATH } })
  const [place, withdraw] = [help('order', 'place'), help('withdraw')]
  const features = {
    clientOrderId: place.includes('--client-order-id'),
    key: /--key\b/.test(withdraw),
    accept: /--accept\b/.test(place),
  }
  return { file, features, preload }
}

/** Where a person works: a home folder with one profile, and the address and key it goes with. */
export type HomeOptions = {
  folder: string
  /** Everything the program caches, for all homes: it only starts sooner for it. */
  cacheFolder: string
  baseUrl: string
  token: string
  time: Pick<ProgramClock, 'epochMs' | 'factor'>
  /** False: no profile, all comes from the environment. */
  hasProfile?: boolean
  /** More lines of the profile. */
  settings?: string
}

export type Ran = {
  argv: readonly string[]
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
  /** It was ended by the drill. */
  wasKilled: boolean
  /** When it said its last word, in ms of the machine; null when it said none. */
  saidAtMs: number | null
}

export type Running = {
  pid: number
  ended: Promise<Ran>
  /** It and what it started. */
  signal(name: NodeJS.Signals): void
}

const defaultSettings = `poll_ms = { book = 400, orders = 700 }
[profiles.drill.limits]
open_orders = 5000
collar_percent = 95
duplicate_within_ms = 0`

/** The program as one person of one machine has it. */
export class Home {
  readonly folder: string
  readonly #build: Build
  readonly #options: HomeOptions
  readonly #offsetPath: string
  readonly #running = new Set<ChildProcess>()
  /** Variables of the environment that the next programs get besides. */
  variables: Record<string, string> = {}

  constructor(build: Build, options: HomeOptions) {
    this.#build = build
    this.#options = options
    this.folder = options.folder
    this.#offsetPath = join(options.folder, 'clock-offset')
    mkdirSync(options.folder, { recursive: true, mode: 0o700 })
    this.setWallClock(0)
    if (options.hasProfile !== false) this.#configure()
  }

  get stateFolder(): string {
    return join(this.folder, '.local/state/pitdesk')
  }

  get features(): Build['features'] {
    return this.#build.features
  }

  /** From now on the machine's clock is wrong by this much, for what runs and for what is started. */
  setWallClock(offsetMs: number): void {
    writeFileSync(this.#offsetPath, String(offsetMs).padEnd(20))
  }

  start(...argv: string[]): Running {
    const child = spawn(process.execPath, nodeArgv(dirname(this.#build.file), ...argv), {
      env: this.environment(),
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    this.#running.add(child)
    const ran: Ran = { argv, code: null, signal: null, stdout: '', stderr: '', wasKilled: false, saidAtMs: null }
    child.stdout.on('data', (chunk: Buffer) => {
      ran.stdout += chunk.toString()
      ran.saidAtMs = systemClock.now()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      ran.stderr += chunk.toString()
      ran.saidAtMs = systemClock.now()
    })
    const ended = new Promise<Ran>((resolve) =>
      child.once('close', (code, signal) => {
        this.#running.delete(child)
        // A process whose files may not grow is ended when it keeps what it compiled: a full disk would not have done
        // that.
        resolve({ ...ran, code, signal, wasKilled: ran.wasKilled || signal === 'SIGXFSZ' })
      }),
    )
    const pid = child.pid ?? 0
    return {
      pid,
      ended,
      signal: (name) => {
        if (name === 'SIGKILL') ran.wasKilled = true
        signalGroup(pid, name)
      },
    }
  }

  run(...argv: string[]): Promise<Ran> {
    return this.start(...argv).ended
  }

  /** The desk in a terminal in which the whole of every sentence has room. */
  openDesk(): Terminal {
    return new Terminal(process.execPath, nodeArgv(dirname(this.#build.file)), {
      ...{ columns: 320, rows: 60, folder: this.folder },
      environment: { ...this.environment(), TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    })
  }

  environment(): Record<string, string> {
    const { baseUrl, token, time, cacheFolder, hasProfile } = this.#options
    const clock: ProgramClock = { ...time, offsetPath: this.#offsetPath }
    return {
      PATH: process.env.PATH ?? '',
      HOME: this.folder,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      XDG_CACHE_HOME: cacheFolder,
      ...(hasProfile === false ? { PITDESK_EXCHANGE_BASE_URL: baseUrl } : { PITDESK_PROFILE: 'drill' }),
      PITDESK_API_TOKEN: token,
      NODE_OPTIONS: `--import=${this.#build.preload}`,
      [clockVariable]: JSON.stringify(clock),
      ...this.variables,
    }
  }

  /** Ends whatever runs still. */
  stop(): void {
    for (const { pid } of this.#running) signalGroup(pid ?? 0, 'SIGKILL')
  }

  #configure(): void {
    const folder = join(this.folder, '.config/pitdesk')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const each of [this.folder, join(this.folder, '.config'), folder]) chmodSync(each, 0o700)
    const { baseUrl, settings = defaultSettings } = this.#options
    const profile = `[profiles.drill]\nkind = "practice"\nexchange_base_url = "${baseUrl}"\n${settings}\n`
    writeFileSync(join(folder, 'config.toml'), profile, { mode: 0o600 })
  }
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** A process and all below it. */
export function processTree(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return [pid, ...(text === '' ? [] : text.split(' ').map(Number).flatMap(processTree))]
  } catch {
    // It has ended between two looks.
    return []
  }
}

/** No file of these processes may grow any more, as on a full disk; null: they may again. */
export function limitFiles(pid: number, bytes: number | null): void {
  for (const each of processTree(pid))
    execFileSync('prlimit', ['--pid', String(each), `--fsize=${bytes === null ? 'unlimited' : bytes}:unlimited`])
}
