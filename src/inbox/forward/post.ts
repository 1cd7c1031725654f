import { hash } from 'node:crypto'
import { Agent, type Dispatcher } from 'undici'
import { type Clock, limited } from '../../base/clock.ts'
import { errorCode, errorText } from '../../base/error-text.ts'
import { plainText } from '../../base/plain-text.ts'
import { readPostAddress } from '../../base/posting.ts'
import { ok, type Result } from '../../base/result.ts'
import type { StoredEvent } from '../../domain/gateway/inbox-source.ts'

/**
 * What became of an attempt; the reason says it in a few words. `status` is that of the answer, null where none came;
 * `answer` is how it began, without control characters.
 */
export type Attempt = {
  readonly durationMs: number
  readonly status: number | null
  readonly answer: string
} & ({ readonly kind: 'taken' } | { readonly kind: 'refused'; readonly reason: string })

export type Poster = {
  /**
   * Hands an event on, with these headers beside its own. Taken is a 2xx within five seconds, and nothing else: a
   * redirect is not followed.
   */
  post(event: Pick<StoredEvent, 'eventId' | 'body'>, beside?: Readonly<Record<string, string>>): Promise<Attempt>
  close(): Promise<void>
}

/**
 * The header `webhook-signature` for a message; null: nothing signs. The error, a sentence, keeps the message here.
 */
export type Sign = (id: string, at: Date, body: string) => Promise<Result<string | null>>

const totalMs = 5_000
const answerMost = 64 * 1024
/** Bytes of an answer that are kept. */
const answerBytes = 200

/** Answers that say nothing of the event: the target is busy, late, or not there behind its front. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504])

/** The word for it in counts and traces: `unanswered` where no answer came, or half of one. */
export const outcomeOf = ({ kind, status }: Attempt): 'taken' | 'refused' | 'unanswered' =>
  kind === 'refused' && status === null ? 'unanswered' : kind

/** Whether the target itself said no to this very event: that can go on for ever. */
export const isRefusal = ({ kind, status }: Attempt): boolean =>
  kind === 'refused' && status !== null && !passing.has(status)

/** Reads the address that events are handed on to: they name users and their wallets. */
export const readForwardAddress = (text: string): Result<URL> =>
  readPostAddress(text, { example: 'http://127.0.0.1:8080/events', whatLeaves: 'what users do' })

/** The id of a message: that of its event, or the digest of one that is too long for a header or has other signs. */
export const messageId = (eventId: string): string =>
  /^[\w-]{1,128}$/.test(eventId) ? eventId : `sha256-${hash('sha256', eventId)}`

const unsigned: Sign = async () => ok(null)

/**
 * Opens connections as they are needed; the certificate of an https address is verified. Each attempt has the headers
 * of Standard Webhooks: the id stays, time and signature are those of the attempt.
 */
export function createPoster(url: URL, clock: Clock, sign: Sign = unsigned): Poster {
  const agent = new Agent({ connections: 32, connect: { timeout: totalMs } })
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
    const answer = await agent.request({ origin, path, method: 'POST', signal: late, headers, body })
    status = answer.statusCode
    const beginning = await firstBytes(answer.body)
    return status >= 200 && status < 300
      ? { kind: 'taken' as const, status, answer: beginning }
      : { kind: 'refused' as const, reason: `the answer was ${status}`, status, answer: beginning }
  } catch (error) {
    // Half an answer is none: nobody knows what its end would have been.
    const reason = late.aborted ? 'no answer in 5 s' : reasonOf(error)
    return { kind: 'refused' as const, reason, status: null, answer: '' }
  }
}

/** Reads an answer to its end, or to a limit that no sensible one reaches, and keeps how it began. */
async function firstBytes(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    const bytes: Buffer = Buffer.from(chunk)
    if (length < answerBytes) kept.push(bytes.subarray(0, answerBytes - length))
    length += bytes.length
    if (length > answerMost) break
  }
  return plainText(Buffer.concat(kept).toString('utf8')).trim()
}

function reasonOf(error: unknown): string {
  const code = errorCode(error)
  return plainText(code === '' ? errorText(error) : `no connection (${code})`).slice(0, 120)
}
