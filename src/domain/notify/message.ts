import { plainText } from '../../base/text/plain-text.ts'
import { clockText } from '../../base/text/time-text.ts'
import type { FiredAlert } from '../alerts/news.ts'
import { standingWords } from '../alerts/watch.ts'
import type { NewsLevel } from '../desk/events.ts'

/** Kinds of notifications, by their names in settings and messages. */
export const messageKinds = [
  'fill',
  'end',
  'alert',
  'stale',
  'transfer',
  'gateway',
  'plan',
  'refusal',
  'watch',
] as const
export type MessageKind = (typeof messageKinds)[number]

/** Descriptions of the kinds; those of standing alerts are told by the same words. */
export const kindMeanings: Readonly<Record<MessageKind, string>> = {
  fill: standingWords.fill.meaning,
  end: standingWords.orderEnded.meaning,
  alert: 'a price alert fires',
  stale: 'a feed is stale',
  transfer: standingWords.transfer.meaning,
  gateway: standingWords.gatewayFailed.meaning,
  plan: 'a plan takes a step or needs you',
  refusal: 'what was answered as rejected is there all the same',
  watch: 'the watch itself: begins, ends, is blind',
}

/** Maximum characters of a notification, sent and saved. */
export const newsTextMax = 1_000

/** A notification as sentences without control characters. */
export type News = {
  kind: MessageKind
  level: NewsLevel
  text: string
  /** `text` without amounts and prices. */
  bareText: string
}

/** A pending notification; `atMs` is wall clock time. */
export type Message = Omit<News, 'bareText'> & { atMs: number }

const kindOfAlert: Readonly<Record<FiredAlert['kind'], MessageKind>> = {
  watch: 'alert',
  plan: 'plan',
  falseRefusal: 'refusal',
  fill: 'fill',
  orderEnded: 'end',
  staleFeed: 'stale',
  transfer: 'transfer',
  gatewayFailed: 'gateway',
}

/** The notification of a fired alert. */
export const newsOfAlert = ({ kind, level, text, bareText = text }: FiredAlert): News => ({
  kind: kindOfAlert[kind],
  level,
  text,
  bareText,
})

/** One delivery, with an id that stays the same however often it is sent. */
export type Delivery = {
  id: string
  messages: readonly Message[]
  /** Number of earlier messages dropped because too many were waiting. */
  droppedCount: number
}

/** The saved queue of one target: `sending` was tried or will be, and does not change any more. */
export type KeptQueue = { waiting: readonly Message[]; sending: Delivery | null; droppedCount: number }
/** The saved queues by target name. */
export type KeptMessages = Readonly<Record<string, KeptQueue>>

/** The sender: the profile, and whether its money is real. */
export type Sender = { profileName: string; venueKind: 'practice' | 'live' }

const droppedText = (count: number): string =>
  `${count} earlier ${count === 1 ? 'message was' : 'messages were'} dropped: too many waited.`

/** A delivery as text for people, one line per message, with a line end. */
export function deliveryText({ messages, droppedCount }: Delivery, { profileName, venueKind }: Sender): string {
  const [first, ...others] = messages
  const name = plainText(`pitdesk ${venueKind === 'live' ? 'LIVE' : 'PRACTICE'} ${profileName}`)
  const lines =
    first !== undefined && others.length === 0 && droppedCount === 0
      ? [`${name}: ${first.text}`]
      : [
          `${name}: ${messages.length} messages`,
          ...(droppedCount === 0 ? [] : [droppedText(droppedCount)]),
          ...messages.map(({ atMs, text }) => `${clockText(atMs)}Z ${text}`),
        ]
  return `${lines.join('\n')}\n`
}

/**
 * A delivery as JSON, for URLs and for commands that ask for it. `type` is `pitdesk.` and the kind of all messages, or
 * `digest`; `text` is also at the top level, where many chat services expect it.
 */
export function deliveryJson(delivery: Delivery, sender: Sender): string {
  const { id, messages, droppedCount } = delivery
  const kinds = new Set(messages.map(({ kind }) => kind))
  const [only] = kinds.size === 1 ? kinds : []
  return JSON.stringify({
    type: `pitdesk.${only ?? 'digest'}`,
    timestamp: new Date(messages.at(-1)?.atMs ?? 0).toISOString(),
    text: deliveryText(delivery, sender).trimEnd(),
    data: {
      id,
      profile: plainText(sender.profileName),
      venue: sender.venueKind,
      dropped: droppedCount,
      messages: messages.map(({ kind, level, text, atMs }) => ({
        kind,
        level,
        text,
        at: new Date(atMs).toISOString(),
      })),
    },
  })
}
