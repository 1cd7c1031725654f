import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createOutput } from '../../../src/base/process/output.ts'
import type { CommandRow } from '../../../src/commands/cli/command.ts'
import { completionScript } from '../../../src/commands/cli/completions.ts'
import { otherWords } from '../../../src/commands/cli/other-words.ts'
import { runProgram } from '../../../src/commands/cli/program.ts'
import { commandTable } from '../../../src/commands/command-table.ts'
import { sentenceReaders } from '../../../src/store/sentences/sentences.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { quietIo } from '../../fakes/quiet-io.ts'
import { openShell } from '../harness.ts'

describe('help', () => {
  test('the program and every command have a page that names all there is', async () => {
    const shell = openShell()
    const all = await shell.run('--help')
    expect(all.code).toBe(0)
    for (const row of commandTable) {
      expect(all.stdout.join('\n')).toContain(`  ${row.name}`)
      const page = await shell.run(`${row.name} --help`)
      expect(page).toMatchObject({ code: 0, stderr: [] })
      expect(page.stdout.join('\n')).toContain(`Usage: pitdesk ${row.name}`)
      for (const { name } of row.flags) expect(page.stdout.join('\n')).toContain(`--${name}`)
      expect(Math.max(...page.stdout.map((line) => line.length))).toBeLessThanOrEqual(120)
    }
    expect((await shell.run('order --help')).stdout.join('\n')).toContain('pitdesk order cancel-all')
    expect(shell.files()).toEqual([])
  })

  test('no command has a flag for a key', () => {
    const names = commandTable.flatMap(({ flags }) => flags.map(({ name }) => name))
    // Those that sound like it: a name of the person's own for a withdrawal, and a file.
    expect(names.filter((name) => /token|key|secret|pass/.test(name))).toEqual(['key', 'tls-key', 'tls-key', 'new-key'])
  })
})

test('a read whose rest a signal cuts off is not done, and says so; what was done keeps its code', async () => {
  const rowOf = (name: string, did?: string): CommandRow => ({
    ...{ kind: 'parsed', name, summary: name, words: '', wordsMax: 0, flags: [], notes: [] },
    load: async () => async (_given, io) => {
      await io.print('the first of many lines')
      return did === undefined ? { code: 0 } : { code: 0, did }
    },
  })
  const rows = [rowOf('look'), rowOf('act', 'Order 5 is placed.')]
  const ends = async (name: string) => {
    const [ended, clock, said] = [new AbortController(), new FakeClock(), [] as string[]]
    // Its reader takes nothing.
    const output = createOutput({ write: () => new Promise(() => undefined), close: () => Promise.resolve() })
    const io = {
      ...quietIo({}, ended.signal),
      ...{ output, print: (line: string) => output.write(`${line}\n`) },
      printError: (line: string) => void said.push(line),
    }
    const tools = { clock, random: () => 0, randomBytes: Buffer.alloc, isOwnProcess: false }
    const running = runProgram([name], io, tools, '1.2.3', rows)
    ended.abort('SIGTERM')
    await clock.reached(2_000)
    await clock.advance(2_000)
    return [await running, said.join(' ')]
  }
  const cut = 'stdout not written: its reader had not taken all of it when SIGTERM came'
  expect(await ends('look')).toEqual([143, `pitdesk look: ${cut}`])
  expect(await ends('act')).toEqual([0, expect.stringContaining(`pitdesk act: ${cut}. Order 5 is placed.`)])
})

test('every first word of the palette is answered in a shell too', async () => {
  const shell = openShell()
  const firsts = new Set(commandTable.map(({ name }) => name.split(' ')[0]))
  for (const word of sentenceReaders.flatMap(({ starts }) => starts)) {
    if (firsts.has(word)) continue
    const { code, stderr } = await shell.run(word)
    expect([word, code, stderr.join(' ')]).toEqual([word, 2, expect.stringMatching(/did you mean|palette/)])
  }
})

