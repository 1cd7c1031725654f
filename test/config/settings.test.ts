import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  readHubSettings,
  readInboxSettings,
  readSettings,
  type SettingFlags,
  type Settings,
} from '../../src/config/settings.ts'
import { presetsOf } from '../../src/domain/entry-rules.ts'
import { defaultLimits } from '../../src/domain/limits.ts'
import { Decimal } from '../../src/domain/money.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

const file = `default_profile = "paper"
[profiles.paper]
kind = "practice"
exchange_base_url = "http://127.0.0.1:4010/v3"
api_token_file = "/keys/paper"
symbol = "ETH-USD"
[profiles.main]
exchange_base_url = "https://exchange.example/v3"
api_token_command = "pass show main"
limits = { open_orders = 5 }
[profiles.own]
symbol = "SOL-USD"
monitor = true`

/** Settings from a file, variables and flags. */
function settings(environment: Record<string, string> = {}, flags: SettingFlags = {}, text = file) {
  const home = temporaryFolder('config')
  mkdirSync(join(home, 'pitdesk'))
  if (text !== '') writeFileSync(join(home, 'pitdesk', 'config.toml'), text)
  return readSettings({ HOME: home, XDG_CONFIG_HOME: home, ...environment }, flags)
}

function good(...given: Parameters<typeof settings>): Settings {
  const read = settings(...given)
  if (!read.ok) throw new Error(read.error.sentence)
  return read.value
}

test('a misspelled variable is no setting left out: nothing is taken until it is corrected', () => {
  const said = (environment: Record<string, string>) => {
    const read = settings(environment)
    return read.ok ? null : read.error
  }
  const meant = (name: string, right: string) => ({
    sentence: `${name} is not a variable of pitdesk, did you mean ${right}? Correct or unset it.`,
    isTyped: false,
  })
  expect(said({ PITDESK_PROFIL: 'paper' })).toEqual(meant('PITDESK_PROFIL', 'PITDESK_PROFILE'))
  expect(said({ pitdesk_profile: 'paper' })).toEqual(meant('pitdesk_profile', 'PITDESK_PROFILE'))
  expect(said({ PITDESK_EXCHANGE_BASE_ULR: 'x' })?.sentence).toContain('PITDESK_EXCHANGE_BASE_URL')
  expect(said({ PITDESK_INBOX_PROT: '1' })?.sentence).toContain('PITDESK_INBOX_PORT')
  expect(said({ PITDESK_KIND: 'practice' })?.sentence).toBe(
    'PITDESK_KIND sets nothing: kind is set in config.toml only. Unset it.',
  )
  expect(said({ PITDESK_LIMITS: '', PITDESK_PROFIL: '' })).toBe(null)
  expect(said({ PITDESK_LIMITS: 'none' })?.sentence).toContain('limits is set in config.toml only')
})

test('variables that resemble none of the desk are somebody else’s', () => {
  const others = ['PITDESK_HOME', 'PITDESK_TEST_FORM', 'PITDESK_VERSION', 'PITDESK_IMAGE_TAG', 'PIT_PROFILE', 'PITDESK']
  expect(good(Object.fromEntries(others.map((name) => [name, 'x']))).profileName).toBe('paper')
})

test('inbox and hub take no settings beside a misspelled variable either', () => {
  const environment = { HOME: temporaryFolder('config'), PITDESK_HUB_STROE: 'x' }
  const sentence =
    'PITDESK_HUB_STROE is not a variable of pitdesk, did you mean PITDESK_HUB_STORE? Correct or unset it.'
  expect([readInboxSettings(environment), readHubSettings(environment)]).toEqual([
    { ok: false, error: sentence },
    { ok: false, error: sentence },
  ])
})

test('without anything the desk runs its own practice exchange', () => {
  const own = good({}, {}, '')
  expect(own).toMatchObject({ profileName: 'practice', venueKind: 'practice', exchange: { kind: 'own' } })
  expect(own.limits).toEqual(defaultLimits.practice)
})

