import { Webhook } from 'standardwebhooks'
import { failureWordsMax, keyLengthMin, type UserService } from '../../api/user-service.ts'
import type { Clock } from '../../base/clock.ts'
import type { CommandLine, CommandOptions, runCommand } from '../../base/process/run-command.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { Secret } from '../../base/secret.ts'
import { errorText } from '../../base/text/error-text.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { deliveryJson, deliveryText, type MessageKind, type Sender } from '../../domain/notify/message.ts'
import type { Attempt, Target } from './queue.ts'

/** Minimum by Standard Webhooks: a shorter secret could be guessed. */
const secretBytesMin = 24

/** Signs a message: `v1,` and base64 over its id, its time and its body. */
export type Signer = Pick<Webhook, 'sign'>

/** Reads a signing secret of Standard Webhooks: `whsec_` and base64. The error never contains the secret. */
export function readSigningSecret(secret: Secret): Result<Signer> {
  const text = secret.reveal().replace(/^whsec_/, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || Buffer.from(text, 'base64').length < secretBytesMin)
    return err(`the secret is not whsec_ and at least ${secretBytesMin} bytes in base64`)
  try {
    return ok(new Webhook(text))
  } catch (error) {
    // The package's error is about the base64 and does not quote it.
    return err(`the secret cannot be used: ${errorText(error)}`)
  }
}

type UrlOptions = {
  name: string
  kinds: ReadonlySet<MessageKind>
  service: UserService
  /** The signer; null when messages are not signed. Requested again until there is one. */
  signer: () => Promise<Result<Signer | null>>
  sender: Sender
  clock: Pick<Clock, 'wallMs'>
}

/**
 * Posts deliveries as JSON, signed by Standard Webhooks in each attempt with the same id and the attempt's time. Only a
 * 2xx means taken; after a 410 no more are wanted.
 */
export function createUrlTarget({ name, kinds, service, signer, sender, clock }: UrlOptions): Target {
  return {
    name,
    kinds,
    close: service.close,
    async send(delivery, signal): Promise<Attempt> {
      const signing = await signer()
      if (!signing.ok) return { kind: 'refused', reason: signing.error }
      const body = deliveryJson(delivery, sender)
      const now = new Date(clock.wallMs())
      const headers = {
        'content-type': 'application/json',
        'webhook-id': delivery.id,
        'webhook-timestamp': `${Math.floor(now.getTime() / 1_000)}`,
        ...(signing.value === null ? {} : { 'webhook-signature': signing.value.sign(delivery.id, now, body) }),
      }
      const answer = await service.send({ method: 'POST', headers, body, signal })
      if (answer.kind === 'failure') return { kind: 'refused', reason: answer.reason }
      const { status, retryAfterMs, words } = answer
      if (status >= 200 && status < 300) return { kind: 'taken' }
      if (status === 410) return { kind: 'gone' }
      return {
        kind: 'refused',
        reason: statusReason(status),
        ...(words === null ? {} : { words }),
        ...(retryAfterMs === null ? {} : { retryAfterMs }),
      }
    },
  }
}

/** Why an answer with this status does not mean taken, as a clause. */
export const statusReason = (status: number): string =>
  status >= 300 && status < 400 ? `the answer was ${status}: redirects are not followed` : `the answer was ${status}`

export type CommandInput = 'text' | 'json'

type CommandTargetOptions = Omit<CommandOptions, 'input' | 'hasOwnGroup' | 'signal'> & {
  name: string
  kinds: ReadonlySet<MessageKind>
  command: CommandLine
  input: CommandInput
  sender: Sender
  run: typeof runCommand
}

/**
 * The words of a command that may be keys of what it calls, the longest first: addresses, their paths, and long words
 * that are neither flags nor files. Programs repeat them in what they say of a failure.
 */
function keysIn(command: CommandLine): Secret[] {
  const written = command.kind === 'shell' ? [command.line] : command.argv
  // `--url=https://…` has the address as its value, and a shell's signs may follow on one.
  const words = written.flatMap((each) => each.split(/[\s'"]+/)).map((word) => word.replace(/^-[^=]*=|[;|&)]+$/g, ''))
  const keys = words.flatMap((word) => {
    const address = /^https?:/.test(word) ? URL.parse(word) : null
    if (address !== null) return [word, address.href, address.pathname + address.search, address.pathname]
    return word.length < keyLengthMin || /^[-/~.$<>]/.test(word) ? [] : [word]
  })
  return keys
    .filter((key) => key.length > 1)
    .sort((left, right) => right.length - left.length)
    .map((key) => new Secret(key))
}

/** Gives deliveries to a command on its stdin. Only exit code 0 means taken. */
export function createCommandTarget(options: CommandTargetOptions): Target {
  const { name, kinds, command, input, sender, run, environment, patienceMs, clock } = options
  const keys = keysIn(command)
  return {
    name,
    kinds,
    close: () => Promise.resolve(),
    async send(delivery, signal): Promise<Attempt> {
      const { end, stderr } = await run(command, {
        ...{ environment, patienceMs, clock, signal, hasOwnGroup: true },
        input: input === 'json' ? `${deliveryJson(delivery, sender)}\n` : deliveryText(delivery, sender),
      })
      if (end.kind === 'ended' && end.code === 0) return { kind: 'taken' }
      const said = keys.reduce((text, key) => key.redact(text), stderr)
      const words = plainText(said).trim().slice(0, failureWordsMax)
      return { kind: 'refused', reason: endReason(end, patienceMs), ...(words === '' ? {} : { words }) }
    },
  }
}

type CommandEnd = Awaited<ReturnType<typeof runCommand>>['end']

function endReason(end: CommandEnd, patienceMs: number): string {
  switch (end.kind) {
    case 'failed':
      return `it could not be started (${end.reason})`
    case 'timedOut':
      return `it took longer than ${patienceMs / 1_000} s and was ended`
    case 'aborted':
      return 'it was ended with the desk'
    case 'ended':
      return end.code === null ? 'a signal ended it' : `it ended with ${end.code}`
  }
}
