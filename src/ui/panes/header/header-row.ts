import { countdownFromMs, type Mode, safeInMs } from '../../../domain/mode.ts'
import type { DeskState } from '../../../store/state.ts'
import { cellText, cut } from '../../text/cells.ts'
import { clockText } from '../../text/moment.ts'
import { edges, type Row, rowWidth, span } from '../../text/row.ts'
import type { Tone } from '../../theme/theme.ts'
import { type FeedAge, feedAges, freshAge, staleAges } from './feed-ages.ts'

const modeTones: Readonly<Record<Mode['kind'], Tone>> = {
  MONITOR: 'monitor',
  SAFE: 'safe',
  ARMED: 'armed',
  HALTED: 'halted',
}

/** A part of the header; short of room the parts with the highest rank are left out, those with rank 0 never. */
type Part = { row: Row; rank: number }

/** ` PRACTICE ` or ` LIVE `, with the profile's name where it says more than the word. */
export function venueSpan({ venue }: DeskState, nameMost: number): Row {
  const word = venue.kind === 'practice' ? 'PRACTICE' : 'LIVE'
  const name = cut(cellText(venue.profileName), nameMost)
  return [span(name.toUpperCase() === word || name === '' ? ` ${word} ` : ` ${word} ${name} `, venue.kind)]
}

/** ` ARMED `, and how long it stays armed when that is not long any more. */
export function modeRow({ mode, idleRules, lastKeyAtMs, nowMs }: DeskState): Row {
  const leftMs = safeInMs(mode, idleRules, lastKeyAtMs, nowMs)
  const countdown = leftMs === null || leftMs > countdownFromMs ? '' : ` ${Math.ceil(leftMs / 1000)}s`
  return [span(` ${mode.kind}${countdown} `, modeTones[mode.kind])]
}

function symbolRow(state: DeskState): Row {
  const status = state.instruments.value?.get(state.symbol)?.status
  const symbol = span(cellText(state.symbol), 'title')
  if (status === undefined) return [symbol]
  return [symbol, span(' '), status === 'open' ? span('open', 'good') : span(status.toUpperCase(), 'warn')]
}

// A skew that the service's dates leave open comes as 0; what is known and smaller than this matters to nobody.
const skewShownFromMs = 250
/** Tenths of a second up to ten seconds. */
function skewText(skewMs: number): string {
  const tenths = Math.round(skewMs / 100)
  const seconds = Math.abs(tenths) < 100 ? (tenths / 10).toFixed(1) : `${Math.round(skewMs / 1_000)}`
  return `${skewMs > 0 ? '+' : ''}${seconds}s`
}

function connectionParts({ connection }: DeskState, isShort: boolean): Part[] {
  const { roundTripMs, skewMs } = connection
  const parts: Part[] = []
  if (roundTripMs !== null) {
    const text = span(`${Math.round(roundTripMs)}ms`)
    parts.push({ row: isShort ? [text] : [span('rtt ', 'label'), text], rank: 4 })
  }
  if (skewMs !== null && Math.abs(skewMs) >= skewShownFromMs) {
    parts.push({ row: [span('skew ', 'label'), span(skewText(skewMs), 'warn')], rank: 4 })
  }
  return parts
}

const agesRank: Readonly<Record<number, number>> = { 0: 1, 1: 2, 2: 3 }

function parts(state: DeskState, ages: readonly FeedAge[], isShort: boolean, staleMost: number): Part[] {
  const fresh = ages.filter((age) => !age.isStale)
  return [
    { row: modeRow(state), rank: 0 },
    { row: venueSpan(state, isShort ? 12 : 24), rank: 0 },
    // The lock screen covers what is traded.
    { row: state.lock.kind === 'open' ? symbolRow(state) : [], rank: 0 },
    { row: staleAges(ages, isShort, staleMost), rank: 0 },
    ...fresh.map((age, index) => ({ row: freshAge(age, isShort), rank: agesRank[index] ?? 5 })),
    ...connectionParts(state, isShort),
  ].filter(({ row }) => row.length > 0)
}

/** The first two parts are patches of colour with margins of their own. */
const joined = (all: readonly Part[]): Row =>
  all.flatMap(({ row }, index) => (index === 0 ? row : [span(index <= 2 ? ' ' : '  '), ...row]))

/** The short form, without what is least important for as long as it does not fit. */
function shortForm(state: DeskState, ages: readonly FeedAge[], room: number): Row {
  let staleMost = ages.length
  let all = parts(state, ages, true, staleMost)
  while (rowWidth(joined(all)) > room) {
    const rank = Math.max(...all.map((part) => part.rank))
    if (rank > 0)
      all = all.toSpliced(
        all.findLastIndex((part) => part.rank === rank),
        1,
      )
    else if (staleMost > 1) all = parts(state, ages, true, --staleMost).filter((part) => part.rank === 0)
    else break
  }
  return joined(all)
}

/**
 * The line that is always there: mode, venue, symbol and its status, the age of everything in view against its own limit,
 * round trip, clock skew, UTC. What does not fit is left out from the least important on; mode, venue and what is stale stay.
 */
export function headerRow(state: DeskState, width: number): Row {
  const ages = feedAges(state)
  const end: Row = [span(` ${clockText(state.nowMs)}Z `, 'title')]
  const room = width - rowWidth(end)
  const long = joined(parts(state, ages, false, ages.length))
  return edges(rowWidth(long) <= room ? long : shortForm(state, ages, room), end, width)
}
