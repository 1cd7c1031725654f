import { expect, test } from 'vitest'
import type { Mode } from '../../../src/domain/desk/mode.ts'
import type { Commands } from '../../../src/store/commands.ts'
import { readSentence } from '../../../src/store/sentences/sentences.ts'
import { amount } from '../../fakes/amounts.ts'
import { deskState, instrumentFrom } from '../../fakes/desk-state.ts'
import { anOrder } from '../../fakes/orders.ts'
import { aDesk } from '../desk.ts'
import { saidOf } from './said.ts'

/** What is said of a line that is a command of the shell. */
const inShell = 'begins a command in a shell. Here a line begins with what it does, and a cancel asks first.'

const state = deskState()

const said = (line: string) => saidOf(line, state)

/** Sentences as people type them, wrong and dangerous ones among them, and what is said of each before Enter. */
const corpus: readonly (readonly [line: string, said: string])[] = [
  [
    'buy .1 btc',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | .1: quantity 0.1 | btc: BTC-USD | no price: joins the best bid, 64210.50',
  ],
  [
    'buy 0.1 btc',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | no price: joins the best bid, 64210.50',
  ],
  [
    'Buy 0.1 BTC',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | Buy: BUY | 0.1: quantity 0.1 | BTC: BTC-USD | no price: joins the best bid, 64210.50',
  ],
  [
    'b .1 btc',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | b: BUY | .1: quantity 0.1 | btc: BTC-USD | no price: joins the best bid, 64210.50',
  ],
  [
    'b .1',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | b: BUY | .1: quantity 0.1 | no symbol: BTC-USD, the one shown | no price: joins the best bid, 64210.50',
  ],
  [
    'buy .1',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | .1: quantity 0.1 | no symbol: BTC-USD, the one shown | no price: joins the best bid, 64210.50',
  ],
  [
    'buy 0.1 btc-usd',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc-usd: BTC-USD | no price: joins the best bid, 64210.50',
  ],
  [
    'buy 0.1 btcusd',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btcusd: BTC-USD | no price: joins the best bid, 64210.50',
  ],
  [
    'buy 0.1 BTC/USD',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | BTC/USD: BTC-USD | no price: joins the best bid, 64210.50',
  ],
  [
    'buy 0.1btc',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | no price: joins the best bid, 64210.50',
  ],
  [
    'buy .1btc',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | .1: quantity 0.1 | btc: BTC-USD | no price: joins the best bid, 64210.50',
  ],
  [
    'buy 0.1btc 64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000',
  ],
  [
    'buy 0.1btc @64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @64000: limit price 64000',
  ],
  [
    'buy 0.1btc-usd at 64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc-usd: BTC-USD | at 64000: limit price 64000',
  ],
  [
    'buy 0.1 btc 64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000',
  ],
  [
    'buy 0.1 btc 64k',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64k: limit price 64000',
  ],
  [
    'buy 0.1 btc 64.2k',
    '= Buy 0.1 BTC-USD with a limit price of 64200, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64.2k: limit price 64200',
  ],
  [
    'buy 0.1 btc @ 64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ 64000: limit price 64000',
  ],
  [
    'buy 0.1 btc @64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @64000: limit price 64000',
  ],
  [
    'buy 0.1 btc @64k',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @64k: limit price 64000',
  ],
  [
    'buy 0.1 btc at 64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | at 64000: limit price 64000',
  ],
  [
    'buy 0.1 btc limit 64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | limit 64000: limit price 64000',
  ],
  [
    'buy 0.1 btc @ $64,000.50',
    '= Buy 0.1 BTC-USD with a limit price of 64000.5, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ $64,000.50: limit price 64000.5',
  ],
  [
    'buy 0.1 btc @ 64000 usd',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ 64000 usd: limit price 64000',
  ],
  [
    'buy 0.1 btc @ 64000.50 gtc',
    '= Buy 0.1 BTC-USD with a limit price of 64000.5, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ 64000.50: limit price 64000.5 | gtc: GTC',
  ],
  [
    'buy 0.1 btc 64000 post',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled, post only. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000 | post: post only',
  ],
  [
    'buy 0.1 btc 64000 post-only',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled, post only. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000 | post-only: post only',
  ],
  [
    'buy 0.1 btc 64000 alo',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled, post only. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000 | alo: post only',
  ],
  [
    'buy 0.1 btc 64000 ioc',
    '= Buy 0.1 BTC-USD with a limit price of 64000, what does not fill at once is canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000 | ioc: IOC',
  ],
  [
    'buy 0.1 btc 64000 fok',
    '= Buy 0.1 BTC-USD with a limit price of 64000, all at once or nothing. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000 | fok: FOK',
  ],
  [
    'buy 0.1 btc 64000 gtd 20261231',
    '= Buy 0.1 BTC-USD with a limit price of 64000, until the end of Thu 31 Dec 2026 UTC. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000 | gtd 20261231: GTD, until the end of Thu 31 Dec 2026 UTC',
  ],
  [
    'buy 0.1 btc 64000 until 2026-12-31',
    '= Buy 0.1 BTC-USD with a limit price of 64000, until the end of Thu 31 Dec 2026 UTC. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000 | until 2026-12-31: GTD, until the end of Thu 31 Dec 2026 UTC',
  ],
  [
    'buy 0.1 btc 64000 ioc min 0.05',
    '= Buy 0.1 BTC-USD with a limit price of 64000, what does not fill at once is canceled, at least 0.05 at once. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000 | ioc: IOC | min 0.05: at least 0.05 at once',
  ],
  [
    'buy 0.1 @ 64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | @ 64000: limit price 64000 | no symbol: BTC-USD, the one shown',
  ],
  [
    'buy btc 0.1 @ 64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | btc: BTC-USD | 0.1: quantity 0.1 | @ 64000: limit price 64000',
  ],
  [
    'buy @ 64000 0.1 btc',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | @ 64000: limit price 64000 | 0.1: quantity 0.1 | btc: BTC-USD',
  ],
  [
    'buy btc @ 64000 0.1',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | btc: BTC-USD | @ 64000: limit price 64000 | 0.1: quantity 0.1',
  ],
  [
    'buy 0.1 btc market',
    '= Buy 0.1 BTC-USD at the market, what does not fill at once is canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | market: at the market',
  ],
  [
    'buy 0.1 btc mkt',
    '= Buy 0.1 BTC-USD at the market, what does not fill at once is canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | mkt: at the market',
  ],
  [
    'buy 0.1 btc at market',
    '= Buy 0.1 BTC-USD at the market, what does not fill at once is canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | at market: at the market',
  ],
  [
    'buy 0.1 btc @ mkt',
    '= Buy 0.1 BTC-USD at the market, what does not fill at once is canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ mkt: at the market',
  ],
  [
    'buy market 0.1 btc',
    '= Buy 0.1 BTC-USD at the market, what does not fill at once is canceled. | buy: BUY | market: at the market | 0.1: quantity 0.1 | btc: BTC-USD',
  ],
  [
    'buy market btc 0.1',
    '= Buy 0.1 BTC-USD at the market, what does not fill at once is canceled. | buy: BUY | market: at the market | btc: BTC-USD | 0.1: quantity 0.1',
  ],
  [
    'buy 0.1 btc @ bid',
    '= Buy 0.1 BTC-USD with a limit price of 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ bid: limit price 64210.5 (the bid 64210.50)',
  ],
  [
    'buy 0.1 btc @bid',
    '= Buy 0.1 BTC-USD with a limit price of 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @bid: limit price 64210.5 (the bid 64210.50)',
  ],
  [
    'buy 0.1 btc at bid',
    '= Buy 0.1 BTC-USD with a limit price of 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | at bid: limit price 64210.5 (the bid 64210.50)',
  ],
  [
    'buy 0.1 btc bid',
    '= Buy 0.1 BTC-USD with a limit price of 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | bid: limit price 64210.5 (the bid 64210.50)',
  ],
  [
    'buy 0.1 btc @ ask',
    '= Buy 0.1 BTC-USD with a limit price of 64211.00, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ ask: limit price 64211 (the ask 64211.00)',
  ],
  [
    'buy 0.1 btc @ offer',
    '= Buy 0.1 BTC-USD with a limit price of 64211.00, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ offer: limit price 64211 (the ask 64211.00)',
  ],
  [
    'buy 0.1 btc @ mid',
    '= Buy 0.1 BTC-USD with a limit price of 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ mid: limit price 64210.5 (the mid 64210.75, on the tick)',
  ],
  [
    'buy 0.1 btc @ bid+1t',
    '= Buy 0.1 BTC-USD with a limit price of 64211.00, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ bid+1t: limit price 64211 (the bid 64210.50 plus 1 tick)',
  ],
  [
    'buy 0.1 btc @ bid +1t',
    '= Buy 0.1 BTC-USD with a limit price of 64211.00, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ bid +1t: limit price 64211 (the bid 64210.50 plus 1 tick)',
  ],
  [
    'buy 0.1 btc @ bid + 1 tick',
    '= Buy 0.1 BTC-USD with a limit price of 64211.00, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ bid + 1 tick: limit price 64211 (the bid 64210.50 plus 1 tick)',
  ],
  [
    'buy 0.1 btc @ ask-2t',
    '= Buy 0.1 BTC-USD with a limit price of 64210.00, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ ask-2t: limit price 64210 (the ask 64211.00 less 2 ticks)',
  ],
  [
    'buy 0.1 btc @ ask - 2t',
    '= Buy 0.1 BTC-USD with a limit price of 64210.00, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ ask - 2t: limit price 64210 (the ask 64211.00 less 2 ticks)',
  ],
  [
    'buy 0.1 btc @ ask−2t',
    '= Buy 0.1 BTC-USD with a limit price of 64210.00, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ ask−2t: limit price 64210 (the ask 64211.00 less 2 ticks)',
  ],
  [
    'buy 0.1 btc @ ask-2ticks',
    '= Buy 0.1 BTC-USD with a limit price of 64210.00, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ ask-2ticks: limit price 64210 (the ask 64211.00 less 2 ticks)',
  ],
  [
    'sell 0.1 btc @ ask+10t',
    '= Sell 0.1 BTC-USD with a limit price of 64216.00, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | @ ask+10t: limit price 64216 (the ask 64211.00 plus 10 ticks)',
  ],
  [
    'sell 0.1 btc @ mid',
    '= Sell 0.1 BTC-USD with a limit price of 64211.00, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | @ mid: limit price 64211 (the mid 64210.75, on the tick)',
  ],
  [
    'sell 0.1 btc @ mid+1t post',
    '= Sell 0.1 BTC-USD with a limit price of 64211.50, good till canceled, post only. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | @ mid+1t: limit price 64211.5 (the mid 64210.75, on the tick plus 1 tick) | post: post only',
  ],
  [
    'buy 0.1 btc bid-5t',
    '= Buy 0.1 BTC-USD with a limit price of 64208.00, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | bid-5t: limit price 64208 (the bid 64210.50 less 5 ticks)',
  ],
  ['buy 0.1 btc @ bid-2', '? Say how many ticks, as bid-2t, or type the price. -> buy 0.1 btc @ bid-2t'],
  ['buy 0.1 btc @ mid-50bps', '! Say how many ticks, as mid-2t, or type the price.'],
  ['buy 0.1 btc @ mid-50 bps', '! Say how many ticks, as mid-2t, or type the price.'],
  ['buy 0.1 btc @ mid-50 usd', '! Say how many ticks, as mid-2t, or type the price.'],
  ['buy 0.1 btc @ mid - 0.5%', '! Say how many ticks, as mid-2t, or type the price.'],
  ['buy 0.1 btc @ bid - 2', '? Say how many ticks, as bid-2t, or type the price. -> buy 0.1 btc @ bid-2t'],
  ['buy 0.1 btc @ ask+', '? Say how many ticks, as ask+2t, or type the price. -> buy 0.1 btc @ ask+2t'],
  ['buy 0.1 btc @ bid*2', '! The price belongs here, not "bid*2".'],
  ['buy 1 eth @ bid', '! No bid of ETH-USD to go by: show it first, or type the price.'],
  ['buy 1 eth @ mid', '! No mid of ETH-USD to go by: show it first, or type the price.'],
  [
    'buy 1 eth',
    '= Buy 1 ETH-USD at a price that the ticket asks for, good till canceled. | buy: BUY | 1: quantity 1 | eth: ETH-USD | no price: no bid is known to join',
  ],
  [
    'buy 1 eth 3400',
    '= Buy 1 ETH-USD with a limit price of 3400, good till canceled. | buy: BUY | 1: quantity 1 | eth: ETH-USD | 3400: limit price 3400',
  ],
  [
    'sell 1 eth 3,400.50',
    '= Sell 1 ETH-USD with a limit price of 3400.5, good till canceled. | sell: SELL | 1: quantity 1 | eth: ETH-USD | 3,400.50: limit price 3400.5',
  ],
  [
    'buy 1k usd of btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 1k usd: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy 1k usd btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 1k usd: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy 1kusd btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 1kusd: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy $1000 btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | $1000: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy $1000 of btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | $1000: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy $1,000.50 btc',
    '= Buy 1000.5 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | $1,000.50: 1000.5 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000.50 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy $1k btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | $1k: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy $ 1000 btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | $ 1000: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy 1000$ btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 1000$: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy 1000usd btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 1000usd: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy 1000 usd btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 1000 usd: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy usd 1000 btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | usd 1000: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy $1000 worth of btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | $1000: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy $1000 worth of my btc',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | $1000: 1000 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy btc for $1000',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | btc: BTC-USD | $1000: 1000 USD worth of BTC | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy btc with 1000 usd',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | btc: BTC-USD | 1000 usd: 1000 USD worth of BTC | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy btc $1000',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | btc: BTC-USD | $1000: 1000 USD worth of BTC | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  [
    'buy btc $1000 64000',
    '= Buy 1000 USD worth of BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | btc: BTC-USD | $1000: 1000 USD worth of BTC | 64000: limit price 64000 | $1,000 = 0.0156 BTC at 64,000.00.',
  ],
  [
    'buy $1000 btc 64000',
    '= Buy 1000 USD worth of BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | $1000: 1000 USD worth of BTC | btc: BTC-USD | 64000: limit price 64000 | $1,000 = 0.0156 BTC at 64,000.00.',
  ],
  [
    'buy $1000 btc @ 64k post',
    '= Buy 1000 USD worth of BTC-USD with a limit price of 64000, good till canceled, post only. | buy: BUY | $1000: 1000 USD worth of BTC | btc: BTC-USD | @ 64k: limit price 64000 | post: post only | $1,000 = 0.0156 BTC at 64,000.00.',
  ],
  [
    'buy $1000 btc market',
    '= Buy 1000 USD worth of BTC-USD at the market, what does not fill at once is canceled. | buy: BUY | $1000: 1000 USD worth of BTC | btc: BTC-USD | market: at the market | $1,000 = 0.0155 BTC at the market.',
  ],
  [
    'buy $1000',
    '= Buy 1000 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | $1000: 1000 USD worth of BTC | no symbol: BTC-USD, the one shown | no price: joins the best bid, 64210.50 | $1,000 = 0.0155 BTC at 64,210.50.',
  ],
  ['buy $5', '! Too small: $5 is less than one lot of 0.0001 BTC. | The smallest order is 0.0001 BTC.'],
  [
    'sell $500 eth market',
    '= Sell 500 USD worth of ETH-USD at the market, what does not fill at once is canceled. | sell: SELL | $500: 500 USD worth of ETH | eth: ETH-USD | market: at the market | The ticket will ask for the quantity: book not loaded: wait for fresh data.',
  ],
  [
    'sell 2.5k usd btc @ ask',
    '= Sell 2500 USD worth of BTC-USD with a limit price of 64211.00, good till canceled. | sell: SELL | 2.5k usd: 2500 USD worth of BTC | btc: BTC-USD | @ ask: limit price 64211 (the ask 64211.00) | $2,500 = 0.0389 BTC at 64,211.00.',
  ],
  ['buy $0.5 btc', '! Too small: $0.50 is less than one lot of 0.0001 BTC. | The smallest order is 0.0001 BTC.'],
  [
    'buy 25% btc',
    '= Buy 25% of the available balance: BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 25%: 25% of the available balance | btc: BTC-USD | no price: joins the best bid, 64210.50 | 25% = 0.0466 BTC at 64,210.50.',
  ],
  [
    'buy 25 % btc',
    '= Buy 25% of the available balance: BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 25 %: 25% of the available balance | btc: BTC-USD | no price: joins the best bid, 64210.50 | 25% = 0.0466 BTC at 64,210.50.',
  ],
  [
    'buy 25% btc 64000',
    '= Buy 25% of the available balance: BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 25%: 25% of the available balance | btc: BTC-USD | 64000: limit price 64000 | 25% = 0.0467 BTC at 64,000.00.',
  ],
  [
    'buy btc 25%',
    '= Buy 25% of the available balance: BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | btc: BTC-USD | 25%: 25% of the available balance | no price: joins the best bid, 64210.50 | 25% = 0.0466 BTC at 64,210.50.',
  ],
  [
    'buy half btc',
    '= Buy 50% of the available balance: BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | half: 50% of the available balance | btc: BTC-USD | no price: joins the best bid, 64210.50 | 50% = 0.0932 BTC at 64,210.50.',
  ],
  [
    'buy all btc',
    '= Buy 100% of the available balance: BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | all: 100% of the available balance | btc: BTC-USD | no price: joins the best bid, 64210.50 | 100% = 0.1865 BTC at 64,210.50.',
  ],
  [
    'buy max btc market',
    '= Buy 100% of the available balance: BTC-USD at the market, what does not fill at once is canceled. | buy: BUY | max: 100% of the available balance | btc: BTC-USD | market: at the market | 100% = 0.1865 BTC at the market.',
  ],
  [
    'buy quarter btc @ bid',
    '= Buy 25% of the available balance: BTC-USD with a limit price of 64210.50, good till canceled. | buy: BUY | quarter: 25% of the available balance | btc: BTC-USD | @ bid: limit price 64210.5 (the bid 64210.50) | 25% = 0.0466 BTC at 64,210.50.',
  ],
  [
    'sell half my eth',
    '= Sell 50% of the available balance: ETH-USD at a price that the ticket asks for, good till canceled. | sell: SELL | half: 50% of the available balance | eth: ETH-USD | no price: no ask is known to join | 50% = 1.550 ETH.',
  ],
  [
    'sell half of my eth',
    '= Sell 50% of the available balance: ETH-USD at a price that the ticket asks for, good till canceled. | sell: SELL | half: 50% of the available balance | eth: ETH-USD | no price: no ask is known to join | 50% = 1.550 ETH.',
  ],
  [
    'sell half of 0.1 btc',
    '? "0.1" may be the price, or a quantity in the place of "half". -> sell half @ 0.1 btc / sell 0.1 btc',
  ],
  [
    'sell 50 % of my 0.1 btc',
    '? "0.1" may be the price, or a quantity in the place of "50 %". -> sell 50 % @ 0.1 btc / sell 0.1 btc',
  ],
  ['sell all 3 eth', '? "3" may be the price, or a quantity in the place of "all". -> sell all @ 3 eth / sell 3 eth'],
  ['buy max 80 ltc', '? "80" may be the price, or a quantity in the place of "max". -> buy max @ 80 ltc / buy 80 ltc'],
  [
    'sell btc max 64k',
    '? "64k" may be the price, or a quantity in the place of "max". -> sell btc max @ 64k / sell btc 64k',
  ],
  ['buy $64000 0.1 btc', '? Which is the price, "$64000" or "0.1"? -> buy 0.1 @ $64000 btc / buy $64000 @ 0.1 btc'],
  [
    'buy $1000 64000 btc',
    '= Buy 1000 USD worth of BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | $1000: 1000 USD worth of BTC | 64000: limit price 64000 | btc: BTC-USD | $1,000 = 0.0156 BTC at 64,000.00.',
  ],
  [
    'sell 0.1 btc sl 63000',
    '= Sell 0.1 BTC-USD at the market once the last trade reaches 63000, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | sl 63000: stop price 63000',
  ],
  [
    'sell 0.1 btc stop loss 63000',
    '= Sell 0.1 BTC-USD at the market once the last trade reaches 63000, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | stop loss 63000: stop price 63000',
  ],
  [
    'sell 0.1 btc stop-loss 63000',
    '= Sell 0.1 BTC-USD at the market once the last trade reaches 63000, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | stop-loss 63000: stop price 63000',
  ],
  ['buy 1 000 btc', '? A number takes no space or sign between its digits: 1000. -> buy 1000 btc'],
  ['buy 0.1 btc @ 64 000', '? A number takes no space or sign between its digits: 64000. -> buy 0.1 btc @ 64000'],
  ["buy 0.1 btc 64'000.50", '? A number takes no space or sign between its digits: 64000.50. -> buy 0.1 btc 64000.50'],
  ['buy 0.1 btc @ 64_000', '? A number takes no space or sign between its digits: 64000. -> buy 0.1 btc @ 64000'],
  ['buy $5 000 btc', '? A number takes no space or sign between its digits: 5000. -> buy $5000 btc'],
  [
    'sell 1 500 xlm',
    '? Which is the price, "1" or "500"? | A number takes no space or sign between its digits: 1500. -> sell 1 @ 500 xlm / sell 500 @ 1 xlm / sell 1500 xlm',
  ],
  [
    '1 000 btc',
    '? A number takes no space or sign between its digits: 1000. | Buy or sell? An order says which. -> buy 1000 btc / sell 1000 btc',
  ],
  ['alert btc 70 000', '? A number takes no space or sign between its digits: 70000. -> alert btc 70000'],
  [
    'oco sell 0.1 btc stop 63 000 target 66 000',
    '? A number takes no space or sign between its digits: 63000, 66000. -> oco sell 0.1 btc stop 63000 target 66000',
  ],
  ['cost btc 1 000 @ 60000', '? A number takes no space or sign between its digits: 1000. -> cost btc 1000 @ 60000'],
  ['cost btc 0.5 for 30000', '! What one cost stands behind an @.'],
  ['cancel 15 116', '! Nothing comes after that: leave out "116".'],
  ['buy 0 500 btc', '! The quantity must be above zero.'],
  [
    'buy 1mbtc',
    '? "1m" can be read in two ways: write 1000000 BTC or 1000000 USD. -> buy 1000000 usd btc / buy 1000000btc',
  ],
  ['alert btc > 70000 eur', '! "eur" is not understood here: after the price come now and each.'],
  [
    'sell half my eth 3500',
    '= Sell 50% of the available balance: ETH-USD with a limit price of 3500, good till canceled. | sell: SELL | half: 50% of the available balance | eth: ETH-USD | 3500: limit price 3500 | 50% = 1.550 ETH at 3,500.00.',
  ],
  [
    'sell half the btc market',
    '= Sell 50% of the available balance: BTC-USD at the market, what does not fill at once is canceled. | sell: SELL | half: 50% of the available balance | btc: BTC-USD | market: at the market | 50% = 0.1960 BTC at the market.',
  ],
  [
    'sell all btc market',
    '= Sell 100% of the available balance: BTC-USD at the market, what does not fill at once is canceled. | sell: SELL | all: 100% of the available balance | btc: BTC-USD | market: at the market | 100% = 0.3920 BTC at the market.',
  ],
  [
    'sell all my btc at market',
    '= Sell 100% of the available balance: BTC-USD at the market, what does not fill at once is canceled. | sell: SELL | all: 100% of the available balance | btc: BTC-USD | at market: at the market | 100% = 0.3920 BTC at the market.',
  ],
  ['sell my btc', '! Incomplete: how much? an amount, or a share such as 25%. | Next: 25%, 50%, 75%, 100%, half, all'],
  [
    'sell all',
    '= Sell 100% of the available balance: BTC-USD joining the best ask at 64211.00, good till canceled. | sell: SELL | all: 100% of the available balance | no symbol: BTC-USD, the one shown | no price: joins the best ask, 64211.00 | 100% = 0.3920 BTC at 64,211.00.',
  ],
  [
    'sell 50% btc @ ask',
    '= Sell 50% of the available balance: BTC-USD with a limit price of 64211.00, good till canceled. | sell: SELL | 50%: 50% of the available balance | btc: BTC-USD | @ ask: limit price 64211 (the ask 64211.00) | 50% = 0.1960 BTC at 64,211.00.',
  ],
  [
    'sell 100% btc mkt',
    '= Sell 100% of the available balance: BTC-USD at the market, what does not fill at once is canceled. | sell: SELL | 100%: 100% of the available balance | btc: BTC-USD | mkt: at the market | 100% = 0.3920 BTC at the market.',
  ],
  [
    'sell btc all market',
    '= Sell 100% of the available balance: BTC-USD at the market, what does not fill at once is canceled. | sell: SELL | btc: BTC-USD | all: 100% of the available balance | market: at the market | 100% = 0.3920 BTC at the market.',
  ],
  [
    'sell max btc @ 65k',
    '= Sell 100% of the available balance: BTC-USD with a limit price of 65000, good till canceled. | sell: SELL | max: 100% of the available balance | btc: BTC-USD | @ 65k: limit price 65000 | 100% = 0.3920 BTC at 65,000.00.',
  ],
  [
    'sell quarter btc',
    '= Sell 25% of the available balance: BTC-USD joining the best ask at 64211.00, good till canceled. | sell: SELL | quarter: 25% of the available balance | btc: BTC-USD | no price: joins the best ask, 64211.00 | 25% = 0.0980 BTC at 64,211.00.',
  ],
  [
    'buy btc 64000 risk $200 stop 63000',
    '= Buy as much BTC-USD as loses 200 USD at 63000, with a limit price of 64000, good till canceled. | buy: BUY | btc: BTC-USD | 64000: limit price 64000 | risk $200 stop 63000: as much as loses 200 USD when closed at 63000; no stop is placed | risk $200 stop 63000 = 0.2000 BTC at 64,000.00.',
  ],
  [
    'buy btc @ 64000 risk 200 stop 63000',
    '= Buy as much BTC-USD as loses 200 USD at 63000, with a limit price of 64000, good till canceled. | buy: BUY | btc: BTC-USD | @ 64000: limit price 64000 | risk 200 stop 63000: as much as loses 200 USD when closed at 63000; no stop is placed | risk $200 stop 63000 = 0.2000 BTC at 64,000.00.',
  ],
  [
    'buy btc risk $200 stop 63000',
    '= Buy as much BTC-USD as loses 200 USD at 63000, joining the best bid at 64210.50, good till canceled. | buy: BUY | btc: BTC-USD | risk $200 stop 63000: as much as loses 200 USD when closed at 63000; no stop is placed | no price: joins the best bid, 64210.50 | risk $200 stop 63000 = 0.1652 BTC at 64,210.50.',
  ],
  [
    'buy btc risk $200 sl 63k',
    '= Buy as much BTC-USD as loses 200 USD at 63000, joining the best bid at 64210.50, good till canceled. | buy: BUY | btc: BTC-USD | risk $200 sl 63k: as much as loses 200 USD when closed at 63000; no stop is placed | no price: joins the best bid, 64210.50 | risk $200 stop 63000 = 0.1652 BTC at 64,210.50.',
  ],
  [
    'buy risk $200 stop 63000 btc 64000',
    '= Buy as much BTC-USD as loses 200 USD at 63000, with a limit price of 64000, good till canceled. | buy: BUY | risk $200 stop 63000: as much as loses 200 USD when closed at 63000; no stop is placed | btc: BTC-USD | 64000: limit price 64000 | risk $200 stop 63000 = 0.2000 BTC at 64,000.00.',
  ],
  [
    'buy btc 64000 risk 200 usd stop $63,000.50',
    '= Buy as much BTC-USD as loses 200 USD at 63000.5, with a limit price of 64000, good till canceled. | buy: BUY | btc: BTC-USD | 64000: limit price 64000 | risk 200 usd stop $63,000.50: as much as loses 200 USD when closed at 63000.5; no stop is placed | risk $200 stop 63000.5 = 0.2001 BTC at 64,000.00.',
  ],
  [
    'sell btc 64000 risk $200 stop 65000',
    '= Sell as much BTC-USD as loses 200 USD at 65000, with a limit price of 64000, good till canceled. | sell: SELL | btc: BTC-USD | 64000: limit price 64000 | risk $200 stop 65000: as much as loses 200 USD when closed at 65000; no stop is placed | risk $200 stop 65000 = 0.2000 BTC at 64,000.00.',
  ],
  [
    'buy btc risk $200 stop 65000',
    '= Buy as much BTC-USD as loses 200 USD at 65000, joining the best bid at 64210.50, good till canceled. | buy: BUY | btc: BTC-USD | risk $200 stop 65000: as much as loses 200 USD when closed at 65000; no stop is placed | no price: joins the best bid, 64210.50 | The ticket will ask for the quantity: the stop price must be below the entry at 64,210.50.',
  ],
  [
    'buy btc risk $200',
    '! Incomplete: a risk needs the price where you would get out: risk $200 stop PRICE. | Next: stop',
  ],
  ['buy btc risk', '! Incomplete: risk how much? risk $200 stop PRICE.'],
  ['buy btc risk $200 stop', '! Incomplete: the stop price comes next.'],
  ['buy btc 64000 risk 2% stop 63000', '! What is risked is an amount of USD: risk 200 stop PRICE.'],
  ['buy btc risk €200 stop 63000', '! What is risked is an amount of USD: risk 200 stop PRICE.'],
  ['buy 0.1 btc risk $200 stop 63000', '! The quantity was said before: leave one out.'],
  [
    'buy btc stop 65000 risk $200',
    '! Incomplete: a risk needs the price where you would get out: risk $200 stop PRICE. | Next: stop',
  ],
  [
    'long 0.1 btc',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | long: BUY | 0.1: quantity 0.1 | btc: BTC-USD | no price: joins the best bid, 64210.50',
  ],
  [
    'long .1 btc 64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | long: BUY | .1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000',
  ],
  [
    'long $500 btc',
    '= Buy 500 USD worth of BTC-USD joining the best bid at 64210.50, good till canceled. | long: BUY | $500: 500 USD worth of BTC | btc: BTC-USD | no price: joins the best bid, 64210.50 | $500 = 0.0077 BTC at 64,210.50.',
  ],
  [
    'short 0.1 btc',
    '= Sell 0.1 BTC-USD joining the best ask at 64211.00, good till canceled. | short: SELL what you hold | 0.1: quantity 0.1 | btc: BTC-USD | no price: joins the best ask, 64211.00',
  ],
  [
    'short 0.1 btc 65000',
    '= Sell 0.1 BTC-USD with a limit price of 65000, good till canceled. | short: SELL what you hold | 0.1: quantity 0.1 | btc: BTC-USD | 65000: limit price 65000',
  ],
  [
    'short half my btc',
    '= Sell 50% of the available balance: BTC-USD joining the best ask at 64211.00, good till canceled. | short: SELL what you hold | half: 50% of the available balance | btc: BTC-USD | no price: joins the best ask, 64211.00 | 50% = 0.1960 BTC at 64,211.00.',
  ],
  [
    'sell 0.1 btc',
    '= Sell 0.1 BTC-USD joining the best ask at 64211.00, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | no price: joins the best ask, 64211.00',
  ],
  [
    's .1 btc 65k',
    '= Sell 0.1 BTC-USD with a limit price of 65000, good till canceled. | s: SELL | .1: quantity 0.1 | btc: BTC-USD | 65k: limit price 65000',
  ],
  [
    'sell 0.1 btc stop 63000',
    '= Sell 0.1 BTC-USD at the market once the last trade reaches 63000, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | stop 63000: stop price 63000',
  ],
  [
    'sell 0.1 btc stop 63k limit 62900',
    '= Sell 0.1 BTC-USD with a limit price of 62900, once the last trade reaches 63000, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | stop 63k: stop price 63000 | limit 62900: limit price 62900',
  ],
  [
    'sell 0.1 stop 63000 gtc',
    '= Sell 0.1 BTC-USD at the market once the last trade reaches 63000, good till canceled. | sell: SELL | 0.1: quantity 0.1 | stop 63000: stop price 63000 | gtc: GTC | no symbol: BTC-USD, the one shown',
  ],
  [
    'sell 0.1 btc stop bid-100t',
    '= Sell 0.1 BTC-USD at the market once the last trade reaches 64160.5, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | stop bid-100t: stop price 64160.5 (the bid 64210.50 less 100 ticks)',
  ],
  [
    'buy 0.1 btc stop 65000 limit 65100',
    '= Buy 0.1 BTC-USD with a limit price of 65100, once the last trade reaches 65000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | stop 65000: stop price 65000 | limit 65100: limit price 65100',
  ],
  ['cancel all', '= Cancel every order of every symbol. | This means 3 working orders.'],
  ['cxl all', '= Cancel every order of every symbol. | This means 3 working orders.'],
  ['CXL ALL', '= Cancel every order of every symbol. | This means 3 working orders.'],
  ['cancel all orders', '= Cancel every order of every symbol. | This means 3 working orders.'],
  ['cancel all my orders', '= Cancel every order of every symbol. | This means 3 working orders.'],
  ['cancel everything', '= Cancel every order of every symbol. | This means 3 working orders.'],
  ['cancel all btc', '= Cancel every order of BTC-USD. | This means 2 working orders.'],
  ['cancel all btc-usd', '= Cancel every order of BTC-USD. | This means 2 working orders.'],
  ['cancel all eth', '= Cancel every order of ETH-USD. | This means no working orders.'],
  ['cxl all xlm', '= Cancel every order of XLM-USD. | This means 1 working order.'],
  [
    'cancel last',
    '= Cancel the newest order of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is your last order of BTC-USD, 9912041.',
  ],
  [
    'cancel my last order',
    '= Cancel the newest order of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is your last order of BTC-USD, 9912041.',
  ],
  [
    'cxl last',
    '= Cancel the newest order of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is your last order of BTC-USD, 9912041.',
  ],
  ['cancel last btc', '= Cancel the newest order of BTC-USD. | That is your last order of BTC-USD, 9912041.'],
  ['cancel last eth', '! You have no working orders in ETH-USD.'],
  [
    'cancel buys',
    '= Cancel every buy order of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is your only buy of BTC-USD, 9912041.',
  ],
  [
    'cancel bids',
    '= Cancel every buy order of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is your only buy of BTC-USD, 9912041.',
  ],
  [
    'cancel all buys',
    '? "all buys" can mean those of BTC-USD, or of every symbol. -> cancel buys btc-usd / cancel buys everywhere',
  ],
  [
    'cancel my buy orders',
    '= Cancel every buy order of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is your only buy of BTC-USD, 9912041.',
  ],
  ['cancel buys btc', '= Cancel every buy order of BTC-USD. | That is your only buy of BTC-USD, 9912041.'],
  [
    'cancel sells',
    '= Cancel every sell order of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is your only sell of BTC-USD, 9912017.',
  ],
  [
    'cancel asks',
    '= Cancel every sell order of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is your only sell of BTC-USD, 9912017.',
  ],
  ['cancel sells eth', '! You have no working sells in ETH-USD.'],
  ['cancel sells btc-usd', '= Cancel every sell order of BTC-USD. | That is your only sell of BTC-USD, 9912017.'],
  ['cancel all sells in btc', '= Cancel every sell order of BTC-USD. | That is your only sell of BTC-USD, 9912017.'],
  ['cxl buys xlm', '= Cancel every buy order of XLM-USD. | That is your only buy of XLM-USD, 9911204.'],
  ['cancel 9912041', '= Cancel the order 9912041. | This means 1 working order.'],
  ['cancel order 9912041', '= Cancel the order 9912041. | This means 1 working order.'],
  ['cancel 15116', '= Cancel the order 15116. !! None of your working orders has the id 15116: it may have ended.'],
  ['cancel', '! Incomplete: cancel what? all, all of a symbol, or an order id. | Next: all, buys, sells, last'],
  [
    'cancel btc',
    '? To cancel every order of BTC-USD say: cancel all btc-usd. | Next: all btc-usd -> cancel all btc-usd',
  ],
  ['cancel it', '! "it" is not an order id: cancel all, cancel all SYMBOL, or cancel an order id. | Next: all'],
  ['cancel 007', '! "007" is not an order id: cancel all, cancel all SYMBOL, or cancel an order id. | Next: all'],
  ['cancel all btc now', '= Cancel every order of BTC-USD. | This means 2 working orders.'],
  ['cancel all btc later', '! "later" is not understood here.'],
  ['cancel 9912041 9912042', '! Nothing comes after that: leave out "9912042".'],
  ['cancel 15116,15117', '? A cancel is of one order by its id: which? -> cancel 15116 / cancel 15117'],
  ['cancel 15116;15117;', '? A cancel is of one order by its id: which? -> cancel 15116 / cancel 15117'],
  ['buy 64000 btc 0.5', '? Which is the price, "64000" or "0.5"? -> buy 0.5 btc @ 64000 / buy 64000 btc @ 0.5'],
  [
    'buy 64000 stop 65000 btc 0.5',
    '? Which is the price, "64000" or "0.5"? -> buy 0.5 stop 65000 btc @ 64000 / buy 64000 stop 65000 btc @ 0.5',
  ],
  ['cancel 15,116', '? A cancel is of one order by its id: which? -> cancel 15116 / cancel 15 / cancel 116'],
  ['cancel 15,016', '? "15,016" is not an order id. -> cancel 15016'],
  ['cancel last 2', '! Nothing comes after that: leave out "2".'],
  ['cancel buys sells', '! Nothing comes after that: leave out "sells".'],
  ['cancel -1', '! "-1" is not an order id: cancel all, cancel all SYMBOL, or cancel an order id. | Next: all'],
  [
    'flatten',
    '? BTC-USD is spot: it has no positions, only what you hold and what you traded. | Fills known here come to 0.0200 BTC bought; you have 0.3920 BTC available and 0.0200 BTC held. | Which one is meant? -> sell 0.0200 btc-usd market / sell all btc-usd market',
  ],
  [
    'flatten btc',
    '? BTC-USD is spot: it has no positions, only what you hold and what you traded. | Fills known here come to 0.0200 BTC bought; you have 0.3920 BTC available and 0.0200 BTC held. | Which one is meant? -> sell 0.0200 btc-usd market / sell all btc-usd market',
  ],
  [
    'flat btc',
    '? BTC-USD is spot: it has no positions, only what you hold and what you traded. | Fills known here come to 0.0200 BTC bought; you have 0.3920 BTC available and 0.0200 BTC held. | Which one is meant? -> sell 0.0200 btc-usd market / sell all btc-usd market',
  ],
  [
    'flatten eth',
    '? ETH-USD is spot: it has no positions, only what you hold and what you traded. | Fills known here come to nothing open; you have 3.100 ETH available. | There is nothing to flatten of what you traded. Is what you hold meant, all 3.100 ETH? -> sell all eth-usd market',
  ],
  [
    'flatten xlm',
    '= Sell 12000 XLM at the market. Nothing is sent: the ticket shows it and reviews it first. | XLM-USD is spot: it has no positions, only what you hold and what you traded. | Fills known here come to 12000 XLM bought; you have 12000 XLM available. | Your 1 working order in XLM-USD stays: cancel all xlm-usd takes them back.',
  ],
  ['flatten btc eth', '! Say one symbol: flatten, or flatten btc-usd.'],
  ['flatten doge', '! Unknown symbol DOGE.'],
  [
    'reverse',
    '? BTC-USD is spot: it has no positions, only what you hold and what you traded. | Fills known here come to 0.0200 BTC bought; you have 0.3920 BTC available and 0.0200 BTC held. | More is held than was traded here: is this meant? -> sell 0.0400 btc-usd market',
  ],
  [
    'reverse btc',
    '? BTC-USD is spot: it has no positions, only what you hold and what you traded. | Fills known here come to 0.0200 BTC bought; you have 0.3920 BTC available and 0.0200 BTC held. | More is held than was traded here: is this meant? -> sell 0.0400 btc-usd market',
  ],
  ['reverse eth', '! Nothing to reverse: the fills known here leave nothing open in ETH-USD.'],
  ['btc', '= Show BTC-USD in ladder and ticket.'],
  ['BTC', '= Show BTC-USD in ladder and ticket.'],
  ['eth', '= Show ETH-USD in ladder and ticket.'],
  ['btc-usd', '= Show BTC-USD in ladder and ticket.'],
  ['btcusd', '= Show BTC-USD in ladder and ticket.'],
  ['sol', '= Show SOL-USD in ladder and ticket.'],
  ['shib', '= Show SHIB-USD in ladder and ticket.'],
  ['doge', '~'],
  ['symbol eth', '= Show ETH-USD in ladder and ticket.'],
  ['symbol btc-usd', '= Show BTC-USD in ladder and ticket.'],
  ['symbol', '! Say which one: symbol eth, or symbol eth-usd.'],
  [
    'alert btc 70000',
    '= Alert when the last price of BTC-USD rises to 70,000.00 or above. | If it is there already, it must come back first; "now" after the price changes that. | It fires once, and can be rearmed; "each" after the price makes it repeat. | The last price is 64,210.50: the alert waits for it to rise.',
  ],
  [
    'alert btc 60k',
    '= Alert when the last price of BTC-USD falls to 60,000.00 or below. | If it is there already, it must come back first; "now" after the price changes that. | It fires once, and can be rearmed; "each" after the price makes it repeat. | The last price is 64,210.50: the alert waits for it to fall.',
  ],
  [
    'alert btc > 70000',
    '= Alert when the last price of BTC-USD rises above 70,000.00. | If it is there already, it must come back first; "now" after the price changes that. | It fires once, and can be rearmed; "each" after the price makes it repeat.',
  ],
  [
    'alert btc above 70k',
    '= Alert when the last price of BTC-USD rises above 70,000.00. | If it is there already, it must come back first; "now" after the price changes that. | It fires once, and can be rearmed; "each" after the price makes it repeat.',
  ],
  [
    'alert btc-usd below 60000 each',
    '= Alert when the last price of BTC-USD falls below 60,000.00. | If it is there already, it must come back first; "now" after the price changes that. | It rearms when the price is back, once in 1 min at most (each).',
  ],
  [
    'alert eth 3000',
    '= Alert when the last price of ETH-USD falls to 3,000.00 or below. | If it is there already, it must come back first; "now" after the price changes that. | It fires once, and can be rearmed; "each" after the price makes it repeat. | The last price is 3,120.10: the alert waits for it to fall.',
  ],
  ['alert btc', '! Say above or below which price: alert btc > 70000.'],
  [
    'alert doge 1',
    '! Unknown symbol DOGE (besides symbols: fills, orders, stale, transfers, gateway, list, off and rearm).',
  ],
  [
    'alert me when btc hits 70k',
    '= Alert when the last price of BTC-USD rises to 70,000.00 or above. | If it is there already, it must come back first; "now" after the price changes that. | It fires once, and can be rearmed; "each" after the price makes it repeat. | The last price is 64,210.50: the alert waits for it to rise.',
  ],
  ['alert btc 1,000', '? "1,000" can be read in two ways: write 1000 or 1. -> alert btc 1 / alert btc 1000'],
  [
    'alert btc > 70,000',
    '? "70,000" can be read in two ways: write 70000 or 70. -> alert btc > 70 / alert btc > 70000',
  ],
  ['alert eth spread > 2,50 each', '? "2,50" has a decimal comma: write 2.50. -> alert eth spread > 2.50 each'],
  // What is wrong is not the comma.
  [
    'alert doge > 70,000',
    '! Unknown symbol DOGE (besides symbols: fills, orders, stale, transfers, gateway, list, off and rearm).',
  ],
  ['withdraw 0,1 btc to cold-1', '? The amount "0,1" has a decimal comma: write 0.1. -> withdraw 0.1 btc to cold-1'],
  [
    'cost btc 0.5 @ 60,000',
    '? The price "60,000" can be read in two ways: write 60000 or 60. -> cost btc 0.5 @ 60 / cost btc 0.5 @ 60000',
  ],
  [
    'oco sell 0.1 btc stop 63,000 target 66000',
    '? The price "63,000" can be read in two ways: write 63000 or 63. -> oco sell 0.1 btc stop 63 target 66000 / oco sell 0.1 btc stop 63000 target 66000',
  ],
  ['cost btc 5', '! Incomplete: what did 1 BTC cost in USD? Say: cost btc 5 @ PRICE.'],
  ['alert btc 64210.5', '! Say which way: alert btc > 64210.5, or alert btc < 64210.5.'],
  ['alert fills', '= Alert when an order is filled, in part or whole.'],
  ['alert off 3', '! There is no alert 3: alert list shows them.'],
  ['snooze 10m', '= No bell and no alert on screen for 10 min. | Alerts still fire and are listed.'],
  ['byu .1 btc', '? Nothing begins with "byu". Did you mean "buy .1 btc"? -> buy .1 btc'],
  ['bvy .1 btc', '? Nothing begins with "bvy". Did you mean "buy .1 btc"? -> buy .1 btc'],
  ['buuy .1 btc 64000', '? Nothing begins with "buuy". Did you mean "buy .1 btc 64000"? -> buy .1 btc 64000'],
  ['sel half my eth', '? Nothing begins with "sel". Did you mean "sell half my eth"? -> sell half my eth'],
  ['slel .1 btc', '? Nothing begins with "slel". Did you mean "sell .1 btc"? -> sell .1 btc'],
  [
    'sell .1 bct',
    '? "bct" is not understood here, did you mean "btc"? | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd -> sell .1 btc',
  ],
  [
    'sell .1 btcc @ 64000',
    '? "btcc" is not understood here, did you mean "btc"? | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd -> sell .1 btc @ 64000',
  ],
  [
    'buy .1 btc makret',
    '? "makret" is not understood here, did you mean "market"? | Next: @, market, stop -> buy .1 btc market',
  ],
  [
    'buy .1 btc markt',
    '? "markt" is not understood here, did you mean "market"? | Next: @, market, stop -> buy .1 btc market',
  ],
  [
    'buy .1 btc @ 64000 pots',
    '? "pots" is not understood here, did you mean "post"? | Next: stop, gtc, ioc, fok, gtd, post -> buy .1 btc @ 64000 post',
  ],
  [
    'buy .1 btc-usf @ 64000',
    '? "btc-usf" is not understood here, did you mean "btc-usd"? | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd -> buy .1 btc-usd @ 64000',
  ],
  [
    'buy .1 etj 3400',
    '? "etj" is not understood here, did you mean "eth"? | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd -> buy .1 eth 3400',
  ],
  ['canel all', '? Nothing begins with "canel". Did you mean "cancel all"? -> cancel all'],
  ['cancle all', '? Nothing begins with "cancle". Did you mean "cancel all"? -> cancel all'],
  ['cnacel all btc', '? Nothing begins with "cnacel". Did you mean "cancel all btc"? -> cancel all btc'],
  ['cansel buys', '? Nothing begins with "cansel". Did you mean "cancel buys"? -> cancel buys'],
  [
    'cancel al',
    '? "al" is not an order id: cancel all, cancel all SYMBOL, or cancel an order id. | Next: all -> cancel all',
  ],
  [
    'cancel alll',
    '? "alll" is not an order id: cancel all, cancel all SYMBOL, or cancel an order id. | Next: all -> cancel all',
  ],
  [
    'cancel byus',
    '? "byus" is not an order id: cancel all, cancel all SYMBOL, or cancel an order id. | Next: all -> cancel buys',
  ],
  ['cancel all bct', '? "bct" is not understood here, did you mean "btc"? -> cancel all btc'],
  [
    'cancel lsat',
    '? "lsat" is not an order id: cancel all, cancel all SYMBOL, or cancel an order id. | Next: all -> cancel last',
  ],
  ['flaten btc', '? Nothing begins with "flaten". Did you mean "flatten btc"? -> flatten btc'],
  ['flattne btc', '? Nothing begins with "flattne". Did you mean "flatten btc"? -> flatten btc'],
  ['revrese btc', '? Nothing begins with "revrese". Did you mean "reverse btc"? -> reverse btc'],
  ['symbl eth', '? Nothing begins with "symbl". Did you mean "symbol eth"? -> symbol eth'],
  ['alrt btc 70000', '? Nothing begins with "alrt". Did you mean "alert btc 70000"? -> alert btc 70000'],
  [
    'alert bct 70000',
    '? Unknown symbol BCT (besides symbols: fills, orders, stale, transfers, gateway, list, off and rearm). -> alert btc 70000',
  ],
  [
    'theme drak',
    '? Say which one, did you mean "dark"?: auto, dark, light, high-contrast, colour-blind-safe, mono. -> theme dark',
  ],
  ['layot chart', '? Nothing begins with "layot". Did you mean "layout chart"? -> layout chart'],
  ['layout trde', '? The layouts are trade, ladders, lists, chart, monitor, did you mean "trade"? -> layout trade'],
  ['snoze 10m', '? Nothing begins with "snoze". Did you mean "snooze 10m"? -> snooze 10m'],
  ['zom', '? Nothing begins with "zom". Did you mean "zoom"? -> zoom'],
  ['freze', '? Nothing begins with "freze". Did you mean "freeze"? -> freeze'],
  ['exprot orders', '? Nothing begins with "exprot". Did you mean "export orders"? -> export orders'],
  ['arm', '! The desk is ARMED already.'],
  ['armed', '! The desk is ARMED already.'],
  ['disarm', '= Make the desk SAFE: no new order is sent. Working orders stay, and cancels still go out.'],
  ['safe', '= Make the desk SAFE: no new order is sent. Working orders stay, and cancels still go out.'],
  ['disarm now', '! Say only: disarm.'],
  [
    'oco 0.1 btc 66k 63000',
    '? Name each price: stop 63000 target 66000. -> oco sell 0.1 btc-usd stop 63000 target 66000',
  ],
  ['bot .1 btc', '? "bot" is buy here. -> buy .1 btc'],
  ['by .1 btc', '? "by" is buy here. -> buy .1 btc'],
  ['offer .1 btc', '? "offer" is sell here. -> sell .1 btc'],
  ['kill all', '? "kill" is cancel here, and that asks first. -> cancel all'],
  ['pull all', '? "pull" is cancel here, and that asks first. -> cancel all'],
  ['cancelall', '? "cancelall" is cancel all here, and that asks first. -> cancel all'],
  ['cancel-all --symbol btc', '? "cancel-all" is cancel all here, and that asks first. -> cancel all btc'],
  ['panic', '? "panic" is cancel all here, and that asks first. -> cancel all'],
  ['PANIC NOW', '? "panic" is cancel all here, and that asks first. -> cancel all'],
  ['order cancel all', `? "order" ${inShell} -> cancel all`],
  ['order cancel-all --every-symbol', `? "order" ${inShell} -> cancel all`],
  ['pitdesk order cancel-all --symbol eth-usd', `? "order" ${inShell} -> cancel all eth-usd`],
  ['order place buy 0.1 btc --limit 64000', `? "order" ${inShell} -> buy 0.1 btc @ 64000`],
  [
    'send',
    '! "send" is not a command: orders are sent from their review. Type the order (buy 0.1 btc), then Enter, Enter, Enter.',
  ],
  ['wd 0.5 btc', '? "wd" is withdraw here. -> withdraw 0.5 btc'],
  [
    'risk $200 stop 63000',
    '? "risk" says how much, and an order begins with buy or sell: buy btc risk $200 stop 63000. -> buy btc-usd risk $200 stop 63000',
  ],
  [
    'stop 63000',
    '? "stop" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> sell all btc-usd stop 63000',
  ],
  ['bracket eth', '! Incomplete: quantity missing. Say: bracket buy 0.1 btc 64000 stop 63000 target 66000.'],
  [
    'alert 70000',
    '= Alert when the last price of BTC-USD rises to 70,000.00 or above. | If it is there already, it must come back first; "now" after the price changes that. | It fires once, and can be rearmed; "each" after the price makes it repeat. | The last price is 64,210.50: the alert waits for it to rise.',
  ],
  [
    'alert > 70k',
    '= Alert when the last price of BTC-USD rises above 70,000.00. | If it is there already, it must come back first; "now" after the price changes that. | It fires once, and can be rearmed; "each" after the price makes it repeat.',
  ],
  [
    'alert eth 3000',
    '= Alert when the last price of ETH-USD falls to 3,000.00 or below. | If it is there already, it must come back first; "now" after the price changes that. | It fires once, and can be rearmed; "each" after the price makes it repeat. | The last price is 3,120.10: the alert waits for it to fall.',
  ],
  [
    'alert btc 700000',
    '= Alert when the last price of BTC-USD rises to 700,000.00 or above. | If it is there already, it must come back first; "now" after the price changes that. | It fires once, and can be rearmed; "each" after the price makes it repeat. | The last price is 64,210.50: the alert waits for it to rise. !! Look again: the price 700,000.00 is far off: 11 times the market at 64,210.50.',
  ],
  [
    'buy 500',
    '= Buy 500 BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 500: quantity 500 | no symbol: BTC-USD, the one shown | no price: joins the best bid, 64210.50 !! Look again: it costs about 32,105,250.00 USD, and 12,004.11 USD is available.',
  ],
  [
    'sell 500 btc',
    '= Sell 500 BTC-USD joining the best ask at 64211.00, good till canceled. | sell: SELL | 500: quantity 500 | btc: BTC-USD | no price: joins the best ask, 64211.00 !! Look again: only 0.3920 BTC is available.',
  ],
  ['cancel 64000', '= Cancel the order 64000. !! None of your working orders has the id 64000: it may have ended.'],
  [
    'cancel 64209.5',
    '! "64209.5" is not an order id: cancel all, cancel all SYMBOL, or cancel an order id. | Next: all',
  ],
  ['cancel 3', '= Cancel the order 3. !! None of your working orders has the id 3: it may have ended.'],
  [
    'buy 0.1 btc 64000 eth post',
    '? Two symbols are named, "btc" and "eth": leave one out. -> buy 0.1 btc 64000 post / buy 0.1 eth 64000 post',
  ],
  ['buy 0,05', '? "0,05" has a decimal comma: write 0.05. -> buy 0.05'],
  ['1k usd of eth', '? Buy or sell? An order says which. -> buy 1k usd of eth / sell 1k usd of eth'],
  ['hatl', '? Nothing begins with "hatl". Did you mean "halt"? -> halt'],
  [
    '1k',
    '? "1k" can be read in two ways: write 1000 BTC or 1000 USD. | Buy or sell? An order says which. -> buy 1000 usd / buy 1000 / sell 1000 usd / sell 1000',
  ],
  [
    '64k',
    '? "64k" can be read in two ways: write 64000 BTC or 64000 USD. | Buy or sell? An order says which. -> buy 64000 usd / buy 64000 / sell 64000 usd / sell 64000',
  ],
  ['0.1btc', '? Buy or sell? An order says which. -> buy 0.1btc / sell 0.1btc'],
  ['.1 btc', '? Buy or sell? An order says which. -> buy .1 btc / sell .1 btc'],
  ['0.1 btc 64000', '? Buy or sell? An order says which. -> buy 0.1 btc 64000 / sell 0.1 btc 64000'],
  ['$5', '! Too small: $5 is less than one lot of 0.0001 BTC. | Buy or sell? An order says which.'],
  ['$1000 btc', '? Buy or sell? An order says which. -> buy $1000 btc / sell $1000 btc'],
  [
    '1,000',
    '? "1,000" can be read in two ways: write 1000 or 1. | Buy or sell? An order says which. -> buy 1 / buy 1000 / sell 1 / sell 1000',
  ],
  ['1,000.50', '? Buy or sell? An order says which. -> buy 1,000.50 / sell 1,000.50'],
  ['25%', '? Buy or sell? An order says which. -> buy 25% / sell 25%'],
  ['-1', '! The quantity must be above zero. | Buy or sell? An order says which.'],
  ['5', '? Buy or sell? An order says which. -> buy 5 / sell 5'],
  ['0', '! The quantity must be above zero. | Buy or sell? An order says which.'],
  ['buy', '! Incomplete: how much? an amount, or a share such as 25%. | Next: 25%, 50%, 75%, 100%, half, all'],
  ['buy btc', '! Incomplete: how much? an amount, or a share such as 25%. | Next: 25%, 50%, 75%, 100%, half, all'],
  ['sell', '! Incomplete: how much? an amount, or a share such as 25%. | Next: 25%, 50%, 75%, 100%, half, all'],
  ['sell eth', '! Incomplete: how much? an amount, or a share such as 25%. | Next: 25%, 50%, 75%, 100%, half, all'],
  ['buy 1k btc', '? "1k" can be read in two ways: write 1000 BTC or 1000 USD. -> buy 1000 usd btc / buy 1000 btc'],
  ['buy 1k', '? "1k" can be read in two ways: write 1000 BTC or 1000 USD. -> buy 1000 usd / buy 1000'],
  [
    'sell 2k eth 3400',
    '? "2k" can be read in two ways: write 2000 ETH or 2000 USD. -> sell 2000 usd eth 3400 / sell 2000 eth 3400',
  ],
  [
    'buy 1m btc',
    '? "1m" can be read in two ways: write 1000000 BTC or 1000000 USD. -> buy 1000000 usd btc / buy 1000000 btc',
  ],
  ['buy 1,000 btc', '? "1,000" can be read in two ways: write 1000 or 1. -> buy 1 btc / buy 1000 btc'],
  [
    'buy 1,000 btc 64000',
    '? "1,000" can be read in two ways: write 1000 or 1. -> buy 1 btc 64000 / buy 1000 btc 64000',
  ],
  ['buy 10,5 btc', '? "10,5" has a decimal comma: write 10.5. -> buy 10.5 btc'],
  ['buy 0,05 btc', '? "0,05" has a decimal comma: write 0.05. -> buy 0.05 btc'],
  ['buy 1.000,50 btc', '? "1.000,50" has a decimal comma: write 1000.50. -> buy 1000.50 btc'],
  [
    'buy 0.1 btc 64,000',
    '? "64,000" can be read in two ways: write 64000 or 64. -> buy 0.1 btc 64 / buy 0.1 btc 64000',
  ],
  [
    'buy 0.1 btc @ 64,209',
    '? "64,209" can be read in two ways: write 64209 or 64.209. -> buy 0.1 btc @ 64.209 / buy 0.1 btc @ 64209',
  ],
  ['buy -1', '! The quantity must be above zero.'],
  ['buy -1 btc', '! The quantity must be above zero.'],
  ['buy −1 btc', '! The quantity must be above zero.'],
  ['buy –1 btc 64000', '! The quantity must be above zero.'],
  ['buy - 1 btc', '! "-" is not understood here. | Next: 25%, 50%, 75%, 100%, half, all'],
  ['sell -0.5 eth market', '! The quantity must be above zero.'],
  ['buy 0 btc', '! The quantity must be above zero.'],
  ['buy 0.0 btc 64000', '! The quantity must be above zero.'],
  ['buy 0.1 btc @ -64000', '! The price must be above zero.'],
  ['buy 0.1 btc @ 0', '! The price must be above zero.'],
  ['buy 0.1 btc eth', '? Two symbols are named, "btc" and "eth": leave one out. -> buy 0.1 btc / buy 0.1 eth'],
  [
    'buy 0.1 btc 64000 eth',
    '? Two symbols are named, "btc" and "eth": leave one out. -> buy 0.1 btc 64000 / buy 0.1 eth 64000',
  ],
  ['buy 0.1 btc btc', '? The symbol is named twice: leave one out. -> buy 0.1 btc'],
  ['buy btc eth 0.1', '? Two symbols are named, "btc" and "eth": leave one out. -> buy btc 0.1 / buy eth 0.1'],
  [
    'buy 0.1 eth-usd btc-usd market',
    '? Two symbols are named, "eth-usd" and "btc-usd": leave one out. -> buy 0.1 eth-usd market / buy 0.1 btc-usd market',
  ],
  ['buy 0.1 btc 64000 65000', '! The price was said before: leave one out.'],
  ['buy 0.1 btc @ 64000 @ 65000', '! The price was said before: leave one out.'],
  ['buy 0.1 btc @ 64000 limit 65000', '! The price was said before: leave one out.'],
  ['buy 0.1 btc $6400', '? The quantity was said before: is "$6400" the price? -> buy 0.1 btc @ $6400'],
  ['buy 0.1 btc 6400 usd', '? The quantity was said before: is "6400 usd" the price? -> buy 0.1 btc @ 6400 usd'],
  [
    'buy 0.1 btc for $6400',
    '? The quantity was said before: is "$6400" the price of each, or of all of it? -> buy 0.1 btc @ 64000 / buy 0.1 btc @ $6400',
  ],
  ['buy 0.1 btc $64000 64000', '? The quantity was said before: is "$64000" the price? -> buy 0.1 btc @ $64000 64000'],
  ['buy 0.1 0.2 btc', '? The quantity was said before: is "0.2" the price? -> buy 0.1 @ 0.2 btc'],
  ['buy 0.1 64000', '? The quantity was said before: is "64000" the price? -> buy 0.1 @ 64000'],
  ['buy 0.1 btc half', '! The quantity was said before: leave one out.'],
  ['buy half 25% btc', '! The quantity was said before: leave one out.'],
  [
    'buy btc 64000',
    '? Is "64000" the quantity or the price? | Next: @, market, stop -> buy 64000 btc / buy btc @ 64000',
  ],
  ['buy btc 0.1', '? Is "0.1" the quantity or the price? | Next: @, market, stop -> buy 0.1 btc / buy btc @ 0.1'],
  ['buy btc 0.1 64000', '? The quantity was said before: is "64000" the price? -> buy btc 0.1 @ 64000'],
  ['buy btc 64000 0.1', '? Which is the price, "64000" or "0.1"? -> buy btc 0.1 @ 64000 / buy btc 64000 @ 0.1'],
  ['buy 0.1 btc @ ask-5%', '! Say how many ticks, as ask-2t, or type the price.'],
  [
    'send 0.1 btc to cold storage',
    '! "send" is withdraw here: the form opens, and nothing is sent before its review. | No whitelist entry cold storage for BTC. It has cold-1 (wl_8f2c), desk two (wl_8f2d).',
  ],
  ['sell sol 3', '? Is "3" the quantity or the price? | Next: @, market, stop -> sell 3 sol / sell sol @ 3'],
  [
    'buy 0.1 btc 640000',
    '= Buy 0.1 BTC-USD with a limit price of 640000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 640000: limit price 640000 !! Look again: the limit price 640,000.00 is far off: 10 times the market at 64,210.75. !! Look again: it costs about 64,000.00 USD, and 12,004.11 USD is available.',
  ],
  [
    'buy 0.1 btc 6400',
    '= Buy 0.1 BTC-USD with a limit price of 6400, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 6400: limit price 6400 !! Look again: the limit price 6,400.00 is far off: the market is 10 times it at 64,210.75.',
  ],
  [
    'buy 0.1 btc 6421',
    '= Buy 0.1 BTC-USD with a limit price of 6421, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 6421: limit price 6421 !! Look again: the limit price 6,421.00 is far off: the market is 10 times it at 64,210.75.',
  ],
  [
    'buy 0.1 btc 64',
    '= Buy 0.1 BTC-USD with a limit price of 64, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64: limit price 64 !! Look again: the limit price 64.00 is far off: the market is over 1000 times it at 64,210.75.',
  ],
  [
    'buy 0.1 btc @ 6.4',
    '= Buy 0.1 BTC-USD with a limit price of 6.4, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ 6.4: limit price 6.4 !! Look again: the limit price 6.40 is far off: the market is over 1000 times it at 64,210.75.',
  ],
  [
    'sell 0.1 btc 6400',
    '= Sell 0.1 BTC-USD with a limit price of 6400, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | 6400: limit price 6400 !! Look again: the limit price 6,400.00 is far off: the market is 10 times it at 64,210.75.',
  ],
  [
    'sell 0.1 btc stop 6300',
    '= Sell 0.1 BTC-USD at the market once the last trade reaches 6300, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | stop 6300: stop price 6300 !! Look again: the stop price 6,300.00 is far off: the market is 10 times it at 64,210.75.',
  ],
  [
    'sell 0.1 btc 640k post',
    '= Sell 0.1 BTC-USD with a limit price of 640000, good till canceled, post only. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | 640k: limit price 640000 | post: post only !! Look again: the limit price 640,000.00 is far off: 10 times the market at 64,210.75.',
  ],
  ['buy 0.1 btc market 64000', '! A market order has no limit price: leave one out.'],
  ['buy 0.1 btc @ 64000 market', '! A market order has no limit price: leave one out.'],
  ['buy 0.1 btc market stop 65000', '! A stop becomes a market order by itself: leave out market.'],
  ['buy 0.1 btc market gtc', '! A MARKET order takes IOC, FOK. | Next: ioc, fok'],
  ['buy 0.1 btc ioc', '! Incomplete: at which price? @ PRICE, stop PRICE, or market. | Next: @, market, stop'],
  ['buy 0.1 btc @ 64000 ioc post', '! Post-only needs LIMIT with GTC or GTD.'],
  ['buy 0.1 btc @ 64000 ioc gtc', '! The time in force was said before: leave one out.'],
  ['buy 0.1 btc @ 64000 min 0.05', '! A minimum fill goes with IOC only, which a LIMIT order can be: say ioc.'],
  ['buy 0.1 btc @ 64000 gtd', '! Incomplete: gtd needs the last day, as 20261231.'],
  ['buy 0.1 btc @ 64000 gtd 20200101', '! The day Wed 1 Jan 2020 is over: today is Fri 20 Nov 2026 UTC.'],
  ['buy 0.1 btc @ 64000 gtd 20260230', '! "20260230" is not a valid date: write it as 20261231.'],
  ['buy 101% btc', '! At most 100% of the available balance.'],
  ['buy 0% btc', '! The share must be above zero.'],
  ['buy €100 btc', '! €100 is an amount of EUR, not a quantity: type the quantity in BTC or USD.'],
  ['buy £100 btc market', '! £100 is an amount of GBP, not a quantity: type the quantity in BTC or USD.'],
  ['buy 100 eur btc', '! "eur" is not understood here. | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd'],
  ['buy 0.1 btc @ €64000', '! Prices of BTC-USD are in USD. | Next: usd'],
  ['buy 1e5 btc', '? "1e5" is 100000: amounts have no exponent. -> buy 100000 btc'],
  ['buy 0x10 btc', '! The quantity belongs here, not "0x10".'],
  ['buy 1..5 btc', '! The quantity belongs here, not "1..5".'],
  ['buy 0.1.2 btc', '! The quantity belongs here, not "0.1.2".'],
  ['buy NaN btc', '! "NaN" is not understood here. | Next: 25%, 50%, 75%, 100%, half, all'],
  ['buy Infinity btc', '! "Infinity" is not understood here. | Next: 25%, 50%, 75%, 100%, half, all'],
  ['buy one btc', '? "one" is 1 here. -> buy 1 btc'],
  ['buy 🚀 btc', '! "🚀" is not understood here. | Next: 25%, 50%, 75%, 100%, half, all'],
  ['buy 0.1 🚀', '! "🚀" is not understood here. | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd'],
  ['🚀', '~'],
  ['buy 0.1 btc 🙏', '! "🙏" is not understood here. | Next: @, market, stop'],
  ['buy btc now', '? "now" is market here. -> buy btc market'],
  ['please buy 0.1 btc', '? A line begins with what it does, without "please". -> buy 0.1 btc'],
  [
    'i want to buy btc',
    '! A line begins with what it does, without "i want to". | Incomplete: how much? an amount, or a share such as 25%.',
  ],
  ['pls sell 0.5 eth', '? A line begins with what it does, without "pls". -> sell 0.5 eth'],
  ['Could you please, halt', '? A line begins with what it does, without "Could you please". -> halt'],
  ['what is my pnl', '? A line begins with what it does, without "what is my". -> pnl'],
  ["what's the btc", '? A line begins with what it does, without "what\'s the". -> btc'],
  ['let’s sell everything', '? A line begins with what it does, without "let’s". -> sell everything'],
  ['i want to', '~'],
  ['please', '~'],
  ['please 🚀', '~'],
  [
    'buy 0.1 bitcoin',
    '? "bitcoin" is not understood here, did you mean "btc"? | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd -> buy 0.1 btc',
  ],
  [
    'sell everything',
    '= Sell 100% of the available balance: BTC-USD joining the best ask at 64211.00, good till canceled. | sell: SELL | everything: 100% of the available balance | no symbol: BTC-USD, the one shown | no price: joins the best ask, 64211.00 | 100% = 0.3920 BTC at 64,211.00.',
  ],
  [
    'buy\t0.1\tbtc\t64000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000',
  ],
  [
    '  buy   0.1   btc  ',
    '= Buy 0.1 BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | no price: joins the best bid, 64210.50',
  ],
  ['buy 0.1 btc 64000\rcancel all\r', '! "cancel" begins another order: one line is one order.'],
  ['buy 0.1 btc @ 64,2oo', '! The price belongs here, not "64,2oo".'],
  ['buy0.1btc', '? Nothing begins with "buy0.1btc". Did you mean "buy 0.1btc"? -> buy 0.1btc'],
  ['buy.1 btc', '? Nothing begins with "buy.1". Did you mean "buy .1 btc"? -> buy .1 btc'],
  [
    'buy 0.1 btc;sell 0.1 btc',
    '! "btc;sell" is not understood here. | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd',
  ],
  ['buy 0.1 btc && cancel all', '! "&&" is not understood here. | Next: @, market, stop'],
  ['buy 0.1 btc 64000 --yes', '! "--yes" is not understood here. | Next: stop, gtc, ioc, fok, gtd, post'],
  ['buy __proto__ btc', '! "__proto__" is not understood here. | Next: 25%, 50%, 75%, 100%, half, all'],
  [
    'buy 0.1 constructor',
    '! "constructor" is not understood here. | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd',
  ],
  ['constructor 0.1 btc', '~'],
  [
    'sell 0.00000001 btc',
    '= Sell 0.00000001 BTC-USD joining the best ask at 64211.00, good till canceled. | sell: SELL | 0.00000001: quantity 0.00000001 | btc: BTC-USD | no price: joins the best ask, 64211.00',
  ],
  [
    'buy 99999999999999999999 btc 64000',
    '= Buy 99999999999999999999 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 99999999999999999999: quantity 99999999999999999999 | btc: BTC-USD | 64000: limit price 64000 !! Look again: it costs about 6,399,999,999,999,999,999,936,000.00 USD, and 12,004.11 USD is available.',
  ],
  [
    'buy 0.1 btc @ 99999999999999999999999',
    '= Buy 0.1 BTC-USD with a limit price of 99999999999999999999999, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ 99999999999999999999999: limit price 99999999999999999999999 !! Look again: the limit price 99,999,999,999,999,999,999,999.00 is far off: over 1000 times the market at 64,210.75. !! Look again: it costs about 9,999,999,999,999,999,999,999.90 USD, and 12,004.11 USD is available.',
  ],
  [
    'buy 0.1 xbt-usd @ 64000',
    '? "xbt-usd" is not understood here, did you mean "btc-usd"? | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd -> buy 0.1 btc-usd @ 64000',
  ],
  ['sell 500 btc usd', '! "usd" is not understood here. | Next: @, market, stop'],
  ['symbol xbt', '? Not found: unknown symbol XBT, did you mean BTC-USD? -> symbol btc'],
  ['deposit xbt', '? Unknown currency XBT. Currencies: BTC, ETH, LTC, SHIB, SOL, XLM. -> deposit btc'],
  ['withdraw 0.1 xbt', '! No XBT to withdraw: XBT is BTC here. Currencies: BTC, ETH, USD, XLM, USDC.'],
  [
    'withdraw 0.1 xbt to cold-1',
    '? No XBT to withdraw: XBT is BTC here. Currencies: BTC, ETH, USD, XLM, USDC. -> withdraw 0.1 btc to cold-1',
  ],
  [
    'alert xbt > 70000',
    '? Unknown symbol XBT (besides symbols: fills, orders, stale, transfers, gateway, list, off and rearm). -> alert btc > 70000',
  ],
  [
    'withdraw half btc',
    '! "half" of what is not certain: type the amount itself. | Say: withdraw AMOUNT btc to cold-1. BTC has cold-1 (wl_8f2c), desk two (wl_8f2d).',
  ],
  [
    'withdraw 50% btc',
    '! "50%" of what is not certain: type the amount itself. | Say: withdraw AMOUNT btc to cold-1. BTC has cold-1 (wl_8f2c), desk two (wl_8f2d).',
  ],
  [
    'withdraw a quarter of btc',
    '! "quarter" of what is not certain: type the amount itself. | Say: withdraw AMOUNT btc to cold-1. BTC has cold-1 (wl_8f2c), desk two (wl_8f2d).',
  ],
  [
    'withdraw 1k btc',
    '! Type all digits of the amount: "1k" is not one. | Say: withdraw AMOUNT btc to cold-1. BTC has cold-1 (wl_8f2c), desk two (wl_8f2d).',
  ],
  ['withdraw 1k usd to home bank', "! No whitelist entry for USD: add entries on the exchange's web page."],
  [
    'withdraw $500',
    "! Incomplete: beneficiary missing. | No whitelist entry for USD: add entries on the exchange's web page.",
  ],
  ['withdraw €500', '! No EUR to withdraw. Currencies: BTC, ETH, USD, XLM, USDC.'],
  ['withdraw 1,5kusd', '! The amount "1,5k" has a decimal comma: write 1.5k.'],
  [
    'buy $1000 btc stop 63000 target 66000',
    '! A stop and a target together are a plan, which is reviewed first. | $1000 is an amount of USD, not a quantity: type the quantity in BTC.',
  ],
  [
    'withdraw 0.1 btc',
    '! Incomplete: beneficiary missing. | Say: withdraw 0.1 btc to cold-1. BTC has cold-1 (wl_8f2c), desk two (wl_8f2d).',
  ],
  ['buy sell 0.1 btc', '! "sell" begins another order: one line is one order.'],
  ['buy 0.1 btc sell', '! "sell" begins another order: one line is one order.'],
  ['bid 0.1 btc 64000', '? "bid" is buy here. -> buy 0.1 btc 64000'],
  ['revers', '? Nothing begins with "revers". Did you mean "reverse"? -> reverse'],
  ['revert btc', '? Nothing begins with "revert". Did you mean "reverse btc"? -> reverse btc'],
  ['reverse everything', '? One symbol at a time: reverse which? -> reverse btc-usd'],
  ['flatten all', '? One symbol at a time: flatten which? -> flatten btc-usd'],
  [
    'close',
    '? "close" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> flatten btc-usd',
  ],
  [
    'close btc',
    '? "close" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> flatten btc',
  ],
  [
    'close my btc position',
    '? "close" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> flatten btc',
  ],
  [
    'close all',
    '? "close" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> flatten btc-usd / cancel all',
  ],
  [
    'close everything',
    '? "close" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> flatten btc-usd / cancel all',
  ],
  [
    'close orders',
    '? "close" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> cancel all / cancel all btc-usd',
  ],
  [
    'exit eth',
    '? "exit" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> flatten eth',
  ],
  [
    'liquidate all',
    '? "liquidate" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> flatten btc-usd / cancel all',
  ],
  ['bracket', '! Incomplete: quantity missing. Say: bracket buy 0.1 btc 64000 stop 63000 target 66000.'],
  ['bracket btc', '! Incomplete: quantity missing. Say: bracket buy 0.1 btc 64000 stop 63000 target 66000.'],
  [
    'oco btc 66000 63000',
    '? Name each price: stop 63000 target 66000. -> oco sell all btc-usd stop 63000 target 66000',
  ],
  [
    'sell all btc-usd stop 63000',
    '= Sell 100% of the available balance: BTC-USD at the market once the last trade reaches 63000, good till canceled. | sell: SELL | all: 100% of the available balance | btc-usd: BTC-USD | stop 63000: stop price 63000 | 100% = 0.3920 BTC at 63,000.00.',
  ],
  [
    'alert btc-usd 66000',
    '= Alert when the last price of BTC-USD rises to 66,000.00 or above. | If it is there already, it must come back first; "now" after the price changes that. | It fires once, and can be rearmed; "each" after the price makes it repeat. | The last price is 64,210.50: the alert waits for it to rise.',
  ],
  [
    'sell everything btc',
    '= Sell 100% of the available balance: BTC-USD joining the best ask at 64211.00, good till canceled. | sell: SELL | everything: 100% of the available balance | btc: BTC-USD | no price: joins the best ask, 64211.00 | 100% = 0.3920 BTC at 64,211.00.',
  ],
  [
    'sell everything eth market',
    '= Sell 100% of the available balance: ETH-USD at the market, what does not fill at once is canceled. | sell: SELL | everything: 100% of the available balance | eth: ETH-USD | market: at the market | 100% = 3.100 ETH at the market.',
  ],
  [
    'buy everything',
    '= Buy 100% of the available balance: BTC-USD joining the best bid at 64210.50, good till canceled. | buy: BUY | everything: 100% of the available balance | no symbol: BTC-USD, the one shown | no price: joins the best bid, 64210.50 | 100% = 0.1865 BTC at 64,210.50.',
  ],
  ['buy $5 btc', '! Too small: $5 is less than one lot of 0.0001 BTC. | The smallest order is 0.0001 BTC.'],
  ['sell $1 eth 3000', '! Too small: $1 is less than one lot of 0.001 ETH. | The smallest order is 0.001 ETH.'],
  ['cancel buys everywhere', '= Cancel every buy order of every symbol. | That is all 2 buys of every symbol.'],
  ['cancel buys all', '= Cancel every buy order of every symbol. | That is all 2 buys of every symbol.'],
  ['cancel all buys btc', '= Cancel every buy order of BTC-USD. | That is your only buy of BTC-USD, 9912041.'],
  [
    'cancel all sells',
    '? "all sells" can mean those of BTC-USD, or of every symbol. -> cancel sells btc-usd / cancel sells everywhere',
  ],
  [
    'cancel all last',
    '? "all last" can mean those of BTC-USD, or of every symbol. -> cancel last btc-usd / cancel last everywhere',
  ],
  ['cancel btc buys', '= Cancel every buy order of BTC-USD. | That is your only buy of BTC-USD, 9912041.'],
  [
    'cancel last buy',
    '= Cancel the newest buy order of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is your last buy of BTC-USD, 9912041.',
  ],
  ['cancel last sell everywhere', '= Cancel the newest sell order of every symbol. | That is your last sell, 9912017.'],
  ['cancel every order', '= Cancel every order of every symbol. | This means 3 working orders.'],
  ['cancel buys of every symbol', '= Cancel every buy order of every symbol. | That is all 2 buys of every symbol.'],
  ['cancel everywhere', '? To cancel every order of every symbol say: cancel all. | Next: all -> cancel all'],
  ['cancel buys btc everywhere', '! Nothing comes after that: leave out "everywhere".'],
  ['cancel sells xlm-usd all', '! Nothing comes after that: leave out "all".'],
  ['cancel all everywhere', '= Cancel every order of every symbol. | This means 3 working orders.'],
  ['cance', '? Nothing begins with "cance". Did you mean "cancel"? -> cancel'],
  ['flatte', '? Nothing begins with "flatte". Did you mean "flatten"? -> flatten'],
  [
    'buy 0.1 btc 64,020',
    '? "64,020" can be read in two ways: write 64020 or 64.02. -> buy 0.1 btc 64.02 / buy 0.1 btc 64020',
  ],
  [
    'buy 64k btc',
    '? "64k" can be read in two ways: write 64000 BTC or 64000 USD. -> buy 64000 usd btc / buy 64000 btc',
  ],
  [
    'sell 100 btc',
    '= Sell 100 BTC-USD joining the best ask at 64211.00, good till canceled. | sell: SELL | 100: quantity 100 | btc: BTC-USD | no price: joins the best ask, 64211.00 !! Look again: only 0.3920 BTC is available.',
  ],
  ['sell 0.1 btc 64210.5 64211', '! The price was said before: leave one out.'],
  [
    'buy all btc market',
    '= Buy 100% of the available balance: BTC-USD at the market, what does not fill at once is canceled. | buy: BUY | all: 100% of the available balance | btc: BTC-USD | market: at the market | 100% = 0.1865 BTC at the market.',
  ],
  [
    'sell 99999 btc market',
    '= Sell 99999 BTC-USD at the market, what does not fill at once is canceled. | sell: SELL | 99999: quantity 99999 | btc: BTC-USD | market: at the market !! Look again: only 0.3920 BTC is available.',
  ],
  [
    'sell 0.1 btc @ 0.01',
    '= Sell 0.1 BTC-USD with a limit price of 0.01, good till canceled. | sell: SELL | 0.1: quantity 0.1 | btc: BTC-USD | @ 0.01: limit price 0.01 !! Look again: the limit price 0.01 is far off: the market is over 1000 times it at 64,210.75.',
  ],
  [
    'buy 0.1 btc stop 1',
    '= Buy 0.1 BTC-USD at the market once the last trade reaches 1, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | stop 1: stop price 1 !! Look again: the stop price 1.00 is far off: the market is over 1000 times it at 64,210.75. !! Look again: the stop triggers at once: the market is at 64,210.75.',
  ],
  [
    'buy 1 btc @ 64k usd post gtc',
    '= Buy 1 BTC-USD with a limit price of 64000, good till canceled, post only. | buy: BUY | 1: quantity 1 | btc: BTC-USD | @ 64k usd: limit price 64000 | post: post only | gtc: GTC !! Look again: it costs about 64,000.00 USD, and 12,004.11 USD is available.',
  ],
  [
    's all mkt',
    '= Sell 100% of the available balance: BTC-USD at the market, what does not fill at once is canceled. | s: SELL | all: 100% of the available balance | mkt: at the market | no symbol: BTC-USD, the one shown | 100% = 0.3920 BTC at the market.',
  ],
  [
    'b half @ bid',
    '= Buy 50% of the available balance: BTC-USD with a limit price of 64210.50, good till canceled. | b: BUY | half: 50% of the available balance | @ bid: limit price 64210.5 (the bid 64210.50) | no symbol: BTC-USD, the one shown | 50% = 0.0932 BTC at 64,210.50.',
  ],
  ['cxl everything', '= Cancel every order of every symbol. | This means 3 working orders.'],
  ['cxl btc', '? To cancel every order of BTC-USD say: cancel all btc-usd. | Next: all btc-usd -> cxl all btc-usd'],
  ['cancel 9912041 later', '! "later" is not understood here.'],
  [
    'buy .05 @ market',
    '= Buy 0.05 BTC-USD at the market, what does not fill at once is canceled. | buy: BUY | .05: quantity 0.05 | @ market: at the market | no symbol: BTC-USD, the one shown',
  ],
  ['sell 25% xlm @ ask', '! No ask of XLM-USD to go by: show it first, or type the price.'],
  [
    'buy 100 usd btc @ mid',
    '= Buy 100 USD worth of BTC-USD with a limit price of 64210.50, good till canceled. | buy: BUY | 100 usd: 100 USD worth of BTC | btc: BTC-USD | @ mid: limit price 64210.5 (the mid 64210.75, on the tick) | $100 = 0.0015 BTC at 64,210.50.',
  ],
  ['cost btc', '= How much BTC is held at unknown cost is not computed yet. | No cost is stated.'],
  ['cost btc forget', '! No cost of BTC is stated.'],
  [
    'cost btc 0.5 @ 60000 or so',
    '! Not understood: so. | Say: cost btc 0.5 @ 60000 (USD for 1 BTC). A day after it, such as 2026-11-01, means what was held then; cost btc lists stated costs.',
  ],
  ['forget cost btc', '~'],
]

