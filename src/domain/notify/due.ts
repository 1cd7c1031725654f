import { dayMs, minuteMs } from '../../base/text/time-text.ts'
import type { Message, MessageKind } from './message.ts'

/** A time of day without messages, in minutes of the day; the end is excluded and may be after midnight. */
export type QuietHours = { fromMinute: number; toMinute: number; zone: string }

/** When messages are sent. */
export type DueRules = {
  /** Messages within this time of the first are joined to one; 0 sends each alone. */
  digestMs: number
  quiet: QuietHours | null
  /** Kinds sent at once. */
  urgent: ReadonlySet<MessageKind>
}

/** Maximum messages per delivery, which is as many as anyone reads; the rest is sent next. */
export const deliveryMax = 50

/** The messages to send now and those left; or the wait in ms, null when none are waiting. */
export type Due =
  | { kind: 'send'; messages: readonly Message[]; rest: readonly Message[] }
  | { kind: 'wait'; ms: number }

/**
 * Selects the messages (oldest first) that are due at this wall clock time. Keeps their order, except that urgent ones
 * in quiet hours overtake those held until morning. A wall clock that was set back prolongs no wait.
 */
export function dueOf(waiting: readonly Message[], rules: DueRules, wallMs: number): Due | null {
  const [oldest] = waiting
  if (oldest === undefined) return null
  const isUrgent = ({ kind }: Message) => rules.urgent.has(kind)
  const quietMs = rules.quiet === null ? 0 : quietLeftMs(rules.quiet, wallMs)
  if (quietMs > 0) {
    const urgent = waiting.filter(isUrgent)
    if (urgent.length === 0) return { kind: 'wait', ms: quietMs }
    // One at a time unless they are joined.
    return taken(waiting, urgent.slice(0, rules.digestMs === 0 ? 1 : deliveryMax))
  }
  // Messages held by quiet hours are sent together, also without joining.
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

/** Leading messages that arrived in quiet hours which are over. */
function heldBy(quiet: QuietHours, waiting: readonly Message[], wallMs: number): readonly Message[] {
  const first = waiting.findIndex(({ atMs }) => atMs > wallMs || quietLeftMs(quiet, atMs) === 0)
  return first === -1 ? waiting : waiting.slice(0, first)
}

const minutesADay = dayMs / minuteMs

/** Remaining ms of the quiet hours; 0 outside them. Both times are in the zone. */
export function quietLeftMs({ fromMinute, toMinute, zone }: QuietHours, wallMs: number): number {
  const now = minuteOfDay(wallMs, zone)
  const lengthOf = (from: number, to: number) => (to - from + minutesADay) % minutesADay
  if (lengthOf(fromMinute, now) >= lengthOf(fromMinute, toMinute)) return 0
  // Checked again by then, because the zone may change its clocks.
  return lengthOf(now, toMinute) * minuteMs - (wallMs % minuteMs)
}

/** Cached per zone, because creating one is expensive. */
const formats = new Map<string, Intl.DateTimeFormat>()

function minuteOfDay(wallMs: number, zone: string): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  formats.set(zone, format)
  const [hour = '', minute = ''] = format.format(wallMs).split(':')
  return Number.parseInt(hour, 10) * 60 + Number.parseInt(minute, 10)
}

/** True when this machine knows a time zone of this name. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The zone that a machine names: UTC, which its clock shows then, where it names none, or none that is known. */
export const zoneOrUtc = (name: string | undefined): string => (name !== undefined && isZone(name) ? name : 'UTC')

/** Reads `22:00-07:00` as minutes of the day; null for anything else, and for equal times. */
export function readQuietHours(text: string): Omit<QuietHours, 'zone'> | null {
  const [, ...parts] = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text.trim()) ?? []
  const [fromHour, fromMinute, toHour, toMinute] = parts.map((part) => Number.parseInt(part, 10))
  if (fromHour === undefined || fromMinute === undefined || toHour === undefined || toMinute === undefined) return null
  const hours = { fromMinute: fromHour * 60 + fromMinute, toMinute: toHour * 60 + toMinute }
  return hours.fromMinute === hours.toMinute ? null : hours
}
