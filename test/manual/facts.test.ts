import { expect, test } from 'vitest'
import { commandTable } from '../../src/commands/cli/command-table.ts'
import { exitMeanings } from '../../src/commands/cli/exit-codes.ts'
import { alertNames } from '../../src/config/alert-settings.ts'
import { readConfigText } from '../../src/config/config-file.ts'
import { inboxNames } from '../../src/config/inbox-settings.ts'
import { orderLimitNames } from '../../src/config/limit-settings.ts'
import { feedNames, profileNames, variableNames } from '../../src/config/schema.ts'
import { staleAfterMs } from '../../src/domain/desk/feeds.ts'
import { defaultIdleRules, lockAfterDefaultMs } from '../../src/domain/desk/mode.ts'
import { layoutNames } from '../../src/domain/desk/session.ts'
import { defaultLimits } from '../../src/domain/limits.ts'
import type { Decimal } from '../../src/domain/money.ts'
import { gatewaySources, receiverLimits } from '../../src/inbox/receiver/settings.ts'
import { pages } from '../../src/manual/pages.ts'
import { adminTable } from '../../src/sandbox/admin/verb-table.ts'
import { hangUpMaxMs } from '../../src/services/orders/order-entry.ts'
import { paces } from '../../src/services/polling/poll-interval.ts'
import { readSentence, sentencesOf } from '../../src/store/palette/sentences.ts'
import { readThemeFile } from '../../src/themes/read-theme-file.ts'
import { freshMs, longBeatMs, sendBeatMs, surelyFreshMs } from '../../src/ui/console/input.ts'
import { backMs } from '../../src/ui/keys/input-guard.ts'
import { keymap } from '../../src/ui/keys/keymap.ts'
import { readRebinding } from '../../src/ui/keys/read-rebinding.ts'
import { actionName } from '../../src/ui/overlays/palette/palette-actions.ts'
import { deskState } from '../fakes/desk-state.ts'
import { allCodes, codes, fenced, shownCommands, texts } from './pages.ts'

