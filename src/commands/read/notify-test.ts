import { readingSignal } from '../../base/process/command-io.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { createDeliveryIds, type NotifyTargets, openNotifyTargets } from '../../desk/notify.ts'
import { kindMeanings, type MessageKind, messageKinds } from '../../domain/notify/message.ts'
import { beatOnce } from '../../services/notify/heartbeat.ts'
import type { Attempt } from '../../services/notify/queue.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import type { Run } from '../cli/command.ts'
import { done, failed, failure, settingsFailure } from '../cli/exit-codes.ts'
import { beforeAnswer, readProfile } from '../cli/session.ts'

/** The result of a test at one target; `skipped`: it does not get this kind. */
type Tested = { target: string; outcome: 'taken' | 'skipped' | 'failed'; reason?: string; answer?: string }

/**
 * Sends one message to every target of the settings, past digest and quiet hours, and reports each result. Fails when
 * one of them does. Waiting messages on disk are left to the desk.
 */
export const runNotifyTest: Run = async (given, io, tools) => {
  const settings = readProfile(given, io)
  if (!settings.ok) return settingsFailure(settings.error)
  const opened = await openNotifyTargets(settings.value, { io, tools })
  if (!opened.ok) return failed(opened.error)
  const { targets, heartbeat, close } = opened.value
  const asked = messageKinds.find((kind) => kind === given.value('kind')) ?? null
  if (targets.length === 0 && heartbeat === null)
    return failed(
      `nothing is set to be told: set notify_command, notify_url or heartbeat_url (pitdesk help notifications)`,
    )
  try {
    const delivery = deliveryOf(asked ?? 'watch', createDeliveryIds(tools.randomBytes)(), tools.clock.wallMs())
    const signal = readingSignal(io)
    const tested = await Promise.all(
      targets.map(async (target): Promise<Tested> => {
        const { name } = target
        if (asked !== null && !target.kinds.has(asked)) return { target: name, outcome: 'skipped' }
        return testedOf(name, await target.send(delivery, signal))
      }),
    )
    tested.push(...(await heartbeatTested(opened.value, settings.value.notify.heartbeat?.method ?? 'GET', signal)))
    const failing = tested.filter(({ outcome }) => outcome === 'failed').map(({ target }) => target)
    // What a signal ended may have been taken.
    if (io.signal.aborted && failing.length > 0)
      return failed(`${beforeAnswer} from ${failing.join(', ')}: what was sent may arrive all the same`)
    if (given.has('json')) await io.print(jsonLine(tested))
    else for (const each of tested) await io.print(plainText(lineOf(each, asked)))
    if (failing.length === 0) return done
    return failure(
      'failed',
      `not taken by ${failing.join(', ')}. No money is at risk; pitdesk doctor checks the settings.`,
    )
  } finally {
    await close()
  }
}

const deliveryOf = (kind: MessageKind, id: string, atMs: number) => {
  const text = `A test: messages of the kind ${kind} arrive (${kindMeanings[kind]}). Nothing happened.`
  return { id, droppedCount: 0, messages: [{ kind, level: 'info', text, atMs } as const] }
}

async function heartbeatTested({ heartbeat }: NotifyTargets, method: 'GET' | 'POST', signal: AbortSignal) {
  if (heartbeat === null) return []
  const reason = await beatOnce(heartbeat, method, signal)
  const outcome = reason === null ? 'taken' : 'failed'
  return [{ target: 'heartbeat_url', outcome, ...(reason === null ? {} : { reason }) } as const]
}

function testedOf(target: string, attempt: Attempt): Tested {
  if (attempt.kind === 'taken') return { target, outcome: 'taken' }
  if (attempt.kind === 'gone')
    return { target, outcome: 'failed', reason: 'the answer was 410: it wants no more messages' }
  const { reason, words } = attempt
  return { target, outcome: 'failed', reason, ...(words === undefined ? {} : { answer: words }) }
}

function lineOf({ target, outcome, reason, answer }: Tested, kind: MessageKind | null): string {
  const name = target.padEnd(14)
  if (outcome === 'taken') return `ok    ${name}  taken`
  if (outcome === 'skipped') return `-     ${name}  not sent: ${target}_kinds has no ${kind}`
  return `fail  ${name}  not taken: ${reason}${answer === undefined ? '' : ` (${answer})`}`
}
