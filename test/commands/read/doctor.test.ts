import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startFakeHub } from '../../fakes/fake-hub.ts'
import { recordSome } from '../../history/aids.ts'
import { failureIn, openExchange, openShell, type Shell } from '../harness.ts'

const config = (shell: Shell, text: string) => {
  mkdirSync(join(shell.home, '.config', 'pitdesk'), { recursive: true, mode: 0o700 })
  writeFileSync(join(shell.home, '.config', 'pitdesk', 'config.toml'), text)
}

test('without anything all is well, and nothing is written', async () => {
  const shell = openShell()
  const { code, stdout, stderr } = await shell.run('doctor', { isTerminal: true })
  expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
  // Tests run on whatever Node there is.
  expect(stdout[0]).toMatch(/^(ok {4}node {11}\d|warn {2}node {11}Node .* lacks the security fixes)/)
  expect(stdout.slice(1).every((line) => line.startsWith('ok  '))).toBe(true)
  expect(stdout.join('\n')).toContain('practice: PRACTICE, its own practice exchange')
  expect(stdout.join('\n')).toMatch(/terminal +120x40, colors/)
  expect(shell.files()).toEqual([])
})

test('a recorded history is said with its size', async () => {
  const shell = openShell()
  recordSome(join(shell.home, '.local/state/pitdesk/accounts/practice'))
  const { stdout } = await shell.run('doctor', { isTerminal: true })
  expect(stdout.find((line) => line.includes('history'))).toMatch(
    /^ok {4}history {8}.*history.sqlite, 0\.\d MB: 2 fills, 1 ended orders, 3 bars of 1 symbols$/,
  )
})

test('an exchange that answers, a key that is taken, a clock that agrees', async () => {
  const exchange = await openExchange()
  const shell = openShell({}, exchange.clock)
  const path = join(shell.home, 'token')
  writeFileSync(path, exchange.token('trader'), { mode: 0o600 })
  config(
    shell,
    `[profiles.paper]\nkind = "practice"\nexchange_base_url = "${exchange.sandbox.exchangeUrl}"\napi_token_file = "~/token"\n`,
  )
  const { code, stdout } = await shell.run('doctor --profile paper', { isTerminal: true })
  const text = stdout.join('\n')
  expect(code).toBe(0)
  expect(text).toMatch(/ok +configuration .*profiles paper/)
  expect(text).toMatch(/ok +profile +paper: PRACTICE, http:\/\/127/)
  expect(text).toMatch(/ok +key source +api_token_file/)
  expect(text).toMatch(/ok +connection +answered in \d+ ms/)
  expect(text).toMatch(/ok +key +accepted by the exchange/)
  expect(text).toMatch(/ok +clock/)
  expect(text).not.toContain(exchange.token('trader'))
  chmodSync(path, 0o644)
  const open = await shell.run('doctor --profile paper')
  expect(open.code).toBe(1)
  expect(open.stdout.join('\n')).toMatch(/fail +key source .* has mode 0644.*chmod 600/)
})

test('what fails says what to do, and the exit code tells', async () => {
  const exchange = await openExchange()
  const refused = openShell({ ...exchange.environment(), PITDESK_API_TOKEN: 'hunter2hunter2' }, exchange.clock)
  const { code, stdout, stderr } = await refused.run('doctor')
  expect(code).toBe(1)
  expect(stdout.join('\n')).toMatch(/fail +key /)
  expect(stderr).toHaveLength(1)
  expect([...stdout, ...stderr].join('\n')).not.toContain('hunter2')
})

