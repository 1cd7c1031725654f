import type { FeedName } from '../domain/desk/feeds.ts'
import type { IdTakenBy } from '../domain/hub/taken-id.ts'

/**
 * What a hub is: a service in front of the exchange that many desks share. It shows itself by a header, and nothing of
 * this counts where that was never seen.
 */
const hubHeader = 'x-hub'
/** How many ms ago the hub had the answer from the exchange. */
export const ageHeader = 'x-hub-age-ms'
/** An age of more than eleven days, or one that is not a whole number of ms from 0 on, is not believed. */
export const readAgeMs = (digits: unknown): number | null =>
  typeof digits === 'string' && /^\d{1,9}$/.test(digits) ? Number(digits) : null

/** The hub is to ask the exchange anew. */
export const freshHeader = 'x-hub-fresh'
/** The stream that is to tell of the same read from now on. */
export const streamHeader = 'x-hub-stream'
/** Set on a hub's no to what it has not passed on: a like status of the exchange says that an order has ended. */
export const notSentHeader = 'x-hub-not-sent'
/** Set on a hub's no to an order whose client order id stands for another one: what is listed under it is not ours. */
const idTakenHeader = 'x-hub-id-taken'
/** Set where this hub does not lead: to 1 where another one does or will, and to the mark below. */
export const standbyHeader = 'x-hub-standby'
/** The database does not answer this hub: as far as it knows none leads. */
export const noStoreMark = 'no-store'

/** What a hub offers of its own, beside the exchange's interface: nobody else answers there. */
export const isHubPath = (path: string): boolean => path.startsWith('/hub/')

/** An approver's yes or no to a draft, which goes also where nothing else is to be written. */
export const isDecision = (method: string, path: string): boolean =>
  method === 'POST' && /^\/hub\/drafts\/[A-Za-z0-9-]{1,64}\/(approve|reject)$/.test(path)

/** What makes less of what may happen: worth waiting for a hub that takes over. Nothing else is, by then it is late. */
export const isCancelOrHalt = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'DELETE' || (method === 'POST' && path === '/hub/halt')

type Headers = Readonly<Record<string, string | string[] | undefined>>

export const isOfHub = (headers: Headers): boolean => headers[hubHeader] !== undefined

/** True for a hub that stands by for another one: nothing was passed on. */
export const isStandby = ({ status, headers }: { status: number; headers: Headers }): boolean =>
  status === 503 && (headers[standbyHeader] === '1' || headers[standbyHeader] === noStoreMark)

/** True where a hub says that it has not passed a cancel on, whatever the status: nothing is known to have ended. */
export const isCancelUnsent = (method: string, headers: Headers): boolean =>
  method === 'DELETE' && isOfHub(headers) && headers[notSentHeader] === '1'

const idTakenWords: Readonly<Record<IdTakenBy, string>> = { anotherPerson: 'person', anotherOrder: 'order' }

/** What a hub adds to its no to an order whose client order id is taken. */
export const idTakenHeaders = (by: IdTakenBy): Readonly<Record<string, string>> => ({
  [idTakenHeader]: idTakenWords[by],
})

/** Whose a hub says the client order id of a refused order is; null where it says nothing of it. */
export function idTakenBy(headers: Headers): IdTakenBy | null {
  if (!isOfHub(headers)) return null
  if (headers[idTakenHeader] === idTakenWords.anotherPerson) return 'anotherPerson'
  return headers[idTakenHeader] === idTakenWords.anotherOrder ? 'anotherOrder' : null
}

/** A feed of which something is news; the symbol where it has an answer for each. */
export type FeedNews = { feed: FeedName; symbol: string | null }

/** Reads that are polled again and again, by the first part of their path, and whose pace and age limit theirs is. */
const feedOfRoot: Readonly<Record<string, FeedName>> = {
  l2: 'book',
  l3: 'queue',
  tickers: 'tickers',
  symbols: 'instruments',
  orders: 'orders',
  fills: 'fills',
  accounts: 'balances',
  fees: 'fees',
  withdrawals: 'withdrawals',
  deposits: 'deposits',
  whitelist: 'whitelist',
}

/** The feed that a path, with or without a query, is a poll of; null for a read of one thing by its id, and others. */
export function feedOfTarget(target: string): FeedNews | null {
  const [root = '', name, more] = target.replace(/\?.*/s, '').split('/').slice(1)
  const feed = Object.hasOwn(feedOfRoot, root) ? feedOfRoot[root] : undefined
  if (feed === undefined || more !== undefined) return null
  const isBySymbol = root === 'l2' || root === 'l3'
  if (!isBySymbol) return name === undefined ? { feed, symbol: null } : null
  const symbol = name === undefined ? null : decoded(name)
  return symbol === null ? null : { feed, symbol }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}
