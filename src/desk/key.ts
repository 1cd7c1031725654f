import type { CommandIo, CommandTools } from '../base/command-io.ts'
import type { Result } from '../base/result.ts'
import type { Secret } from '../base/secret.ts'
import { fetchKey, type KeySource } from '../config/key-source.ts'

type Place = { io: Pick<CommandIo, 'environment' | 'signal' | 'printError'>; tools: Pick<CommandTools, 'clock'> }

/** Gets a key for this process; what a key command has to say goes to stderr. */
export const keyFrom = (source: KeySource, { io, tools }: Place): Promise<Result<Secret>> =>
  fetchKey(source, { environment: io.environment, clock: tools.clock, signal: io.signal, say: io.printError })
