import type { CommandIo } from '../../src/base/process/command-io.ts'
import { linesTo } from './output.ts'

/** What a desk is given of the process around it, where nobody reads what it says; a crash is thrown. */
export const quietIo = (environment: CommandIo['environment'], signal = new AbortController().signal): CommandIo => ({
  environment,
  stdin: process.stdin,
  stdout: process.stdout,
  ...linesTo(() => undefined),
  printError: () => undefined,
  progress: () => undefined,
  signal,
  restoreAtCrash: () => undefined,
  crash: (error) => {
    throw error
  },
})