test('the default profile counts, a variable before it, a flag before that', () => {
  expect(good()).toMatchObject({ profileName: 'paper', venueKind: 'practice', symbol: 'ETH-USD' })
  expect(good({ PITDESK_PROFILE: 'main' })).toMatchObject({ profileName: 'main', venueKind: 'live' })
  expect(good({ PITDESK_PROFILE: 'main' }, { profile: 'own' })).toMatchObject({ profileName: 'own', isMonitor: true })
  expect(good({ PITDESK_SYMBOL: 'ltc-usd' }).symbol).toBe('LTC-USD')
  expect(good({ PITDESK_SYMBOL: 'ltc-usd' }, { symbol: 'xlm-usd' }).symbol).toBe('XLM-USD')
  expect(good({ PITDESK_SYMBOL: '' }).symbol).toBe('ETH-USD')
})

test('an address in the environment is LIVE and takes neither key nor word from the default profile', () => {
  const alone = good({ PITDESK_EXCHANGE_BASE_URL: 'https://other.example' })
  expect(alone).toMatchObject({
    profileName: 'environment',
    venueKind: 'live',
    exchange: { kind: 'service', baseUrl: 'https://other.example', token: null },
  })
})

test('a practice profile says that of its own address, and of any where it has none, but of no other', () => {
  const kindAt = (address: string, profile: string) =>
    good(
      { PITDESK_EXCHANGE_BASE_URL: address },
      { profile: 'paper' },
      `[profiles.paper]\nkind = "practice"\n${profile}`,
    ).venueKind
  const own = 'exchange_base_url = "http://127.0.0.1:4010/v3"'
  expect(kindAt('https://other.example/v3', own)).toBe('live')
  expect(kindAt('http://127.0.0.1:4010/v3', own)).toBe('practice')
  expect(kindAt('HTTP://127.0.0.1:4010/v3/', own)).toBe('practice')
  expect(kindAt('http://127.0.0.1:4011/v3', own)).toBe('live')
  const hub = 'exchange_base_url = "https://Hub.Example:443/v3/"'
  expect(kindAt('https://hub.example/v3', hub)).toBe('practice')
  expect(kindAt('https://hub.example/v2', hub)).toBe('live')
  expect(kindAt('https://other.example/v3', '')).toBe('practice')
})

test('a practice profile beside further addresses of another service is not shown as practice', () => {
  const text = `[profiles.paper]
kind = "practice"
exchange_base_url = "https://hub1.example/v3"
exchange_also = ["https://hub2.example/v3"]`
  const kindAt = (environment: Record<string, string>) => good(environment, { profile: 'paper' }, text).venueKind
  expect(kindAt({})).toBe('practice')
  expect(kindAt({ PITDESK_EXCHANGE_BASE_URL: 'https://hub2.example/v3' })).toBe('practice')
  expect(kindAt({ PITDESK_EXCHANGE_ALSO: 'https://hub2.example/v3/' })).toBe('practice')
  expect(kindAt({ PITDESK_EXCHANGE_ALSO: 'https://hub2.example/v3, https://other.example/v3' })).toBe('live')
})

test('further addresses of a hub belong to the address they stand beside', () => {
  const text = `[profiles.desk]
exchange_base_url = "https://hub1.example/v3"
exchange_also = ["https://hub2.example/v3", "https://hub3.example/v3"]`
  const desk = { profile: 'desk' }
  expect(good({}, desk, text).exchangeAlso).toEqual(['https://hub2.example/v3', 'https://hub3.example/v3'])
  expect(good().exchangeAlso).toEqual([])
  const elsewhere = { PITDESK_EXCHANGE_BASE_URL: 'https://other.example' }
  expect(good(elsewhere, desk, text).exchangeAlso).toEqual([])
  const both = { ...elsewhere, PITDESK_EXCHANGE_ALSO: 'https://a.example, https://b.example' }
  expect(good(both, desk, text).exchangeAlso).toEqual(['https://a.example', 'https://b.example'])
  expect(settings({}, {}, '[profiles.desk]\nexchange_also = "https://a.example"')).toMatchObject({ ok: true })
  const alone = settings({}, desk, '[profiles.desk]\nexchange_also = ["https://a.example"]')
  expect(alone).toMatchObject({ ok: false, error: { sentence: 'exchange_also needs exchange_base_url beside it' } })
})