test('the currency of a price may stand behind it in an alert', () => {
  expect(said('alert btc > 70000 usd now')).toBe(said('alert btc > 70000 now'))
  expect(said('alert btc > 70000 usd now')).toMatch(/^= Alert when the last price of BTC-USD rises above 70,000/)
})

test.each(corpus)('%s', (line, expected) => expect(said(line)).toBe(expected))

test('there are 350 of them, of every kind', () => {
  expect(new Set(corpus.map(([line]) => line)).size).toBeGreaterThanOrEqual(350)
  const kinds = corpus.map(([, expected]) => expected.slice(0, 1))
  for (const kind of '=?!') expect(kinds.filter((each) => each === kind).length, kind).toBeGreaterThan(50)
})

test('what is on offer instead is understood, asked further or shown to be wrong, and never acts by itself', () => {
  for (const [line] of corpus) {
    const reading = readSentence(line, state)
    if (reading?.kind !== 'wrong') continue
    for (const other of reading.instead ?? []) {
      expect(other).not.toBe(line)
      expect(readSentence(other, state), `${line} -> ${other}`).not.toBeNull()
    }
  }
})

test('a line that is too long for an order is refused, whatever is in it', () => {
  expect(said(`buy 0.1 btc ${'post '.repeat(50)}`)).toBe('! This is too long for an order.')
  expect(said('9'.repeat(160))).toMatch(/^! /)
  expect(said('🚀'.repeat(80))).toBe('~')
})

