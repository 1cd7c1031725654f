import { done, type Run, wrongUsage } from './command.ts'
import { commandTable } from './command-table.ts'
import { completionScript } from './completions.ts'

export const runCompletions: Run = async (given, io) => {
  const script = completionScript(given.words[0] ?? '', commandTable)
  if (!script.ok) return wrongUsage(script.error)
  await io.print(script.value)
  return done
}