test('keys: the variable itself, then variables that name a source, then the profile', () => {
  const tokenOf = (environment: Record<string, string>) => {
    const { exchange } = good({ PITDESK_PROFILE: 'main', ...environment })
    return exchange.kind === 'service' ? exchange.token : null
  }
  expect(tokenOf({})).toEqual({
    kind: 'command',
    name: 'api_token_command',
    command: { kind: 'shell', line: 'pass show main' },
  })
  expect(tokenOf({ PITDESK_API_TOKEN_FILE: '/k' })).toEqual({
    kind: 'file',
    name: 'PITDESK_API_TOKEN_FILE',
    path: '/k',
  })
  expect(tokenOf({ PITDESK_API_TOKEN_FILE: '/k', PITDESK_API_TOKEN: 'abc' })).toMatchObject({ kind: 'variable' })
})

test('limits take the place of the defaults one by one', () => {
  const { limits } = good({ PITDESK_PROFILE: 'main' })
  expect(limits.openOrders).toEqual({ soft: null, hard: 5 })
  expect(limits.orderNotionalUsd.hard).toEqual(new Decimal(25_000))
})

test.each([
  ['order_notional_usd = { soft = 30000 }', 'limits.order_notional_usd has its soft bound over the hard one in force'],
  ['per_symbol.ETH-USD.open_orders = { soft = 6 }\nopen_orders = 5', null],
  ['per_symbol.ETH-USD.order_notional_usd = { soft = 26000 }', 'limits.per_symbol.ETH-USD.order_notional_usd has its'],
  ['withdrawal_day_usd = { soft = 50001 }', 'limits.withdrawal_day_usd has its soft bound over the hard one in force'],
  ['order_notional_usd = { soft = 30000, hard = "none" }', null],
  // A lower hard bound alone makes the standard soft one needless, and is what its owner wants.
  ['order_notional_usd = 500', null],
])('a soft limit over the hard one in force is a mistake: %j', (limits, sentence) => {
  const text = `[profiles.main]\nexchange_base_url = "https://exchange.example/v3"\n[profiles.main.limits]\n${limits}`
  const read = settings({ PITDESK_PROFILE: 'main' }, {}, text)
  if (sentence === null) expect(read.ok).toBe(true)
  else expect(read.ok ? '' : read.error.sentence).toContain(`profile main: ${sentence}`)
})

test.each([
  [{ PITDESK_THEME: 'Pink!' }, {}, 'PITDESK_THEME must be the name of a theme'],
  [{}, { layout: 'wide' }, '--layout must be one of "trade", "ladders", "lists", "chart", "monitor"'],
  [{}, { symbol: '\u001b[31m' }, '--symbol must be a symbol'],
  [{}, { profile: 'mian' }, 'unknown profile "mian", did you mean "main"? There are paper, main, own'],
  [{ PITDESK_API_TOKEN_FILE: 'hunter2' }, {}, 'PITDESK_API_TOKEN_FILE must be the full path'],
  [{ PITDESK_PROFILE: '__proto__' }, {}, 'unknown profile'],
])('%j %j', (environment, flags, sentence) => {
  const read = settings(environment, flags)
  expect(read.ok ? '' : read.error.sentence).toContain(sentence)
  expect(JSON.stringify(read)).not.toContain('hunter2')
})

