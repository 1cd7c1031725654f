import { expect, test } from 'vitest'
import { readSentence } from '../../../src/store/sentences/sentences.ts'
import { amount } from '../../fakes/amounts.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { anOrder } from '../../fakes/orders.ts'
import { saidOf } from './said.ts'

const state = deskState()

/** What traders say elsewhere, and what the palette makes of it; the signs are those of `saidOf`. */
const words: readonly (readonly [line: string, said: string])[] = [
  [
    'buy ０．１ btc @ ６４０００',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | @ 64000: limit price 64000',
  ],
  // What a review says, and what orders are called in full.
  ['buy 0.1 btc @ 64000 good till canceled', '? "good till canceled" is gtc here. -> buy 0.1 btc @ 64000 gtc'],
  ['buy 0.1 btc @ 64000 Good-Til-Cancelled', '? "Good-Til-Cancelled" is gtc here. -> buy 0.1 btc @ 64000 gtc'],
  ['buy 0.1 btc @ 64000 fill or kill', '? "fill or kill" is fok here. -> buy 0.1 btc @ 64000 fok'],
  ['buy 0.1 btc @ 64000 immediate or cancel', '? "immediate or cancel" is ioc here. -> buy 0.1 btc @ 64000 ioc'],
  ['buy 0.1 btc @ 64000 for today only', '? "for today only" is day here. -> buy 0.1 btc @ 64000 day'],
  ['buy 0.1 btc @ 64000 valid until friday', '? "valid until" is gtd here. -> buy 0.1 btc @ 64000 gtd friday'],
  ['buy 0.1 btc @ 64000 all or none', '! There are no all-or-none orders here: fok fills all at once or nothing.'],
  ['sell 0.1 btc at the market price', '? "at the market price" is market here. -> sell 0.1 btc market'],
  ['sell 0.1 btc at best', '? "at best" is market here. -> sell 0.1 btc market'],
  ['buy 0.1 btc 64000 now', '? Leave out "now". -> buy 0.1 btc 64000'],
  ['buy 1 btc over 1 hour', '! There are no orders over time here: a scale is several orders over a range of prices.'],
  ['sell 1 btc over 64k', '? The worst price you take is the limit price. -> sell 1 btc @ 64k'],
  ['buy 1 btc 64000 show 0.1', '! There are no iceberg orders here: all of an order is seen.'],
  [
    'sell 0.1 btc if the price falls below 63000',
    '? Is that the limit price, or a stop that waits for it? -> sell 0.1 btc stop 63000 / sell 0.1 btc @ 63000',
  ],
  [
    'buy 0.1 btc when btc hits 63000',
    '? Is that the limit price, or a stop that waits for it? -> buy 0.1 btc stop 63000 / buy 0.1 btc @ 63000',
  ],
  // The price of another symbol, what is no price, and a distance are no price of this order.
  ['sell 0.1 btc if eth rises above 4000', '! "if" is not understood here. | Next: @, market, stop'],
  ['buy 0.1 btc if spread is below 2', '! "if" is not understood here. | Next: @, market, stop'],
  ['sell 0.1 btc if it drops 1000', '! "if" is not understood here. | Next: @, market, stop'],
  [
    'sell half a btc market',
    '? "half a" is 0.5 here, and half is half of what is available. -> sell 0.5 btc market / sell half btc market',
  ],
  ['cancel all open orders', '= Cancel every order of every symbol. | This means 3 working orders.'],
  ['cancel order #9912041', '= Cancel the order 9912041. | This means 1 working order.'],
  ['spend 500 on btc', '? "spend" is buy here, with the currency beside the money: buy $500 btc. -> buy $500 btc'],
  ['invest 50% in btc', '! "invest" is buy here, with the currency beside the money: buy $500 btc.'],
  ['invest 0.1 btc in eth', '! "invest" is buy here, with the currency beside the money: buy $500 btc.'],
  ['purchase 0.1 btc', '? "purchase" is buy here. -> buy 0.1 btc'],
  // What is offered can be taken: of an equivalent that would be refused stands why, and not the line.
  ['mute fills', '? "mute" of an alert is alert off here. -> alert fills off'],
  ['mute alert 3', '! "mute" of an alert is alert off here. | There is no alert 3: alert list shows them.'],
  ['mute btc', '? "mute" is snooze here, of all alerts for a time. -> snooze 10m'],
  ['silence alerts', '? "silence" is snooze here, of all alerts for a time. -> snooze 10m'],
  ['mute 1h', '? "mute" is snooze here, of all alerts for a time. -> snooze 1h'],
  [
    'spend €500 on btc',
    '! "spend" is buy here, with the currency beside the money: buy $500 btc. | €500 is an amount of EUR, not a quantity: type the quantity in BTC or USD.',
  ],
  [
    'tp 63000 sl 66000',
    '! "tp" is a limit order here, above the market to sell. A stop and a target together are an oco. | To sell, the target must be above the stop: nothing was planned.',
  ],
  [
    'sl 63000 tp 66000',
    '? "sl" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> oco sell all btc-usd stop 63000 target 66000',
  ],
  // For the time that was typed, and of what it names.
  ['mute for 1 hour', '? "mute" is snooze here, of all alerts for a time. -> snooze 1h'],
  ['mute alerts 1h30m', '? "mute" is snooze here, of all alerts for a time. -> snooze 1h30m'],
  ['silence fills for 10 min', '? "silence" is snooze here, of all alerts for a time. -> snooze 10m'],
  ['mute the fills alert', '? "mute" of an alert is alert off here. -> alert fills off'],
  // Of several lines those that would be refused are not offered, and none that only asks on the way to a refusal.
  [
    'dump it all',
    '? "dump" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> flatten it',
  ],
  [
    'close all foo',
    '! "close" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. | Unknown symbol FOO.',
  ],
  [
    'take 0.1 at 64000',
    '! "take" is buy at the ask here: buy 0.1 btc @ ask. | The price was said before: leave one out.',
  ],
  ['stop halt', '! "stop" of a halt is a key here: press L on the halted desk.'],
  ['stop the halt', '! "stop" of a halt is a key here: press L on the halted desk.'],
  [
    'stop-loss 63000',
    '? "stop-loss" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> sell all btc-usd stop 63000',
  ],
  // A worst price is no market order.
  ['buy 0.1 btc at any price below 64000', '! The price belongs here, not "any".'],
  ['buy 0.1 btc at any price', '? "at any price" is market here. -> buy 0.1 btc market'],
  // Alone, a side of the book is no order.
  ['get bid', '~'],
  ['bid 0.1 btc 64000', '? "bid" is buy here. -> buy 0.1 btc 64000'],
  [
    'alert me',
    '! Say which price to watch: alert btc-usd > 70000, alert btc-usd bid < 64000, alert eth-usd spread > 2.50, alert fills, alert off 3.',
  ],
  // A currency is no slip for another one.
  [
    'alert btc-usdt 70000',
    '! Unknown symbol BTC-USDT (besides symbols: fills, orders, stale, transfers, gateway, list, off and rearm).',
  ],
  ['go short 0.1 btc', '? A line begins with what it does, without "go". -> short 0.1 btc'],
  // Out of a short is a buy.
  ['cover 0.1 btc', '? "cover" of an amount is an order here: buy 0.1 btc market. -> buy 0.1 btc market'],
  ['close short 0.1 btc', '? "close" of an amount is an order here: buy 0.1 btc market. -> buy 0.1 btc market'],
  ['reduce my short by 0.1', '? "reduce" is an order here: buy 0.1 btc market, or flatten btc 50%. -> buy 0.1 market'],
  [
    'close shorts',
    '? "close" is flatten here: it buys back what was sold, and sells what was bought. -> flatten btc-usd',
  ],
  [
    'square up',
    '? "square" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> flatten btc-usd',
  ],
  [
    'set tp 66k sl 63k',
    '? A line begins with what it does, without "set". | "tp" is a limit order here, above the market to sell. ' +
      'A stop and a target together are an oco. -> oco sell all btc-usd stop 63k target 66k',
  ],
  ['statement last 7 days', '? A time so long back is one word: 7d, 12h, 2w. -> statement 7d'],
  // What ends something is no slip of what begins it.
  ['unsnooze', '? "unsnooze" is snooze off here. -> snooze off'],
  ['uncancel', '~'],
  ['unhalt', '! "unhalt" is a key here: press L on the halted desk.'],
  ['halt off', '! The end of a halt is a key here: press L on the halted desk.'],
  ['cancel halt', '! The end of a halt is a key here: press L on the halted desk.'],
  ['end halt', '! "end" of a halt is a key here: press L on the halted desk.'],
  ['stop snooze', '? "stop" is snooze off, or cancel plan p1, here. -> snooze off'],
  ['end plan p1', '! "end" is snooze off, or cancel plan p1, here. | There is no plan p1. No plan is open.'],
  ['unfreeze', '? Nothing begins with "unfreeze". Did you mean "freeze"? -> freeze'],
  ['pause trading', '? "pause" is disarm here: no new order goes out, and working ones stay. -> disarm'],
  ['pause alerts', '~'],
  ['mute 10m', '? "mute" is snooze here, of all alerts for a time. -> snooze 10m'],
  ['delete alert 1', '! "delete" of an alert is alert off here. | There is no alert 1: alert list shows them.'],
  ['cancel alerts', '? An alert is deleted by its number: alert off 3. -> alert list'],
  ['export fills csv', '? A list is always a CSV file. -> export fills'],
  ['export fills as json', '? A list is a CSV file here; in a shell --json prints JSON. -> export fills'],
  ['export trades', '? What was traded is in the fills. -> export fills'],
  // Another currency is no slip for the one that trades.
  [
    'buy 0.1 btc-usdc',
    '! "btc-usdc" is not understood here. | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd',
  ],
  [
    'buy 0.1 btcusdt',
    '! "btcusdt" is not understood here. | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd',
  ],
  [
    'buy 0.1 btc-usdd',
    '? "btc-usdd" is not understood here, did you mean "btc-usd"? | Next: btc-usd, eth-usd, sol-usd, xlm-usd, ltc-usd, shib-usd -> buy 0.1 btc-usd',
  ],
  [
    'buy 0.1 btc @ 64000 until monday 17:00',
    '! An order is for days, until the end of the last one in UTC: leave out the time.',
  ],
  ['buy 10x btc', '! There is no leverage here: an order spends what is available.'],
  ['buy 0.1 btc price 64000', '? "price" is @ here. -> buy 0.1 btc @ 64000'],
  [
    'sell-stop 0.1 btc 63000',
    '? Nothing begins with "sell-stop". Did you mean "sell stop 0.1 btc 63000"? -> sell stop 0.1 btc 63000',
  ],
  [
    'transfer 0.1 btc to cold-1',
    '? "transfer" is withdraw here: the form opens, and nothing is sent before its review. -> withdraw 0.1 btc to cold-1',
  ],
  ['transfer', '~'],
  ['alarm btc 70000', '? "alarm" is alert here. -> alert btc 70000'],
  // In a hurry.
  ['HALT!!!', '= No new orders until armed again, and cancel those in BTC-USD, or in every symbol by typing ALL.'],
  ['panic!', '? "panic" is cancel all here, and that asks first. -> cancel all'],
  ['cancel everything now!', '= Cancel every order of every symbol. | This means 3 working orders.'],
  [
    'stop everything',
    '? "stop" is halt here: it asks, cancels and lets nothing new out. cancel all cancels only. -> halt / cancel all',
  ],
  [
    'stop trading',
    '? "stop" is halt here: it asks, cancels and lets nothing new out. cancel all cancels only. -> halt / cancel all',
  ],
  ['delete 15116', '? "delete" is cancel here, and that asks first. -> cancel 15116'],
  ['delete', '~'],
  [
    'edit order 15116',
    '! There is no plan order. No plan is open. | An order is moved with a key: choose it in 2 Orders and press m.',
  ],
  ['notify me at 70000', '? "notify" is alert here. -> alert me at 70000'],
  [
    'cancel １５１１６',
    '= Cancel the order 15116. !! None of your working orders has the id 15116: it may have ended.',
  ],
  [
    'buy 0.1 btc @ 64.000',
    '? "64.000" can be read in two ways: write 64000 or 64. -> buy 0.1 btc @ 64 / buy 0.1 btc @ 64000',
  ],
  [
    'sell 0.1 btc @ 64.000',
    '? "64.000" can be read in two ways: write 64000 or 64. -> sell 0.1 btc @ 64 / sell 0.1 btc @ 64000',
  ],
  [
    'buy 0.1 btc @ 64.500',
    '? "64.500" can be read in two ways: write 64500 or 64.5. -> buy 0.1 btc @ 64.5 / buy 0.1 btc @ 64500',
  ],
  ['buy 0.1 btc @ 64200,50', '? "64200,50" has a decimal comma: write 64200.50. -> buy 0.1 btc @ 64200.50'],
  ['sell 0.1 btc x 2', '! "x" is not understood here. | Next: @, market, stop'],
  ['sell 500 worth of sol', '? "500" is what it is worth, in which currency? -> sell 500 usd worth of sol'],
  ['buy btc worth 500 @ 64000', '? "500" is what it is worth, in which currency? -> buy btc worth 500 usd @ 64000'],
  ['sell 10.000 xlm', '? "10.000" can be read in two ways: write 10000 or 10. -> sell 10 xlm / sell 10000 xlm'],
  [
    'buy 1.500 sol @ 140',
    '? "1.500" can be read in two ways: write 1500 or 1.5. -> buy 1.5 sol @ 140 / buy 1500 sol @ 140',
  ],
  [
    'buy eth $1.000 @ 3000',
    '? Too small: $1 is less than one lot of 0.001 ETH. | The smallest order is 0.001 ETH. | ' +
      '"1.000" can be read in two ways: write 1000 or 1. -> buy eth $1000 @ 3000',
  ],
  [
    'buy $1.000 btc',
    '? Too small: $1 is less than one lot of 0.0001 BTC. | The smallest order is 0.0001 BTC. | ' +
      '"1.000" can be read in two ways: write 1000 or 1. -> buy $1000 btc',
  ],
  ['buy xlm $1.000', '? "1.000" can be read in two ways: write 1000 or 1. -> buy xlm $1 / buy xlm $1000'],
  ['buy xlm 1.000 usd', '? "1.000" can be read in two ways: write 1000 or 1. -> buy xlm 1 usd / buy xlm 1000 usd'],
  [
    'oco sell 10.000 xlm stop 0.1 target 0.2',
    '? "10.000" can be read in two ways: write 10000 or 10. -> oco sell 10 xlm stop 0.1 target 0.2 / oco sell 10000 xlm stop 0.1 target 0.2',
  ],
  [
    'bracket buy 0.1 btc 64.000 stop 63.000 target 66.000',
    '? "64.000" can be read in two ways: write 64000 or 64. -> bracket buy 0.1 btc 64 stop 63 target 66 / bracket buy 0.1 btc 64000 stop 63000 target 66000',
  ],
  [
    'trail sell 0.1 btc by 1.000',
    '? "1.000" can be read in two ways: write 1000 or 1. -> trail sell 0.1 btc by 1 / trail sell 0.1 btc by 1000',
  ],
  [
    'trail sell 0.1 btc by .5',
    '? "by .5" may be .5% of the price, or .5 USD behind it: which? -> trail sell 0.1 btc by .5% / trail sell 0.1 btc by .5 usd',
  ],
  [
    'trail sell 0.1 btc by 1',
    '? "by 1" may be 1% of the price, or 1 USD behind it: which? -> trail sell 0.1 btc by 1% / trail sell 0.1 btc by 1 usd',
  ],
  [
    'cost xlm 10.000 @ 0.1',
    '? "10.000" can be read in two ways: write 10000 or 10. -> cost xlm 10 @ 0.1 / cost xlm 10000 @ 0.1',
  ],
  [
    'cancel buys above 64.000',
    '? "64.000" can be read in two ways: write 64000 or 64. -> cancel buys above 64 / cancel buys above 64000',
  ],
  ['buy limit 150 sol 140', '? Which is the price, "150" or "140"? -> buy 150 sol @ 140 / buy 140 sol @ 150'],
  [
    'sell limit 0.5 btc 64000',
    '? Which is the price, "0.5" or "64000"? -> sell 0.5 btc @ 64000 / sell 64000 btc @ 0.5',
  ],
  [
    'sell stop 0.1 btc 63000',
    '? Which is the price, "0.1" or "63000"? -> sell 0.1 btc stop 63000 / sell 63000 btc stop 0.1',
  ],
  ['sell sl 0.1 63000', '? Which is the price, "0.1" or "63000"? -> sell 0.1 stop 63000 / sell 63000 stop 0.1'],
  ['buy sol limit 150 140', '? Which is the price, "150" or "140"? -> buy sol 150 @ 140 / buy sol 140 @ 150'],
  ['buy 0,1 btc @ 64.000', '? "0,1" has a decimal comma: write 0.1. -> buy 0.1 btc @ 64.000'],
  [
    'buy 5 ltc @ 80.000',
    '= Buy 5 LTC-USD with a limit price of 80, good till canceled. | buy: BUY | 5: quantity 5 | ltc: LTC-USD | @ 80.000: limit price 80',
  ],
  ['buy 1,5k usd btc', '? "1,5k" has a decimal comma: write 1.5k. -> buy 1.5k usd btc'],
  ['buy $1,5k btc', '? "1,5k" has a decimal comma: write 1.5k. -> buy $1.5k btc'],
  ['buy 1,5k btc', '? "1,5k" has a decimal comma: write 1.5k. -> buy 1.5k btc'],
  ['buy 0.1 btc @ 64,5k', '? "64,5k" has a decimal comma: write 64.5k. -> buy 0.1 btc @ 64.5k'],
  ['oco sell 0.1 btc stop 63,5k target 66000', '! The price "63,5k" has a decimal comma: write 63.5k.'],
  [
    'buy 0.1 btc @ 64000 stop 63000 target 66000',
    '? A stop and a target together are a plan, which is reviewed first. -> bracket buy 0.1 btc @ 64000 stop 63000 target 66000',
  ],
  [
    'buy 0.1 btc 64000 sl 63000 tp 66000',
    '? A stop and a target together are a plan, which is reviewed first. -> bracket buy 0.1 btc 64000 sl 63000 tp 66000',
  ],
  [
    'sell 0.1 btc stop 63000 target 66000',
    '? A stop and a target together are a plan, which is reviewed first. -> oco sell 0.1 btc stop 63000 target 66000',
  ],
  ['sell 0.1 btc tp 66000', '? A target alone is a limit order: it rests at that price. -> sell 0.1 btc @ 66000'],
  [
    'sell 0.1 btc take profit 66000',
    '? A target alone is a limit order: it rests at that price. -> sell 0.1 btc @ 66000',
  ],
  [
    'buy 0.1 btc 64000 stop 63000',
    '= Buy 0.1 BTC-USD with a limit price of 64000, once the last trade reaches 63000, good till canceled. | buy: BUY | 0.1: quantity 0.1 | btc: BTC-USD | 64000: limit price 64000 | stop 63000: stop price 63000 !! Look again: the stop triggers at once: the market is at 64,210.75. To protect what fills: bracket, with a target.',
  ],
  ['reduce', '! "reduce" is an order here: sell 0.1 btc market, or flatten btc 50%.'],
  [
    'reduce 50%',
    '? "reduce" of a part is flatten and the part here: it asks what of, and the order goes by a ticket. -> flatten btc-usd 50%',
  ],
  [
    'reduce btc 50%',
    '? "reduce" of a part is flatten and the part here: it asks what of, and the order goes by a ticket. -> flatten btc 50%',
  ],
  ['reduce by 0.1', '? "reduce" is an order here: sell 0.1 btc market, or flatten btc 50%. -> sell 0.1 market'],
  [
    'close 50%',
    '? "close" of a part is flatten and the part here: it asks what of, and the order goes by a ticket. -> flatten btc-usd 50%',
  ],
  [
    'close half btc',
    '? "close" of a part is flatten and the part here: it asks what of, and the order goes by a ticket. -> flatten btc half',
  ],
  [
    'flatten 50%',
    '? BTC-USD is spot: it has no positions, only what you hold and what you traded. | Fills known here come to 0.0200 BTC bought; you have 0.3920 BTC available and 0.0200 BTC held. | A part of which one is meant? -> sell 0.0100 btc-usd market / sell 50% btc-usd market',
  ],
  [
    'flatten btc half',
    '? BTC-USD is spot: it has no positions, only what you hold and what you traded. | Fills known here come to 0.0200 BTC bought; you have 0.3920 BTC available and 0.0200 BTC held. | A part of which one is meant? -> sell 0.0100 btc-usd market / sell half btc-usd market',
  ],
  ['flip', '? "flip" is reverse here. -> reverse'],
  ['flip btc', '? "flip" is reverse here. -> reverse btc'],
  ['join bid', '! "join" is buy at the bid here: buy 0.1 btc @ bid.'],
  ['join the bid 0.1', '? "join" is buy at the bid here: buy 0.1 btc @ bid. -> buy 0.1 btc-usd @ bid'],
  ['join the offer 0.1', '? "join" is sell at the ask here: sell 0.1 btc @ ask. -> sell 0.1 btc-usd @ ask'],
  ['hit the bid', '! "hit" is sell at the bid here: sell 0.1 btc @ bid.'],
  ['hit the bid 0.1', '? "hit" is sell at the bid here: sell 0.1 btc @ bid. -> sell 0.1 btc-usd @ bid'],
  [
    'hit the offer 0.1',
    '? "hit" is sell at the bid here, and who takes the offer buys: which one? -> buy 0.1 btc-usd @ ask / sell 0.1 btc-usd @ bid',
  ],
  [
    'lift the bid 0.1 eth',
    '! "lift" is buy at the ask here, and who takes the bid sells: which one? | No bid of ETH-USD to go by: show it first, or type the price.',
  ],
  ['close 0.1 btc', '? "close" of an amount is an order here: sell 0.1 btc market. -> sell 0.1 btc market'],
  ['exit 5 eth', '? "exit" of an amount is an order here: sell 0.1 btc market. -> sell 5 eth market'],
  [
    'close 15116',
    '? "close" of an amount is an order here: sell 0.1 btc market. -> cancel 15116 / sell 15116 btc-usd market',
  ],
  [
    'close order 15116',
    '? "close" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> cancel 15116',
  ],
  [
    'close all eth',
    '? "close" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> flatten eth / cancel all eth',
  ],
  [
    'close everything in eth',
    '? "close" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> flatten eth / cancel all eth',
  ],
  [
    'close my eth orders',
    '? "close" is flatten here: out of one symbol, at the market, by a ticket. cancel is for working orders. -> cancel all eth',
  ],
  ['hit 0.1 btc', '? "hit" is sell at the bid here: sell 0.1 btc @ bid. -> sell 0.1 btc @ bid'],
  ['lift the offer 0.1', '? "lift" is buy at the ask here: buy 0.1 btc @ ask. -> buy 0.1 btc-usd @ ask'],
  ['lift 0.1', '? "lift" is buy at the ask here: buy 0.1 btc @ ask. -> buy 0.1 btc-usd @ ask'],
  ['take the offer 0.1', '? "take" is buy at the ask here: buy 0.1 btc @ ask. -> buy 0.1 btc-usd @ ask'],
  ['take the bid 0.1', '? "take" is sell at the bid here: sell 0.1 btc @ bid. -> sell 0.1 btc-usd @ bid'],
  [
    'take profit 66000',
    '? "take" profit is a limit order here, above the market to sell. A stop and a target together are an oco. -> sell all btc-usd @ 66000',
  ],
  [
    'take profit',
    '! "take" profit is a limit order here, above the market to sell. A stop and a target together are an oco.',
  ],
  [
    'tp 66000',
    '? "tp" is a limit order here, above the market to sell. A stop and a target together are an oco. -> sell all btc-usd @ 66000',
  ],
  [
    'sl 63000',
    '? "sl" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> sell all btc-usd stop 63000',
  ],
  [
    'stop loss 63000',
    '? "stop" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> sell all btc-usd stop 63000',
  ],
  [
    'stop loss sell 0.1 btc 63000',
    '? "stop" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> sell 0.1 btc stop 63000',
  ],
  [
    'stop sell 0.1 btc 63000',
    '? "stop" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> sell 0.1 btc stop 63000',
  ],
  [
    'stop buy 0.1 btc at 65000 limit 65100',
    '? "stop" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> buy 0.1 btc stop 65000 limit 65100',
  ],
  [
    'stop sell half btc 63000 limit @ 62900',
    '? "stop" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> sell half btc stop 63000 limit 62900',
  ],
  [
    'stop buy 0.1 btc limit 65100 at 65000',
    '? "stop" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> buy 0.1 btc limit 65100 stop 65000',
  ],
  [
    'stop buy 0.1 btc 65000 65100',
    '? "stop" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> buy 0.1 btc stop 65000 limit 65100',
  ],
  [
    'stop buy btc 0.1 65000',
    '? "stop" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000. -> buy btc 0.1 stop 65000',
  ],
  [
    'stop limit sell 0.1 btc 63000 62900',
    '? "stop" has two prices, and an order begins with buy or sell: sell 0.1 btc stop 63000 limit 62900. -> sell 0.1 btc stop 63000 limit 62900',
  ],
  [
    'stop-limit sell 0.1 btc 63000 62900',
    '? "stop-limit" has two prices, and an order begins with buy or sell: sell 0.1 btc stop 63000 limit 62900. -> sell 0.1 btc stop 63000 limit 62900',
  ],
  [
    'stop at breakeven',
    '! "stop" says where, and an order begins with buy or sell: sell 0.1 btc stop 63000, or buy btc risk $200 stop 63000.',
  ],
  [
    'sell 0.1 at the bid',
    '= Sell 0.1 BTC-USD with a limit price of 64210.50, good till canceled. | sell: SELL | 0.1: quantity 0.1 | at the bid: limit price 64210.5 (the bid 64210.50) | no symbol: BTC-USD, the one shown',
  ],
  [
    'sell 0.1 into the bid',
    '= Sell 0.1 BTC-USD with a limit price of 64210.50, good till canceled. | sell: SELL | 0.1: quantity 0.1 | into the bid: limit price 64210.5 (the bid 64210.50) | no symbol: BTC-USD, the one shown',
  ],
  [
    'sell into the bid 0.1',
    '= Sell 0.1 BTC-USD with a limit price of 64210.50, good till canceled. | sell: SELL | into the bid: limit price 64210.5 (the bid 64210.50) | 0.1: quantity 0.1 | no symbol: BTC-USD, the one shown',
  ],
  [
    'buy 0.1 at best ask',
    '= Buy 0.1 BTC-USD with a limit price of 64211.00, good till canceled. | buy: BUY | 0.1: quantity 0.1 | at best ask: limit price 64211 (the ask 64211.00) | no symbol: BTC-USD, the one shown',
  ],
  [
    'buy 0.1 best bid',
    '= Buy 0.1 BTC-USD with a limit price of 64210.50, good till canceled. | buy: BUY | 0.1: quantity 0.1 | best bid: limit price 64210.5 (the bid 64210.50) | no symbol: BTC-USD, the one shown',
  ],
  [
    'sell the best bid 0.1',
    '= Sell 0.1 BTC-USD with a limit price of 64210.50, good till canceled. | sell: SELL | the best bid: limit price 64210.5 (the bid 64210.50) | 0.1: quantity 0.1 | no symbol: BTC-USD, the one shown',
  ],
  [
    'ladder 5 orders',
    '! "ladder" is scale here: several limits over a range of prices. | Incomplete: quantity missing. Say: scale buy 1 btc 63000 to 64000 in 10.',
  ],
  [
    'ladder buy 0.2 btc 63000 to 64000 in 5',
    '? "ladder" is scale here: several limits over a range of prices. -> scale buy 0.2 btc 63000 to 64000 in 5',
  ],
  ['ladder eth', '~'],
  [
    'grid buy 0.2 btc 63000 to 64000 in 5',
    '? "grid" is scale here: several limits over a range of prices. -> scale buy 0.2 btc 63000 to 64000 in 5',
  ],
  [
    'scale buy 0.2 btc 63000 64000 5',
    '! A scale goes from one price to another. Behind them say in how many orders: in 10.',
  ],
  ['scale in 0.5 btc', '? Buy or sell? A plan says which. -> scale sell in 0.5 btc / scale buy in 0.5 btc'],
  [
    'scale buy 0.2 btc 63000 to 64000 5 orders',
    '= 5 limit orders, BUY 0.2000 BTC-USD in all: | 0.0400 at 63,000.00 to 0.0400 at 64,000.00, one by one. | Filled whole it costs 12,700.00 USD before fees. | THE PLAN EXISTS ON THIS SIDE ONLY: this desk or a watch must run. The exchange knows one order at a time. | Orders that rest stay at the exchange when neither runs. Nothing protects what fills. !! Look again: needs 12,725.40 USD with fee, available 12,004.11: at most 0.1886; 495.89 USD held by your 3 buy orders 9912041, a81fK2x10Dd5, 9911204: cancel them to free it.',
  ],
  [
    'twap 10 btc over 1h',
    '! "twap" is not an order here. There are limit, market, stop and stop-limit, and plans: bracket, oco, trail and scale.',
  ],
  [
    'iceberg',
    '! "iceberg" is not an order here. There are limit, market, stop and stop-limit, and plans: bracket, oco, trail and scale.',
  ],
  // Each of them is told of in the middle of a line too.
  [
    'pegged buy 0.1 btc',
    '! "pegged" is not an order here. There are limit, market, stop and stop-limit, and plans: bracket, oco, trail and scale.',
  ],
  ['buy 0.1 btc dca', '! There are no dca orders here: leave it out.'],
  [
    'hidden',
    '! "hidden" is not an order here. There are limit, market, stop and stop-limit, and plans: bracket, oco, trail and scale.',
  ],
  [
    'move all up 2 ticks',
    '! "move" is a key here: choose an order in 2 Orders and press m. What a plan waits for is changed by edit plan p1 stop 63500.',
  ],
  ['move', '~'],
  [
    'amend 13117 64400',
    '! "amend" is a key here: choose an order in 2 Orders and press m. What a plan waits for is changed by edit plan p1 stop 63500.',
  ],
  [
    'reprice',
    '! "reprice" is a key here: choose an order in 2 Orders and press m. What a plan waits for is changed by edit plan p1 stop 63500.',
  ],
  [
    'breakeven stop',
    '! "breakeven" is not a price here: what your own fills cost on average stands below the ladder. Say: sell 0.1 btc stop 63000.',
  ],
  [
    'buy 0.1 @ 64000 post only',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled, post only. | buy: BUY | 0.1: quantity 0.1 | @ 64000: limit price 64000 | post only: post only | no symbol: BTC-USD, the one shown',
  ],
  [
    'buy 0.1 @ 64000 maker',
    '= Buy 0.1 BTC-USD with a limit price of 64000, good till canceled, post only. | buy: BUY | 0.1: quantity 0.1 | @ 64000: limit price 64000 | maker: post only | no symbol: BTC-USD, the one shown',
  ],
  [
    'buy 0.1 @ 64000 day',
    '= Buy 0.1 BTC-USD with a limit price of 64000, until the end of Fri 20 Nov 2026 UTC. | buy: BUY | 0.1: quantity 0.1 | @ 64000: limit price 64000 | day: GTD, until the end of Fri 20 Nov 2026 UTC | no symbol: BTC-USD, the one shown',
  ],
  [
    'buy 0.1 @ 64000 gtd today',
    '= Buy 0.1 BTC-USD with a limit price of 64000, until the end of Fri 20 Nov 2026 UTC. | buy: BUY | 0.1: quantity 0.1 | @ 64000: limit price 64000 | gtd today: GTD, until the end of Fri 20 Nov 2026 UTC | no symbol: BTC-USD, the one shown',
  ],
  [
    'buy 0.1 @ 64000 gtd tomorrow',
    '= Buy 0.1 BTC-USD with a limit price of 64000, until the end of Sat 21 Nov 2026 UTC. | buy: BUY | 0.1: quantity 0.1 | @ 64000: limit price 64000 | gtd tomorrow: GTD, until the end of Sat 21 Nov 2026 UTC | no symbol: BTC-USD, the one shown',
  ],
  ['buy 0.1 @ 64000 until friday', '! "friday" is today, or in a week: write it as 20261231.'],
  [
    'buy 0.1 @ 64000 gtd 7d',
    '= Buy 0.1 BTC-USD with a limit price of 64000, until the end of Fri 27 Nov 2026 UTC. | buy: BUY | 0.1: quantity 0.1 | @ 64000: limit price 64000 | gtd 7d: GTD, until the end of Fri 27 Nov 2026 UTC | no symbol: BTC-USD, the one shown',
  ],
  [
    'buy 0.1 @ 64000 gtd 31.12.2026',
    '= Buy 0.1 BTC-USD with a limit price of 64000, until the end of Thu 31 Dec 2026 UTC. | buy: BUY | 0.1: quantity 0.1 | @ 64000: limit price 64000 | gtd 31.12.2026: GTD, until the end of Thu 31 Dec 2026 UTC | no symbol: BTC-USD, the one shown',
  ],
  ['buy 0.1 @ 64000 gtd 1h', '! "1h" is a time, and an order ends with a UTC day: write it as 20261231.'],
  ['buy 0.1 @ 64000 until 17:00', '! "17:00" is a time, and an order ends with a UTC day: write it as 20261231.'],
  [
    'buy 0.1 @ 64000 gtd 01/12/2026',
    '! "01/12/2026" is Tue 1 Dec 2026 or Mon 12 Jan 2026: write it as 20261201 or 20260112.',
  ],
  [
    'buy 0.1 @ 64000 gtd 1-2-2027',
    '! "1-2-2027" is Mon 1 Feb 2027 or Sat 2 Jan 2027: write it as 20270201 or 20270102.',
  ],
  [
    'buy 0.1 @ 64000 gtd 12/31/2026',
    '= Buy 0.1 BTC-USD with a limit price of 64000, until the end of Thu 31 Dec 2026 UTC. | buy: BUY | 0.1: quantity 0.1 | @ 64000: limit price 64000 | gtd 12/31/2026: GTD, until the end of Thu 31 Dec 2026 UTC | no symbol: BTC-USD, the one shown',
  ],
  ['buy 0.1 @ 64000 gtd 31/02/2027', '! "31/02/2027" is not a valid date: write it as 20261231.'],
  ['buy 0.1 @ 64000 gtd 1/12/26', '! "1/12/26" is not a valid date: write it as 20261231.'],
  ['buy 0.1 @ 64000 gtd eow', '! "eow" is not a valid date: write it as 20261231.'],
  ['buy 0.1 @ 64000 gtd 31.02.2027', '! "31.02.2027" is not a valid date: write it as 20261231.'],
  ['buy 0.1 market day', '! A MARKET order takes IOC, FOK. | Next: ioc, fok'],
  ['limit buy 0.1 btc 64000', '? "limit" comes later: an order begins with buy or sell. -> buy 0.1 btc 64000'],
  ['market buy 0.1', '? "market" comes later: an order begins with buy or sell. -> buy 0.1 market'],
  ['mkt sell half', '? "mkt" comes later: an order begins with buy or sell. -> sell half market'],
  [
    'btc-usd buy 0.05 64,000.00',
    '? An order begins with buy or sell. | The quantity was said before: is "64,000.00" the price? -> buy btc-usd 0.05 @ 64,000.00',
  ],
  ['BTC buy 0.1 @ 64000', '? An order begins with buy or sell. -> buy BTC 0.1 @ 64000'],
  ['0.1 btc buy', '? An order begins with buy or sell. -> buy 0.1 btc'],
  ['0.1 btc buy @ 64000', '? An order begins with buy or sell. -> buy 0.1 btc @ 64000'],
  ['btc 0.1 @ 64000 buy', '? An order begins with buy or sell. -> buy btc 0.1 @ 64000'],
  [
    'cancel buys above 64000',
    '= Cancel every buy order above 64000 of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is your only buy above 64000 of BTC-USD, 9912041.',
  ],
  [
    'cancel buys > 64k',
    '= Cancel every buy order above 64000 of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is your only buy above 64000 of BTC-USD, 9912041.',
  ],
  [
    'cancel above 64000',
    '= Cancel every order above 64000 of BTC-USD. | no symbol: BTC-USD, the one on screen; everywhere means every symbol | That is all 2 orders above 64000 of BTC-USD.',
  ],
  [
    'cancel all buys above 65k',
    '? "all buys above 65k" can mean those of BTC-USD, or of every symbol. -> cancel buys above 65k btc-usd / cancel buys above 65k everywhere',
  ],
  ['cancel stops', '! You have no working stops in BTC-USD.'],
  [
    'cancel all stops',
    '? "all stops" can mean those of BTC-USD, or of every symbol. -> cancel stops btc-usd / cancel stops everywhere',
  ],
  ['cancel last stop', '! You have no working stops in BTC-USD.'],
  ['cancel sells below 60000 btc', '! You have no working sells below 60000 in BTC-USD.'],
  ['cancel buys above', '! Incomplete: above which price?'],
  ['cancel buys above x', '! The price is not a number.'],
  [
    'cancel buys above 64,000',
    '? The price "64,000" can be read in two ways: write 64000 or 64. -> cancel buys above 64 / cancel buys above 64000',
  ],
  ['cancel stops everywhere', '! You have no working stops in any symbol.'],
  ['cancel 7 above 3', '! "above" is not understood here.'],
  ['buy 0.05 btc @ 64000 buy 0.05 btc @ 63900', '! "buy" begins another order: one line is one order.'],
  ['buy 0.1 btc 64000 hidden', '! There are no hidden orders here: leave it out.'],
  ['buy 0.1 iceberg btc', '! There are no iceberg orders here: leave it out.'],
  [
    'breakeven',
    '! "breakeven" is not a price here: what your own fills cost on average stands below the ladder. Say: sell 0.1 btc stop 63000.',
  ],
  ['deposit usd', '! USD has no deposit address here. Currencies that have one: BTC, ETH, LTC, SHIB, SOL, XLM.'],
  ['deposit eur', '! EUR has no deposit address here. Currencies that have one: BTC, ETH, LTC, SHIB, SOL, XLM.'],
  ['deposit usdc', '! Unknown currency USDC. Currencies: BTC, ETH, LTC, SHIB, SOL, XLM.'],
]

