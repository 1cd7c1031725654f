import { expect, test } from 'vitest'
import { readConfigText } from '../../src/config/config-file.ts'
import { allowedAt, linksOf } from '../../src/config/schema.ts'
import { Decimal } from '../../src/domain/money.ts'

const source = { path: '/c/config.toml', home: '/home/ada' }
const issuesOf = (text: string): readonly string[] => {
  const read = readConfigText(text, source)
  return read.ok ? [] : read.issues
}

test('reads a whole profile', () => {
  const read = readConfigText(
    `default_profile = "main"
[profiles.main]
kind = "live"
exchange_base_url = "https://exchange.example/v3"
gateway_base_url = "https://gateway.example"
api_token_file = "~/keys/token"
partner_key_command = ["pass", "show", "partner"]
ca_file = "/etc/ca.pem"
rate_per_second = 8
theme = "dark"
symbol = "eth-usd"
poll_ms = { book = 250 }
[profiles.main.limits]
order_notional_usd = { soft = 1000, hard = "2500.50" }
open_orders = "none"
[profiles.main.limits.per_symbol.btc-usd]
collar_percent = 1`,
    source,
  )
  expect(read.ok).toBe(true)
  const main = read.ok ? read.value.profiles?.main : undefined
  expect(main).toMatchObject({
    kind: 'live',
    exchange_base_url: 'https://exchange.example/v3',
    api_token_file: '/home/ada/keys/token',
    partner_key_command: { kind: 'words', file: 'pass', argv: ['show', 'partner'] },
    rate_per_second: 8,
    symbol: 'ETH-USD',
    poll_ms: { book: 250 },
  })
  expect(main?.limits?.order_notional_usd).toEqual({ soft: new Decimal(1000), hard: new Decimal('2500.5') })
  expect(main?.limits?.open_orders).toEqual({ hard: null })
})

test.each([
  [[]],
  [['alerts']],
  [['inbox']],
  [['profiles', 'a']],
  [['profiles', 'a', 'poll_ms']],
  [['profiles', 'a', 'limits']],
])('every name that is suggested at %j is taken there', (path) => {
  const names = allowedAt(path)
  expect(names.length).toBeGreaterThan(4)
  for (const name of names) {
    const table = path.length === 0 ? '' : `[${path.join('.')}]\n`
    // Of no setting's kind, so that the worst that is said of it is what it must be.
    const issues = issuesOf(`${table}${name} = 1979-05-27`)
    expect({ name, unknown: issues.filter((issue) => issue.includes('there is no')) }).toEqual({ name, unknown: [] })
  }
})

test.each([
  ['[profiles.main]\nkind = "paper"', '/c/config.toml:2:1: profiles.main.kind must be one of "practice", "live"'],
  [
    '[profiles.a]\n  thme = "dark"',
    '/c/config.toml:2:3: unknown setting "thme" in [profiles.a], did you mean "theme"?',
  ],
  ['defalt_profile = "a"', '/c/config.toml:1:1: unknown setting "defalt_profile" at the top of the file, did you mean'],
  ['[profiles.a]\napi_token_file = "keys/x"', '2:1: profiles.a.api_token_file must be the full path of a file'],
  [
    '[profiles.a.limits]\norder_notional_usd = 2500.5',
    '2:1: profiles.a.limits.order_notional_usd must be an amount of USD',
  ],
  ['[profiles.a.limits]\nopen_orders = { hard = -1 }', 'must be a whole number of orders'],
  [
    '[profiles.a.limits]\norder_notional_usd = { soft = 30000, hard = 25000 }',
    '2:1: profiles.a.limits.order_notional_usd must have its soft bound at or below its hard one: otherwise the soft one never applies',
  ],
  ['[profiles.a.limits]\nopen_orders = { soft = 3, hard = 2 }', 'must have its soft bound at or below its hard one'],
  ['[profiles.a.limits.per_symbol.X]\ncollar_percent = { soft = "1.6", hard = "1.5" }', 'must have its soft bound'],
  ['[profiles.a.limits.withdrawal_day]\nBTC = { soft = 2, hard = 1 }', 'must have its soft bound'],
  ['[profiles.a.limits.per_symbol.X]\nper_symbol = 1', 'unknown setting "per_symbol"'],
  ['[profiles.a]\nlimits = 3', '2:1: profiles.a.limits must be a table'],
  ['[profiles.a]\npoll_ms = { bok = 3 }', 'did you mean "book"?'],
  ['[profiles.a]\nrate_per_second = 0', 'must be a whole number from 1 to 1000'],
  ['profiles = 3', '1:1: profiles must be a table'],
  [
    'default_profile = "mian"\n[profiles.main]',
    '1:1: default_profile names no profile of this file, did you mean "main"?',
  ],
  ['[profiles.a]\nkind = "live"', '2:1: a live profile needs its exchange_base_url'],
  ['[profiles.a]\napi_token_file = "/a"\napi_token_command = "b"', '3:1: the token has two sources'],
  [
    '[profiles.a]\npartner_key_command = "b"\npartner_key_file = "/a"',
    '2:1: the key has two sources: keep either partner_key_file or partner_key_command',
  ],
  [
    '[inbox]\nstore = "sqlite:///a"\nstore_command = "b"',
    '2:1: the store of inbox has 2 sources: keep one of store, store_file, store_command',
  ],
  ['[hub]\nstore_file = "/a"\nstore_command = "b"', 'the store of hub has 2 sources: keep one of store, store_file'],
  [
    '[[inbox.targets]]\nname = "ledger"\nurl = "https://l.example"\nsecret_file = "/a"\nsecret_command = "b"',
    '1:3: the secret of the target ledger has two sources: keep either secret_file or secret_command',
  ],
  [
    '[[inbox.targets]]\nname = "l"\nurl = "https://l.example"\nold_secret_file = "/a"\nold_secret_command = "b"',
    'the old secret of the target l has two sources: keep either old_secret_file or old_secret_command',
  ],
  ['[profiles.a\nkind = 1', '/c/config.toml:1:12: is not TOML'],
])('%j', (text, sentence) => {
  const [first = ''] = issuesOf(text)
  expect(first).toContain(sentence)
  expect(first).not.toContain('\n')
})

