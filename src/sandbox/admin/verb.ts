import type { z } from 'zod'
import { type Writable, writeJson } from '../../wire/json-write.ts'
import { type message, readMessage } from '../../wire/message.ts'
import type { CommandArguments, CommandType, CommandValues } from '../core/types.ts'
import { type Answer, badRequest, failure, json, refusal } from '../http/answer.ts'
import type { RequestBody } from '../http/body.ts'
import { jsonBounds } from '../http/json-body.ts'
import type { Venue } from '../venue.ts'

/**
 * One thing the administrator can do: `POST /{noun}/{name}`, or `/{noun}` without a name, with its arguments as a JSON
 * object.
 */
export type Verb = {
  noun: string
  name: string
  /** The names of its arguments. */
  fields: readonly string[]
  run(body: RequestBody): Answer | Promise<Answer>
}

type Message<Shape extends z.core.$ZodShape> = ReturnType<typeof message<Shape>>

/** A verb whose arguments are read by this schema; an empty body stands for no arguments. */
export const verb = <Shape extends z.core.$ZodShape>(
  noun: string,
  name: string,
  schema: Message<Shape>,
  run: (values: z.output<Message<Shape>>) => Answer | Promise<Answer>,
): Verb => ({
  noun,
  name,
  fields: Object.keys(schema.out.shape),
  run: ({ text }) => {
    const read = readMessage(schema, text.trim() === '' ? '{}' : text, jsonBounds)
    return read.ok ? run(read.value) : badRequest(read.error)
  },
})

/** An answer with these fields; amounts as strings, which every reader keeps exact. */
export const shown = (fields: Readonly<Record<string, Writable>>): Answer => json(writeJson(fields, 'strings'))

/** Carries out a command, and answers with what `show` makes of its value. */
export async function answerWith<T extends CommandType>(
  venue: Venue,
  type: T,
  values: CommandArguments[T],
  show: (value: CommandValues[T]) => Readonly<Record<string, Writable>>,
): Promise<Answer> {
  const outcome = await venue.submit(type, values)
  return outcome.ok ? shown(show(outcome.value)) : refusal(outcome.refusal)
}

export const noSuch = (what: string, name: string): Answer => failure(404, `there is no ${what} ${name}`)
