import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../src/base/text/time-text.ts'
import { exitMeanings } from '../../src/commands/cli/exit-codes.ts'
import { commandTable } from '../../src/commands/command-table.ts'
import { alertRows } from '../../src/config/alert-settings.ts'
import { readConfigText } from '../../src/config/config-file.ts'
import { entryRows } from '../../src/config/entry-settings.ts'
import { hubSettingRows, hubVariables } from '../../src/config/hub-settings.ts'
import { inboxSettingRows, inboxTargetRows, usualGiveUpAfter } from '../../src/config/inbox-settings.ts'
import { limitTable, orderLimitRows } from '../../src/config/limit-settings.ts'
import { profileRows } from '../../src/config/profile-settings.ts'
import { variableNames } from '../../src/config/schema.ts'
import type { SettingRows } from '../../src/config/setting-rows.ts'
import { readAlertSentence } from '../../src/domain/alerts/sentence.ts'
import { type FeedRow, feedNames, feeds } from '../../src/domain/desk/feeds.ts'
import { defaultIdleRules, lockAfterDefaultMs } from '../../src/domain/desk/mode.ts'
import { layoutNames } from '../../src/domain/desk/session.ts'
import { type Act, acts, may, type Role, roles } from '../../src/domain/hub/roles.ts'
import { defaultLimits } from '../../src/domain/limits.ts'
import type { Decimal } from '../../src/domain/money.ts'
import { rereadMs, trustedMs } from '../../src/hub/people/directory.ts'
import { usualOverlapMs } from '../../src/hub/people/people.ts'
import { forgetAfterMs, freeTries, longestWaitS } from '../../src/hub/people/try-guard.ts'
import { leaseMs, lookMs, renewMs } from '../../src/inbox/forward/lease.ts'
import { gatewaySources, receiverLimits } from '../../src/inbox/receiver/settings.ts'
import { attemptsKept } from '../../src/inbox/store/forward-store.ts'
import { pages } from '../../src/manual/pages.ts'
import { adminTable } from '../../src/sandbox/admin/verb-table.ts'
import { hangUpMaxMs } from '../../src/services/orders/hang-up.ts'
import { handsOffMs } from '../../src/store/ladder/ladder.ts'
import { readSentence, sentencesOf } from '../../src/store/sentences/sentences.ts'
import { standstillMs } from '../../src/store/time.ts'
import { readThemeFile } from '../../src/themes/read-theme-file.ts'
import { freshMs, longBeatMs, sendBeatMs, surelyFreshMs } from '../../src/ui/console/console.tsx'
import { backMs, pastedMs } from '../../src/ui/keys/input-guard.ts'
import { keymap } from '../../src/ui/keys/keymap.ts'
import { readRebinding } from '../../src/ui/keys/rebinding.ts'
import { actionName } from '../../src/ui/tables/key-bindings.ts'
import { deskState } from '../fakes/desk-state.ts'
import { heldPlan, protectedPlan, somePlans } from '../fakes/plans.ts'
import { allCodes, codes, expectPart, fenced, shownCommands, texts } from './pages.ts'

const all = [...texts.values()].join('\n')
/** A page as one line, wherever its sentences are broken. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

/** Settings as the example of a configuration shows them: each with its value and, behind it, what is said of it. */
const exampleLines = (rows: SettingRows): string =>
  Object.entries(rows)
    .flatMap(([key, { example, says }]) => {
      if (example === undefined) return []
      const line = `${key} = ${example}`
      return says === undefined ? [line] : [`${line.padEnd(48)} # ${says}`]
    })
    .join('\n')

