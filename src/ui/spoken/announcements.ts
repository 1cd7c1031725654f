import { type SymbolStatus, statusWords } from '../../domain/market/instrument.ts'
import type { DeskState } from '../../store/desk.ts'
import { feedAges } from '../panes/header/feed-ages.ts'

const staleNames = (state: DeskState): string[] =>
  feedAges(state).flatMap(({ name, isStale }) => (isStale ? [name] : []))

function newLogLines(before: DeskState, after: DeskState): string[] {
  if (after.log === before.log) return []
  const last = before.log.at(-1)
  const from = last === undefined ? 0 : after.log.lastIndexOf(last) + 1
  return after.log.slice(from).map(({ text }) => text)
}

const statusOf = ({ instruments, symbol }: DeskState): SymbolStatus | undefined =>
  instruments.value?.get(symbol)?.status

/**
 * What happened between two states that a person must hear without asking: what the log says, a change of mode or of
 * the symbol's status, data that grew old and that came back.
 */
export function announcements(before: DeskState, after: DeskState): string[] {
  const said = newLogLines(before, after)
  const status = statusOf(after)
  if (before.symbol === after.symbol && statusOf(before) !== undefined && status !== statusOf(before)) {
    said.push(`${after.symbol} ${status === undefined ? 'is gone' : statusWords[status]} now.`)
  }
  if (before.mode.kind !== after.mode.kind && !said.some((text) => text.includes(after.mode.kind))) {
    said.push(`Mode is ${after.mode.kind}.`)
  }
  // Ages only change when time passes or an answer comes.
  if (before.nowMs === after.nowMs && before.books === after.books) return said
  const [old, now] = [staleNames(before), staleNames(after)]
  const grown = now.filter((name) => !old.includes(name))
  const back = old.filter((name) => !now.includes(name))
  if (grown.length > 0) said.push(`STALE: ${grown.join(', ')}. Old data, do not rely on it.`)
  if (back.length > 0) said.push(`Fresh again: ${back.join(', ')}.`)
  return said
}
