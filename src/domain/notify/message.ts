import { plainText } from '../../base/plain-text.ts'
import { clockText } from '../../base/time-text.ts'
import type { FiredAlert } from '../alerts/news.ts'
import type { NewsLevel } from '../desk/events.ts'

/** What can be told elsewhere, by the words that settings and messages have for it. */
export const messageKinds = ['fill', 'end', 'alert', 'stale', 'transfer', 'gateway', 'plan', 'watch'] as const
export type MessageKind = (typeof messageKinds)[number]

/** What each kind tells of. */
export const kindMeanings: Readonly<Record<MessageKind, string>> = {
  fill: 'an order is filled, in part or whole',
  end: 'an order ends, unless you canceled it',
  alert: 'a price alert fires',
  stale: 'a feed is stale',
  transfer: 'a withdrawal or deposit changes',
  gateway: 'a gateway order fails or is stuck',
  plan: 'a plan takes a step or needs you',
  watch: 'the watch itself: begins, ends, is blind',
}

/** Something to be told elsewhere, as sentences without control characters. */
export type News = {
  kind: MessageKind
  level: NewsLevel
  text: string
  /** `text` without amounts and prices. */
  bareText: string
}

/** News as it waits to be told: `atMs` is the wall clock's time. */
export type Message = Omit<News, 'bareText'> & { atMs: number }

const kindOfAlert: Readonly<Record<FiredAlert['kind'], MessageKind>> = {
  watch: 'alert',
  plan: 'plan',
  fill: 'fill',
  orderEnded: 'end',
  staleFeed: 'stale',
  transfer: 'transfer',
  gatewayFailed: 'gateway',
}

/** An alert that fired, as news. */
export const newsOfAlert = ({ kind, level, text, bareText = text }: FiredAlert): News => ({
  kind: kindOfAlert[kind],
  level,
  text,
  bareText,
})

/** What goes out at once, under one id that stays the same however often it is sent. */
export type Delivery = {
  id: string
  messages: readonly Message[]
  /** How many messages before these were given up, because too many waited. */
  droppedCount: number
}

/** What waits for one target, as it is kept: `sending` has been tried or is to be, and changes no more. */
export type KeptQueue = { waiting: readonly Message[]; sending: Delivery | null; droppedCount: number }
/** The kept queues by the name of their target. */
export type KeptMessages = Readonly<Record<string, KeptQueue>>

/** Who tells: the profile, and whether its money is real. */
export type Sender = { profileName: string; venueKind: 'practice' | 'live' }

const droppedText = (count: number): string =>
  `${count} earlier ${count === 1 ? 'message was' : 'messages were'} dropped: too many waited.`

/** The delivery as lines of text, each message one: for a person's eyes. Ends with a line end. */
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
 * The delivery as the JSON that goes to a URL, and to a command that asks for it. `type` is `pitdesk.` and the kind of
 * all messages, or `digest`; `text` stands at the top as well, where many chat services look for it.
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