test.each<[string, object | null]>([
  ['127.0.0.1:9464', { host: '127.0.0.1', port: 9_464 }],
  ['[::1]:65535', { host: '::1', port: 65_535 }],
  ['localhost:0', { host: 'localhost', port: 0 }],
  ...['127.0.0.1', ':9464', '127.0.0.1:65536', 'x127.0.0.1:1', '127.0.0.1:1x', '[::1:1', 'a.b:1'].map(
    (address): [string, null] => [address, null],
  ),
])('a watch listens at an address with its port: %j', (address, listen) => {
  const read = settings({ PITDESK_PROFILE: 'main' }, {}, `[profiles.main]\nwatch_listen = "${address}"`)
  if (listen !== null) expect(read.ok && read.value.watchListen).toEqual(listen)
  else expect(read.ok ? '' : read.error.sentence).toContain('must be an address and a port, such as')
})

test('a wrong file is one sentence that tells how many more there are', () => {
  const read = settings({}, {}, 'a = 1\nb = 2\nc = 3')
  expect(read.ok ? '' : read.error.sentence).toMatch(/config\.toml:1:1: .* \(and 2 more: pitdesk doctor lists them\)$/)
})

/** What is said of a configuration once its folder is as `change` leaves it. */
function afterChange(text: string, change: (folder: string) => void): string {
  const home = temporaryFolder('config')
  mkdirSync(join(home, 'pitdesk'), { mode: 0o700 })
  writeFileSync(join(home, 'pitdesk', 'config.toml'), text)
  change(join(home, 'pitdesk'))
  const read = readSettings({ HOME: home, XDG_CONFIG_HOME: home }, {})
  return read.ok ? '' : read.error.sentence
}

// What moves the address of the exchange, or names a command in whatever spelling, is as good as the key itself.
test.each([
  file,
  '[profiles.a]\nkind = "practice"',
  'default_profile = "a"\n[profiles.a]\nexchange_base_url = "https://evil.example"',
  '[profiles.a]\n"api_token_\\u0063ommand" = "id"',
])('a configuration that others can change, by itself or by its folder, is not read: %j', (text) => {
  expect(afterChange(text, () => undefined)).toBe('')
  for (const mode of [0o664, 0o602, 0o646])
    expect(afterChange(text, (folder) => chmodSync(join(folder, 'config.toml'), mode))).toMatch(
      /config\.toml can be changed by others \(mode 06\d\d\): chmod go-w it$/,
    )
  expect(afterChange(text, (folder) => chmodSync(folder, 0o770))).toMatch(
    /config\.toml is in \/.*\/pitdesk, which others can write to \(mode 0770\): chmod go-w \/.*\/pitdesk$/,
  )
  const linked = afterChange(text, (folder) => {
    mkdirSync(join(folder, 'open'))
    chmodSync(join(folder, 'open'), 0o777)
    renameSync(join(folder, 'config.toml'), join(folder, 'open', 'real.toml'))
    symlinkSync(join('open', 'real.toml'), join(folder, 'config.toml'))
  })
  expect(linked).toMatch(/config\.toml is in \/.*\/open, which others can write to/)
})

test('a configuration of more than 256 KiB is not read', () => {
  const saidOf = (length: number) => {
    const read = settings({}, {}, `# ${'x'.repeat(length - 3)}\n`)
    return read.ok ? '' : read.error.sentence
  }
  expect([saidOf(262_144), saidOf(262_145)]).toEqual(['', expect.stringContaining('is longer than 256 KiB')])
})

test('commands ask for the lock unless the file says otherwise; a variable cannot say it', () => {
  expect(good().lockCommands).toBe('ask')
  expect(good({ PITDESK_PROFILE: 'own' }, {}, `${file}\nlock_commands = "allow"`).lockCommands).toBe('allow')
  expect(settings({ PITDESK_PROFILE: 'own' }, {}, `${file}\nlock_commands = "never"`).ok).toBe(false)
  expect(settings({ PITDESK_LOCK_COMMANDS: 'allow' })).toMatchObject({
    error: { sentence: 'PITDESK_LOCK_COMMANDS sets nothing: lock_commands is set in config.toml only. Unset it.' },
  })
})

