import { z } from 'zod'
import { err, ok } from '../base/result.ts'
import { type FeedName, feedNames } from '../domain/desk/feeds.ts'
import { lockRules } from '../domain/desk/lock.ts'
import { focusRules, hangUpRules } from '../domain/desk/mode.ts'
import { layoutNames } from '../domain/desk/session.ts'
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
} from './setting-rows.ts'

const pollMs = wholeSetting(100, 600_000)
/** `[profiles.NAME.poll_ms]`: any feed may have a pause of its own. */
const pollTable = Object.fromEntries(feedNames.map((name) => [name, pollMs])) as Record<FeedName, typeof pollMs>

/** Time without a key; 0: never. */
const idleSeconds = wholeSetting(0, 86_400)

const symbolSetting = setting((value) =>
  typeof value === 'string' && /^[A-Za-z0-9._-]{1,40}$/.test(value)
    ? ok(value.toUpperCase())
    : err('must be a symbol in quotes, such as "BTC-USD"'),
)

/** Whether there is such a theme depends on the user's own. */
const themeSetting = setting((value) =>
  typeof value === 'string' && /^[a-z][a-z0-9-]{0,29}$/.test(value)
    ? ok(value)
    : err('must be the name of a theme in quotes, such as "light"'),
)

const address = textSetting('a base address', 'https://host/v3')

/**
 * Every setting of a profile, by its name in the file. A variable is the same name in capitals after PITDESK_. Rows
 * without a name make other values together: see `settingsOf` in `settings.ts`.
 */
export const profileRows = {
  kind: { reader: choiceSetting(['practice', 'live']), isFileOnly: true, example: '"live"' },
  exchange_base_url: { reader: address, example: '"https://exchange.example/v3"' },
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
    says: 'the wall shows the next symbol after so many seconds; 0: never',
  },
  symbol: {
    reader: symbolSetting,
    name: 'symbol',
    standard: 'BTC-USD',
    example: '"ETH-USD"',
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
    says: 'ARMED becomes SAFE without a key for so long; 0: never',
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
