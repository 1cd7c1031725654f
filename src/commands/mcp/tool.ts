import type { Result } from '../../base/result.ts'
import type { Arguments } from '../cli/arguments.ts'
import { type Ending, type Fields, kindOfCode } from '../cli/exit-codes.ts'
import type { Pages } from '../cli/output.ts'
import { type JsonSchema, listOf, maybe, rowOf, text, time, whole, word } from '../schema/kinds.ts'
import type { Agent } from './agent.ts'

/** What a tool was given: it fits the input of its row by then. */
export type Input = Readonly<Record<string, unknown>>

/** What one answer is made with, beside the agent itself. */
export type Asking = {
  agent: Agent
  signal: AbortSignal
  /** Who asks, as a maker of drafts: `mcp NAME`. */
  origin: string
  /** Notes something that had to be left out, or that a reader should know, as a sentence. */
  note: (sentence: string) => void
}

/** Why nothing came of a question: the word of the exit code, and sentences. */
export type ToolFault = {
  kind: 'usage' | 'failed' | 'notSent' | 'rejected' | 'unreachable'
  message: string
  todo?: string
}

type Common = {
  name: string
  title: string
  /** What it answers, for whoever chooses among tools. */
  about: string
  input: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  /** Where its answers come from. */
  from: 'exchange' | 'records'
  /** An answer that is older than this is stale, in ms. */
  staleAfterMs: number
}

/** One tool of the server. A list is answered page by page, anything else as one value. */
export type Tool = Common &
  (
    | {
        kind: 'list'
        item: JsonSchema
        pages: (input: Input, asking: Asking) => Result<Pages, ToolFault> | Promise<Result<Pages, ToolFault>>
      }
    | { kind: 'one'; value: JsonSchema; read: (input: Input, asking: Asking) => Promise<Result<Fields, ToolFault>> }
    /** It writes a draft on this machine, and nothing anywhere else: its answers are never given twice. */
    | { kind: 'draft'; value: JsonSchema; draft: (input: Input, asking: Asking) => Promise<Result<Fields, ToolFault>> }
  )

/** The words of a command without the dashes of its flags, which are fields here. */
export const usageFault = (message: string): ToolFault => ({
  kind: 'usage',
  message: message.replaceAll(/--(?=[a-z])/g, ''),
})

/** Rows of one answer: what an agent reads at once is kept small. */
const pageMax = 200
const usualPage = 50
export const limitOf = (input: Input): number => (typeof input.limit === 'number' ? input.limit : usualPage)
export const cursorOf = (input: Input): string | null => (typeof input.cursor === 'string' ? input.cursor : null)

const pageInput: Readonly<Record<string, JsonSchema>> = {
  limit: { ...whole(`rows of one answer (${usualPage})`), minimum: 1, maximum: pageMax },
  cursor: { ...text('nextCursor of the answer before, for the next rows of the same question'), maxLength: 60 },
}

/** The fields that a tool takes, by name. */
export const inputsOf = ({ input, kind }: Tool): Readonly<Record<string, JsonSchema>> =>
  kind === 'list' ? { ...input, ...pageInput } : input

/** What a tool takes: nothing else, so that a field that means nothing is reported. */
export function inputSchema(tool: Tool): JsonSchema {
  return {
    type: 'object',
    properties: inputsOf(tool),
    required: tool.required ?? [],
    additionalProperties: false,
  }
}

const answered = {
  readAt: time('when it was read, the oldest part of it'),
  ageMs: whole('how old it was when it was answered, ms'),
  isStale: { type: 'boolean', description: 'true: too old to act by; ask again' },
  from: word(['exchange', 'hub', 'records'], 'records: files of this machine'),
  notes: maybe(listOf(text('a sentence'), 'what had to be left out, and what a reader should know')),
} as const

/** Numbers of up to 64 bits come as text where a reader in JavaScript would lose digits. */
function forJavaScript(schema: JsonSchema): JsonSchema {
  if (schema.type === 'integer' && schema.format === 'int64') {
    const { format: _format, ...rest } = schema
    return { ...rest, type: ['integer', 'string'] }
  }
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' && isSchema(value))
        return [
          keyword,
          Object.fromEntries(
            Object.entries(value).map(([name, inner]) => [name, isSchema(inner) ? forJavaScript(inner) : inner]),
          ),
        ]
      return [keyword, keyword === 'items' && isSchema(value) ? forJavaScript(value) : value]
    }),
  )
}
const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a tool answers: the shape that `pitdesk schema` publishes, with how old it is around it. */
export function outputSchema(tool: Tool): JsonSchema {
  if (tool.kind === 'list')
    return rowOf({
      ...answered,
      rows: listOf(forJavaScript(tool.item)),
      nextCursor: maybe(text('there are more rows: pass it as cursor, with the same question, within 5 minutes')),
    })
  return rowOf({ ...answered, value: forJavaScript(tool.value) })
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? `${value}` : undefined

/**
 * What a tool was given as the words and flags of the command that does the same: the reading of symbols, times and
 * amounts is then the same too. `words` are the fields that a command takes without a flag.
 */
export function asArguments(input: Input, words: readonly string[] = []): Arguments {
  const given = (name: string): unknown => (words.includes(name) ? undefined : input[name])
  return {
    words: words.flatMap((name) => textOf(input[name]) ?? []),
    value: (name) => textOf(given(name)),
    number: (name) => {
      const value = given(name)
      return typeof value === 'number' ? value : undefined
    },
    values: (name) => {
      const value = textOf(given(name))
      return value === undefined ? [] : [value]
    },
    has: (name) => given(name) !== undefined && given(name) !== false,
    // Nobody has typed it.
    typedFlags: [],
  }
}

/** What the failure of a command is to an agent. */
export function endingFault({ code, sentence = '', todo }: Ending): ToolFault {
  const kind = kindOfCode(code)
  return { kind: kind === 'unknown' ? 'failed' : kind, message: sentence, ...(todo === undefined ? {} : { todo }) }
}