test.each(words)('%s', (line, expected) => expect(saidOf(line, state)).toBe(expected))

test('what is offered for these words is a line that is understood, or asks further', () => {
  for (const [line] of words) {
    const reading = readSentence(line, state)
    for (const offered of reading?.kind === 'wrong' ? (reading.instead ?? []) : []) {
      expect(offered, line).not.toBe(line)
      expect(readSentence(offered, state), `${line} -> ${offered}`).not.toBeNull()
    }
  }
})

test('a bound with thousands by a point is asked about for every symbol that a cancel is about', () => {
  const orders = [
    anOrder({ orderId: '1', symbol: 'BTC-USD', side: 'SELL', limitPrice: amount('66000') }),
    anOrder({ orderId: '2', symbol: 'SOL-USD', side: 'SELL', limitPrice: amount('150') }),
  ]
  const at = deskState({ symbol: 'SOL-USD', orders: { ...state.orders, value: orders } })
  const ways = '"64.500" can be read in two ways: write 64500 or 64.5.'
  expect(saidOf('cancel sells above 64.500 everywhere', at)).toBe(
    `? ${ways} -> cancel sells above 64.5 everywhere / cancel sells above 64500 everywhere`,
  )
  expect(saidOf('cancel sells below 64.000 everywhere', at)).toContain('-> cancel sells below 64000 everywhere')
  expect(saidOf('cancel sells above 64.500', at)).toContain('= Cancel every sell order above 64.5 of SOL-USD.')
})

