import { plainText, someNamed } from '../base/text/plain-text.ts'
import { isUnlisted, type Names, noNames } from '../domain/limits.ts'
import { type Instrument, type SymbolStatus, statusWords } from '../domain/market/instrument.ts'
import type { AlertsSlice } from './alerts/alerts.ts'
import type { FeedsSlice } from './feeds/feeds.ts'
import { type Noting, noted } from './log.ts'
import type { PlansSlice } from './plans/plans.ts'

/** The symbols' rules, and the symbols whose rules cannot be read. */
type Listed = { rules: ReadonlyMap<string, Instrument>; unread: Names }
/** The user's own orders, plans and alerts, by symbol. */
type Own = FeedsSlice & PlansSlice & AlertsSlice

/** A symbol's status; `unlisted`: not in the list; `unread`: listed, with rules that cannot be read. */
type ShownStatus = SymbolStatus | 'unlisted' | 'unread'

const shownStatusOf = ({ rules, unread }: Listed, symbol: string): ShownStatus =>
  rules.get(symbol)?.status ?? (isUnlisted(symbol, rules, unread) ? 'unlisted' : 'unread')

const shownStatusWords: Readonly<Record<ShownStatus, string>> = {
  ...statusWords,
  unlisted: 'is not listed any more',
  unread: 'has rules that cannot be read',
}

function listedIn({ instruments, listedSymbols }: FeedsSlice): Listed | null {
  const { value } = instruments
  return value === null ? null : { rules: value, unread: listedSymbols?.unread ?? noNames }
}

/** The user's orders, plans and armed alerts in a symbol, as words; empty for none. */
function waitingIn({ orders, plans, alerts }: Own, symbol: string): string[] {
  const counts: readonly [number, string][] = [
    [(orders.value ?? []).filter((order) => order.symbol === symbol).length, 'working order'],
    [plans.list.filter(({ plan }) => plan.ended === null && plan.terms.symbol === symbol).length, 'plan'],
    [
      alerts.watches.filter((watch) => watch.symbol === symbol && (watch.state.kind !== 'fired' || watch.repeats))
        .length,
      'alert',
    ],
  ]
  return counts.flatMap(([count, name]) => (count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`]))
}

/** A greater number of changed symbols makes one notice. */
const eachMax = 3

/**
 * Notes symbols with own orders, plans or armed price alerts that stopped trading, left the list or opened again: on
 * another symbol the user would not see it, and an alert of a delisted symbol stays armed for ever. The first list is
 * no change.
 */
export function withSymbolNews<S extends Own & Noting>(before: S, after: S, atMs: number): S {
  if (before.instruments.value === after.instruments.value) return after
  const [earlier, now] = [listedIn(before), listedIn(after)]
  if (earlier === null || now === null) return after
  const changed = [...new Set([...earlier.rules.keys(), ...now.rules.keys()])].flatMap((symbol) => {
    const [was, is] = [shownStatusOf(earlier, symbol), shownStatusOf(now, symbol)]
    if (was === is) return []
    const waiting = waitingIn(after, symbol)
    return waiting.length === 0 ? [] : [{ symbol: plainText(symbol), is, waiting }]
  })
  if (changed.length > eachMax) {
    const names = someNamed(
      changed.map(({ symbol }) => symbol),
      eachMax,
    )
    return noted(after, 'warn', `${changed.length} symbols with own orders, plans or alerts changed: ${names}.`, atMs)
  }
  return changed.reduce(
    (state, { symbol, is, waiting }) =>
      noted(
        state,
        is === 'open' ? 'info' : 'warn',
        `${symbol} ${shownStatusWords[is]}: ${waiting.join(', ')} there.`,
        atMs,
      ),
    after,
  )
}
