import { hash } from 'node:crypto'
import { Agent, type Dispatcher } from 'undici'
import { type Clock, limited } from '../../base/clock.ts'
import { connectionClause } from '../../base/net/connection-clause.ts'
import { fewInterimAnswers } from '../../base/net/interim-answers.ts'
import { stayingHere } from '../../base/net/loopback.ts'
import { readPostAddress } from '../../base/net/posting.ts'
import type { Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import type { StoredEvent } from '../../domain/gateway/inbox-source.ts'
import type { Attempt } from '../attempt.ts'

export type Poster = {
  /** Sends an event, with additional headers. Only a 2xx within five seconds accepts it; redirects are not followed. */
  post(event: Pick<StoredEvent, 'eventId' | 'body'>, beside?: Readonly<Record<string, string>>): Promise<Attempt>
  close(): Promise<void>
}

/** The header `webhook-signature` of a message; null for none. On error, a sentence, the message is not sent. */
export type Sign = (id: string, at: Date, body: string) => Promise<Result<string | null>>

const totalMs = 5_000
const answerMax = 64 * 1024
/** Bytes kept of an answer. */
const answerBytes = 200

/** Reads the address that events are sent to; they name users and their wallets. */
export const readForwardAddress = (text: string): Result<URL> =>
  readPostAddress(text, { example: 'http://127.0.0.1:8080/events', whatLeaves: 'what users do' })

/** The id of a message: that of its event, or its digest when it is too long or invalid for a header. */
export const messageId = (eventId: string): string =>
  /^[\w-]{1,128}$/.test(eventId) ? eventId : `sha256-${hash('sha256', eventId)}`

/**
 * Creates a sender that opens connections on demand and verifies the certificate of an https address. Each attempt has
 * the headers of Standard Webhooks: a constant id, and the attempt's own time and signature.
 */
export function createPoster(url: URL, clock: Clock, sign: Sign): Poster {
  // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
  const connect = { timeout: totalMs, rejectUnauthorized: true, ...stayingHere(url.hostname) }
  const agent = new Agent({ connections: 32, connect })
  return {
    async post({ eventId, body }, beside = {}) {
      const startedMs = clock.now()
      const since = () => Math.max(0, clock.now() - startedMs)
      const id = messageId(eventId)
      const at = new Date(clock.wallMs())
      const signed = await sign(id, at, body)
      if (!signed.ok) return { kind: 'refused', reason: signed.error, status: null, answer: '', durationMs: since() }
      const headers = {
        ...beside,
        'content-type': 'application/json',
        'user-agent': 'pitdesk-inbox',
        'webhook-id': id,
        'webhook-timestamp': `${Math.floor(at.getTime() / 1_000)}`,
        ...(signed.value === null ? {} : { 'webhook-signature': signed.value }),
      }
      const attempt = await limited((late) => postOnce(url, agent, { headers, body, late }), totalMs, clock)
      return { ...attempt, durationMs: since() }
    },
    close: () => agent.destroy(),
  }
}

type Message = { headers: Record<string, string>; body: string; late: AbortSignal }

async function postOnce({ origin, pathname, search }: URL, agent: Agent, { headers, body, late }: Message) {
  let status: number | null = null
  try {
    const path = pathname + search
    const onInfo = fewInterimAnswers()
    const answer = await agent.request({ origin, path, method: 'POST', signal: late, headers, body, onInfo })
    status = answer.statusCode
    const beginning = await firstBytes(answer.body)
    return status >= 200 && status < 300
      ? { kind: 'taken' as const, status, answer: beginning }
      : { kind: 'refused' as const, reason: `the answer was ${status}`, status, answer: beginning }
  } catch (error) {
    // An incomplete answer counts as none, because its end is unknown.
    const reason = late.aborted ? 'no answer in 5 s' : connectionClause(error)
    return { kind: 'refused' as const, reason, status: null, answer: '' }
  }
}

/** Reads an answer completely, or up to a generous limit, and returns its start. */
async function firstBytes(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    const bytes: Buffer = Buffer.from(chunk)
    if (length < answerBytes) kept.push(bytes.subarray(0, answerBytes - length))
    length += bytes.length
    if (length > answerMax) break
  }
  return plainText(Buffer.concat(kept).toString('utf8')).trim()
}