const worst = 'The worst price you take is the limit price.'
const eitherPrice = 'Is that the limit price, or a stop that waits for it?'
const twoPrices = 'A stop-limit order has two prices: stop 63000 limit 62900.'

test.each([
  ['buy 0.1 btc max 64000', `? ${worst} -> buy 0.1 btc @ 64000`],
  ['buy 0.1 btc max 64k ioc', `? ${worst} -> buy 0.1 btc @ 64k ioc`],
  ['buy $500 btc no more than $64,000.50', `? ${worst} -> buy $500 btc @ $64,000.50`],
  ['buy 0.1 btc less than 64000 usd', `? ${worst} -> buy 0.1 btc @ 64000 usd`],
  ['buy 0.1 btc <= 64000', `? ${worst} -> buy 0.1 btc @ 64000`],
  ['sell 0.1 btc at least 65000', `? ${worst} -> sell 0.1 btc @ 65000`],
  ['sell 0.1 btc not below 65000', `? ${worst} -> sell 0.1 btc @ 65000`],
  ['buy 0.1 btc above 65000', `? ${eitherPrice} -> buy 0.1 btc stop 65000 / buy 0.1 btc @ 65000`],
  ['sell 0.1 btc below 63000', `? ${eitherPrice} -> sell 0.1 btc stop 63000 / sell 0.1 btc @ 63000`],
  ['buy 0.1 btc max 2%', '! The quantity was said before: leave one out.'],
  ['buy 0.1 btc 6.4e4', '? "6.4e4" is 64000: amounts have no exponent. -> buy 0.1 btc 64000'],
  ['buy 1e-1 btc @ 64000', '? "1e-1" is 0.1: amounts have no exponent. -> buy 0.1 btc @ 64000'],
  ['buy 500 dollars of btc', '? "dollars" is usd here. -> buy 500 usd of btc'],
  ['sell 10 percent of my btc', '? "percent" is % here. -> sell 10 % of my btc'],
  ['buy 0.1 btc stop-limit 65000', `! ${twoPrices}`],
  ['buy 0.1 btc stop limit 65000', `! ${twoPrices}`],
  ['buy 0.1 btc stoplimit 65000 65100 gtc', `? ${twoPrices} -> buy 0.1 btc stop 65000 limit 65100 gtc`],
  // One of these three is the quantity.
  ['sell stop limit 63000 62900 0.1 btc', `! ${twoPrices}`],
])('what other desks say in an order is answered by the words of this one: %s', (line, said) =>
  expect(saidOf(line, state)).toBe(said),
)