test('arm, disarm, safe and armed do what they say in every mode, and none of them ends a halt', () => {
  const done = { arm: [true], armed: [true], disarm: [false], safe: [false] }
  const meant = (line: string, kind: Mode['kind']): readonly boolean[] => {
    const reading = readSentence(line, deskState({ mode: { kind } }))
    if (reading?.kind !== 'understood') return []
    const made: boolean[] = []
    const commands = { setArmed: (isArmed: boolean) => made.push(isArmed) }
    reading.run(commands as unknown as Commands, () => undefined)
    return made
  }
  for (const [line, wanted] of Object.entries(done)) {
    expect(meant(line, 'SAFE'), line).toEqual(wanted[0] === true ? wanted : [])
    expect(meant(line, 'ARMED'), line).toEqual(wanted[0] === true ? [] : wanted)
    expect(meant(line, 'HALTED'), line).toEqual([])
    expect(meant(line, 'MONITOR'), line).toEqual([])
  }
  for (const kind of ['SAFE', 'ARMED', 'HALTED', 'MONITOR'] as const)
    for (const isArmed of [true, false]) {
      const desk = aDesk()
      desk.store.dispatch({ type: 'modeChanged', mode: { kind }, atMs: 0 })
      desk.commands.setArmed(isArmed)
      const after = kind === 'HALTED' || kind === 'MONITOR' ? kind : isArmed ? 'ARMED' : 'SAFE'
      expect(desk.store.getState().mode.kind).toBe(after)
    }
})

