import { mayPlace } from '../../domain/desk/mode.ts'
import { addressParts } from '../../domain/transfers/transfer.ts'
import { isLightColor, isMadeForLight } from '../../themes/tones.ts'
import type { FeedsSlice } from '../feeds/feeds.ts'
import { type NotedEvent, sayer } from '../log.ts'
import { type LooksSlice, shownTheme } from '../looks.ts'
import { type ModeSlice, modeSentence } from '../mode.ts'
import { type Covering, isOverlay, type OverlayEvent, placeOf, type SliceContext } from '../slice.ts'
import type { DepositAnswer, DepositEvent, DepositOverlay } from './transfers.ts'

/** The parts that its commands use. */
type Context = SliceContext<
  ModeSlice & FeedsSlice & LooksSlice & Covering,
  OverlayEvent<DepositOverlay> | NotedEvent,
  DepositPort
>

export type DepositCommands = {
  /** Opens the list of currencies that can be deposited. */
  openDeposit(): void
  typeIntoDeposit(text: string): void
  eraseInDeposit(): void
  clearDeposit(): void
  moveInDeposit(rows: number): void
  /** Requests the address of the selected currency. */
  chooseDeposit(): void
  /** Requests a currency's address from the exchange, which may create a new one, and shows it. */
  askDepositAddress(currency: string): void
  /** Copies the address to the terminal's clipboard; the next press copies the tag, if any. */
  copyDeposit(): void
  /** Swaps dark and light in the code. */
  invertDepositCode(): void
}

type Choosing = Extract<DepositOverlay, { kind: 'depositChoose' }>
type Shown = Extract<DepositOverlay, { kind: 'deposit' }>

const queryMax = 20

/** True on a light background, where the code's dark parts are drawn; otherwise its light ones are. */
function isLightBehind(state: LooksSlice & Covering): boolean {
  const { ground } = state.looks
  return isMadeForLight(shownTheme(state)) ?? (ground !== null && isLightColor(ground))
}

/** Deposit addresses. Nothing leaves the account, but an address may be created, so a read-only desk does not ask. */
export function createDepositCommands({ store, port }: Context): DepositCommands {
  const say = sayer({ store, port })
  const show = (overlay: DepositOverlay) => store.dispatch({ type: 'overlayOpened', overlay })
  const search = (query: string) => {
    const selected = depositCurrencies(store.getState(), query)[0] ?? null
    show({ kind: 'depositChoose', query, selected })
  }
  const choosing = (act: (overlay: Choosing) => void) => {
    const { overlay } = store.getState()
    if (isOverlay<Choosing>(overlay, 'depositChoose')) act(overlay)
  }
  const mayAsk = () => {
    if (mayPlace(store.getState().mode)) return true
    say(modeSentence(store.getState()))
    return false
  }
  const askDepositAddress = (currency: string) => {
    if (!mayAsk()) return
    const isInverted = isLightBehind(store.getState())
    show({ kind: 'deposit', currency, answer: { kind: 'asking' }, isInverted, nextCopy: 'address', copySentence: '' })
    port.fetchDepositAddress(currency)
  }
  return {
    askDepositAddress,
    openDeposit() {
      if (mayAsk()) search('')
    },
    typeIntoDeposit: (text) => choosing(({ query }) => search((query + text.toUpperCase()).slice(0, queryMax))),
    eraseInDeposit: () => choosing(({ query }) => search(query.slice(0, -1))),
    clearDeposit: () => choosing(() => search('')),
    moveInDeposit: (rows) =>
      choosing((overlay) => {
        const names = depositCurrencies(store.getState(), overlay.query)
        const at = Math.max(0, Math.min(names.length - 1, placeOf(overlay.selected, names) + rows))
        show({ ...overlay, selected: names[at] ?? null })
      }),
    chooseDeposit: () =>
      choosing(({ query, selected }) => {
        const names = depositCurrencies(store.getState(), query)
        const currency = names[placeOf(selected, names)]
        if (currency !== undefined) askDepositAddress(currency)
        else if (names.length === 0) say('No currency matches. Backspace deletes.')
        else say(`${selected} is not listed any more: choose again.`)
      }),
    copyDeposit() {
      const { overlay } = store.getState()
      if (!isOverlay<Shown>(overlay, 'deposit') || overlay.answer.kind !== 'known') return
      const { address, tag } = addressParts(overlay.answer.deposit.address)
      const isTag = overlay.nextCopy === 'tag' && tag !== null
      const isTaken = port.copyText(isTag ? tag : address)
      const what = isTag ? 'tag' : 'address'
      const next = tag === null ? '' : isTag ? ' Again for the address.' : ' Again for the tag.'
      const copySentence = isTaken
        ? `The ${what} went to the terminal's clipboard; compare after pasting, not every terminal takes it.${next}`
        : `This terminal takes no copies: mark the ${what} with the mouse, or write it down.`
      show({ ...overlay, copySentence, nextCopy: isTag || tag === null ? 'address' : 'tag' })
    },
    invertDepositCode() {
      const { overlay } = store.getState()
      if (isOverlay<Shown>(overlay, 'deposit')) show({ ...overlay, isInverted: !overlay.isInverted })
    },
  }
}

/**
 * Puts the answer into the overlay that waits for it; after that was closed it changes nothing. Nor does the answer to
 * an earlier or later request for the same currency change an address that is shown: the user may be copying it, and
 * the tag of another one must not follow.
 */
export function reduceDeposit<S extends Covering>(state: S, { currency, answer }: DepositEvent): S {
  const { overlay } = state
  if (!isOverlay<Shown>(overlay, 'deposit') || overlay.currency !== currency) return state
  if (overlay.answer.kind === 'known') return state
  const told: DepositAnswer = answer.ok
    ? { kind: 'known', deposit: answer.value }
    : { kind: 'failed', sentence: answer.error }
  return { ...state, overlay: { ...overlay, answer: told } }
}

/** Fiat currencies have no deposit address. */
const fiat: ReadonlySet<string> = new Set(
  'AUD BRL CAD CHF CNY CZK DKK EUR GBP HKD HUF INR JPY KRW MXN NOK NZD PLN SEK SGD THB TRY USD ZAR'.split(' '),
)

export const hasNoAddress = (currency: string): boolean => fiat.has(currency)

/** Base currencies come first: one that is only a counter currency is seldom deposited by address. */
function currenciesOf({ instruments, balances }: Pick<FeedsSlice, 'instruments' | 'balances'>): string[] {
  const listed = [...(instruments.value?.values() ?? [])]
  const bases = [...new Set(listed.map(({ base }) => base))].toSorted((left, right) => left.localeCompare(right))
  const held = (balances.value ?? []).map(({ currency }) => currency)
  return [...new Set([...bases, ...listed.map(({ counter }) => counter), ...held])].filter(
    (each) => !hasNoAddress(each),
  )
}

/** The currencies that begin with the typed text. */
export function depositCurrencies(state: Pick<FeedsSlice, 'instruments' | 'balances'>, query: string): string[] {
  const begun = query.trim().toUpperCase()
  return currenciesOf(state).filter((currency) => currency.toUpperCase().startsWith(begun))
}

export type DepositPort = {
  /** Requests the deposit address of a currency; it arrives as an event. */
  fetchDepositAddress(currency: string): void
  /** Copies text to the terminal's clipboard; false without a terminal that can. */
  copyText(text: string): boolean
}