const stopOrTarget = (stop: number, limit: number) =>
  `As an order it waits for ${stop} and then rests at ${limit}, on the other side of the market. ` +
  'A stop and a target are a plan: which?'

test.each([
  ['sell 0.1 btc 66000 stop 63000', 'oco sell 0.1 btc stop 63000 target 66000 / sell 0.1 btc stop 63000 limit 66000'],
  [
    'sell half btc @ 66000 sl 63000',
    'oco sell half btc stop 63000 target 66000 / sell half btc stop 63000 limit 66000',
  ],
  ['sell 0.1 btc stop 63000 @ 66000 gtd 20261231', 'sell 0.1 btc stop 63000 limit 66000 gtd 20261231'],
  ['sell $500 btc 66000 stop 63000', 'sell $500 btc stop 63000 limit 66000'],
])('a limit on the other side of the market from its stop may be a target: %s', (line, offers) => {
  expect(saidOf(line, state)).toBe(`? ${stopOrTarget(63_000, 66_000)} -> ${offers}`)
  expect(readSentence(offers.split(' / ').at(-1) ?? '', state)?.kind).toBe('understood')
})

test('to buy it is one below the market, and a limit beyond its stop is none', () => {
  expect(saidOf('buy 0.1 btc 63000 stop 65000', state)).toBe(
    `? ${stopOrTarget(65_000, 63_000)} -> oco buy 0.1 btc stop 65000 target 63000 / buy 0.1 btc stop 65000 limit 63000`,
  )
  for (const line of [
    'sell 0.1 btc 62900 stop 63000',
    'buy 0.1 btc 65100 stop 65000',
    'sell 0.1 btc 64000 stop 63000',
    'sell 0.1 btc stop 63000 usd limit 66000 usd',
  ])
    expect([line, readSentence(line, state)?.kind]).toEqual([line, 'understood'])
})

