import { plainText } from '../../base/text/plain-text.ts'
import type { Run } from '../cli/command.ts'
import { done, failed, settingsFailure } from '../cli/exit-codes.ts'
import { readProfile } from '../cli/session.ts'
import { openAgent } from './agent.ts'

/**
 * Serves an account to a Model Context Protocol client on stdin and stdout: reads, and drafts for the user to send. The
 * server is loaded only now.
 */
export const runMcp: Run = async (given, io, tools) => {
  const settings = readProfile(given, io)
  if (!settings.ok) return settingsFailure(settings.error)
  if (io.stdin.isTTY)
    return failed('stdin is a terminal: an agent starts it as a program of its own (pitdesk help agents)')
  const agent = await openAgent(settings.value, io, tools)
  if (!agent.ok) return failed(agent.error)
  try {
    const { serveAgent } = await import('./server.ts')
    const { profileName, venueKind } = settings.value
    const place = venueKind === 'practice' ? 'PRACTICE' : `LIVE ${profileName}`
    io.printError(plainText(`pitdesk mcp: ${place}, reads and drafts; nothing is sent from here`))
    const end = await serveAgent(agent.value)
    return end.kind === 'ended' ? done : failed(`${end.reason}: ended`)
  } finally {
    await agent.value.close()
  }
}
