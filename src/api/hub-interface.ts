import type { FeedName } from '../domain/desk/feeds.ts'
import type { IdTakenBy } from '../domain/hub/taken-id.ts'

/**
 * The interface of a hub, a service in front of the exchange shared by many desks. A hub identifies itself by a header;
 * without it, none of this applies.
 */
const hubHeader = 'x-hub'
/** Age in ms of the exchange's answer at the hub. */
export const ageHeader = 'x-hub-age-ms'
/** Reads an age. Refuses one above eleven days or not a whole number of ms, 0 or more. */
export const readAgeMs = (digits: unknown): number | null =>
  typeof digits === 'string' && /^\d{1,9}$/.test(digits) ? Number(digits) : null

/** Makes the hub ask the exchange now. */
export const freshHeader = 'x-hub-fresh'
/** The stream that shall report changes of this read from now on. */
export const streamHeader = 'x-hub-stream'
/**
 * Set on a hub's refusal of a call it did not pass on: the same status from the exchange would mean that an order has
 * ended.
 */
export const notSentHeader = 'x-hub-not-sent'
/**
 * Set on a hub's refusal of an order whose client order id belongs to another order: the order listed under it is not
 * ours.
 */
const idTakenHeader = 'x-hub-id-taken'
/** Set by a hub that does not lead: to 1 when another one leads or will, or to the mark below. */
export const standbyHeader = 'x-hub-standby'
/** The hub's database does not answer it, so as far as it knows none leads. */
export const noStoreMark = 'no-store'

/** True for paths of a hub's own interface, which the exchange does not have. */
export const isHubPath = (path: string): boolean => path.startsWith('/hub/')

/** True for an approver's decision on a draft, which is sent even when other writes are not. */
export const isDecision = (method: string, path: string): boolean =>
  method === 'POST' && /^\/hub\/drafts\/[A-Za-z0-9-]{1,64}\/(approve|reject)$/.test(path)

/**
 * True for calls that place an order or send money, at the exchange or at a hub, and for those upon which a hub may
 * place orders: a plan that begins, resumes or changes.
 */
export const isOrderOrMoney = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'POST' &&
  /^\/(orders|withdrawals|hub\/drafts\/[^/]+\/send|hub\/plans(\/[^/]+\/(resume|edit))?)$/.test(path)

/**
 * True for calls that reduce risk, so that it is worth waiting for a hub that takes over; any other write would come
 * too late.
 */
export const isCancelOrHalt = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'DELETE' || (method === 'POST' && path === '/hub/halt')

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** True for an answer of a hub, and not of the exchange or of a proxy in between. */
export const isOfHub = (headers: Headers): boolean => headers[hubHeader] !== undefined

/** What whoever answered says as a hub is left out: an answer as of an exchange. */
export const withoutHub = <Value>(headers: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith(hubHeader)))

/** True for a standby hub, which passed nothing on. */
export const isStandby = ({ status, headers }: { status: number; headers: Headers }): boolean =>
  status === 503 && isOfHub(headers) && (headers[standbyHeader] === '1' || headers[standbyHeader] === noStoreMark)

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

/** A feed with a changed answer; the symbol if it has an answer per symbol. */
export type FeedNews = { feed: FeedName; symbol: string | null }

/** Polled reads by the first part of their path, and the feed that sets their interval and age limit. */
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

/** The feed polled at a path, with or without a query; null for reads of single items and others. */
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
