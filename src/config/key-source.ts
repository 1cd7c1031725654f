import type { Clock } from '../base/clock.ts'
import { ownFileComplaint, readOwnFile } from '../base/files/own-file.ts'
import type { Environment } from '../base/process/environment.ts'
import { type CommandLine, commandEnvironment, runCommand } from '../base/process/run-command.ts'
import { err, type Result } from '../base/result.ts'
import { readSecret, type Secret } from '../base/secret.ts'
import { plainText } from '../base/text/plain-text.ts'

/** The source of a key, and the name of its setting. */
export type KeySource = { name: string } & (
  | { kind: 'variable'; text: string }
  | { kind: 'file'; path: string }
  | { kind: 'command'; command: CommandLine }
)

/** The source named by these settings, a file before a command; null when none is named. */
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
  /** Receives the stderr lines of a key command, without control characters and with the key masked. */
  say: (line: string) => void
}

/** Gets a key from its source. The error says what is wrong with the source and never repeats its contents. */
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

const bytesMax = 64 * 1_024

/** Reads a key from a file owned by this user that no one else can read or replace. */
function readKeyFile(path: string): Result<Secret> {
  const shown = plainText(path)
  const text = readOwnFile(path, { rule: 'secret', bytesMax })
  if (!text.ok) return err(`${shown} ${text.error}`)
  if (text.value === null) return err(`${shown} does not exist`)
  const secret = readSecret(text.value)
  return secret.ok ? secret : err(`${shown}: ${secret.error}`)
}

/** Why a key file cannot be used, or null; for checks that do not need the key. */
export const keyFileComplaint = (path: string): string | null => ownFileComplaint(path, 'secret')

/** A password store may ask its owner first; a desk waits no longer than this. */
const patienceMs = 60_000

/**
 * Environment variables passed to key commands beyond the usual ones: those for asking the owner, and those that
 * password stores read.
 */
const passedOn: readonly RegExp[] = [
  // Agents that hold passphrases.
  /^SSH_(AUTH_SOCK|AGENT_PID|TTY)$/,
  /^(GPG_\w+|GNUPGHOME|PINENTRY_\w+|KRB5\w+|(https?|all|no)_proxy|(HTTPS?|ALL|NO)_PROXY|NIX_\w+)$/,
  // Prefixes that common password managers, key vaults and encryption tools use.
  /^(PASSWORD_STORE|GOPASS|OP|BW|BITWARDEN\w*|RBW|LPASS|KEEPASSXC|VAULT|BAO|SOPS|AGE|AWS|AZURE|CLOUDSDK|GOOGLE)_\w+$/,
]

/**
 * Runs the command and reads the key from the first line of its output. Passes on its stderr line by line, with the key
 * masked.
 */
async function runKeyCommand(
  command: CommandLine,
  { environment, clock, signal, say }: KeyTools,
): Promise<Result<Secret>> {
  const { end, stdout, stderr } = await runCommand(command, {
    environment: commandEnvironment(environment, passedOn),
    input: null,
    patienceMs,
    hasOwnGroup: false,
    clock,
    signal,
  })
  const secret = readSecret(stdout.split(/\r?\n/)[0] ?? '')
  for (const line of stderr.split(/\r?\n/)) {
    const plain = plainText(line).trim()
    if (plain !== '') say(secret.ok ? secret.value.redact(plain) : plain)
  }
  switch (end.kind) {
    case 'failed':
      return err(`the command could not be started (${end.reason})`)
    case 'timedOut':
      return err(`the command gave no key within ${patienceMs / 1000} s and was ended`)
    case 'aborted':
      return err('the command was ended before it gave a key')
    case 'ended':
      if (end.code !== 0) return err(`the command ended with ${end.code ?? 'a signal'} and gave no key`)
      return secret.ok ? secret : err(`the first line of the command's output is not a key: ${secret.error}`)
  }
}