test('a number that is no order but the price of one offers that order', () => {
  const resting = anOrder({ orderId: '7', limitPrice: amount('64000') })
  const at = deskState({ orders: { ...state.orders, value: [resting] } })
  expect(readSentence('cancel 64000', at)).toMatchObject({ kind: 'wrong', instead: ['cancel 7'] })
  expect(readSentence('cancel 7', at)).not.toHaveProperty('warnings')
})

test('a base that trades against several is meant in dollars, the symbol on screen before all, and it is said', () => {
  const cross = instrumentFrom({ symbol: 'ETH-BTC', tick: '0.00001', lot: '0.001', priceScale: 5, quantityScale: 3 })
  const value = new Map([...(state.instruments.value ?? []), ['ETH-BTC', cross]] as const)
  const both = deskState({ instruments: { ...state.instruments, value } })
  for (const line of ['sell half my eth market', '1k usd of eth', 'alert eth 3000', 'eth']) {
    const reading = readSentence(line, both)
    expect(JSON.stringify(reading), line).not.toContain('say which')
    if (line !== '1k usd of eth') expect(reading?.lines.join(), line).toContain('ETH-USD')
  }
  expect(readSentence('sell half my eth market', both)?.lines).toContain(
    'ETH also trades as ETH-BTC: name it in full for that',
  )
  const shown = { ...both, symbol: 'ETH-BTC' }
  expect(readSentence('alert eth > 0.06', shown)?.lines.join()).toContain('ETH-BTC')
  expect(readSentence('alert > 0.06', shown)?.lines.join()).toContain('ETH-BTC')
})

