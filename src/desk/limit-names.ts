import type { Clock } from '../base/clock.ts'
import { symbolSuggestion, withSuggestion } from '../base/nearest-name.ts'
import { plainText } from '../base/plain-text.ts'
import { type Limits, unlistedNames } from '../domain/limits.ts'
import type { Instrument } from '../domain/market/instrument.ts'
import type { DeskStore } from '../store/desk.ts'

/** A sentence for each of the names that is not among the known ones. */
const unknownNames = (
  names: Iterable<string>,
  known: Iterable<string>,
  unread: readonly string[],
  wrong: (name: string) => string,
): string[] => {
  const all = [...new Set(known)]
  return unlistedNames(names, new Set(all), unread)
    .map((name) => withSuggestion(`Limits in ${wrong(name)} ${name}`, name, all))
    .map(plainText)
}

/** Sentences about limits; `unread` says of symbols that are there and cannot be read. */
type LimitWarnings = (
  limits: Limits,
  instruments: ReadonlyMap<string, Instrument>,
  unread?: readonly string[],
) => string[]

/**
 * Limits of symbols that the exchange does not have: a sentence for each. A limit that its owner relies on and that is
 * misspelled would otherwise never be missed, so that no order goes out meanwhile.
 */
export const symbolLimitWarnings: LimitWarnings = ({ perSymbol }, instruments, unread = []) => {
  const wrong = (name: string) => `per_symbol.${name} have no effect, no order goes: unknown symbol`
  return unknownNames(perSymbol.keys(), instruments.keys(), unread, wrong)
}

/** Limits of withdrawals in currencies that no symbol has: a sentence for each. */
export const currencyLimitWarnings: LimitWarnings = ({ withdrawals }, instruments, unread = []) => {
  const known = [...instruments.values()].flatMap(({ base, counter }) => [base, counter])
  const wrong = (name: string) => `withdrawal_day.${name} have no effect: no symbol with the currency`
  return unknownNames(withdrawals.dayPerCurrency.keys(), known, unread, wrong)
}

/** Limits that apply to nothing, because the exchange does not have what they name: a sentence for each. */
export const limitNameWarnings: LimitWarnings = (...known) => [
  ...symbolLimitWarnings(...known),
  ...currencyLimitWarnings(...known),
]

/** What is canceled after an outage: nothing where `cancelWhenBlindS` is null. */
type BlindNames = { cancelWhenBlindS: number | null; cancelWhenBlind: 'all' | readonly string[] }

/** The symbols whose orders alone are canceled after an outage. */
export const blindSymbols = ({ cancelWhenBlindS, cancelWhenBlind }: BlindNames): readonly string[] =>
  cancelWhenBlindS === null || cancelWhenBlind === 'all' ? [] : cancelWhenBlind

/**
 * Symbols of `cancel_when_blind` that the exchange does not have: a sentence for each. Whoever wrote `btc` there, or
 * `none`, would learn only after an outage that the orders have stayed.
 */
export const blindNameWarnings = (
  settings: BlindNames,
  instruments: ReadonlyMap<string, Instrument>,
  unread: readonly string[] = [],
): string[] =>
  unlistedNames(blindSymbols(settings), instruments, unread).map((symbol) => {
    const meant = symbolSuggestion(symbol, [...instruments.keys()]) || '.'
    return plainText(`cancel_when_blind cancels nothing in ${symbol} after an outage: unknown symbol${meant}`)
  })

/** The settings that name symbols or currencies. */
type Naming = BlindNames & { limits: Limits }

/** Tells of such limits once the desk knows the symbols, in its log and on the line of notices. */
export function followLimitNames(store: DeskStore, settings: Naming, clock: Clock): void {
  onLimitNames(store, settings, (text) =>
    store.dispatch({ type: 'noted', level: 'warn', text, atMs: clock.now(), isAside: true }),
  )
}

/** Calls `tell` with a sentence for each of such names, once, as soon as the symbols are known. */
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
