import { dayText } from './expiry-day.ts'
import { type OrderIntent, type SentenceContext, understand } from './order-sentence.ts'

/** The sentence that is read as this intent again: `buy 0.05 btc-usd @ 64209.5 gtd 20261231 post`. */
export function writeOrderSentence(intent: OrderIntent): string {
  if (intent.kind === 'cancelOrder') return `cancel ${intent.orderId}`
  if (intent.kind === 'cancelAll')
    return intent.symbol === null ? 'cancel all' : `cancel all ${intent.symbol}`.toLowerCase()
  const { form, sharePercent } = intent
  const isTimed = form.timeInForce === 'GTD'
  const words = [
    form.side,
    sharePercent === null ? form.quantityText : `${sharePercent.toFixed()}%`,
    form.symbol,
    form.stopText === '' ? '' : `stop ${form.stopText}`,
    form.priceText === '' ? '' : `@ ${form.priceText}`,
    form.type === 'MARKET' ? 'market' : '',
    isTimed ? `gtd ${form.expireText}` : form.timeInForce,
    form.minimumText === '' ? '' : `min ${form.minimumText}`,
    form.postOnly ? 'post' : '',
  ]
  return words
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase()
}

const typeWords = {
  MARKET: 'at the market',
  LIMIT: 'with a limit price of',
  STOP: 'at the market once the last trade reaches',
  STOPLIMIT: 'with a limit price of',
} as const

const timeWords = {
  GTC: 'good till cancelled',
  IOC: 'what does not fill at once is cancelled',
  FOK: 'all at once or nothing',
} as const

/**
 * What an intent means, in a few clauses for a person. It says what will be asked for, not whether it can be placed.
 */
export function explainIntent(intent: OrderIntent): string {
  if (intent.kind === 'cancelOrder') return `Cancel the order ${intent.orderId}`
  if (intent.kind === 'cancelAll')
    return intent.symbol === null ? 'Cancel every order of every symbol' : `Cancel every order of ${intent.symbol}`
  const { form, sharePercent } = intent
  const quantity = sharePercent === null ? form.quantityText : `${sharePercent.toFixed()}% of what is available:`
  const price = form.type === 'STOP' ? form.stopText : form.priceText
  const clauses = [
    `${form.side === 'BUY' ? 'Buy' : 'Sell'} ${quantity} ${form.symbol} ${typeWords[form.type]} ${price}`.trimEnd(),
    form.type === 'STOPLIMIT' ? `once the last trade reaches ${form.stopText}` : '',
    form.timeInForce === 'GTD' ? `until the end of ${dayText(form.expireText)} UTC` : timeWords[form.timeInForce],
    form.minimumText === '' ? '' : `at least ${form.minimumText} at once`,
    form.postOnly ? 'post only' : '',
  ]
  return clauses.filter((clause) => clause !== '').join(', ')
}

/** A word that may come next: `from` is where in the text it goes, up to the text's end. */
export type SentenceCompletion = { word: string; from: number }

/** Words that would complete the last, half-typed word, or follow the text when it ends in a space; best first. */
export function completeOrderSentence(text: string, context: SentenceContext): SentenceCompletion[] {
  const typed = /[^\s@%]*$/.exec(text)?.[0] ?? ''
  const from = text.length - typed.length
  const { result, next } = understand(text.slice(0, from), context)
  const words = result.ok ? next : result.error.kind === 'unfinished' ? result.error.offers : []
  return words
    .filter((word) => word.startsWith(typed.toLowerCase()) && word !== typed.toLowerCase())
    .map((word) => ({ word, from }))
}