test.each([
  ['"buy 0.1 btc 64000"', 'buy 0.1 btc 64000'],
  ['“sell 0.1 btc 66000”', 'sell 0.1 btc 66000'],
  ['buy 0.1 btc @64000;', 'buy 0.1 btc @64000'],
])('what is pasted in quotes, or with a sign at its end, is the line in it: %s', (pasted, line) => {
  expect(saidOf(pasted, state)).toBe(saidOf(line, state))
  expect(readSentence(line, state)?.kind).toBe('understood')
})

test('a quote at the end alone is of what it closes', () =>
  expect(saidOf('withdraw 0.5 btc to "wl-1"', state)).toContain('No whitelist entry "wl-1" for BTC.'))

test.each([
  ['HALT NOW!!!', '? Say only: halt. Its question offers every symbol. -> halt'],
  ['halt all', '? Say only: halt. Its question offers every symbol. -> halt'],
  ['cancell all', '? Nothing begins with "cancell". Did you mean "cancel all"? -> cancel all'],
  ['buy 1.000.000 shib', '? "1.000.000" has points between its thousands: write 1000000. -> buy 1000000 shib'],
])('in a hurry "%s" is answered by the line that is meant', (line, said) => expect(saidOf(line, state)).toBe(said))

const ofAll = (money: string) => `The quantity was said before: is "${money}" the price of each, or of all of it?`