test('the manual shows settings as their table has them, and says which of them no variable sets', () => {
  expectPart('configuration', '[profiles.main]\n', '\n\n', exampleLines(profileRows))
  const alerts = /\[alerts\] .*\n/.exec(pages.configuration)?.[0] ?? '[alerts]'
  expectPart('configuration', alerts, '\n\n', exampleLines(alertRows))
  expectPart('configuration', '[entry]\n', '\n\n', exampleLines(entryRows))
  expectPart('inbox', '[inbox]\n', '\n```', exampleLines(inboxSettingRows))
  expectPart('hub', '[hub]\n', '\n```', exampleLines(hubSettingRows))
  expectPart('inbox', '[[inbox.targets]]\n', '\n```', exampleLines(inboxTargetRows))
  const feedWords = feedNames.map((name) => `\`${name}\``)
  const feedLines = [0, 6, 12, 18].map((at) => feedWords.slice(at, at + 6).join(', ')).filter((line) => line !== '')
  expectPart('configuration', '`queue` is level 3:\n\n- ', '\n\n', feedLines.join('\n- '))
  const fileOnly = Object.keys(profileRows).filter((name) => !variableNames.has(`PITDESK_${name.toUpperCase()}`))
  expect([...fileOnly].sort()).toEqual(['kind', 'limits', 'lock_commands', 'poll_ms'])
  expect(pages.configuration).toContain('in capitals, but `kind`, `limits`, `poll_ms` and `lock_commands` |')
})

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
  // As it is by now: with UPDATE_MANUAL the tests before have written it.
  const page = readFileSync('src/manual/configuration.md', 'utf8')
  for (const name of [
    ...Object.keys(profileRows),
    ...Object.keys(limitTable.shape),
    ...Object.keys(alertRows),
    ...Object.keys(entryRows),
  ])
    expect(page, name).toMatch(new RegExp(`\\b${name}\\b`))
  for (const name of Object.keys({ ...inboxSettingRows, ...inboxTargetRows }))
    expect(pages.inbox, name).toMatch(new RegExp(`\\b${name}\\b`))
  for (const name of Object.keys(hubSettingRows)) expect(pages.hub, name).toMatch(new RegExp(`\\b${name}\\b`))
})

test('the limits that the manual gives are the defaults', () => {
  type Limit = { soft: Decimal | number | null; hard: Decimal | number | null } | number
  const bound = (value: Decimal | number | null) => (value === null ? 'none' : Number(value).toLocaleString('en-US'))
  const shown = (limit: Limit) =>
    typeof limit === 'number' ? String(limit) : `${bound(limit.soft)} / ${bound(limit.hard)}`
  const { practice, live } = defaultLimits
  const row = (key: string, limitOf: (limits: typeof live) => Limit) =>
    `| \`${key}\` | ${shown(limitOf(practice))} | ${shown(limitOf(live))} |`
  const ofOrders = Object.entries(orderLimitRows).map(([key, { name }]) => row(key, (limits) => limits[name]))
  const ofDay = row('withdrawal_day_usd', ({ withdrawals }) => withdrawals.dayUsd)
  const head = '| limit | PRACTICE soft / hard | LIVE soft / hard |\n|---|---|---|\n'
  expectPart('configuration', head, '\n\n', [...ofOrders, ofDay].join('\n'))
})

test('the manual says of every feed how often is asked for it', () => {
  const time = (ms: number) => (ms < 60_000 ? `${ms / 1000} s` : `${ms / 60_000} min`)
  const line = (name: string, first: string, { idleMaxMs, hiddenMs, staleAfterMs }: FeedRow) =>
    `| ${[name, first, `up to ${time(idleMaxMs)}`, time(hiddenMs), time(staleAfterMs)].join(' | ')} |`
  const { book } = feeds
  const named = feedNames.flatMap((name) => {
    const row = feeds[name]
    const auction = name === 'instruments' ? '; 1 s in an auction' : ''
    return row.manualName === null ? [] : [{ row, text: line(row.manualName, time(row.visibleMs) + auction, row) }]
  })
  const [first, ...others] = named
    .toSorted((one, other) => one.row.visibleMs - other.row.visibleMs)
    .map(({ text }) => text)
  const other = line('second ladder', time(book.visibleMs * 2), book)
  expectPart('polling', '|---|---|---|---|---|\n', '\n\n', [first, other, ...others].join('\n'))
})

