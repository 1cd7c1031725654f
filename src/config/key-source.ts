import type { Clock } from '../base/clock.ts'
import { err, type Result } from '../base/result.ts'
import { readSecret, type Secret } from '../base/secret.ts'
import type { Environment } from './environment.ts'
import { runKeyCommand } from './key-command.ts'
import { readKeyFile } from './key-file.ts'
import type { CommandLine } from './setting-readers.ts'

/** Where a key comes from, and the name of the setting that says so. */
export type KeySource = { name: string } & (
  | { kind: 'variable'; text: string }
  | { kind: 'file'; path: string }
  | { kind: 'command'; command: CommandLine }
)

export type KeyTools = {
  environment: Environment
  clock: Clock
  signal: AbortSignal
  /** What a key command says on its stderr, without control characters and without the key. */
  say: (line: string) => void
}

/** Gets a key from its source. The error says what is wrong with the source and never repeats what was in it. */
export async function fetchKey(source: KeySource, tools: KeyTools): Promise<Result<Secret>> {
  switch (source.kind) {
    case 'variable': {
      const secret = readSecret(source.text)
      return secret.ok ? secret : err(`${source.name}: ${secret.error}`)
    }
    case 'file': {
      const secret = readKeyFile(source.path)
      return secret.ok ? secret : err(`${source.name}: ${secret.error}`)
    }
    case 'command': {
      const secret = await runKeyCommand(source.command, tools)
      return secret.ok ? secret : err(`${source.name}: ${secret.error}`)
    }
  }
}