test('time without a key: seconds, 0 for never, and nothing where nothing is said', () => {
  expect(good().idleRules).toEqual({})
  const text = `${file}\nsafe_after_s = 60\nlock_after_s = 0`
  expect(good({ PITDESK_PROFILE: 'own' }, {}, text).idleRules).toEqual({ safeAfterMs: 60_000, lockAfterMs: null })
  expect(good({ PITDESK_SAFE_AFTER_S: '30' }).idleRules).toEqual({ safeAfterMs: 30_000 })
  expect(settings({ PITDESK_SAFE_AFTER_S: 'soon' })).toMatchObject({
    ok: false,
    error: { sentence: 'PITDESK_SAFE_AFTER_S must be a whole number from 0 to 86400' },
  })
})

test('a cap for one key and sizes for a symbol or for all, each told of where it is wrong', () => {
  const sizes = '[sizes]\ndefault = ["0.01", "half"]\nbtc-usd = ["$500", "risk $200 stop 60000"]'
  const { entry } = good({}, {}, `[entry]\nconfirm_above_usd = "499.50"\n${sizes}`)
  expect(entry.confirmAboveUsd?.toFixed()).toBe('499.5')
  expect(presetsOf(entry, 'BTC-USD')).toEqual(['$500', 'risk $200 stop 60000'])
  expect(presetsOf(entry, 'ETH-USD')).toEqual(['0.01', 'half'])
  expect(good().entry).toMatchObject({ confirmAboveUsd: null, sizes: new Map() })
  const wrong = (text: string) => {
    const read = settings({}, {}, text)
    return read.ok ? '' : read.error.sentence.replace(/^.*?config\.toml:/, '')
  }
  expect(wrong('[entry]\nconfirm_above_usd = 0')).toMatch(/^2:\d+: entry.confirm_above_usd must be an amount of USD/)
  expect(wrong('[sizes]\nBTC-USD = ["lots"]')).toMatch(/^2:\d+: sizes.BTC-USD must be sizes such as/)
  expect(wrong('[sizes]\ndefault = ["1", "2", "3", "4", "5"]')).toMatch(/must be a list of 1 to 4 sizes/)
})

test('when the legs of a plan swap, within bounds and as usual where nothing is said', () => {
  const swapOf = (text: string) => {
    const { swapNearPercent, swapBackTimes } = good({}, {}, text).entry
    return [swapNearPercent?.toFixed(), swapBackTimes?.toFixed()]
  }
  expect(swapOf('')).toEqual(['0.15', '2'])
  expect(swapOf('[entry]\nplan_near_percent = "0.4"\nplan_back_times = "1.5"')).toEqual(['0.4', '1.5'])
  for (const line of [
    'plan_near_percent = 6',
    'plan_near_percent = "0"',
    'plan_back_times = 1',
    'plan_back_times = "x"',
  ])
    expect(settings({}, {}, `[entry]\n${line}`)).toMatchObject({
      ok: false,
      error: { sentence: expect.stringContaining(' must be from ') },
    })
})

test('sizes for every symbol are held against what a size is, and a name that is no symbol is refused', () => {
  const wrong = (text: string) => {
    const read = settings({}, {}, text)
    return read.ok ? '' : read.error.sentence.replace(/^.*?config\.toml:/, '')
  }
  for (const size of ['lots', '-5', '0', '$', '150%', '1k', 'risk 5'])
    expect([size, wrong(`[sizes]\ndefault = ["${size}"]`)]).toEqual([
      size,
      expect.stringMatching(/^2:\d+: sizes.default must be sizes such as/),
    ])
  for (const size of ['$500', '100 EUR', '0.01', '0.01 BTC', '10%', 'half', 'risk $5 stop 60000'])
    expect([size, wrong(`[sizes]\ndefault = ["${size}"]`)]).toEqual([size, ''])
  for (const name of ['btc', 'BTC-USD-X', '"\\u001b[31m-USD"', '"btc usd-x"'])
    expect([name, wrong(`[sizes]\n${name} = ["0.01"]`)]).toEqual([
      name,
      expect.stringMatching(/^\d:\d+: sizes\.[ -~]* must be called default, or by a symbol such as BTC-USD/),
    ])
  expect(wrong('[sizes]\nbtc-usd = ["1"]\nBTC-USD = ["2"]')).toMatch(/sizes.BTC-USD is there twice/)
  // Nobody reads eight zeros out of it.
  expect(wrong('[entry]\nconfirm_above_usd = "1e9"')).toMatch(
    /^2:\d+: entry.confirm_above_usd must be an amount of USD/,
  )
})