test('the words of people lead to command lines that there are, and are none themselves', () => {
  const names = commandTable.map(({ name }) => name)
  for (const [typed, meant] of Object.entries(otherWords)) {
    expect(
      names.filter((name) => name === typed || name.startsWith(`${typed} `) || name.endsWith(` ${typed}`)),
    ).toEqual([])
    for (const line of meant) {
      if (line === '--version') continue
      const row = commandTable.findLast(({ name }) => line === name || line.startsWith(`${name} `))
      const rest = line.slice(row?.name.length ?? 0).trim()
      const known = [...(row?.wordChoices ?? []), ...(row?.flags ?? []).map(({ name }) => `--${name}`)]
      expect([typed, row?.kind, rest === '' || known.includes(rest)]).toEqual([typed, expect.any(String), true])
    }
  }
})

test.each([
  ['--version', 0, '1.2.3'],
  ['ordrs', 2, 'unknown command "ordrs", did you mean "orders"?'],
  [
    'order plce',
    2,
    'unknown command "order plce", did you mean "place"? Use place, cancel, cancel-all, show, drafts, draft, send, discard: see pitdesk',
  ],
  [
    'order frob',
    2,
    'unknown command "order frob". Use place, cancel, cancel-all, show, drafts, draft, send, discard: see pitdesk order --help.',
  ],
  ['order', 2, 'order needs one of place, cancel, cancel-all, show, drafts, draft, send, discard'],
  [
    'cancel 12',
    2,
    'Nothing was canceled: unknown command "cancel", did you mean "pitdesk order cancel" or "pitdesk plan',
  ],
  ['cancel-all', 2, 'Nothing was canceled: unknown command "cancel-all", did you mean "pitdesk order cancel-all"?'],
  ['halt now', 2, 'NOT halted: unknown command "halt", did you mean "pitdesk hub halt" or "pitdesk firm halt"?'],
  [
    'halt',
    2,
    'Without a hub, pitdesk order cancel-all --every-symbol cancels every working order (asks), and a desk is halted by its key K.',
  ],
  [
    'panic',
    2,
    'Nothing was canceled: unknown command "panic", did you mean "pitdesk order cancel-all --every-symbol" or "pitdesk firm halt"? See pitdesk --help.',
  ],
  ['Withdraw btc 0.1 --to x', 2, 'unknown command "Withdraw", did you mean "withdraw"? See pitdesk --help.'],
  ['Positions', 2, 'unknown command "Positions", did you mean "pitdesk pnl"? See pitdesk --help.'],
  ['version', 2, 'unknown command "version", did you mean "pitdesk --version"?'],
  ['constructor', 2, 'unknown command "constructor". See pitdesk --help.'],
  ['order list', 2, 'unknown command "order list", did you mean "pitdesk orders"? Use place, cancel,'],
  [
    'order edit 12',
    2,
    'Nothing was canceled: unknown command "order edit", did you mean "pitdesk order cancel" or "pitdesk order place"?',
  ],
  ['plan stop 3', 2, 'unknown command "plan stop", did you mean "pitdesk plan cancel"?'],
  ['help order-place', 2, 'unknown subject or command "order-place", did you mean "pitdesk help order place"?'],
  ['help plan place', 0, 'Usage: pitdesk plan add KIND'],
  ['plan place --help', 0, 'Usage: pitdesk plan add KIND'],
  ['plan place frob', 2, 'pitdesk plan add: a plan reads: bracket buy 0.1 btc'],
  [
    'orders cancel 12',
    2,
    'Nothing was canceled: unknown command "orders cancel", did you mean "pitdesk order cancel"?',
  ],
  ['orders place buy 1 btc', 2, 'unknown command "orders place", did you mean "pitdesk order place"? See pitdesk'],
  [
    'theme light',
    2,
    `"theme" is not a command, but a line of the desk's palette. Open the desk with pitdesk, press : and type it`,
  ],
  ['alert btc 70000', 2, 'press : and type it, e.g. alert btc-usd > 70000. See'],
  ['flip', 2, 'unknown command "flip", did you mean "pitdesk order place"?'],
  ['buy 1 btc', 2, 'unknown command "buy", did you mean "pitdesk order place buy"? See pitdesk --help.'],
  ['order buy', 2, 'unknown command "order buy", did you mean "pitdesk order place buy"? Use place,'],
  ['firm halt a key --is lost', 2, 'NOT halted: unknown flag --is. See pitdesk firm halt --help.'],
  ['firm halt', 2, 'NOT halted: the reason is missing: pitdesk firm halt "REASON"'],
  [
    'order cancel-all BTC-USD',
    2,
    'Nothing was canceled: it takes only flags; a symbol goes after --symbol, and --every-symbol is for all.',
  ],
  [
    'order place buy 0.1 --symbol btc',
    2,
    'unknown flag --symbol, did you mean "pitdesk order place SIDE QUANTITY SYMBOL"?',
  ],
  ['order cancel-all --all', 2, 'Nothing was canceled: unknown flag --all, did you mean "--every-symbol"?'],
  [
    'order cancel all',
    2,
    '"all" is not an order id, a whole number that pitdesk orders shows: nothing was canceled. All orders of',
  ],
  ['frobnicate', 2, 'unknown command "frobnicate". See pitdesk --help.'],
  ['\u001b[31mred', 2, 'unknown command "[31mred"'],
  ['fills --symbl BTC-USD', 2, 'unknown flag --symbl, did you mean "--symbol"?'],
  // Half of its letters are others.
  ['orders --foo', 2, 'unknown flag --foo. See pitdesk orders --help.'],
  ['orders -from 2026-01-01', 2, 'unknown flag -f'],
  ['fills --symbol', 2, '--symbol needs SYMBOL after it'],
  ['fills --from-exec 10 --to-exec 9', 2, '--from-exec is after --to-exec'],
  ['fills --symbol --all', 2, '--symbol needs SYMBOL after it'],
  ['fills --all=3', 2, '--all takes no value'],
  ['fills --all --all', 2, '--all is given twice'],
  ['fills --token hunter2', 2, 'no flag takes a key'],
  ['order place buy -1 BTC-USD --market', 2, '-1: a quantity must be above zero'],
  ['order place buy -.5 BTC-USD --market', 2, '-.5: a quantity must be above zero'],
  ['withdraw BTC -0.01 --to x', 2, '-0.01: an amount must be above zero'],
  ['order cancel -5', 2, '-5: a number must be above zero'],
  ['plan add bracket buy -0.1 btc 64000', 2, '-0.1: a quantity must be above zero'],
  ['plan add bracket buy 0.1 btc -64000 stop 63000', 2, '-64000: a number must be above zero'],
  ['order place buy . BTC-USD --market --dry-run', 2, 'the quantity must be a plain number, such as 0.05'],
  ['order place buy 1 BTC-USD --limit . --dry-run', 2, '--limit must be a plain number, such as 0.05'],
  ['order cancel -x', 2, 'unknown flag -x'],
  ['withdrawals 1 2', 2, 'too many words: it takes [ID] and flags'],
  ['withdrawals 1 --from 7d', 2, 'an id shows that one alone: no times go with it'],
  ['deposits 1 --to 2026-01-01', 2, 'an id shows that one alone: no times go with it'],
  ['withdraw btc 0.1 --to x --approval --dry-run', 2, '--approval goes with --draft: the approver approves that draft'],
  ['withdraw btc 0.1 --to x --approval --yes', 2, '--approval goes with --draft'],
  ['withdraw btc 0.1 --to x --draft --dry-run', 2, 'use --draft or --dry-run, not both'],
  ['withdraw btc 0.1 --to x --draft --accept fee', 2, '--accept goes with what is sent: a draft is checked anew'],
  ['deposits ""', 2, 'pitdesk deposits: an empty word: it takes [ID]'],
  ['order send ""', 2, 'pitdesk order send: an empty word'],
  ['plan show ""', 2, 'pitdesk plan show: an empty word: it takes PLAN'],
  ['order place buy 1 BTC-USD at 60k', 2, 'and flags; a price goes after --limit or --stop'],
  ['withdraw btc 0.01 to wl-1', 2, 'and flags; the beneficiary goes after --to'],
  ['desk --theme pink', 2, '--theme: unknown theme "pink" (there are auto, dark, light, '],
  ['--layout wide', 2, '--layout must be one of trade, ladders, lists, chart, monitor'],
  ['--profile main orders', 2, 'pitdesk: put the command first: pitdesk orders --profile main'],
  ['--json orders --limit 5', 2, 'pitdesk: put the command first: pitdesk orders --json --limit 5'],
  ['--json --symbol BTC-USD orders', 2, 'put the command first: pitdesk orders --json --symbol BTC-USD'],
  ['--yes order place buy 1 BTC-USD --market', 2, 'pitdesk order place --yes buy 1 BTC-USD --market'],
  ['order --yes place buy 1 BTC-USD --market', 2, 'pitdesk order place --yes buy 1 BTC-USD --market'],
  ['--monitor desk', 2, 'put the command first: pitdesk desk --monitor'],
  ['--json inbox ls', 2, 'put the command first: pitdesk inbox ls --json'],
  ['--json inbox', 2, 'put the command first: pitdesk inbox …'],
  ['--json sandbox admin reset', 2, 'put the command first: pitdesk sandbox admin …'],
  ['--profile main orders --help', 2, 'put the command first: pitdesk orders --profile main'],
  ["--profile it's orders", 2, String.raw`put the command first: pitdesk orders --profile 'it'\''s'`],
  // What no flag takes may be a key: it is not repeated.
  ['--token hunter2 orders', 2, 'no flag takes a key'],
  ['--token=hunter2 orders', 2, 'put the command first: pitdesk orders …'],
  ['--profile orders --foo', 2, 'pitdesk desk: unknown flag --foo'],
  ['--profile main ordrs', 2, 'pitdesk desk: it takes only flags'],
  ['desk', 1, 'the desk needs a terminal'],
  ['desk --profile nobody', 2, 'unknown profile "nobody"'],
  ['orders --profile nobody', 2, 'unknown profile "nobody"'],
  ['completions tcsh', 2, 'unknown shell "tcsh": bash, zsh, fish'],
])('%j', async (line, code, sentence) => {
  const ran = await openShell().run(line)
  expect(ran.code).toBe(code)
  expect([...ran.stdout, ...ran.stderr].join('\n')).toContain(sentence)
  expect(ran.stderr.join('\n')).not.toMatch(/hunter2|\n|\u001b/)
})

