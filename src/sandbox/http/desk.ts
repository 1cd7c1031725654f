import type { WireMode } from '../../wire/json-write.ts'
import type { AccountId } from '../core/types.ts'
import type { Venue } from '../venue.ts'
import { symbolParameter } from './parameters.ts'
import type { Route } from './route.ts'

/** The account whose verified key a request carried. */
export type Guest = { account: AccountId }
export type ExchangeRoute = Route<Guest>

/** What the operations work with. */
export type Desk = { venue: Venue; wire: WireMode }

/** Reads the name of a listed symbol from a query. */
export const listedSymbol = ({ venue }: Desk) => symbolParameter((symbol) => venue.read().symbol(symbol) !== undefined)

/** The same object without the fields that are undefined: for arguments that must be absent rather than empty. */
export function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  const kept: { [Name in keyof T]?: Exclude<T[Name], undefined> } = {}
  for (const name in fields) {
    const value = fields[name]
    // Narrowing an indexed generic is beyond the compiler: the field is kept because it is not undefined.
    if (value !== undefined) kept[name] = value as Exclude<T[typeof name], undefined>
  }
  return kept
}
