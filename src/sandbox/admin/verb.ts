import { z } from 'zod'
import { plainText } from '../../base/text/plain-text.ts'
import type { Decimal } from '../../domain/money.ts'
import type { RequestBody } from '../../http-server/request.ts'
import { type Answer, badRequest, failure, json, jsonBounds } from '../../http-server/route.ts'
import { type Writable, writeJson } from '../../wire/exact-json.ts'
import { amount, field, type message, optional, optionalAmount, readMessage } from '../../wire/message.ts'
import type { CommandArguments, CommandType, CommandValues } from '../core/commands.ts'
import { refusal } from '../http/exchange-route.ts'
import type { PracticeExchange } from '../practice-exchange.ts'

/** One admin action: `POST /{noun}/{name}`, or `/{noun}` without a name, with its arguments as a JSON object. */
export type Verb = {
  noun: string
  name: string
  /** The names of its arguments. */
  fields: readonly string[]
  run(body: RequestBody): Answer | Promise<Answer>
}

type Message<Shape extends z.core.$ZodShape> = ReturnType<typeof message<Shape>>

/** A verb whose arguments are read by this schema; an empty body means no arguments. */
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

/** A JSON answer with these fields; amounts as strings, which every reader keeps exact. */
export const shown = (fields: Readonly<Record<string, Writable>>): Answer => json(writeJson(fields, 'strings'))

/** Executes a command, and answers with what `show` makes of its value. */
export async function answerWith<T extends CommandType>(
  exchange: PracticeExchange,
  type: T,
  values: CommandArguments[T],
  show: (value: CommandValues[T]) => Readonly<Record<string, Writable>>,
): Promise<Answer> {
  const outcome = await exchange.submit(type, values)
  return outcome.ok ? shown(show(outcome.value)) : refusal(outcome.refusal)
}

export const noSuch = (what: string, name: string): Answer => failure(404, `no ${what} ${name}`)

type Check = { fits: (value: Decimal) => boolean; must: string }

const wholeBetween = (least: number, most: number): Check => ({
  fits: (value) => value.isInteger() && value.gte(least) && value.lte(most),
  must: `must be a whole number from ${least} to ${most}`,
})

const numberOf = (value: Decimal, { fits, must }: Check) => (fits(value) ? { value: value.toNumber() } : { must })

/** A whole number between two inclusive bounds. */
export const whole = (least: number, most: number) =>
  z.pipe(
    amount,
    field((value: Decimal) => numberOf(value, wholeBetween(least, most))),
  )

/** An amount that fits a number, or `fallback` if omitted. */
const numberOr = (fallback: number, check: Check) =>
  z.pipe(
    optionalAmount,
    field((value: Decimal | null) => (value === null ? { value: fallback } : numberOf(value, check))),
  )

/** A whole number between two inclusive bounds, or `fallback` if omitted. */
export const wholeOr = (fallback: number, least: number, most: number) => numberOr(fallback, wholeBetween(least, most))

/** A fraction of all requests, 0 to 1; 1 if omitted. */
export const share = numberOr(1, {
  fits: (value) => value.gte(0) && value.lte(1),
  must: 'must be a number from 0 to 1',
})

/** Currency codes, as a list or as comma-separated text. */
export const codeList = optional<string[]>((value) => {
  const codes = typeof value === 'string' ? value.split(',') : value
  const isList = Array.isArray(codes) && codes.every((code) => typeof code === 'string')
  if (!isList) return { must: 'must be a list of codes, or codes with commas between' }
  return { value: codes.map((code) => plainText(code).trim()).filter((code) => code !== '') }
})