/** What a command line that could not be read says on stdout, as JSON. */
const told = async (line: string, options = {}) => {
  const { code, stdout, stderr } = await openShell().run(line, options)
  expect(code).toBe(2)
  expect(stderr).toHaveLength(1)
  return stdout.map((text) => JSON.parse(text).error.kind)
}

test.each([
  'oders --json',
  'order plac --json',
  'order --json',
  'lock --json',
  'inbox --json',
  'completions tcsh --json',
  'desk --json',
  'sandbox --json',
  'sandbox admin frob --json',
])('with --json wrong usage is one object on stdout, before a command is known too: %s', async (line) => {
  expect(await told(line)).toEqual(['usage'])
  expect(await told(line, { isTerminal: true })).toEqual(['usage'])
})

test('in a pipe wrong usage is JSON where the command, or one it may have been, prints JSON there', async () => {
  for (const line of ['oders', 'order', 'order plac', 'inbox', 'sandbox admin frob', 'orders now'])
    expect(await told(line)).toEqual(['usage'])
  for (const line of ['lock', 'lock frob', 'completions tcsh', 'sandbox --frob', 'oders --csv', 'order --csv'])
    expect(await told(line)).toEqual([])
  for (const line of ['oders', 'order', 'order plac', 'inbox'])
    expect(await told(line, { isTerminal: true })).toEqual([])
})

