import { z } from 'zod'
import { err, ok, type Result } from '../base/result.ts'
import { type FeedName, feedNames } from '../domain/desk/feeds.ts'
import { lockRules } from '../domain/desk/lock.ts'
import { focusRules, hangUpRules } from '../domain/desk/mode.ts'
import { layoutNames } from '../domain/desk/session.ts'
import { lifeBounds, readLife, usualLifeMs } from '../domain/orders/drafted-order.ts'
import { costMethods } from '../domain/positions/position.ts'
import { limitTable } from './limit-settings.ts'
import { notifyRows } from './notify-settings.ts'
import {
  choiceSetting,
  commandSetting,
  flagSetting,
  pathSetting,
  type SettingRows,
  setting,
  tableOf,
  textSetting,
  wholeSetting,
  wordsSetting,
} from './setting-rows.ts'

const pollMs = wholeSetting(100, 600_000)
/** `[profiles.NAME.poll_ms]`: poll intervals of single feeds. */
const pollTable = Object.fromEntries(feedNames.map((name) => [name, pollMs])) as Record<FeedName, typeof pollMs>

const symbolPattern = /^[A-Za-z0-9._-]{1,40}$/

/**
 * A desk's own pauses reach this long: hidden feeds are polled every few seconds, an exchange that is down within six,
 * and one that asks for fewer calls gets longer pauses.
 */
const blindMinS = 30

/**
 * `"all"` in any case, or symbols: a list in the file, comma-separated words in a variable. Whether the exchange lists
 * them is told once it is known.
 */
const blindScope = setting((value): Result<'all' | readonly string[]> => {
  const words: readonly unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  const symbols = words.flatMap((word) => (typeof word === 'string' ? [word.trim().toUpperCase()] : []))
  if (symbols.length === 1 && words.length === 1 && symbols[0] === 'ALL') return ok('all')
  const isRead = symbols.length === words.length && symbols.length > 0 && symbols.length <= 50
  return isRead && symbols.every((symbol) => symbolPattern.test(symbol))
    ? ok([...new Set(symbols)])
    : err('must be "all", or symbols such as ["BTC-USD", "ETH-USD"]')
})

/** A local address and port as typed; the caller checks whether it may listen there. */
export const listenAddress = (text: string): Result<{ host: string; port: number }> => {
  const [, host = '', port = ''] = /^(\[[0-9a-fA-F:.]+\]|[0-9.]+|localhost):(\d{1,5})$/.exec(text) ?? []
  return host !== '' && Number(port) <= 65_535
    ? ok({ host: host.replace(/^\[|\]$/g, ''), port: Number(port) })
    : err('must be an address and a port, such as 127.0.0.1:9464')
}

const listenSetting = setting((value) =>
  typeof value === 'string' ? listenAddress(value) : err('must be in quotes, such as "127.0.0.1:9464"'),
)

/** Idle time in seconds; 0 for never. */
const idleSeconds = wholeSetting(0, 86_400)

const symbolSetting = setting((value) =>
  typeof value === 'string' && symbolPattern.test(value)
    ? ok(value.toUpperCase())
    : err('must be a symbol in quotes, such as "BTC-USD"'),
)

const lifeSetting = setting((value) => {
  const lifeMs = typeof value === 'string' ? readLife(value) : undefined
  return lifeMs === undefined ? err(`must be ${lifeBounds}, in quotes`) : ok(lifeMs)
})

/** Whether the theme exists depends on the user's own themes. */
const themeSetting = setting((value) =>
  typeof value === 'string' && /^[a-z][a-z0-9-]{0,29}$/.test(value)
    ? ok(value)
    : err('must be the name of a theme in quotes, such as "light"'),
)

const address = textSetting('a base address', 'https://host/v3')

/**
 * All settings of a profile by their name in the file. A variable is the same name in capitals after PITDESK_. Rows
 * without `name` form other values together: see `settingsOf` in `settings.ts`.
 */
