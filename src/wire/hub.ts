import { z } from 'zod'
import type { Result } from '../base/result.ts'
import type { HubPerson } from '../domain/hub/person.ts'
import { roles } from '../domain/hub/roles.ts'
import { parseAmount } from '../domain/money.ts'
import {
  type FieldReader,
  mapResult,
  message,
  optional,
  optionalText,
  optionalTimestamp,
  readMessage,
  required,
  text,
  timestamp,
  word,
} from './message.ts'

/** A limit that cannot be read must not be taken for none. */
const limit = optional<string>((value) => {
  const usd = typeof value === 'string' ? parseAmount(value) : undefined
  return usd?.gte(0) === true ? { value: usd.toFixed() } : { must: 'must be an amount of USD, zero or more' }
})
const limitsMessage = message({ orderUsd: limit, dayUsd: limit, withdrawDayUsd: limit })
const personMessage = message({
  name: text,
  role: word(roles),
  account: optionalText,
  halted: optionalText,
  limits: z.nullish(limitsMessage),
})

/** GET /hub/me: the person a token belongs to, with their current rights. */
export const readHubPerson = (json: string): Result<HubPerson> =>
  mapResult(readMessage(personMessage, json), ({ limits, ...person }) => ({ ...person, limits: limits ?? null }))

/** Text without cleaning: an answer inside the event is parsed by its reader. */
const readRaw: FieldReader<string> = (value) => (typeof value === 'string' ? { value } : { must: 'must be a string' })

const raw = required(readRaw)

/** When the hub wrote the event, by a clock of its own that only runs; missing from an earlier hub. */
const sent = { atMs: optionalTimestamp }
const helloMessage = message({ stream: raw, ...sent })
const answerMessage = message({ target: raw, ageMs: timestamp, body: raw, ...sent })
const sameMessage = message({ target: raw, ageMs: timestamp, ...sent })
const targetMessage = message({ target: raw })

/**
 * An event of a hub's stream. A target is the path of a read below the base address, with its query. `atMs`: when the
 * hub wrote it, by its own clock.
 */
export type HubEvent =
  | { kind: 'hello'; stream: string; atMs: number | null }
  /** A new answer, received by the hub `ageMs` ago. */
  | { kind: 'answer'; target: string; ageMs: number; body: string; atMs: number | null }
  /** The hub asked again and got the same answer. */
  | { kind: 'same'; target: string; ageMs: number; atMs: number | null }
  /** The hub's own read failed. */
  | { kind: 'failed'; target: string }
  /** The subscription has ended. */
  | { kind: 'lapsed'; target: string }
  /** The hub's own data changed: persons, a halt, drafts. */
  | { kind: 'hub' }

const nothingMessage = message({})

const readers: Readonly<Record<string, (data: string) => Result<HubEvent>>> = {
  hello: (data) => mapResult(readMessage(helloMessage, data), (read) => ({ kind: 'hello', ...read })),
  answer: (data) => mapResult(readMessage(answerMessage, data), (read) => ({ kind: 'answer', ...read })),
  same: (data) => mapResult(readMessage(sameMessage, data), (read) => ({ kind: 'same', ...read })),
  failed: (data) => mapResult(readMessage(targetMessage, data), (read) => ({ kind: 'failed', ...read })),
  hub: (data) => mapResult(readMessage(nothingMessage, data), () => ({ kind: 'hub' })),
  lapsed: (data) => mapResult(readMessage(targetMessage, data), (read) => ({ kind: 'lapsed', ...read })),
}

/** Reads an event of a hub's stream; null for an unknown name, which a newer hub may send. */
export function readHubEvent(name: string, data: string): Result<HubEvent> | null {
  return Object.hasOwn(readers, name) ? (readers[name]?.(data) ?? null) : null
}
