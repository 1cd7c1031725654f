import type { Clock } from '../base/clock.ts'
import { symbolSuggestion, withSuggestion } from '../base/text/nearest-name.ts'
import { plainText } from '../base/text/plain-text.ts'
import { type Limits, type Names, noNames, unlistedNames } from '../domain/limits.ts'
import type { Instrument } from '../domain/market/instrument.ts'
import type { DeskStore } from '../store/desk.ts'

/** A sentence for each of the names that is not among the known ones. */
const unknownNames = (
  names: Iterable<string>,
  known: Iterable<string>,
  unread: Names,
  wrong: (name: string) => string,
): string[] => {
  const all = [...new Set(known)]
  return unlistedNames(names, new Set(all), unread)
    .map((name) => withSuggestion(`Limits in ${wrong(name)} ${name}`, name, all))
    .map(plainText)
}

/** Sentences about limits; `unread` are symbols that exist but cannot be read. */
type LimitWarnings = (limits: Limits, instruments: ReadonlyMap<string, Instrument>, unread?: Names) => string[]

/**
 * A sentence for each limit of an unlisted symbol. A misspelled limit protects nothing, so the checks block orders
 * until it is corrected.
 */
export const symbolLimitWarnings: LimitWarnings = ({ perSymbol }, instruments, unread = noNames) => {
  const wrong = (name: string) => `per_symbol.${name} have no effect, no order goes: unknown symbol`
  return unknownNames(perSymbol.keys(), instruments.keys(), unread, wrong)
}

/** A sentence for each withdrawal limit in a currency that no symbol has. */
export const currencyLimitWarnings: LimitWarnings = ({ withdrawals }, instruments) => {
  const known = [...instruments.values()].flatMap(({ base, counter }) => [base, counter])
  const wrong = (name: string) => `withdrawal_day.${name} have no effect: no symbol with the currency`
  return unknownNames(withdrawals.dayPerCurrency.keys(), known, noNames, wrong)
}

/** A sentence for each limit without effect, because it names an unlisted symbol or currency. */
export const limitNameWarnings: LimitWarnings = (...known) => [
  ...symbolLimitWarnings(...known),
  ...currencyLimitWarnings(...known),
]

/** The setting for cancels after an outage; none for a null `cancelWhenBlindS`. */
type BlindNames = { cancelWhenBlindS: number | null; cancelWhenBlind: 'all' | readonly string[] }

/** The symbols, if only theirs are canceled after an outage. */
export const blindSymbols = ({ cancelWhenBlindS, cancelWhenBlind }: BlindNames): readonly string[] =>
  cancelWhenBlindS === null || cancelWhenBlind === 'all' ? [] : cancelWhenBlind

/**
 * A sentence for each unlisted symbol of `cancel_when_blind`. Otherwise a typed `btc` or `none` would show only after
 * an outage, when the orders have stayed.
 */
export const blindNameWarnings = (
  settings: BlindNames,
  instruments: ReadonlyMap<string, Instrument>,
  unread = noNames,
): string[] =>
  unlistedNames(blindSymbols(settings), instruments, unread).map((symbol) => {
    const meant = symbolSuggestion(symbol, [...instruments.keys()]) || '.'
    return plainText(`cancel_when_blind cancels nothing in ${symbol} after an outage: unknown symbol${meant}`)
  })

/** The settings that name symbols or currencies. */
type Naming = BlindNames & { limits: Limits }

/** Reports such names once the desk knows the symbols, in its log and on the notice line. */
export function followLimitNames(store: DeskStore, settings: Naming, clock: Clock): void {
  onLimitNames(store, settings, (text) =>
    store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now(), isAside: true }),
  )
}

/** Calls `tell` with a sentence for each of these names, once, as soon as the symbols are known. */
export function onLimitNames(
  store: Pick<DeskStore, 'subscribe'>,
  settings: Naming,
  tell: (text: string) => void,
): void {
  const stop = store.subscribe(({ instruments, listedSymbols }) => {
    if (instruments.value === null) return
    stop()
    const known = [instruments.value, listedSymbols?.unread] as const
    for (const text of [...limitNameWarnings(settings.limits, ...known), ...blindNameWarnings(settings, ...known)])
      tell(text)
  })
}