test('a key written into the file is refused with a sentence that does not repeat it', () => {
  for (const name of ['api_token', 'api-token', 'partner_key', 'token', 'password', 'exchange_secret']) {
    const [first = ''] = issuesOf(`[profiles.a]\n${name} = "hunter2hunter2"`)
    expect(first).toContain('2:1')
    expect(first).toContain('would keep a key in this file')
    expect(first).not.toContain('hunter2')
  }
})

test('no sentence repeats a value, also when the text is not TOML', () => {
  for (const text of [
    'api_token = "hunter2hunter2',
    '[profiles.a]\napi_token_file = "hunter2hunter2"',
    '[profiles.a]\nkind = "hunter2hunter2"',
    '[profiles.a]\nexchange_base_url = ["hunter2hunter2"]',
    '[profiles.a]\napi_token_command = ["pass", 7, "hunter2hunter2"]',
  ]) {
    expect(issuesOf(text)).not.toEqual([])
    expect(issuesOf(text).join()).not.toContain('hunter2')
  }
})

test('every issue is named, in the order of the file', () => {
  const issues = issuesOf('[profiles.a]\nkind = 1\ntheme = 2\nother = 3')
  expect(issues.map((issue) => issue.split(': ')[0])).toEqual(['2', '3', '4'].map((line) => `/c/config.toml:${line}:1`))
})

test('keys for actions keep the place they stand at, one or a list', () => {
  const read = readConfigText('[keys]\nbuy = "B"\n  cursor_down = ["n", "down"]', source)
  expect(read.ok && read.value.keys).toEqual([
    { action: 'buy', keys: ['B'], place: '/c/config.toml:2:1' },
    { action: 'cursor_down', keys: ['n', 'down'], place: '/c/config.toml:3:3' },
  ])
  expect(readConfigText('', source)).toMatchObject({ ok: true, value: { keys: [] } })
  for (const wrong of ['buy = 1', 'buy = []', 'buy = ["a", 2]', 'buy = ""'])
    expect(issuesOf(`[keys]\n${wrong}`)).toEqual([
      '/c/config.toml:2:1: keys.buy must be a key in quotes, such as "b" or "ctrl+b", or a list of keys',
    ])
})

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')
const dots = (count: number) => `a${'.a'.repeat(count)} = 1`

// Each of these once took minutes: places were looked for from the start of the text again and again, and every mistake
// got its sentence.
test.each([
  ['90,000 keys', lines(90_000, (at) => `k${at} = 1`), '1:1: the file has more than 5000 keys'],
  ['400,000 dots', dots(400_000), '1:1: unknown setting "a" at the top of the file'],
  ['400,000 dots in a profile', `[profiles.a]\n${dots(400_000)}`, '2:1: unknown setting "a" in [profiles.a]'],
  ['a table of 400,000 dots', `[a${'.a'.repeat(400_000)}]\n`, '1:2: unknown setting "a"'],
  [
    'keys behind a long name',
    `[profiles.${'x'.repeat(100_000)}]\n${lines(4_000, (at) => `k${at} = 1`)}`,
    '2:1: unknown setting "k0"',
  ],
  ['one long line', `keys = { ${lines(4_000, (at) => `k${at} = "a"`).replaceAll('\n', ', ')} }`, 'at most 300 lines'],
])('a file that is not one a person wrote ends with a sentence, and soon: %s', (_, text, sentence) => {
  const issues = issuesOf(text)
  expect(issues[0]).toContain(sentence)
  expect(issues.length).toBeLessThanOrEqual(101)
  expect(issues.join('').length).toBeLessThan(100_000)
})

test('mistakes past the hundredth are counted', () => {
  const issues = issuesOf(lines(150, (at) => `k${at} = 1`))
  expect(issues).toHaveLength(101)
  expect(issues[99]).toContain('/c/config.toml:100:1: unknown setting "k99"')
  expect(issues[100]).toBe('/c/config.toml: 50 more mistakes')
})

test('a link is an https address with one {hash} behind its host, and nothing else', () => {
  const read = readConfigText(
    '[links]\nbtc = "https://a.example/tx/{hash}"\nETH = "https://b.example/?t={hash}#x"',
    source,
  )
  expect(read.ok && linksOf(read.value.links)).toEqual({
    BTC: 'https://a.example/tx/{hash}',
    ETH: 'https://b.example/?t={hash}#x',
  })
  for (const link of [
    '"http://a.example/{hash}"',
    '"https://a.example/tx"',
    '"https://a.example/{hash}/{hash}"',
    '"https://{hash}.example/"',
    '"https://ada:pw@a.example/{hash}"',
    '"https://a.example/{hash} x"',
    '"https://a.example/{hash}\\u001b]8;;"',
    '"javascript:alert({hash})"',
    '5',
  ])
    expect([link, issuesOf(`[links]\nBTC = ${link}`)]).toEqual([
      link,
      [expect.stringContaining('must be an https address')],
    ])
})

test('two links of one currency, in small letters and capitals, are refused: the later one counted without a word', () => {
  const links = '[links]\nbtc = "https://a.example/tx/{hash}"\nBTC = "https://b.example/tx/{hash}"'
  expect(issuesOf(links)).toEqual([
    expect.stringContaining('links must have one line for a currency: small letters and capitals name the same'),
  ])
})