test('where only the way to the exchange fails, the exit code says so; --json has every finding', async () => {
  const gone = openShell({ PITDESK_EXCHANGE_BASE_URL: 'http://127.0.0.1:9/v3', PITDESK_API_TOKEN: 'key' })
  const run = async (line: string) => {
    const running = gone.start(line)
    await running.until(() => running.ran.code !== -1)
    return running.ended
  }
  const lines = await run('doctor')
  expect({ code: lines.code, stderr: lines.stderr }).toEqual({
    code: 5,
    stderr: ['pitdesk doctor: 1 check fails: see above.'],
  })
  const ran = await run('doctor --json')
  expect({ code: ran.code, ...failureIn(ran) }).toMatchObject({
    code: 5,
    kind: 'unreachable',
    message: expect.stringMatching(/^connection: /),
  })
  const { findings } = JSON.parse(ran.stdout[0] ?? '')
  expect(findings).toContainEqual({ level: 'fail', about: 'connection', text: expect.any(String) })
  const well = await openShell().run('doctor --json', { isTerminal: true })
  expect(well.code).toBe(0)
  expect(JSON.parse(well.stdout[0] ?? '')).toContainEqual({ level: 'ok', about: 'terminal', text: expect.any(String) })
})

test('every issue of the file, odd variables, and folders that are open to others', async () => {
  const shell = openShell({ PITDESK_API_TOKN: 'hunter2' })
  config(shell, 'a = 1\nb = 2')
  const { code, stdout } = await shell.run('doctor')
  const text = stdout.join('\n')
  expect(code).toBe(1)
  expect(text).toMatch(/fail +configuration .*config\.toml:1:1/)
  expect(text).toMatch(/fail +configuration .*config\.toml:2:1/)
  expect(text).toMatch(
    /fail +environment +PITDESK_API_TOKN is not a variable of pitdesk, did you mean PITDESK_API_TOKEN\?/,
  )
  expect(text).toMatch(/warn +terminal/)
  expect(text).not.toContain('hunter2')
  chmodSync(join(shell.home, '.config', 'pitdesk'), 0o777)
  const open = (await shell.run('doctor')).stdout.join('\n')
  expect(open).toMatch(
    /fail +file modes +the config folder \/.* can be written to by others \(mode 0777\): chmod go-w it/,
  )
  expect(open).toMatch(/fail +configuration +\/.*config\.toml is in \/.*, which others can write to \(mode 0777\)/)
})

test('settings of the inbox are settings', async () => {
  const shell = openShell({ PITDESK_INBOX_PORT: '4021', PITDESK_INBOX_STORE: 'sqlite:///x', PITDESK_ORCHARD: '1' })
  const lines = (await shell.run('doctor')).stdout.filter((line) => / {2}environment {2}/.test(line))
  expect(lines).toEqual(['warn  environment    unknown variable PITDESK_ORCHARD: ignored'])
})

test('a terminal that is too small, and an exchange without a key or an address that is none', async () => {
  const small = await openShell().run('doctor', { isTerminal: true, columns: 39 })
  expect(small.code).toBe(1)
  expect(small.stdout.join('\n')).toMatch(/fail +terminal +39x40 is too small: the desk needs 80x24/)
  const compact = await openShell().run('doctor', { isTerminal: true, columns: 60 })
  expect(compact.stdout.join('\n')).toMatch(/warn +terminal +60x40 has room for a compact ladder/)
  const keyless = await openShell({ PITDESK_EXCHANGE_BASE_URL: 'https://exchange.example' }).run('doctor')
  expect(keyless.stdout.join('\n')).toMatch(/fail +exchange +no key for environment/)
  const gateway = await openShell({ PITDESK_GATEWAY_BASE_URL: 'https://ada:hunter2@gateway.example' }).run('doctor')
  expect(gateway.stdout.join('\n')).toMatch(/fail +gateway +gateway_base_url: .*user name/)
  expect(gateway.stdout.join('\n')).not.toContain('hunter2')
  const plain = await openShell({ PITDESK_EXCHANGE_BASE_URL: 'http://exchange.example', PITDESK_API_TOKEN: 'x' }).run(
    'doctor',
  )
  expect(plain.stdout.join('\n')).toMatch(/fail +exchange +environment: plain http/)
})

test('keys that clash are named with both actions and the place in the file, and the console does not start', async () => {
  const shell = openShell()
  config(shell, '[keys]\nbuy = "s"\ncentr = "C"\n')
  const { code, stdout } = await shell.run('doctor', { isTerminal: true })
  expect(code).toBe(1)
  const text = stdout.join('\n')
  expect(text).toMatch(/fail +keys .*config\.toml:2:1: keys\.buy and keys\.sell both want s on the ladder/)
  expect(text).toMatch(/fail +keys .*config\.toml:3:1: keys has no action "centr", did you mean "center"\?/)
  const desk = await shell.run('desk', { isTerminal: true })
  expect(desk.code).toBe(1)
  expect(desk.stderr.join()).toContain('did you mean "center"? (and 1 more: pitdesk doctor lists them)')
})