test('the manual names every command that prints no JSON in a pipe, and which of them takes --json', async () => {
  const page = readFileSync('src/manual/scripting.md', 'utf8').replace(/\s+/g, ' ')
  const [, need = '', none = ''] = /needs `--json`: ([^.]+)\. These take no `--json`, [^:]+: ([^.]+)\./.exec(page) ?? []
  const namesIn = (list: string) =>
    [...list.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).filter((name) => !name.startsWith('--'))
  const silent: { name: string; isTaken: boolean }[] = []
  for (const { name, flags } of commandTable)
    if ((await told(`${name} --frob`)).length === 0)
      silent.push({ name, isTaken: flags.some((each) => each.name === 'json') })
  const isOf = (command: string) => (name: string) => command === name || command.startsWith(`${name} `)
  for (const [named, isTaken] of [
    [namesIn(need), true],
    [namesIn(none), false],
  ] as const) {
    const those = silent.filter((each) => each.isTaken === isTaken).map(({ name }) => name)
    expect(those.filter((command) => !named.some(isOf(command)))).toEqual([])
    expect(named.filter((name) => !those.some((command) => isOf(command)(name)))).toEqual([])
  }
})

describe('completions', () => {
  const script = (shell: string) => {
    const made = completionScript(shell, commandTable)
    if (!made.ok) throw new Error(made.error)
    return made.value
  }

  /** What bash offers after these words, the last of which is being typed. */
  function offered(...words: string[]): string[] {
    const typed = words.map((word) => `'${word}'`).join(' ')
    const run = `COMP_WORDS=(pitdesk ${typed}); COMP_CWORD=${words.length}; _pitdesk; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', `${script('bash')}\n${run}`], { encoding: 'utf8' })
      .split('\n')
      .filter((each) => each !== '')
  }

  test('bash offers commands, verbs, flags and values', () => {
    expect(offered('ord')).toEqual(['orders', 'order'])
    expect(offered('order', 'ca')).toEqual(['cancel', 'cancel-all'])
    expect(offered('order', 'place', '--')).toEqual(expect.arrayContaining(['--limit', '--tif', '--dry-run', '--help']))
    expect(offered('order', 'place', '--tif', 'G')).toEqual(['GTC', 'GTD'])
    expect(offered('orders', '--st')).toEqual(['--status'])
    expect(offered('orders', '--status', 'C')).toEqual(['CANCELED'])
    // Bash gives the = of --status=C as a word of its own.
    expect(offered('orders', '--status', '=', 'C')).toEqual(['CANCELED'])
    expect(offered('orders', '--status', '=')).toEqual(expect.arrayContaining(['OPEN', 'FILLED']))
    expect(offered('order', 'place', '--accept', 'soft')).toEqual(['soft-limit'])
    expect(offered('order', 'place', '--accept', '=', 'soft-limit,un')).toEqual(['soft-limit,unusual-size'])
    expect(offered('withdraw', '--accept', 'new')).toEqual(['new-beneficiary'])
    expect(offered('sandbox', '')).toEqual(expect.arrayContaining(['admin', '--port']))
    expect(offered('completions', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']))
    expect(offered('')).toEqual(expect.arrayContaining(['desk', 'withdraw', '--version']))
  })

  test('zsh and fish complete each value of a list with commas, and a flag of one value as one', () => {
    expect(script('zsh')).toMatch(/ {4}"order place --accept"\) compset -P '\*,'; compadd -- .*\bsoft-limit\b/)
    expect(script('zsh')).toMatch(/ {4}"order place --tif"\) compadd -- GTC /)
    expect(script('fish')).toMatch(/ -l accept -x -a '\(__pitdesk_list .*\bsoft-limit\b.*\)' -d /)
    expect(script('fish')).toMatch(/ -l tif -x -a 'GTC /)
  })

  test('a flag has the values of its own command, and where any value will do no flag is offered as one', () => {
    expect(offered('sandbox', '--market', 'o')).toEqual(['on', 'off'])
    expect(offered('order', 'place', 'buy', '1', 'BTC-USD', '--market', 'o')).toEqual([])
    expect(offered('order', 'place', 'buy', '1', 'BTC-USD', '--market', '--dry')).toEqual(['--dry-run'])
    expect(offered('watch', '--status', '')).toContain('--json')
    expect(offered('--theme', 'd')).toEqual(['dark'])
    for (const line of [
      ['withdraw', 'btc', '1', '--to'],
      ['orders', '--from'],
      ['inbox', 'serve', '--store'],
    ])
      expect(offered(...line, '')).toEqual([])
    expect(script('zsh')).not.toMatch(/"order place --market"/)
    expect(script('zsh')).toMatch(/"withdraw --to".*\) return ;;/)
    expect(script('fish')).toMatch(/__pitdesk_at order place' -l market -d /)
    expect(script('fish')).toMatch(/__pitdesk_at sandbox' -l market -x -a 'on off' -d /)
    for (const [shell, files] of [
      ['bash', 'compopt -o default; return'],
      ['zsh', '_files; return'],
    ] as const)
      expect(script(shell)).toContain(`"inbox serve --tls-cert"|"inbox serve --tls-key") ${files}`)
    expect(script('fish')).toContain(' -l tls-cert -r -F -d ')
  })

  test('fish offers the verbs of a noun until one is typed, and not those of a word beside it', () => {
    expect(script('fish')).toContain("complete -c pitdesk -n '__pitdesk_at order' -a cancel-all ")
    expect(script('fish')).toContain("complete -c pitdesk -n '__pitdesk_at hub user' -a add ")
    expect(script('fish')).not.toContain('__fish_seen_subcommand_from')
  })

  test('zsh and fish are told of every command and flag, with quotes that close', () => {
    for (const shell of ['zsh', 'fish']) {
      const text = script(shell)
      for (const row of commandTable) {
        expect(text).toContain(row.name.split(' ').at(-1))
        for (const { name } of row.flags) expect(text).toContain(shell === 'zsh' ? `--${name}:` : `-l ${name}`)
      }
      for (const line of text
        .replaceAll("'\\''", '')
        .split('\n')
        .filter((each) => !each.startsWith('#'))) {
        expect((line.match(/'/g) ?? []).length % 2).toBe(0)
      }
    }
  })
})

describe('what is not needed is not loaded', () => {
  /** Every module and package that a module pulls in at once, types aside. */
  function loads(start: string): Set<string> {
    const seen = new Set<string>()
    const visit = (path: string) => {
      if (seen.has(path)) return
      seen.add(path)
      const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
      for (const [statement, target = ''] of text.matchAll(
        /^(?:import|export)\s[^'"]*?\bfrom '([^']+)'|^import '([^']+)'/gm,
      )) {
        if (/^(import|export) type/.test(statement)) continue
        if (target.startsWith('.')) visit(normalize(`${dirname(path)}/${target}`))
        else seen.add(target)
      }
    }
    visit(start)
    return seen
  }
  const heavy = (path: string) => [...loads(path)].filter((name) => /^(ink|react|fastify|undici|zod)/.test(name))

  test('the start loads none of the libraries, a read only the client, a write no screen and no server', () => {
    expect(heavy('src/main.tsx')).toEqual([])
    for (const name of [
      'read/orders',
      'read/market',
      'read/account',
      'write/order-place',
      'write/order-cancel',
      'write/withdraw',
      'read/doctor',
    ]) {
      const found = heavy(`src/commands/${name}.ts`)
      expect(found).toContain('undici')
      expect(found.filter((each) => !['undici', 'zod'].includes(each))).toEqual([])
    }
    // A watch is a desk without a screen.
    expect(new Set(heavy('src/commands/watch/watch.ts'))).toEqual(new Set(['undici', 'zod']))
    // What speaks to a collector is loaded where one is named.
    const served = [...loads('src/commands/inbox/serve.ts')]
    expect(served.length).toBeGreaterThan(100)
    expect(served.filter((each) => each.startsWith('@opentelemetry'))).toEqual([])
    expect([...loads('src/inbox/telemetry/open-telemetry.ts')]).toContain('@opentelemetry/core')
    // A desk begins its practice exchange before it loads what draws, and draws before it loads the client.
    expect(heavy('src/commands/desk.ts')).toEqual(['zod'])
    // The reader of imports finds what is there.
    expect(heavy('src/desk/screen/on-screen.ts')).toContain('ink')
    expect(heavy('src/desk/screen/on-screen.ts')).not.toContain('undici')
  })
})
