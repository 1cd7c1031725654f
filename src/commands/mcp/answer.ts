import { ExchangeError } from '../../api/errors.ts'
import { limited } from '../../base/clock.ts'
import { dropOldest } from '../../base/drop-oldest.ts'
import type { Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { minuteMs, secondMs } from '../../base/text/time-text.ts'
import { HistoryError } from '../../history/history-database.ts'
import { JournalError } from '../../journal/entry.ts'
import { NumberText, readJson } from '../../wire/exact-json.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import { type Fields, failureOf } from '../cli/exit-codes.ts'
import { IncompleteList } from '../cli/paging.ts'
import { noticeOf } from '../cli/session.ts'
import type { Agent } from './agent.ts'
import { Interrupted, type Watch } from './reading-client.ts'
import { type Asking, cursorOf, endingFault, type Input, inputsOf, limitOf, type Tool, type ToolFault } from './tool.ts'

/** An answer in both forms of the protocol; the text is exact. */
export type Answer = { isError: boolean; text: string; value: Readonly<Record<string, unknown>> | null }

/** An equal question within this time, in ms, gets the same answer. */
const sameForMs = secondMs
const keptMax = 64
/** Maximum duration of a question in ms: P&L of a long history takes longest. */
const longestMs = 2 * minuteMs

/** The data read, before it becomes an answer. */
type Made = { data: Fields; notes: readonly string[]; oldestMs: number; from: string }

class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly fault: ToolFault
  constructor(fault: ToolFault) {
    super(fault.message)
    this.fault = fault
  }
}

const valueIn = <T>(result: Result<T, ToolFault>): T => {
  if (!result.ok) throw new Refusal(result.error)
  return result.value
}

/** Answers questions with tools, one after the other. */
export function createAnswers(agent: Agent) {
  const kept = new Map<string, { atMs: number; made: Made }>()
  const { clock } = agent.tools

  const recent = (key: string): Made | null => {
    const known = kept.get(key)
    return known !== undefined && Math.abs(clock.now() - known.atMs) < sameForMs ? known.made : null
  }
  const keep = (key: string, made: Made) => {
    kept.delete(key)
    kept.set(key, { atMs: clock.now(), made })
    dropOldest(kept, keptMax)
  }

  const make = async (tool: Tool, input: Input, ask: { origin: string; watch: Watch }): Promise<Made> => {
    const { watch, origin } = ask
    const notes: string[] = []
    const note = (sentence: string) => notes.push(sentence)
    const asking: Asking = { agent, signal: watch.signal, origin, note }
    const data = await dataOf(tool, input, asking, () => watch.oldestMs)
    const { name, staleAfterMs } = tool
    if (watch.oldestMs !== null) agent.lastReads.set(name, { atMs: watch.oldestMs, staleAfterMs })
    return { ...data, notes, from: fromOf(tool, agent) }
  }

  return async (tool: Tool, input: Input, ask: { origin: string; signal: AbortSignal }): Promise<Answer> => {
    const { session, io } = agent
    // A key that arrives here is already in some log: it must not enter a draft too.
    if (session.token.redactJson(JSON.stringify(input)) !== JSON.stringify(input))
      return faultAnswer({ kind: 'usage', message: 'tools do not take keys' }, agent)
    const key = `${tool.name} ${JSON.stringify(input)}`
    try {
      const made = await limited(
        (late) => {
          const signal = AbortSignal.any([ask.signal, io.signal, late])
          const watch: Watch = { oldestMs: null, signal }
          return agent.alone(watch, async () => {
            if (signal.aborted) throw new Interrupted()
            // Lists from before a draft would say of it that it is not there.
            if (tool.kind === 'draft') kept.clear()
            const known = recent(key)
            if (known !== null) return known
            const fresh = await make(tool, input, { origin: ask.origin, watch })
            if (tool.kind !== 'draft') keep(key, fresh)
            return fresh
          })
        },
        longestMs,
        clock,
      )
      return tell(made, tool, agent)
    } catch (error) {
      const fault = faultOf(error, agent)
      if (fault === null) throw error
      return faultAnswer(fault, agent)
    }
  }
}

