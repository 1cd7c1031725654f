import { done, type Run, wrongUsage } from './command.ts'
import { commandTable } from './command-table.ts'
import { completionScript } from './completions.ts'

export const runCompletions: Run = (given, io) => {
  const script = completionScript(given.words[0] ?? '', commandTable)
  if (!script.ok) return Promise.resolve(wrongUsage(script.error))
  io.print(script.value)
  return Promise.resolve(done)
}
