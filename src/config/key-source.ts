import { type ChildProcess, spawn } from 'node:child_process'
import type { Clock } from '../base/clock.ts'
import type { Environment } from '../base/environment.ts'
import { errorCode } from '../base/error-text.ts'
import { ownFileComplaint, readOwnFile } from '../base/own-file.ts'
import { plainText } from '../base/plain-text.ts'
import { err, type Result } from '../base/result.ts'
import { readSecret, type Secret } from '../base/secret.ts'
import type { CommandLine } from './setting-rows.ts'

/** Where a key comes from, and the name of the setting that says so. */
export type KeySource = { name: string } & (
  | { kind: 'variable'; text: string }
  | { kind: 'file'; path: string }
  | { kind: 'command'; command: CommandLine }
)

/** The source that these settings name, a file before a command; null when they name none. */
export function namedSource(
  { file, command }: { file: string | undefined; command: CommandLine | undefined },
  nameOf: (part: 'file' | 'command') => string,
): KeySource | null {
  if (file !== undefined) return { kind: 'file', name: nameOf('file'), path: file }
  return command === undefined ? null : { kind: 'command', name: nameOf('command'), command }
}

type KeyTools = {
  environment: Environment
  clock: Clock
  signal: AbortSignal
  /** What a key command says on its stderr, without control characters and without the key. */
  say: (line: string) => void
}

/** Gets a key from its source. The error says what is wrong with the source and never repeats what was in it. */
export async function fetchKey(source: KeySource, tools: KeyTools): Promise<Result<Secret>> {
  const secret = await readSource(source, tools)
  return secret.ok ? secret : err(`${source.name}: ${secret.error}`)
}

function readSource(source: KeySource, tools: KeyTools): Result<Secret> | Promise<Result<Secret>> {
  switch (source.kind) {
    case 'variable':
      return readSecret(source.text)
    case 'file':
      return readKeyFile(source.path)
    case 'command':
      return runKeyCommand(source.command, tools)
  }
}

const bytesMost = 64 * 1_024

/**
 * Reads a key from a file that belongs to this user, that nobody else may read, and that nobody else can put another in
 * the place of.
 */
function readKeyFile(path: string): Result<Secret> {
  const shown = plainText(path)
  const text = readOwnFile(path, { rule: 'secret', bytesMost })
  if (!text.ok) return err(`${shown} ${text.error}`)
  if (text.value === null) return err(`${shown} does not exist`)
  const secret = readSecret(text.value)
  return secret.ok ? secret : err(`${shown}: ${secret.error}`)
}

/** What keeps a key file from being used, or null; for a check that does not need the key. */
export const keyFileComplaint = (path: string): string | null => ownFileComplaint(path, 'secret')

/** A password store may ask its owner first; longer than that nobody waits for a desk. */
const patienceMs = 60_000
const outputMost = 64 * 1024

type Ended =
  | { kind: 'ended'; code: number | null }
  | { kind: 'failed'; reason: string }
  | { kind: 'timedOut' }
  | { kind: 'aborted' }

/**
 * Runs the command and reads the key from the first line of its output. A list of words is started without a shell, one
 * line with it. What it says on stderr is told line by line, with the key masked.
 */
async function runKeyCommand(command: CommandLine, tools: KeyTools): Promise<Result<Secret>> {
  const child = start(command, tools)
  const output = collect(child.stdout)
  const complaints = collect(child.stderr)
  const ended = await endOf(child, tools)
  child.stdout?.destroy()
  child.stderr?.destroy()
  const secret = readSecret(output().split(/\r?\n/)[0] ?? '')
  for (const line of complaints().split(/\r?\n/)) {
    const plain = plainText(line).trim()
    if (plain !== '') tools.say(secret.ok ? secret.value.redact(plain) : plain)
  }
  switch (ended.kind) {
    case 'failed':
      return err(`the command could not be started (${ended.reason})`)
    case 'timedOut':
      return err(`the command gave no key within ${patienceMs / 1000} s and was ended`)
    case 'aborted':
      return err('the command was ended before it gave a key')
    case 'ended':
      if (ended.code !== 0) return err(`the command ended with ${ended.code ?? 'a signal'} and gave no key`)
      return secret.ok ? secret : err(`the first line of the command's output is not a key: ${secret.error}`)
  }
}

/**
 * What a key command gets of the environment: what a program needs to run at all, to ask its owner, and what the usual
 * stores of passwords are told of themselves. Everything else stays here, other keys first of all.
 */
const passedOn: readonly RegExp[] = [
  /^(HOME|USER|LOGNAME|SHELL|PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM|COLORTERM|NO_COLOR|TMPDIR|TEMP|TMP)$/,
  // Where the person is who is asked, and the agents that know a passphrase.
  /^(DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION)$/,
  /^SSH_(AUTH_SOCK|AGENT_PID|TTY)$/,
  /^(GPG_\w+|GNUPGHOME|PINENTRY_\w+|KRB5\w+|SSL_CERT_(FILE|DIR)|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY|NIX_\w+)$/,
  // pass, gopass, 1Password, Bitwarden, rbw, LastPass, KeePassXC, Vault, SOPS, age and the stores of three clouds.
  /^(PASSWORD_STORE|GOPASS|OP|BW|BITWARDEN\w*|RBW|LPASS|KEEPASSXC|VAULT|BAO|SOPS|AGE|AWS|AZURE|CLOUDSDK|GOOGLE)_\w+$/,
  /^(SystemRoot|SYSTEMROOT|SystemDrive|windir|ComSpec|COMSPEC)$/,
  /^(PATHEXT|Path|APPDATA|LOCALAPPDATA|ProgramData|USERPROFILE|USERNAME)$/,
]

/** The variables that are passed on to a key command. */
const keyCommandEnvironment = (environment: Environment): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && passedOn.some((pattern) => pattern.test(name)) ? [[name, value]] : [],
    ),
  )

function start(command: CommandLine, { environment }: KeyTools): ChildProcess {
  const [file, argv] =
    command.kind === 'words' ? [command.file, command.argv] : (['/bin/sh', ['-c', command.line]] as const)
  return spawn(file, [...argv], { env: keyCommandEnvironment(environment), stdio: ['ignore', 'pipe', 'pipe'] })
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

function endOf(child: ChildProcess, { clock, signal }: KeyTools): Promise<Ended> {
  const done = new AbortController()
  return new Promise<Ended>((resolve) => {
    child.once('error', (error) => resolve({ kind: 'failed', reason: errorCode(error) || error.name }))
    child.once('close', (code) => resolve({ kind: 'ended', code }))
    void clock.sleep(patienceMs, AbortSignal.any([signal, done.signal])).then(() => {
      if (done.signal.aborted) return
      child.kill('SIGTERM')
      resolve({ kind: signal.aborted ? 'aborted' : 'timedOut' })
    })
  }).finally(() => done.abort())
}