test.each([
  ['buy 0.1 btc for $6400', `? ${ofAll('$6400')} -> buy 0.1 btc @ 64000 / buy 0.1 btc @ $6400`],
  ['buy 2 btc for 64000 usd', `? ${ofAll('64000 usd')} -> buy 2 btc @ 64000 usd / buy 2 btc @ 32000`],
  ['sell 3 eth for 9,400.00 usd', `? ${ofAll('9,400.00 usd')} -> sell 3 eth @ 9,400.00 usd / sell 3 eth @ 3133.35`],
  ['buy 1 btc for $64000', '? The quantity was said before: is "$64000" the price? -> buy 1 btc @ $64000'],
])('money for a quantity may be the price of each, or of all: %s', (line, said) =>
  expect(saidOf(line, state)).toBe(said),
)

test.each(['stop-limit', 'stoplimit'])('%s with one price is half an order, and no plain stop', (word) => {
  const why = `"${word}" has two prices, and an order begins with buy or sell: sell 0.1 btc stop 63000 limit 62900.`
  expect(saidOf(`${word} sell 0.1 btc 63000`, state)).toBe(`! ${why}`)
  expect(saidOf(`${word} 63000`, state)).toBe(`! ${why}`)
  expect(saidOf(`${word} sell 0.1 btc 63000 62900`, state)).toBe(`? ${why} -> sell 0.1 btc stop 63000 limit 62900`)
  expect(saidOf('stop limit sell 0.1 btc 63000', state)).not.toContain('->')
})