test('other numbers of the manual are those of the program', () => {
  const seconds = (ms: number) => `${ms / 1000} s`
  const { connections, connectionsEach, strangers, strangersEach, bodyBytes } = receiverLimits
  const count = (value: number) => value.toLocaleString('en-US')
  expect(pages.inbox).toContain(
    `${strangers} connections (${strangersEach} each), listed addresses ${count(connections)} (${count(connectionsEach)} each)`,
  )
  expect(pages.inbox).toContain(`over ${bodyBytes / 1024} KiB`)
  expect(pages.inbox).toContain(`a lease of ${leaseMs / 1_000} s by`)
  expect(pages.inbox).toContain(`renewed every ${renewMs / 1_000} s`)
  expect(pages.inbox).toContain(`when it dies within ${(leaseMs + lookMs) / 1_000} s`)
  expect(oneLine(pages.inbox)).toContain(`with a no ${usualGiveUpAfter} times`)
  expect(pages.inbox).toContain(`the newest ${attemptsKept} of each event`)
  expect(gatewaySources).toHaveLength(5)
  const enter = oneLine(pages.safety)
  expect(enter).toContain(`pressed anew, ${seconds(freshMs)} after the last one`)
  expect(enter).toContain(`Up to ${seconds(surelyFreshMs)} after the last one it waits ${seconds(longBeatMs)}`)
  expect(enter).toContain(`later ${seconds(sendBeatMs)};`)
  expect([pastedMs, standstillMs]).toEqual([1_000, 2_000])
  expect(enter).toContain('For a second after a paste')
  expect(enter).toContain('a standstill** of over 2 s')
  expect(handsOffMs).toBe(10_000)
  expect(oneLine(pages.ladder)).toContain('after ten seconds without a key')
  expect(pages.lists).toContain('a list without a move for 10 s')
  expect(oneLine(pages.ssh)).toContain(`For ${seconds(backMs)} after it returns`)
  expect(defaultIdleRules.live.safeAfterMs).toBe(5 * 60_000)
  expect(oneLine(pages.screen)).toContain('after five minutes without a key')
  expect(pages.locking).toContain(`${lockAfterDefaultMs / 60_000} minutes without a key`)
  expect(hangUpMaxMs).toBe(20_000)
  expect(oneLine(pages.ssh)).toContain('tried again for twenty seconds')
})

test('what the manual says of a hub is so', () => {
  const words: Readonly<Partial<Record<Act, string>>> = {
    ...{ placeOrder: 'place orders', cancelAll: 'cancel all', depositAddress: 'deposit addresses' },
    audit: 'read the audit list',
    settle: 'resolve',
    endPlans: 'end plans',
  }
  const row = (role: Role) =>
    `| \`${role}\` | ${acts
      .filter((act) => may(role, act))
      .map((act) => words[act] ?? act)
      .join(', ')} |`
  expectPart('hub', '| role | may |\n|---|---|\n', '\n\n', roles.map(row).join('\n'))
  const page = oneLine(pages.hub)
  expect(page).toContain(`keeps the old token valid for ${usualOverlapMs / hourMs} h`)
  expect(page).toContain(`reads everything again every ${rereadMs / 1000} s`)
  expect(page).toContain(`continues with the persons it knows for ${trustedMs / minuteMs} min`)
  expect([freeTries, longestWaitS, forgetAfterMs]).toEqual([5, 60, 15 * minuteMs])
  expect(page).toContain('five from one address')
  expect(page).toContain(`up to ${longestWaitS} s. After 15 quiet minutes`)
})

test('every variable that the manual names means something', () => {
  const others = ['PITDESK_PROFILE', 'PITDESK_API_TOKEN', 'PITDESK_PARTNER_KEY', 'PITDESK_NOTIFY_SECRET']
  const named = new Set([...all.matchAll(/PITDESK_[A-Z_]*[A-Z]/g)].map(([name]) => name))
  const inbox = Object.keys(inboxSettingRows).map((name) => `PITDESK_INBOX_${name.toUpperCase()}`)
  const known = [
    ...variableNames.keys(),
    ...inbox,
    ...hubVariables,
    ...others,
    'PITDESK_ADMIN_URL',
    'PITDESK_ADMIN_TOKEN',
  ]
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
    const [, first = '', ...more] = (line.split(' |')[0] ?? '').split(' ')
    const named = (count: number) =>
      commandTable.find(({ name }) => name === [first, ...more.slice(0, count)].join(' '))
    const row = named(2) ?? named(1) ?? named(0)
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
  // The manual's examples resume a plan 1, which is held then.
  const plans = somePlans({ ...protectedPlan(), state: 'held' }, heldPlan())
  const usual = deskState({ practice: { verbs: adminTable, accounts: ['trader'] }, plans })
  // The manual's examples speak of an alert 3.
  const read = readAlertSentence('alert btc-usd > 70000', usual.instruments.value, () => null, '')
  if (!read.ok || read.value.act.kind !== 'watch') throw new Error('not a watch')
  const watch = { ...read.value.act.watch, id: 3, state: { kind: 'unseen' } } as const
  const alerts = { ...usual.alerts, watches: [watch] }
  const state = { ...usual, alerts, screen: { ...usual.screen, layouts: layoutNames } }
  for (const sentence of said) {
    if (names.some((name) => name.startsWith(sentence))) continue
    expect(readSentence(sentence, state), sentence).toMatchObject({ kind: 'understood' })
  }
  const first = new Set([...said, ...codes(pages.palette)].map((sentence) => sentence.split(' ')[0]))
  for (const { starts } of sentencesOf(state))
    expect(starts.length === 0 || starts.some((word) => first.has(word)), starts.join()).toBe(true)
})