test('a reader that has had enough is no failure; a signal from the keyboard still ends it as one', async () => {
  const exchange = await openExchange()
  const shell = openShell(exchange.environment(), exchange.clock)
  const piped = shell.start('doctor')
  piped.breakOutput('EPIPE')
  expect(await piped.ended).toMatchObject({ code: 0, stderr: [] })
  const stopped = shell.start('doctor')
  stopped.signal('SIGINT')
  expect((await stopped.ended).code).toBe(130)
})

test('the files of the secrets of targets and of the store are looked at, and where telemetry goes, without a key', async () => {
  const collector = 'https://collector.example/key-in-path'
  const shell = openShell({ OTEL_EXPORTER_OTLP_ENDPOINT: collector, OTEL_METRICS_EXPORTER: 'none' })
  const folder = join(shell.home, '.config', 'pitdesk')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const [open, safe] = ['open', 'safe'].map((name) => join(folder, name))
  writeFileSync(`${open}`, 'x', { mode: 0o644 })
  writeFileSync(`${safe}`, 'x', { mode: 0o600 })
  const target = `name = "ledger"\nurl = "https://ledger.example"\nsecret_file = "${safe}"\nold_secret_file = "${open}"`
  const text = `[inbox]\nstore_file = "${safe}"\n[[inbox.targets]]\n${target}\n`
  writeFileSync(join(folder, 'config.toml'), text, { mode: 0o600 })
  const { code, stdout } = await shell.run('doctor', { isTerminal: true })
  expect(code).toBe(1)
  const lines = stdout.filter((line) => /key source|telemetry/.test(line))
  expect(lines).toEqual([
    `ok    key source     store_file of [inbox]: ${safe}`,
    `ok    key source     secret_file of the target ledger: ${safe}`,
    expect.stringMatching(/^fail {2}key source {5}old_secret_file of the target ledger: .* has mode 0644.*chmod 600/),
    'ok    telemetry      traces of the inbox: collector.example',
  ])
  const wrong = openShell({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example' })
  const failed = await wrong.run('doctor', { isTerminal: true })
  expect(failed.stdout.join()).toMatch(/fail +telemetry +OTEL_EXPORTER_OTLP_ENDPOINT would send/)
})

test('a hub is told of by name and role, and each of its further addresses is checked', async () => {
  const exchange = await openExchange()
  const hub = await startFakeHub({ exchangeUrl: exchange.sandbox.exchangeUrl, clock: exchange.clock, role: 'viewer' })
  const also = 'https://hub2.example/v3'
  const shell = openShell(
    { ...exchange.environment(), PITDESK_EXCHANGE_BASE_URL: hub.url, PITDESK_EXCHANGE_ALSO: also },
    exchange.clock,
  )
  const { code, stdout } = await shell.run('doctor', { isTerminal: true })
  const text = stdout.join('\n')
  expect(code).toBe(0)
  expect(text).toMatch(/ok +profile +also at https:\/\/hub2\.example\/v3, not asked/)
  expect(text).toMatch(/ok +hub +via hub as ann \(viewer\), account desk: read only, the desk is MONITOR/)
  hub.become('trader', { dayUsd: 'much' })
  expect((await shell.run('doctor')).stdout.join('\n')).toMatch(
    /warn +hub +the hub does not say .*: the answer is not understood: field "limits\.dayUsd" must be an amount of USD/,
  )
  const plain = openShell({ ...exchange.environment(), PITDESK_EXCHANGE_ALSO: 'http://hub2.example' }, exchange.clock)
  const refused = (await plain.run('doctor')).stdout.join('\n')
  expect(refused).toMatch(/fail +profile +exchange_also: plain http would send the key to hub2\.example/)
  expect(refused).toMatch(/fail +exchange +environment: exchange_also: plain http/)
})