test('the same alert a second time is told of', () => {
  const desk = aDesk()
  const again = () => readSentence('alert btc > 70000', desk.store.getState())
  const first = again()
  if (first?.kind !== 'understood') throw new Error('not understood')
  first.run(desk.commands, () => undefined)
  expect(again()).toMatchObject({ warnings: ['There is such an alert already: number 1.'] })
})

test('an alert that is deleted or armed again is named in full before', () => {
  const desk = aDesk()
  const read = (line: string) => readSentence(line, desk.store.getState())
  const made = read('alert btc > 70000')
  if (made?.kind !== 'understood') throw new Error('not understood')
  made.run(desk.commands, () => undefined)
  const which = 'alert 1: BTC-USD last > 70,000.00'
  expect(read('alert off 1')?.lines).toEqual([`Delete ${which}.`, 'It is gone then, not switched off.'])
  expect(read('alert rearm 1')?.lines).toEqual([`Arm ${which} again.`])
})

test('the example of a withdrawal names an entry that there is', () => {
  const entries = (state.whitelist.value ?? []).slice(0, 1).map((entry) => ({ ...entry, name: 'vault 7' }))
  const [entry] = entries
  const hint = (value: typeof entries) =>
    readSentence('withdraw 0.1 btc', deskState({ whitelist: { ...state.whitelist, value } }))?.lines.at(-1)
  expect(hint(entries)).toBe(`Say: withdraw 0.1 btc to ${entry?.whitelistId}.`)
  expect(hint([])).toBe("No whitelist entry yet: add one on the exchange's web page.")
})