test('an order is for days, never for hours', () => {
  expect(saidOf('buy 0.1 @ 64000 for 7d', state)).toContain('for 7d: GTD, until the end of Fri 27 Nov 2026 UTC')
  expect(saidOf('buy 0.1 @ 64000 till tomorrow', state)).toContain('until the end of Sat 21 Nov 2026 UTC')
  const refused = '! "1h" is a time, and an order ends with a UTC day: write it as 20261231.'
  expect(saidOf('buy 0.1 @ 64000 for 1h', state)).toBe(refused)
  expect(saidOf('buy btc for $1000', state)).toContain('$1000: 1000 USD worth of BTC')
})

test('a part of what was sold is bought back, and less than a lot of it is none', () => {
  const [fill] = state.fills.value ?? []
  if (fill === undefined) throw new Error('no fill')
  const sold = deskState({ fills: { ...state.fills, value: [{ ...fill, side: 'SELL', quantity: amount('0.1') }] } })
  expect(saidOf('flatten btc half', sold)).toContain('-> buy 0.0500 btc-usd market / sell half btc-usd market')
  const little = deskState({ fills: { ...state.fills, value: [{ ...fill, quantity: amount('0.0001') }] } })
  expect(saidOf('flatten btc half', little)).toContain(
    'A part of it is an order of its own. -> sell half btc-usd market',
  )
  expect(saidOf('reverse 50%', state)).toBe('! Unknown symbol 50%.')
})

