import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fetchKey, type KeySource } from '../../src/config/key-source.ts'
import { FakeClock, settle } from '../fakes/fake-clock.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

function tools(clock = new FakeClock()) {
  const said: string[] = []
  const ended = new AbortController()
  const environment = { PATH: process.env.PATH, PITDESK_API_TOKEN: 'other-key' }
  return { environment, clock, signal: ended.signal, say: (line: string) => said.push(line), said, ended }
}

/** The key in plain, or the sentence. */
async function outcome(source: KeySource, use = tools()): Promise<string> {
  const key = await fetchKey(source, use)
  return key.ok ? `key ${key.value.reveal()}` : key.error
}

const shell = (line: string): KeySource => ({
  kind: 'command',
  name: 'api_token_command',
  command: { kind: 'shell', line },
})

test('a key file is taken with mode 0600 or stricter, and with no other', async () => {
  const path = join(temporaryFolder('keys'), 'token')
  const source: KeySource = { kind: 'file', name: 'api_token_file', path }
  writeFileSync(path, 'hunter2\n', { mode: 0o600 })
  expect(await outcome(source)).toBe('key hunter2')
  for (const mode of [0o640, 0o604, 0o660, 0o644, 0o700, 0o601]) {
    chmodSync(path, mode)
    const sentence = await outcome(source)
    expect(sentence).toContain(`api_token_file: ${path} has mode 0${mode.toString(8)}`)
    expect(sentence).toContain('chmod 600')
    expect(sentence).not.toContain('hunter2')
  }
})

test('a key file in a folder that others can write to is refused: it may be another one tomorrow', async () => {
  const home = temporaryFolder('keys')
  const path = join(home, 'keys', 'token')
  mkdirSync(join(home, 'keys'))
  writeFileSync(path, 'hunter2\n', { mode: 0o600 })
  chmodSync(join(home, 'keys'), 0o770)
  const sentence = await outcome({ kind: 'file', name: 'api_token_file', path })
  expect(sentence).toContain(`is in ${join(home, 'keys')}, which others can write to (mode 0770): chmod go-w`)
  expect(sentence).not.toContain('hunter2')
})

test('what is no key file is refused by name', async () => {
  const home = temporaryFolder('keys')
  const file = (path: string): KeySource => ({ kind: 'file', name: 'api_token_file', path })
  expect(await outcome(file(join(home, 'none')))).toContain('does not exist')
  mkdirSync(join(home, 'dir'), { mode: 0o700 })
  expect(await outcome(file(join(home, 'dir')))).toContain('is not a plain file')
  writeFileSync(join(home, 'empty'), ' \n', { mode: 0o600 })
  expect(await outcome(file(join(home, 'empty')))).toContain('the key is empty')
  writeFileSync(join(home, 'two'), 'hunter2\nhunter3\n', { mode: 0o600 })
  const two = await outcome(file(join(home, 'two')))
  expect(two).toContain('more than one line')
  expect(two).not.toContain('hunter')
})

test('a command gives its first line; words need no shell', async () => {
  expect(await outcome(shell('echo hunter2; echo more'))).toBe('key hunter2')
  const words = { kind: 'words', file: process.execPath, argv: ['-e', 'console.log("a;$HOME")'] } as const
  expect(await outcome({ kind: 'command', name: 'api_token_command', command: words })).toBe('key a;$HOME')
})

test('a command gets what it needs to run and to ask, and none of the secrets around it', async () => {
  const use = tools()
  const kept = {
    ...{ HOME: '/h', PATH: process.env.PATH ?? '', LANG: 'C', LC_ALL: 'C', DISPLAY: ':0', XDG_RUNTIME_DIR: '/run/1' },
    ...{ GPG_TTY: '/dev/pts/1', GNUPGHOME: '/g', SSH_AUTH_SOCK: '/s', PASSWORD_STORE_DIR: '/p', VAULT_TOKEN: 'v' },
  }
  const dropped = {
    ...{ PITDESK_API_TOKEN: 'hunter2', PITDESK_PARTNER_KEY: 'hunter2', PITDESK_INBOX_STORE: 'hunter2' },
    ...{ PITDESK_ADMIN_TOKEN: 'hunter2', PGPASSWORD: 'hunter2', GITHUB_TOKEN: 'hunter2', DATABASE_URL: 'hunter2' },
    ...{ NODE_OPTIONS: '--inspect', npm_config__authToken: 'hunter2', LD_PRELOAD: '' },
  }
  const source = shell('env | sort | grep -v -e ^PWD= -e ^_= -e ^SHLVL= | base64 -w0')
  const got = await outcome(source, { ...use, environment: { ...dropped, ...kept } })
  const lines = Buffer.from(got.slice('key '.length), 'base64').toString().trim().split('\n')
  expect(lines.toSorted()).toEqual(
    Object.entries(kept)
      .map(([name, value]) => `${name}=${value}`)
      .toSorted(),
  )
})

test('what a command says is told without control characters and without the key', async () => {
  const use = tools()
  expect(await outcome(shell("echo hunter2; printf 'touch \\033[31mthe key\\nit is hunter2\\n' >&2"), use)).toBe(
    'key hunter2',
  )
  expect(use.said).toEqual(['touch [31mthe key', 'it is •••'])
})

test.each([
  ['exit 3', 'api_token_command: the command ended with 3 and gave no key'],
  ['true', "the first line of the command's output is not a key: the key is empty"],
  ['echo two words', "the first line of the command's output is not a key"],
])('%s', async (line, sentence) => {
  expect(await outcome(shell(line))).toContain(sentence)
})

test('a program that is not there is said to be so', async () => {
  const command = { kind: 'words', file: '/nowhere/pass', argv: [] } as const
  expect(await outcome({ kind: 'command', name: 'api_token_command', command })).toContain(
    'could not be started (ENOENT)',
  )
})

test('a command that takes too long is ended, and so is one nobody waits for any more', async () => {
  const clock = new FakeClock()
  const late = outcome(shell('exec sleep 1000'), tools(clock))
  await clock.advance(60_000)
  expect(await late).toContain('gave no key within 60 s')
  const use = tools()
  const given = outcome(shell('exec sleep 1000'), use)
  await settle()
  use.ended.abort()
  expect(await given).toContain('was ended before it gave a key')
})