const all = [...texts.values()].join('\n')
/** A page as one line, wherever its sentences are broken. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

test('the configurations that the manual shows are some, and together they name every setting', () => {
  const read = [...texts].flatMap(([path, text]) =>
    fenced(text, 'toml').map((shown) => {
      const file = readConfigText(shown.join('\n'), { path, home: '/home/ada' })
      if (!file.ok) throw new Error(file.issues.join('\n'))
      return file.value
    }),
  )
  const example = read.find((file) => file.default_profile === 'paper')
  expect(readRebinding(example?.keys ?? [])).toMatchObject({ ok: true })
  const page = pages.configuration
  for (const name of [...profileNames, ...orderLimitNames, ...alertNames])
    expect(page, name).toMatch(new RegExp(`\\b${name}\\b`))
  for (const name of feedNames) expect(page, name).toContain(`\`${name}\``)
  for (const name of inboxNames) expect(pages.inbox, name).toMatch(new RegExp(`\\b${name}\\b`))
})

test('the limits that the manual gives are the defaults', () => {
  const shown = (value: Decimal | number | null) => (value === null ? 'none' : Number(value).toLocaleString('en-US'))
  const { practice, live } = defaultLimits
  const row = (
    name: string,
    bounds: (limits: typeof live) => { soft: Decimal | number | null; hard: Decimal | number | null },
  ) => {
    const [first, second] = [bounds(practice), bounds(live)].map(({ soft, hard }) => `${shown(soft)} / ${shown(hard)}`)
    return `| \`${name}\` | ${first} | ${second} |`
  }
  for (const line of [
    row('order_notional_usd', (limits) => limits.orderNotionalUsd),
    row('day_notional_usd', (limits) => limits.dayNotionalUsd),
    row('open_orders', (limits) => limits.openOrders),
    row('collar_percent', (limits) => limits.collarPercent),
    row('withdrawal_day_usd', (limits) => limits.withdrawals.dayUsd),
    `| \`duplicate_within_ms\` | ${practice.duplicateWithinMs} | ${live.duplicateWithinMs} |`,
  ])
    expect(pages.configuration).toContain(line)
})

test.each([
  ['book, and level 3 where shown', 'book'],
  ['orders', 'orders'],
  ['fills', 'fills'],
  ['tickers, all in one call', 'tickers'],
  ['balances', 'balances'],
  ['withdrawals', 'withdrawals'],
  ['deposits', 'deposits'],
  ['rules and status of symbols', 'instruments'],
  ['whitelist', 'whitelist'],
  ['fees', 'fees'],
] as const)('the manual says how often is asked for %s', (name, feed) => {
  const time = (ms: number) => (ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} min`)
  const { visibleMs, idleMaxMs, hiddenMs } = paces[feed]
  const auction = feed === 'instruments' ? '; 1 s in an auction' : ''
  const row = [
    name,
    `${time(visibleMs)}${auction}`,
    `up to ${time(idleMaxMs)}`,
    time(hiddenMs),
    time(staleAfterMs[feed]),
  ]
  expect(pages.polling).toContain(`| ${row.join(' | ')} |`)
})

test('other numbers of the manual are those of the program', () => {
  const seconds = (ms: number) => `${ms / 1000} s`
  const { connections, connectionsEach, strangers, strangersEach, bodyBytes } = receiverLimits
  const count = (value: number) => value.toLocaleString('en-US')
  expect(pages.inbox).toContain(
    `${strangers} connections (${strangersEach} each), listed addresses ${count(connections)} (${count(connectionsEach)} each)`,
  )
  expect(pages.inbox).toContain(`over ${bodyBytes / 1024} KiB`)
  expect(gatewaySources).toHaveLength(5)
  const enter = oneLine(pages.safety)
  expect(enter).toContain(`pressed anew, ${seconds(freshMs)} after the last one`)
  expect(enter).toContain(`Up to ${seconds(surelyFreshMs)} after the last one it waits ${seconds(longBeatMs)}`)
  expect(enter).toContain(`later ${seconds(sendBeatMs)};`)
  expect(oneLine(pages.ssh)).toContain(`For ${seconds(backMs)} after it returns`)
  expect(defaultIdleRules.live.safeAfterMs).toBe(5 * 60_000)
  expect(oneLine(pages.screen)).toContain('after five minutes without a key')
  expect(pages.locking).toContain(`${lockAfterDefaultMs / 60_000} minutes without a key`)
  expect(hangUpMaxMs).toBe(20_000)
  expect(oneLine(pages.ssh)).toContain('tried again for twenty seconds')
})

test('every variable that the manual names means something', () => {
  const others = ['PITDESK_PROFILE', 'PITDESK_API_TOKEN', 'PITDESK_PARTNER_KEY']
  const named = new Set([...all.matchAll(/PITDESK_[A-Z_]*[A-Z]/g)].map(([name]) => name))
  const inbox = inboxNames.map((name) => `PITDESK_INBOX_${name.toUpperCase()}`)
  const known = [...variableNames.keys(), ...inbox, ...others, 'PITDESK_ADMIN_URL', 'PITDESK_ADMIN_TOKEN']
  expect([...named].filter((name) => !known.includes(name))).toEqual([])
})

test('every command has a place in the manual, with flags that it takes', () => {
  const unnamed = commandTable.filter(
    ({ name }) =>
      !all.includes(`pitdesk ${name}`) && !allCodes.some((code) => code === name || code.startsWith(`${name} `)),
  )
  expect(unnamed.map(({ name }) => name)).toEqual([])
  const inText = allCodes.filter((code) => code.startsWith('pitdesk ') && !code.startsWith('pitdesk help'))
  for (const line of [...shownCommands.map((shown) => shown.line), ...inText]) {
    if (line.startsWith('pitdesk sandbox admin')) continue
    const [, first = '', second = ''] = (line.split(' |')[0] ?? '').split(' ')
    const row = commandTable.find(({ name }) => name === `${first} ${second}` || name === first)
    expect(row !== undefined || first === '--help', line).toBe(true)
    const names = row?.flags.map(({ name }) => name) ?? ['help']
    for (const [, flag] of line.matchAll(/ --([a-z-]+)/g)) expect(names, line).toContain(flag)
  }
})

test('the manual says of every exit code what the help of commands says, and the word that JSON has for it', () => {
  const [, table = ''] = pages.scripting.split('| code | `kind` | meaning |\n|---|---|---|\n')
  const rows = (table.split('\n\n')[0] ?? '').replaceAll('**', '').split('\n')
  expect(rows).toEqual(
    exitMeanings.map(({ code, kind, happened, money }) => {
      const word = kind === null ? '' : ` \`${kind}\``
      const told = money === null ? happened : `${happened}: ${money}`
      return expect.stringContaining(`| ${code} |${word} | ${told}`)
    }),
  )
})

test('the theme that the manual shows is one', () => {
  const [example = []] = fenced(pages.configuration, 'json')
  expect(readThemeFile(example.join('\n'), 'configuration.md')).toMatchObject({ ok: true, value: { name: 'evening' } })
})

test('what the manual says behind `:` is understood, on a desk with a practice gateway', () => {
  const inText = allCodes.flatMap((code) => (code.startsWith(': ') ? [code.slice(2)] : []))
  const inBlocks = [...texts.values()]
    .flatMap((text) => fenced(text, ''))
    .filter((block) => !/[│┃]/.test(block.join('')))
    .flatMap((block) => block.map((line) => line.split(/ {3,}/)[0] ?? ''))
  const said = [...inText, ...inBlocks].filter((line) => line !== '')
  for (const sentence of ['gateway advance 5f0c failed', 'practice clock advance 73h', 'alert btc-usd > 70000'])
    expect(said).toContain(sentence)
  // The first words of what a key does are understood as that; the rest is a sentence.
  const names = keymap.map(actionName)
  const usual = deskState({ practice: { verbs: adminTable, accounts: ['trader'] } })
  const state = { ...usual, screen: { ...usual.screen, layouts: layoutNames } }
  for (const sentence of said) {
    if (names.some((name) => name.startsWith(sentence))) continue
    expect(readSentence(sentence, state), sentence).toMatchObject({ kind: 'understood' })
  }
  const first = new Set([...said, ...codes(pages.palette)].map((sentence) => sentence.split(' ')[0]))
  for (const { starts } of sentencesOf(state))
    expect(
      starts.some((word) => first.has(word)),
      starts.join(),
    ).toBe(true)
})