export const profileRows = {
  kind: { reader: choiceSetting(['practice', 'live']), isFileOnly: true, example: '"live"' },
  exchange_base_url: { reader: address, example: '"https://exchange.example/v3"' },
  exchange_also: {
    reader: wordsSetting('base addresses in quotes, such as ["https://hub2.example/v3"]'),
    name: 'exchangeAlso',
    standard: [] as readonly string[],
    example: '["https://hub2.example/v3"]',
    says: 'the same hub elsewhere, with the same key: used while the first does not answer',
  },
  gateway_base_url: {
    reader: address,
    name: 'gatewayBaseUrl',
    standard: null,
    example: '"https://gateway.example"',
  },
  api_token_file: { reader: pathSetting },
  api_token_command: {
    reader: commandSetting,
    example: '["pass", "show", "exchange/main"]',
    says: 'the first line it prints; a text instead of a list goes to a shell',
  },
  partner_key_file: {
    reader: pathSetting,
    example: '"~/.config/pitdesk/partner.key"',
    says: 'or partner_key_command',
  },
  partner_key_command: { reader: commandSetting },
  ca_file: {
    reader: pathSetting,
    name: 'caFile',
    standard: null,
    example: '"/etc/ssl/desk.pem"',
    says: 'trusted besides the usual certificates',
  },
  rate_per_second: {
    reader: wholeSetting(1, 1_000),
    name: 'ratePerSecond',
    standard: null,
    example: '10',
    says: 'calls; polls slow down before your orders do',
  },
  theme: {
    reader: themeSetting,
    name: 'theme',
    standard: null,
    example: '"auto"',
    says: 'as the terminal; dark, light, high-contrast, colour-blind-safe, mono, or your own',
  },
  reduced_motion: {
    reader: flagSetting,
    name: 'isMotionReduced',
    standard: false,
    example: 'true',
    says: 'ages in steps, still curves, two frames a second',
  },
  screen_reader: { reader: flagSetting, example: 'false', says: 'true: sentences instead of a screen' },
  privacy: {
    reader: flagSetting,
    name: 'isPrivate',
    standard: false,
    example: 'false',
    says: 'true: no amount of the account on the screen, only per cent',
  },
  screen_output: {
    reader: choiceSetting(['cells', 'lines']),
    name: 'screenOutput',
    standard: 'cells',
    example: '"cells"',
    says: 'only what changed; "lines": whole lines, for a terminal that shows it wrong',
  },
  window_title: {
    reader: flagSetting,
    name: 'isTitled',
    standard: true,
    example: 'true',
    says: 'mode, venue, profile, symbol; put back at the end',
  },
  progress: {
    reader: flagSetting,
    name: 'hasProgress',
    standard: null,
    example: 'true',
    says: 'the window marks a halt and unknown writes; unset: where that is known to show',
  },
  mouse: {
    reader: flagSetting,
    name: 'hasMouse',
    standard: false,
    example: 'false',
    says: 'true: the wheel scrolls, a click chooses; none sends',
  },
  held_keys: {
    reader: flagSetting,
    name: 'areKeysCoded',
    standard: true,
    example: 'true',
    says: 'false: the Kitty keyboard protocol is not used',
  },
  on_hangup: {
    reader: choiceSetting(hangUpRules),
    name: 'onHangUp',
    standard: 'keep',
    example: '"keep"',
    says: '"cancel": a terminal that goes away cancels every working order',
  },
  on_focus_loss: {
    reader: choiceSetting(focusRules),
    name: 'onFocusLoss',
    standard: 'guard',
    example: '"guard"',
    says: '"safe": the desk becomes SAFE too; "ignore": keyboard focus is not asked for',
  },
  layout: {
    reader: choiceSetting(layoutNames),
    name: 'layout',
    standard: null,
    example: '"trade"',
    says: 'ladders, lists, chart, monitor',
  },
  rotate_s: {
    reader: wholeSetting(0, 3_600),
    name: 'rotateS',
    standard: 0,
    example: '20',
    says: 'seconds until the wall shows the next symbol; 0: never',
  },
  symbol: {
    reader: symbolSetting,
    name: 'symbol',
    standard: 'BTC-USD',
    example: '"ETH-USD"',
  },
  order_draft_life: {
    reader: lifeSetting,
    name: 'orderDraftLifeMs',
    standard: usualLifeMs,
    example: '"8h"',
    says: 'a draft of an order expires after it; 24h unless set, and at most',
  },
  cost_method: {
    reader: choiceSetting(costMethods),
    name: 'costMethod',
    standard: 'fifo',
    example: '"fifo"',
    says: 'what is sold is the oldest; "lifo": the newest; "average": all at their average cost',
  },
  monitor: {
    reader: flagSetting,
    name: 'isMonitor',
    standard: false,
    example: 'false',
    says: 'true: read only, like --monitor',
  },
  safe_after_s: {
    reader: idleSeconds,
    example: '300',
    says: 'seconds without a key until ARMED becomes SAFE; 0: never',
  },
  lock_after_s: { reader: idleSeconds, example: '900', says: 'and the screen locks; 0: never' },
  lock_commands: {
    reader: choiceSetting(lockRules),
    name: 'lockCommands',
    standard: 'ask',
    isFileOnly: true,
    example: '"ask"',
    says: 'order place and withdraw ask for the lock; "allow": scripts pass',
  },
  cancel_when_blind_s: {
    reader: wholeSetting(blindMinS, 86_400),
    name: 'cancelWhenBlindS',
    standard: null,
    example: '120',
    says: `no answer for so long, then one: orders are canceled; ${blindMinS} at least, unset: never`,
  },
  cancel_when_blind: {
    reader: blindScope,
    name: 'cancelWhenBlind',
    standard: 'all',
    example: '"all"',
    says: 'or symbols, such as ["BTC-USD"]',
  },
  watch_listen: {
    reader: listenSetting,
    name: 'watchListen',
    standard: null,
    example: '"127.0.0.1:9464"',
    says: '/healthz and /metrics of pitdesk watch',
  },
  poll_ms: {
    reader: z.optional(z.strictObject(pollTable)),
    isFileOnly: true,
    example: '{ book = 500, orders = 1000 }',
    says: 'any feed, in ms from 100 to 600000',
  },
  ...notifyRows,
  limits: { reader: z.optional(limitTable), isFileOnly: true },
} as const satisfies SettingRows

export const profileTable = (home: string) => tableOf(profileRows, home)
export type ProfileSettings = z.infer<ReturnType<typeof profileTable>>