test('a weekday is the next one, and a day that is said by a word is one of the exchange', () => {
  expect(saidOf('buy 0.1 @ 64000 gtd sunday', state)).toContain('until the end of Sun 22 Nov 2026 UTC')
  expect(saidOf('buy 0.1 @ 64000 gtd thu', state)).toContain('until the end of Thu 26 Nov 2026 UTC')
})

test('orders above or below a price are told by their limit, and one without is said to be left out', () => {
  const resting = (orderId: string, more: Partial<Parameters<typeof anOrder>[0]>) => anOrder({ orderId, ...more })
  const value = [
    resting('1', { limitPrice: amount('64000') }),
    resting('2', { limitPrice: amount('65000') }),
    resting('3', { type: 'STOP', status: 'PENDING', limitPrice: null }),
    resting('4', { type: 'STOPLIMIT', status: 'PENDING', limitPrice: amount('66000') }),
  ]
  const at = deskState({ orders: { ...state.orders, value } })
  const left = 'but 1 without a limit price left out'
  expect(saidOf('cancel above 64000', at)).toContain(`That is all 2 orders above 64000 of BTC-USD, ${left}.`)
  expect(saidOf('cancel below 64500 btc', at)).toContain(`That is your only order below 64500 of BTC-USD, 1, ${left}.`)
  expect(saidOf('cancel above 64000 below 65500', at)).toContain(
    'your only order above 64000 below 65500 of BTC-USD, 2',
  )
  expect(saidOf('cancel stops', at)).toContain('That is all 2 stops of BTC-USD.')
  expect(saidOf('cancel stops everywhere', at)).toContain('That is all 2 stops of every symbol.')
  expect(saidOf('cancel last stop above 1', at)).toContain('your last stop above 1 of BTC-USD, 4')
  const elsewhere = { ...at, symbol: 'ETH-USD' }
  expect(saidOf('cancel stops', elsewhere)).toContain('-> cancel stops everywhere')
  expect(saidOf('cancel above 64500', elsewhere)).toContain('-> cancel above 64500 everywhere')
})

const turned = 'An order begins with buy or sell.'
const begins = (verb: string) => `A line begins with what it does: ${verb}.`

test.each([
  ['gtd 20261231 buy 0.1 btc @ 64000', `? ${turned} -> buy gtd 20261231 0.1 btc @ 64000`],
  ['post buy 0.1 btc @ 64000', `? ${turned} -> buy post 0.1 btc @ 64000`],
  ['@ 64000 sell 0.1 btc', `? ${turned} -> sell @ 64000 0.1 btc`],
  ['half my eth sell market', `? ${turned} -> sell half my eth market`],
  // What belongs behind a word is not parted from it: nothing is guessed, and what to type is said.
  ['gtd buy 0.1 btc', `! ${turned} | Say: buy 0.05 btc-usd @ 64209.5 gtd 20261231 post.`],
  ['min sell 0.1 btc', `! ${turned} | Say: sell half my eth market.`],
  ['btc 64000 alert', `? ${begins('alert')} -> alert btc 64000`],
  ['5m snooze', `? ${begins('snooze')} -> snooze 5m`],
  ['btc-usd cancel all', `? ${begins('cancel')} -> cancel btc-usd all`],
  ['0.5 btc withdraw to cold-1', `? ${begins('withdraw')} -> withdraw 0.5 btc to cold-1`],
  ['0.1 btc trail sell by 500', `? ${begins('trail')} -> trail 0.1 btc sell by 500`],
  [
    'buy bracket 0.1 btc @ 64000 stop 63000 target 66000',
    `? ${begins('bracket')} -> bracket buy 0.1 btc @ 64000 stop 63000 target 66000`,
  ],
  // Two verbs, or words of a name: no sentence.
  ['btc buy sell 0.1', '~'],
  ['next theme', '~'],
  ['my orders', '~'],
])('with the verb behind other words "%s" is answered by the line that begins with it', (line, said) =>
  expect(saidOf(line, state)).toBe(said),
)

test('what can only be read in one way is not asked about: three decimals of a lot, a price named before its quantity', () => {
  for (const line of [
    'buy 1.000 eth',
    'buy 5 ltc @ 80.000',
    'buy xlm 10.000%',
    'trail sell 0.1 btc by 1 usd',
    'trail sell 0.1 btc by 1%',
    'trail sell 0.1 btc by 500',
    'buy limit 64000 0.1 btc',
    'sell stop 63000 0.1 btc',
    'sell stop 63000 limit 62900 0.1 btc',
  ])
    expect([line, readSentence(line, state)?.kind]).toEqual([line, 'understood'])
})