test('--rotate sets rotate_s and shows the wall, unless a layout is given beside it', () => {
  const read = (flags: SettingFlags) => {
    const result = settings({}, flags)
    return result.ok ? [result.value.rotateS, result.value.askedLayout] : result.error.sentence
  }
  expect(read({})).toEqual([0, null])
  expect(read({ rotate: '20' })).toEqual([20, 'monitor'])
  expect(read({ rotate: '20', layout: 'trade' })).toEqual([20, 'trade'])
  expect(read({ rotate: '0' })).toEqual([0, null])
  expect(read({ rotate: 'x' })).toBe('--rotate must be a whole number from 0 to 3600')
})

test('privacy is off unless set', () => {
  const read = settings({ PITDESK_PRIVACY: 'true' })
  expect([settings(), read].map((each) => (each.ok ? each.value.isPrivate : null))).toEqual([false, true])
})

test('orders are taken back after an outage only where that is set, of half a minute at least', () => {
  expect(good().cancelWhenBlindS).toBeNull()
  const set = good({ PITDESK_CANCEL_WHEN_BLIND_S: '30', PITDESK_PROFILE: 'own' })
  expect([set.cancelWhenBlindS, set.cancelWhenBlind]).toEqual([30, 'all'])
  const some = `${file}\ncancel_when_blind_s = 120\ncancel_when_blind = ["BTC-USD", "ETH-USD"]`
  expect(good({ PITDESK_PROFILE: 'own' }, {}, some)).toMatchObject({
    ...{ cancelWhenBlindS: 120, cancelWhenBlind: ['BTC-USD', 'ETH-USD'] },
  })
  const every = ['ALL', ' All ', 'all'].map((scope) => good({ PITDESK_CANCEL_WHEN_BLIND: scope }).cancelWhenBlind)
  expect(every).toEqual(['all', 'all', 'all'])
  expect(settings({ PITDESK_CANCEL_WHEN_BLIND_S: '29' })).toMatchObject({
    ok: false,
    error: { sentence: 'PITDESK_CANCEL_WHEN_BLIND_S must be a whole number from 30 to 86400' },
  })
})

test('sentences instead of a screen: by the file, by its variable, or by the one that other programs know', () => {
  expect(good().isSpoken).toBe(false)
  expect(good({ INK_SCREEN_READER: 'true' }).isSpoken).toBe(true)
  expect(good({ PITDESK_SCREEN_READER: 'true' }).isSpoken).toBe(true)
  expect(good({ PITDESK_SCREEN_READER: 'false', INK_SCREEN_READER: 'true' }).isSpoken).toBe(false)
  expect(good({ PITDESK_PROFILE: 'own' }, {}, `${file}\nscreen_reader = true`).isSpoken).toBe(true)
})

test('whether the command line itself is wrong is said beside the sentence', () => {
  const isTyped = (...given: Parameters<typeof settings>) => {
    const read = settings(...given)
    return read.ok ? null : read.error.isTyped
  }
  expect(isTyped({}, { profile: 'nowhere' }, '')).toBe(true)
  expect(isTyped({ PITDESK_PROFILE: 'nowhere' }, {}, '')).toBe(false)
  expect(isTyped({}, { profile: 'nowhere' }, '= wrong')).toBe(false)
})
