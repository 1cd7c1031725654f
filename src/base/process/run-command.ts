import { type ChildProcess, spawn } from 'node:child_process'
import { type Clock, calledOff } from '../clock.ts'
import { err, ok, type Result } from '../result.ts'
import { errorCode, systemCode } from '../text/error-text.ts'
import type { Environment } from './environment.ts'

/** A program to run: a file with arguments, or a line for the shell. */
export type CommandLine = { kind: 'words'; file: string; argv: readonly string[] } | { kind: 'shell'; line: string }

/** How a user's program ended; `code` is null after a signal from elsewhere. */
type CommandEnd =
  | { kind: 'ended'; code: number | null }
  | { kind: 'failed'; reason: string }
  | { kind: 'timedOut' }
  | { kind: 'aborted' }

type CommandRun = { end: CommandEnd; stdout: string; stderr: string }

export type CommandOptions = {
  /** Its whole environment. */
  environment: Readonly<Record<string, string>>
  /** Its stdin; null for none. */
  input: string | null
  patienceMs: number
  /**
   * True: it leads its own process group, which is ended as a whole. False: it stays in this program's group, so that
   * it can ask the user on the terminal.
   */
  hasOwnGroup: boolean
  clock: Pick<Clock, 'sleep'>
  signal: AbortSignal
}

/** Bytes kept of each output; the chunk that crosses the limit is kept whole. */
const outputMax = 64 * 1_024
/** Time between SIGTERM and SIGKILL. */
const graceMs = 2_000

/**
 * Runs a user's program to its end, or ends it after `patienceMs` or when `signal` is aborted. An argument list runs
 * without a shell, a line with one. Never rejects.
 */
export async function runCommand(command: CommandLine, options: CommandOptions): Promise<CommandRun> {
  const { input } = options
  const started = begun(command, options)
  if (!started.ok) return { end: started.error, stdout: '', stderr: '' }
  const child = started.value
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  // Ignores EPIPE of a command that does not read its input: its exit code decides.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const end = await endOf(child, options)
  child.stdout?.destroy()
  child.stderr?.destroy()
  return { end, stdout: stdout(), stderr: stderr() }
}

/** The failure to start, as it is reported. */
const notStarted = (error: Error): CommandEnd => ({ kind: 'failed', reason: errorCode(error) || error.name })

/** The process; why there is none where its words cannot be a program's, as with a NUL or too many of them. */
function begun(
  command: CommandLine,
  { environment, input, hasOwnGroup }: CommandOptions,
): Result<ChildProcess, CommandEnd> {
  const [file, argv] =
    command.kind === 'words' ? [command.file, command.argv] : (['/bin/sh', ['-c', command.line]] as const)
  try {
    const stdin = input === null ? 'ignore' : 'pipe'
    return ok(
      spawn(file, [...argv], { env: { ...environment }, stdio: [stdin, 'pipe', 'pipe'], detached: hasOwnGroup }),
    )
  } catch (error) {
    if (error instanceof Error) return err(notStarted(error))
    throw error
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Buffer[] = []
  let length = 0
  stream?.on('data', (chunk: Buffer) => {
    // The rest is read and dropped, so that a full pipe does not block the command.
    if (length < outputMax) chunks.push(chunk)
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
    child.once('error', (error) => resolve(notStarted(error)))
    // Not `exit`: its own children may still write to its output.
    child.once('close', (code) => resolve({ kind: 'ended', code }))
  })
  const over = clock.sleep(patienceMs, AbortSignal.any([signal, done.signal])).then(() => null)
  const first = await Promise.race([ended, over])
  done.abort(calledOff)
  if (first !== null) return first
  const end: CommandEnd = { kind: signal.aborted ? 'aborted' : 'timedOut' }
  if (!hasOwnGroup) {
    await endAlone(child, clock)
    return end
  }
  // The program may have exited while its children still run.
  const before: CommandEnd | null = exit
  await endGroup(child, clock)
  return before ?? end
}

/** Ends the program alone: SIGTERM first, SIGKILL after the grace period, for one that does not heed it. */
async function endAlone(child: ChildProcess, clock: Pick<Clock, 'sleep'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new AbortController()
  child.once('exit', () => gone.abort(calledOff))
  child.kill('SIGTERM')
  await clock.sleep(graceMs, gone.signal)
  child.kill('SIGKILL')
}

/** Ends the program's process group: SIGTERM first, SIGKILL after the grace period. */
async function endGroup({ pid }: ChildProcess, clock: Pick<Clock, 'sleep'>): Promise<void> {
  if (pid === undefined || !signalGroup(pid, 'SIGTERM')) return
  await clock.sleep(graceMs)
  signalGroup(pid, 'SIGKILL')
}

/** False when no process of the group is left. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch (error) {
    // The rest has ended or belongs to another user: not ours to end.
    return !['ESRCH', 'EPERM'].includes(systemCode(error))
  }
}

/** Variables a program needs to run, and to reach the user's desktop. */
const plain: readonly RegExp[] = [
  /^(HOME|USER|LOGNAME|SHELL|PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|TMPDIR|TEMP|TMP)$/,
  /^(DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION)$/,
  /^SSL_CERT_(FILE|DIR)$/,
  /^(SystemRoot|SYSTEMROOT|SystemDrive|windir|ComSpec|COMSPEC)$/,
  /^(PATHEXT|Path|APPDATA|LOCALAPPDATA|ProgramData|USERPROFILE|USERNAME)$/,
]

/**
 * The environment of a user's program: the variables above, which hold no keys, and those matching `more`. All others
 * are withheld.
 */
export const commandEnvironment = (environment: Environment, more: readonly RegExp[] = []): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && [...plain, ...more].some((pattern) => pattern.test(name)) ? [[name, value]] : [],
    ),
  )
