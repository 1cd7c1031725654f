import type { Result } from '../../base/result.ts'
import type { DepositAddress } from '../../domain/transfers/transfer.ts'
import type { DeskState } from '../state.ts'

/** What became of asking for an address. */
export type DepositAnswer =
  | { kind: 'asking' }
  | { kind: 'known'; deposit: DepositAddress }
  | { kind: 'failed'; sentence: string }

export type DepositOverlay =
  /** A currency is chosen among those that match what was typed. */
  | { kind: 'depositChoose'; query: string; selected: number }
  | {
      kind: 'deposit'
      currency: string
      answer: DepositAnswer
      /**
       * The code's dark and light the other way round, for a terminal of which the desk does not know the background.
       */
      isInverted: boolean
      /** What the next copy takes: the address first, then the tag that goes with it. */
      nextCopy: 'address' | 'tag'
      /** What was last handed to the terminal, or why that was not possible. */
      copySentence: string
    }

export type DepositEvent = { type: 'depositAddressAnswered'; currency: string; answer: Result<DepositAddress> }

/** The answer in the overlay that waits for it; one that comes after it was closed changes nothing. */
export function reduceDeposit(state: DeskState, { currency, answer }: DepositEvent): DeskState {
  const { overlay } = state
  if (overlay?.kind !== 'deposit' || overlay.currency !== currency) return state
  const told: DepositAnswer = answer.ok
    ? { kind: 'known', deposit: answer.value }
    : { kind: 'failed', sentence: answer.error }
  return { ...state, overlay: { ...overlay, answer: told } }
}

/** Money of states: it has no address that it could be paid in at. */
const fiat: ReadonlySet<string> = new Set(
  [
    'AUD',
    'BRL',
    'CAD',
    'CHF',
    'CNY',
    'CZK',
    'DKK',
    'EUR',
    'GBP',
    'HKD',
    'HUF',
    'INR',
    'JPY',
    'KRW',
    'MXN',
    'NOK',
  ].concat(['NZD', 'PLN', 'SEK', 'SGD', 'THB', 'TRY', 'USD', 'ZAR']),
)

/**
 * Currencies that are traded against others come first: one that only prices are in is seldom paid in by an address.
 */
function currenciesOf({ instruments, balances }: Pick<DeskState, 'instruments' | 'balances'>): string[] {
  const listed = [...(instruments.value?.values() ?? [])]
  const bases = [...new Set(listed.map(({ base }) => base))].toSorted((left, right) => left.localeCompare(right))
  const held = (balances.value ?? []).map(({ currency }) => currency)
  return [...new Set([...bases, ...listed.map(({ counter }) => counter), ...held])].filter((each) => !fiat.has(each))
}

/** The currencies that begin with what was typed. */
export function depositCurrencies(state: Pick<DeskState, 'instruments' | 'balances'>, query: string): string[] {
  const begun = query.trim().toUpperCase()
  return currenciesOf(state).filter((currency) => currency.toUpperCase().startsWith(begun))
}
