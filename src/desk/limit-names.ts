import type { Clock } from '../base/clock.ts'
import { withSuggestion } from '../base/nearest-name.ts'
import { plainText } from '../base/plain-text.ts'
import { type Limits, unlistedNames } from '../domain/limits.ts'
import type { Instrument } from '../domain/market/instrument.ts'
import type { DeskStore } from '../store/desk.ts'

/**
 * Limits that apply to nothing, because the exchange does not have what they name: a sentence for each. A limit that
 * its owner relies on and that is misspelled would otherwise never be missed. `unread` says of symbols that are there
 * and cannot be read.
 */
export function limitNameWarnings(
  { perSymbol, withdrawals }: Limits,
  instruments: ReadonlyMap<string, Instrument>,
  unread: readonly string[] = [],
): string[] {
  const symbols = [...instruments.keys()]
  const currencies = [...new Set([...instruments.values()].flatMap(({ base, counter }) => [base, counter]))]
  const unknown = (names: Iterable<string>, known: readonly string[], wrong: (name: string) => string) =>
    unlistedNames(names, new Set(known), unread)
      .map((name) => withSuggestion(`Limits in ${wrong(name)} ${name}`, name, known))
      .map(plainText)
  const { dayPerCurrency } = withdrawals
  return [
    ...unknown(perSymbol.keys(), symbols, (name) => `per_symbol.${name} have no effect, no order goes: unknown symbol`),
    ...unknown(
      dayPerCurrency.keys(),
      currencies,
      (name) => `withdrawal_day.${name} have no effect: no symbol with the currency`,
    ),
  ]
}

/** Tells of such limits once the desk knows the symbols, in its log and on the line of notices. */
export function followLimitNames(store: DeskStore, limits: Limits, clock: Clock): void {
  onLimitNames(store, limits, (text) =>
    store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now(), isAside: true }),
  )
}

/** Calls `tell` with a sentence for each of such limits, once, as soon as the symbols are known. */
export function onLimitNames(store: Pick<DeskStore, 'subscribe'>, limits: Limits, tell: (text: string) => void): void {
  const stop = store.subscribe(({ instruments, listedSymbols }) => {
    if (instruments.value === null) return
    stop()
    for (const text of limitNameWarnings(limits, instruments.value, listedSymbols?.unread)) tell(text)
  })
}
