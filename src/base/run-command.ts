import { type ChildProcess, spawn } from 'node:child_process'
import { type Clock, calledOff } from './clock.ts'
import type { Environment } from './environment.ts'
import { errorCode, systemCode } from './error-text.ts'

/** How a program is started: its words, or a line for the shell. */
export type CommandLine = { kind: 'words'; file: string; argv: readonly string[] } | { kind: 'shell'; line: string }

/** How a program of the user's own ended; `code` is null after a signal of somebody else's. */
type CommandEnd =
  | { kind: 'ended'; code: number | null }
  | { kind: 'failed'; reason: string }
  | { kind: 'timedOut' }
  | { kind: 'aborted' }

type CommandRun = { end: CommandEnd; stdout: string; stderr: string }

export type CommandOptions = {
  /** The variables it gets, and no others. */
  environment: Readonly<Record<string, string>>
  /** What it reads on stdin; null: nothing. */
  input: string | null
  patienceMs: number
  /**
   * True: it leads a process group of its own, which is ended as a whole. False: it stays in the one of this program,
   * and so can ask its owner on the terminal.
   */
  hasOwnGroup: boolean
  clock: Pick<Clock, 'sleep'>
  signal: AbortSignal
}

/** Bytes kept of each output; the chunk that crosses the bound is kept whole. */
const outputMost = 64 * 1_024
/** Between asking a group to end and ending it. */
const graceMs = 2_000

/**
 * Runs a program of the user's own to its end, or ends it after `patienceMs` or when `signal` is aborted. A list of
 * words is started without a shell, one line with it. Never rejects.
 */
export async function runCommand(command: CommandLine, options: CommandOptions): Promise<CommandRun> {
  const { environment, input, hasOwnGroup } = options
  const [file, argv] =
    command.kind === 'words' ? [command.file, command.argv] : (['/bin/sh', ['-c', command.line]] as const)
  const child = spawn(file, [...argv], {
    env: { ...environment },
    stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: hasOwnGroup,
  })
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  // EPIPE of a command that does not read its input: its exit code decides.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const end = await endOf(child, options)
  child.stdout?.destroy()
  child.stderr?.destroy()
  return { end, stdout: stdout(), stderr: stderr() }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = []
  let length = 0
  stream?.on('data', (chunk: Buffer) => {
    // The rest is read and forgotten, so that the command is not held up by a full pipe.
    if (length < outputMost) chunks.push(chunk)
    length += chunk.length
  })
  return () => Buffer.concat(chunks).toString('utf8')
}

async function endOf(
  child: ChildProcess,
  { patienceMs, hasOwnGroup, clock, signal }: CommandOptions,
): Promise<CommandEnd> {
  const done = new AbortController()
  let exit: CommandEnd | null = null
  child.once('exit', (code) => {
    exit = { kind: 'ended', code }
  })
  const ended = new Promise<CommandEnd>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'failed', reason: errorCode(error) || error.name }))
    // Not its exit: what it started may still write, and belongs to it.
    child.once('close', (code) => resolve({ kind: 'ended', code }))
  })
  const over = clock.sleep(patienceMs, AbortSignal.any([signal, done.signal])).then(() => null)
  const first = await Promise.race([ended, over])
  done.abort(calledOff)
  if (first !== null) return first
  const end: CommandEnd = { kind: signal.aborted ? 'aborted' : 'timedOut' }
  if (!hasOwnGroup) {
    child.kill('SIGTERM')
    return end
  }
  // It may be done itself, and only what it left behind is not.
  const before: CommandEnd | null = exit
  await endGroup(child, clock)
  return before ?? end
}

/** Ends the group that the program leads: asked first, and after a moment in a way that nothing in it can refuse. */
async function endGroup({ pid }: ChildProcess, clock: Pick<Clock, 'sleep'>): Promise<void> {
  if (pid === undefined || !signalGroup(pid, 'SIGTERM')) return
  await clock.sleep(graceMs)
  signalGroup(pid, 'SIGKILL')
}

/** False where nothing of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch (error) {
    // What is left of it has ended, or has become another user's: either way it is not ours to end.
    return !['ESRCH', 'EPERM'].includes(systemCode(error))
  }
}

/** What a program needs to run at all, and to reach the desktop that its owner sits at. */
const plain: readonly RegExp[] = [
  /^(HOME|USER|LOGNAME|SHELL|PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|TMPDIR|TEMP|TMP)$/,
  /^(DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION)$/,
  /^SSL_CERT_(FILE|DIR)$/,
  /^(SystemRoot|SYSTEMROOT|SystemDrive|windir|ComSpec|COMSPEC)$/,
  /^(PATHEXT|Path|APPDATA|LOCALAPPDATA|ProgramData|USERPROFILE|USERNAME)$/,
]

/**
 * The variables that a program of the user's own gets: those that hold no key, and what `more` names besides.
 * Everything else stays here, keys first of all.
 */
export const commandEnvironment = (environment: Environment, more: readonly RegExp[] = []): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && [...plain, ...more].some((pattern) => pattern.test(name)) ? [[name, value]] : [],
    ),
  )
