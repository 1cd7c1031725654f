import type { Result } from '../../base/result.ts'
import type { Arguments } from '../cli/arguments.ts'
import { type Ending, type Fields, kindOfCode } from '../cli/exit-codes.ts'
import type { Pages } from '../cli/output.ts'
import { type JsonSchema, listOf, maybe, rowOf, text, time, whole, word } from '../schema/kinds.ts'
import type { Agent } from './agent.ts'

/** The arguments of a tool, already checked against its input schema. */
export type Input = Readonly<Record<string, unknown>>

/** The context of one answer. */
export type Asking = {
  agent: Agent
  signal: AbortSignal
  /** The caller's name as a maker of drafts: `mcp NAME`. */
  origin: string
  /** Adds a sentence about an omission, or other information for the reader. */
  note: (sentence: string) => void
}

/** Why a question failed: the word of the exit code, and sentences. */
export type ToolFault = {
  kind: 'usage' | 'failed' | 'notSent' | 'rejected' | 'unreachable'
  message: string
  todo?: string
}

type Common = {
  name: string
  title: string
  /** Describes the answer, for the choice among tools. */
  about: string
  input: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  /** The source of its answers. */
  from: 'exchange' | 'records'
  /** The age in ms from which an answer is stale. */
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
    /** It writes a draft on this machine, and nothing else: its answers are never reused. */
    | { kind: 'draft'; value: JsonSchema; draft: (input: Input, asking: Asking) => Promise<Result<Fields, ToolFault>> }
  )

/** A command's words without the dashes of its flags, which are fields here. */
export const usageFault = (message: string): ToolFault => ({
  kind: 'usage',
  message: message.replaceAll(/--(?=[a-z])/g, ''),
})

/** Maximum rows in one answer: agents should read little at once. */
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

/** The input schema of a tool; it allows no other fields, so that meaningless ones are reported. */
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

/** 64-bit numbers may come as text, because JavaScript readers would lose digits. */
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

/** The output schema of a tool: the shape that `pitdesk schema` publishes, wrapped with its age. */
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
 * A tool's input as the words and flags of the matching command, so that symbols, times and amounts are read alike.
 * `words` are the fields that the command takes without a flag.
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
    // No flag was typed.
    typedFlags: [],
  }
}

/** A command's failure for an agent. */
export function endingFault({ code, sentence = '', todo }: Ending): ToolFault {
  const kind = kindOfCode(code)
  return { kind: kind === 'unknown' ? 'failed' : kind, message: sentence, ...(todo === undefined ? {} : { todo }) }
}
