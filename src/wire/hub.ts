import { z } from 'zod'
import type { Result } from '../base/result.ts'
import type { HubPerson } from '../domain/hub/person.ts'
import { roles } from '../domain/hub/roles.ts'
import {
  type FieldReader,
  mapResult,
  message,
  optionalText,
  readMessage,
  required,
  text,
  timestamp,
  word,
} from './message.ts'

const limitsMessage = message({ orderUsd: optionalText, dayUsd: optionalText, withdrawDayUsd: optionalText })
const personMessage = message({
  name: text,
  role: word(roles),
  account: optionalText,
  halted: optionalText,
  limits: z.nullish(limitsMessage),
})

/** GET /hub/me: as whom the hub knows the token, and what holds for that one now. */
export const readHubPerson = (json: string): Result<HubPerson> =>
  mapResult(readMessage(personMessage, json), ({ limits, ...person }) => ({ ...person, limits: limits ?? null }))

/** Text as it is: an answer within the event is read by whoever asked for it. */
const readRaw: FieldReader<string> = (value) => (typeof value === 'string' ? { value } : { must: 'must be a string' })

const raw = required(readRaw)

const helloMessage = message({ stream: raw })
const answerMessage = message({ target: raw, ageMs: timestamp, body: raw })
const sameMessage = message({ target: raw, ageMs: timestamp })
const targetMessage = message({ target: raw })

/** What a hub tells by its stream. A target is the path of a read below the base address with its query. */
export type HubEvent =
  | { kind: 'hello'; stream: string }
  /** An answer that differs from the one before, received by the hub `ageMs` ago. */
  | { kind: 'answer'; target: string; ageMs: number; body: string }
  /** Asked again: the same answer. */
  | { kind: 'same'; target: string; ageMs: number }
  /** The hub's own read failed. */
  | { kind: 'failed'; target: string }
  /** The subscription has ended. */
  | { kind: 'lapsed'; target: string }
  /** Something of the hub's own has changed: persons, a halt, drafts. */
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

/** Reads an event of a hub's stream; null for one of a name that is not known, which a later hub may send. */
export function readHubEvent(name: string, data: string): Result<HubEvent> | null {
  return Object.hasOwn(readers, name) ? (readers[name]?.(data) ?? null) : null
}
