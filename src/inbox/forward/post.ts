import { Agent } from 'undici'
import { type Clock, limited } from '../../base/clock.ts'
import { errorCode } from '../../base/error-text.ts'
import { plainText } from '../../base/plain-text.ts'
import { readPostAddress } from '../../base/posting.ts'
import type { Result } from '../../base/result.ts'

/** What became of an attempt; the reason says it in a few words. */
export type Attempt = { kind: 'taken' } | { kind: 'refused'; reason: string }

export type Poster = {
  /** Hands a body on. Taken is a 2xx within five seconds, and nothing else: a redirect is not followed. */
  post(body: string): Promise<Attempt>
  close(): Promise<void>
}

const totalMs = 5_000
const answerMost = 64 * 1024

/** Reads the address that events are handed on to: they name users and their wallets. */
export const readForwardAddress = (text: string): Result<URL> =>
  readPostAddress(text, { example: 'http://127.0.0.1:8080/events', whatLeaves: 'what users do' })

/** Opens connections as they are needed; the certificate of an https address is verified. */
export function createPoster(url: URL, clock: Clock): Poster {
  const agent = new Agent({ connections: 32, connect: { timeout: totalMs } })
  return {
    post: (body) => limited((late) => postOnce(url, agent, body, late), totalMs, clock),
    close: () => agent.destroy(),
  }
}

async function postOnce(
  { origin, pathname, search }: URL,
  agent: Agent,
  body: string,
  late: AbortSignal,
): Promise<Attempt> {
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'pitdesk-inbox' }
    const answer = await agent.request({ origin, path: pathname + search, method: 'POST', signal: late, headers, body })
    await answer.body.dump({ limit: answerMost, signal: late })
    const { statusCode } = answer
    return statusCode >= 200 && statusCode < 300
      ? { kind: 'taken' }
      : { kind: 'refused', reason: `the answer was ${statusCode}` }
  } catch (error) {
    return { kind: 'refused', reason: late.aborted ? 'no answer in 5 s' : reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no connection'
  const code = errorCode(error)
  return plainText(code === '' ? error.message : `no connection (${code})`).slice(0, 120)
}
