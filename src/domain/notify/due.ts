import { dayMs, minuteMs } from '../../base/time-text.ts'
import type { Message, MessageKind } from './message.ts'

/** A time of the day without messages: minutes of the day, the end not included, which may be after midnight. */
export type QuietHours = { fromMinute: number; toMinute: number; zone: string }

/** When messages go out. */
export type DueRules = {
  /** What comes within so long of the first becomes one message; 0: each by itself. */
  digestMs: number
  quiet: QuietHours | null
  /** Kinds that wait for nothing. */
  urgent: ReadonlySet<MessageKind>
}

/** More in one delivery is not read by anybody; the rest comes in the next. */
export const deliveryMax = 50

/** What is to be sent now with what waits on; or how long nothing is, in ms; null where nothing waits. */
export type Due =
  | { kind: 'send'; messages: readonly Message[]; rest: readonly Message[] }
  | { kind: 'wait'; ms: number }

/**
 * What of the waiting messages, the oldest first, is due at this time of the wall clock. Order is kept, but for urgent
 * ones in quiet hours: these pass what waits for the morning. A wall clock that was set back makes nothing wait longer
 * than its time.
 */
export function dueOf(waiting: readonly Message[], rules: DueRules, wallMs: number): Due | null {
  const [oldest] = waiting
  if (oldest === undefined) return null
  const isUrgent = ({ kind }: Message) => rules.urgent.has(kind)
  const quietMs = rules.quiet === null ? 0 : quietLeftMs(rules.quiet, wallMs)
  if (quietMs > 0) {
    const urgent = waiting.filter(isUrgent)
    if (urgent.length === 0) return { kind: 'wait', ms: quietMs }
    // Each by itself unless they come together.
    return taken(waiting, urgent.slice(0, rules.digestMs === 0 ? 1 : deliveryMax))
  }
  // What quiet hours held back comes as one, also without a digest.
  const held = rules.quiet === null ? [] : heldBy(rules.quiet, waiting, wallMs)
  if (held.length > 1) return taken(waiting, held.slice(0, deliveryMax))
  if (rules.digestMs === 0) return taken(waiting, [oldest])
  const waitedMs = Math.max(0, wallMs - oldest.atMs)
  const leftMs = wallMs < oldest.atMs ? 0 : rules.digestMs - waitedMs
  if (leftMs > 0 && !waiting.some(isUrgent)) return { kind: 'wait', ms: leftMs }
  return taken(waiting, waiting.slice(0, deliveryMax))
}

const taken = (waiting: readonly Message[], messages: readonly Message[]): Due => ({
  kind: 'send',
  messages,
  rest: waiting.filter((message) => !messages.includes(message)),
})

/** Messages at the head that came in quiet hours which are over. */
function heldBy(quiet: QuietHours, waiting: readonly Message[], wallMs: number): readonly Message[] {
  const first = waiting.findIndex(({ atMs }) => atMs > wallMs || quietLeftMs(quiet, atMs) === 0)
  return first === -1 ? waiting : waiting.slice(0, first)
}

const minutesADay = dayMs / minuteMs

/** How long the quiet hours still last, in ms; 0 outside them. Both hands of the clock are those of the zone. */
export function quietLeftMs({ fromMinute, toMinute, zone }: QuietHours, wallMs: number): number {
  const now = minuteOfDay(wallMs, zone)
  const lengthOf = (from: number, to: number) => (to - from + minutesADay) % minutesADay
  if (lengthOf(fromMinute, now) >= lengthOf(fromMinute, toMinute)) return 0
  // Looked at again by then: the zone may have set its clocks meanwhile.
  return lengthOf(now, toMinute) * minuteMs - (wallMs % minuteMs)
}

/** Made once a zone: making one takes longer than all it is asked for. */
const formats = new Map<string, Intl.DateTimeFormat>()

function minuteOfDay(wallMs: number, zone: string): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  formats.set(zone, format)
  const [hour = '', minute = ''] = format.format(wallMs).split(':')
  return Number.parseInt(hour, 10) * 60 + Number.parseInt(minute, 10)
}

/** Whether this machine knows a time zone of this name. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** `22:00-07:00` as minutes of the day; null for anything else, and where both are the same time. */
export function readQuietHours(text: string): Omit<QuietHours, 'zone'> | null {
  const [, ...parts] = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? []
  const [fromHour, fromMinute, toHour, toMinute] = parts.map((part) => Number.parseInt(part, 10))
  if (fromHour === undefined || fromMinute === undefined || toHour === undefined || toMinute === undefined) return null
  const hours = { fromMinute: fromHour * 60 + fromMinute, toMinute: toHour * 60 + toMinute }
  return hours.fromMinute === hours.toMinute ? null : hours
}
