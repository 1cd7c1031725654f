import { describe, expect, test } from 'vitest'
import { argumentsOf, verbName } from '../../../src/domain/desk/practice-verb.ts'
import { adminTable } from '../../../src/sandbox/admin/verb-table.ts'
import { newStateHome, openAdministered, runAdmin } from './admin-command.ts'

describe('wrong usage is one sentence that names the argument, and exit code 2', () => {
  test.each([
    ['', 'noun and verb missing'],
    ['orders', 'unknown noun "orders"'],
    ['symbol', '"symbol" needs one of status, auction, add'],
    ['symbol delist BTC-USD', '"symbol" needs one of status, auction, add'],
    ['symbol status BTC-USD', 'STATUS is missing (its status: open'],
    ['symbol status BTC-USD shut', 'STATUS must be one of open'],
    ['symbol status BTC-USD --status shut', '--status must be one of open'],
    ['symbol status --symbol', '--symbol needs SYMBOL after it'],
    ['symbol status --symbol --status halt', '--symbol needs SYMBOL after it'],
    ['symbol status BTC-USD halt now', 'too many arguments'],
    ['symbol status BTC-USD halt --symbol ETH-USD', 'too many arguments'],
    ['symbol status BTC-USD halt --rate 1', 'unknown flag --rate. See pitdesk sandbox admin symbol status --help.'],
    ['symbol status BTC-USD halt --status open --status halt', '--status is given twice'],
    ['symbol auction LTC-USD 2561', 'HHMM (--time) must be a time of day'],
    ['symbol add SOLBTC', 'BASE-COUNTER (--symbol) must be two currencies'],
    ['symbol add SOL-BTC', '--min-price-increment is missing'],
    ['symbol add SOL-BTC --min-price-increment 0.0', '--min-price-increment must be above 0'],
    ['symbol add SOL-BTC --min-price-increment 1e-3', '--min-price-increment must be a plain number'],
    ['account add alice --two-factor=yes', '--two-factor takes no value'],
    ['key verify first', 'KEY-ID must be a whole number'],
    ['deposit start trader BTC', 'AMOUNT is missing'],
    ['deposit start trader BTC much', 'AMOUNT must be an amount above 0'],
    ['deposit start trader BTC 0', 'AMOUNT must be an amount above 0'],
    ['fault latency soon', 'TIME (--ms) must be a time'],
    ['fault latency 0.5ms', 'TIME (--ms) must be a time'],
    ['fault drop --rate 1.5', '--rate must be a number from 0 to 1'],
    ['fault drop --when during', '--when must be one of before, after'],
    ['fault status 200', 'STATUS must be a whole number from 400 to 599'],
    ['fault malformed odd', 'FORM must be one of garbled, truncated'],
    ['fault off all', 'KIND must be one of latency'],
    ['reset now', 'too many arguments'],
    ['reset --colour red', 'unknown flag --colour'],
    ['reset --admin-port 0', '--admin-port must be a whole number'],
    ['reset --admin-port x', '--admin-port must be a whole number'],
  ])('%s', async (line, sentence) => {
    const ran = await runAdmin(line === '' ? [] : line.split(' '), { XDG_STATE_HOME: newStateHome() })
    expect(ran.exitCode).toBe(2)
    expect(ran.complained).toContain(sentence)
    expect(ran.complained).not.toContain('\n')
    expect(JSON.parse(ran.printed).error.kind).toBe('usage')
  })

  test('what is typed by mistake is repeated without what a terminal would obey', async () => {
    const { complained } = await runAdmin(['\u001b[2Jsymbol'], { XDG_STATE_HOME: newStateHome() })
    expect(complained).toContain('unknown noun "[2Jsymbol"')
  })
})

describe('--help', () => {
  const help = async (...words: string[]) => {
    const ran = await runAdmin([...words, '--help'], { XDG_STATE_HOME: newStateHome() })
    expect([ran.exitCode, ran.complained]).toEqual([0, ''])
    return ran.printed
  }

  test('of everything names every command with what it does', async () => {
    const page = await help()
    for (const row of adminTable) expect(page).toMatch(new RegExp(`^ {2}${verbName(row)}.* {2}`, 'm'))
    const words = page.replaceAll(/\s+/g, ' ')
    for (const row of adminTable) expect(words).toContain(row.summary)
  })

  test.each([...new Set(adminTable.map(({ noun }) => noun))])(
    'of %s tells how each of its verbs is used',
    async (noun) => {
      const page = await help(noun)
      for (const row of adminTable.filter((each) => each.noun === noun)) {
        expect(page).toContain(`pitdesk sandbox admin ${verbName(row)}`)
        for (const { name } of row.flags) expect(page).toContain(`--${name}`)
      }
    },
  )

  test.each(adminTable)('of $noun $verb explains every flag, and its example is well formed', async (row) => {
    const page = await help(...verbName(row).split(' '))
    for (const { name, meaning } of argumentsOf(row)) {
      expect(page).toContain(`--${name}`)
      expect(page).toContain(meaning)
    }
    const example = /^Example: pitdesk sandbox admin (.*)$/m.exec(page)?.[1] ?? ''
    const argv = [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '')
    const ran = await runAdmin(argv, { XDG_STATE_HOME: newStateHome() })
    expect(ran.complained).toContain('no practice exchange is running')
    expect(Math.max(...page.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120)
  })

  test('of a verb names the exit codes that it has', async () => {
    const page = (await help('reset')).replaceAll(/\s+/g, ' ')
    expect(page).toContain(
      'Exit codes: 0 done, and seen to be so; 1 any other failure; 2 wrong usage; 128 + n ended by signal n. No flag',
    )
  })

  test('of key add says that the token is printed once', async () => {
    expect(await help('key', 'add')).toContain('The token is shown this once')
  })
})

test('a time without a unit is taken for ms, and that is said', async () => {
  const { environment } = await openAdministered()
  const said = async (line: string) => (await runAdmin(line.split(' '), environment)).complained
  expect(await said('fault latency 3')).toBe('TIME 3 is 3 ms.')
  expect(await said('fault latency --ms 3 --path /l2/*')).toBe('--ms 3 is 3 ms.')
  expect(await said('fault latency 3s')).toBe('')
})