async function dataOf(
  tool: Tool,
  input: Input,
  asking: Asking,
  seenMs: () => number | null,
): Promise<Pick<Made, 'data' | 'oldestMs'>> {
  const { agent, note } = asking
  const nowMs = agent.tools.clock.now()
  if (tool.kind !== 'list') {
    const value = valueIn(await (tool.kind === 'one' ? tool.read(input, asking) : tool.draft(input, asking)))
    return { data: { value }, oldestMs: seenMs() ?? nowMs }
  }
  const { cursor: _cursor, limit: _limit, ...question } = input
  const page = await agent.lists.page({
    ...{ key: `${tool.name} ${JSON.stringify(question)}`, cursor: cursorOf(input), limit: limitOf(input), seenMs },
    note,
    open: async (noteOfPage) => valueIn(await tool.pages(input, { ...asking, note: noteOfPage })),
  })
  if ('error' in page) throw new Refusal({ kind: 'usage', message: page.error })
  if (page.isCut) note('There are more rows than are kept for one question: ask for a shorter time.')
  return { data: { rows: page.rows, nextCursor: page.nextCursor }, oldestMs: page.oldestMs }
}

const fromOf = ({ from }: Tool, { session }: Agent): string =>
  from === 'exchange' && session.client.isShared() ? 'hub' : from

function tell({ data, notes, oldestMs, from }: Made, { staleAfterMs }: Tool, agent: Agent): Answer {
  const { clock } = agent.tools
  const ageMs = Math.max(0, Math.round(clock.now() - oldestMs))
  const told: Fields = {
    ...{ readAt: Math.round(clock.wallMs() - ageMs), ageMs, isStale: ageMs > staleAfterMs, from },
    ...(notes.length === 0 ? {} : { notes }),
    ...data,
  }
  const text = shown(jsonLine(told), agent)
  const value = forJavaScript(text)
  return { isError: false, text, value: isRecord(value) ? value : null }
}

/** JSON text without the key. A very short key may occur in any text by chance, so it is not masked. */
const keyLengthMin = 16
export const shown = (text: string, { session: { token } }: Pick<Agent, 'session'>): string =>
  token.reveal().length < keyLengthMin ? text : token.redactJson(text)

/**
 * The value of a JSON text: whole numbers beyond a binary float's precision become text. Without characters that a
 * terminal interprets.
 */
function forJavaScript(text: string): unknown {
  const read = readJson(text)
  if (!read.ok) throw new Error(`an answer that is not JSON: ${read.error}`)
  return plainValue(read.value)
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value)
  if (value instanceof NumberText) {
    const number = Number(value.text)
    return Number.isSafeInteger(number) ? number : value.text
  }
  if (Array.isArray(value)) return value.map(plainValue)
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plainValue(inner)]))
    : value
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An error as a failure in the commands' words; null for a bug. */
function faultOf(error: unknown, { session }: Agent): ToolFault | null {
  if (error instanceof Refusal) return error.fault
  if (error instanceof ExchangeError) return endingFault(failureOf(error, noticeOf(error, session.token)))
  if (error instanceof IncompleteList || error instanceof JournalError || error instanceof HistoryError)
    return { kind: 'failed', message: error.message }
  return error instanceof Interrupted ? { kind: 'failed', message: error.message } : null
}

const faultAnswer = (fault: ToolFault, agent: Agent): Answer => {
  const { kind, message, todo } = fault
  return { isError: true, text: shown(jsonLine({ error: { kind, message, todo } }), agent), value: null }
}

/** The answer to too many questions at once. */
export const busyAnswer = (agent: Agent): Answer =>
  faultAnswer({ kind: 'failed', message: 'too many questions at once: wait for answers before you ask more' }, agent)

/**
 * The answer to a question with wrong fields. It lists the words a field takes, describes a field with a pattern, and
 * names unknown fields together with the known ones.
 */
export function usageAnswer(
  issues: readonly { message: string }[],
  { input, tool }: { input: Input; tool: Tool },
  agent: Agent,
): Answer {
  const known = Object.keys(inputsOf(tool))
  const unknown = Object.keys(input).filter((name) => !known.includes(name))
  // Several faults of one field come as one message.
  const sentences = issues
    .flatMap(({ message }) => message.split(/, (?=data\b)/))
    .map((message) => {
      const [, name = '', isOfWords] = /^data\/(\w+) must (?:match pattern|(be equal to one of))/.exec(message) ?? []
      const { enum: words, description } = tool.input[name] ?? {}
      if (isOfWords === undefined && description !== undefined) return `${name} does not fit, it is ${description}`
      const which = Array.isArray(words) ? `: ${words.join(', ')}` : ''
      const isMore = message.includes('additional properties')
      const more = isMore ? `: ${plainText(unknown.slice(0, 5).join(', '))}; it takes ${known.join(', ')}` : ''
      return `${message.replace(/^data\/?/, '').trim()}${which}${more}`
    })
  // Every unknown field gets the same words.
  return faultAnswer({ kind: 'usage', message: [...new Set(sentences)].join('; ') }, agent)
}
