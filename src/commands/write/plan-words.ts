import { err, type Result } from '../../base/result.ts'
import { type Balance, knownAvailable, primaryAccount } from '../../domain/balance.ts'
import { type Listing, readableListing } from '../../domain/listing.ts'
import type { Book } from '../../domain/market/book.ts'
import type { Instrument } from '../../domain/market/instrument.ts'
import type { Decimal } from '../../domain/money.ts'
import { baseDoubt, quoted, wordsOf } from '../../domain/orders/sentence-words.ts'
import { type PlanPrice, readPrice } from '../../domain/plans/facts.ts'
import { type PlanSentenceContext, readPlanChange, readPlanSentence } from '../../domain/plans/sentence.ts'
import type { PlanTerms } from '../../domain/plans/terms.ts'
import { distanceDoubt, pointsDoubt } from '../../store/sentences/points.ts'
import type { WriteScene } from './with-writing.ts'

/** The rules of every symbol, by name. */
export type Instruments = ReadonlyMap<string, Instrument>

type Asked = Pick<WriteScene, 'session' | 'io' | 'tools'>

/**
 * Reads words of a plan. A share of a price or balance, such as `by 1%` or `all`, needs present data: only then is the
 * exchange asked, and the words are read again.
 */
async function readAsked<T>(
  read: (names: PlanSentenceContext) => T,
  { instruments, symbol }: { instruments: Instruments; symbol: string },
  { session, io, tools }: Asked,
): Promise<T> {
  const prices = new Map<string, Decimal | null>()
  let account: Listing<Balance> | null = null
  for (;;) {
    const wanted = { symbols: new Set<string>(), balances: false }
    const held: Listing<Balance> | null = account
    const asked = read({
      ...{ instruments, symbol, bookOf: () => null, swap: session.settings.entry },
      priceOf(of) {
        if (!prices.has(of)) wanted.symbols.add(of)
        return prices.get(of) ?? null
      },
      availableOf(currency) {
        if (held === null) wanted.balances = true
        return held === null ? null : knownAvailable(currency, held.entries, held.unreadable)
      },
    })
    if (wanted.symbols.size === 0 && !wanted.balances) return asked
    for (const of of wanted.symbols) {
      const book = await session.client.fetchBook(of, io.signal)
      const price = priceNow(instruments.get(of) ?? null, book, tools.clock.wallMs())
      prices.set(of, price.kind === 'known' ? price.price : null)
    }
    if (wanted.balances)
      account = (await session.client.fetchAccounts(io.signal)).get(primaryAccount) ?? readableListing([])
  }
}

/**
 * Why words that are read may be meant otherwise, as a sentence with what to write instead: nobody can be asked in the
 * middle of a script. Null for no doubt.
 */
function doubtAbout(words: string, terms: PlanTerms, names: PlanSentenceContext): string | null {
  const doubts = { context: names, priceOf: (symbol: string) => names.priceOf(symbol), isUnderstood: () => true }
  const points = pointsDoubt(words, doubts)
  if (points !== null) return points.what
  const distance = terms.kind === 'trailing' ? distanceDoubt(words, doubts) : null
  return distance === null ? null : distance.what.replace('which?', `write ${distance.words.join(' or ')}.`)
}

/**
 * Why `btc` may be another symbol than the one read, as a sentence with what to write. The palette takes the one in
 * dollars and its review shows it; a script would trade it unseen, and another one once the exchange lists more.
 */
function symbolDoubt(words: string, symbol: string, names: PlanSentenceContext): string | null {
  const doubt = baseDoubt(symbol, { words: wordsOf(words, names), context: names })
  return doubt === null ? null : `${quoted(doubt.word)} may be ${doubt.symbols.join(' or ')}: write which.`
}

/** The terms that are read and can be meant in no other way; the error is a sentence. */
function undoubted(
  words: string,
  read: ReturnType<typeof readPlanChange>,
  names: PlanSentenceContext,
): Result<PlanTerms> {
  if (!read.ok) {
    const { text, instead } = read.error
    return err(instead.length === 0 ? text : `${text} Write ${instead.join(', or ')}.`)
  }
  const doubt = doubtAbout(words, read.value, names)
  return doubt === null ? read : err(doubt)
}

/** Reads the words of a new plan; null for words that are not a plan. The error is a sentence. */
export const readNewPlan = (words: string, instruments: Instruments, scene: Asked): Promise<Result<PlanTerms> | null> =>
  readAsked(
    (names) => {
      const read = readPlanSentence(words, names)
      if (read === null) return null
      const several = read.ok ? symbolDoubt(words, read.value.symbol, names) : null
      return several === null ? undoubted(words, read, names) : err(several)
    },
    { instruments, symbol: '' },
    scene,
  )

/** Reads the words of a change of a plan. The error is a sentence. */
export const readEdit = (
  words: string,
  before: PlanTerms,
  instruments: Instruments,
  scene: Asked,
): Promise<Result<PlanTerms>> =>
  readAsked(
    (names) => undoubted(words, readPlanChange(words, before, names), names),
    { instruments, symbol: before.symbol },
    scene,
  )

/** The market price by a book requested just now. */
export const priceNow = (instrument: Instrument | null, book: Book, nowMs: number): PlanPrice =>
  readPrice({ instrument, book: { book, atMs: nowMs }, ticker: null }, nowMs)
