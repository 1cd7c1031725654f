import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readConfigText } from '../../src/config/config-file.ts'
import { readSettings } from '../../src/config/settings.ts'
import { messageKinds } from '../../src/domain/notify/message.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

const read = (variables: Record<string, string>) => {
  const settings = readSettings({ HOME: temporaryFolder('notify-settings'), ...variables }, {})
  return settings.ok ? settings.value.notify : settings.error.sentence
}

test('without a word nothing is told', () => {
  expect(read({})).toMatchObject({
    command: null,
    url: null,
    heartbeat: null,
    quiet: null,
    digestMs: 0,
    hasAmounts: true,
  })
})

test('what is set comes together, with every kind unless some are named', () => {
  const notify = read({
    PITDESK_NOTIFY_COMMAND: 'cat',
    PITDESK_NOTIFY_COMMAND_KINDS: 'end, fill',
    PITDESK_NOTIFY_COMMAND_INPUT: 'json',
    PITDESK_NOTIFY_URL: 'https://hooks.example/x#part',
    PITDESK_NOTIFY_SECRET_COMMAND: 'pass show x',
    PITDESK_NOTIFY_AMOUNTS: 'false',
    PITDESK_NOTIFY_DIGEST_S: '90',
    PITDESK_NOTIFY_QUIET: '22:30-07:00',
    PITDESK_NOTIFY_ZONE: 'Europe/Vienna',
    PITDESK_NOTIFY_URGENT: 'transfer',
    PITDESK_HEARTBEAT_URL: 'http://127.0.0.1:9/beat',
    PITDESK_HEARTBEAT_S: '30',
    PITDESK_HEARTBEAT_METHOD: 'POST',
  })
  expect(notify).toEqual({
    command: { line: { kind: 'shell', line: 'cat' }, input: 'json', kinds: new Set(['fill', 'end']) },
    url: {
      address: new URL('https://hooks.example/x'),
      secret: {
        kind: 'command',
        name: 'PITDESK_NOTIFY_SECRET_COMMAND',
        command: { kind: 'shell', line: 'pass show x' },
      },
      kinds: new Set(messageKinds),
    },
    hasAmounts: false,
    digestMs: 90_000,
    quiet: { fromMinute: 1_350, toMinute: 420, zone: 'Europe/Vienna' },
    urgent: new Set(['transfer']),
    heartbeat: { address: new URL('http://127.0.0.1:9/beat'), everyMs: 30_000, method: 'POST' },
  })
})

test.each([
  [
    'URL',
    'http://hooks.example/k3y',
    'would send what your account does over plain http to another machine: use https',
  ],
  ['URL', 'https://ada:k3y@hooks.example', 'must not carry a user name or password'],
  ['URL', 'k3y', 'must be an address such as https://hooks.example/desk'],
  ['URL_KINDS', 'fill,fills', 'must be a list of "fill", "end"'],
  ['QUIET', '22-7', 'must be two times of the day, such as "22:00-07:00"'],
  ['ZONE', 'Europe/Vienne', 'must be a time zone'],
  ['DIGEST_S', '-1', 'must be a whole number from 0 to 86400'],
  ['COMMAND_INPUT', 'xml', 'must be one of "text", "json"'],
])('PITDESK_NOTIFY_%s = %s is refused in a sentence that does not repeat it', (name, value, sentence) => {
  const error = read({ [`PITDESK_NOTIFY_${name}`]: value })
  expect(error).toContain(`PITDESK_NOTIFY_${name} ${sentence}`)
  expect(JSON.stringify(error)).not.toContain('k3y')
})

test('in the file a secret is refused, and so are two sources of one', () => {
  const issues = (text: string) => {
    const file = readConfigText(`[profiles.a]\n${text}`, { path: 'config.toml', home: '/home/ada' })
    return file.ok ? [] : file.issues
  }
  expect(issues('notify_secret = "k3y"')[0]).toMatch(/would keep a key in this file.*notify_secret_file/)
  expect(issues('notify_secret = "k3y"')[0]).not.toContain('k3y')
  expect(issues('notify_secret_file = "/a"\nnotify_secret_command = "b"')).toEqual([
    'config.toml:3:1: the secret has two sources: keep either notify_secret_file or notify_secret_command',
  ])
  expect(issues('notify_url_kinds = []\nnotify_command = ["mail", "ada"]')).toEqual([])
})

test('quiet hours without a zone are those of the machine, and of UTC where its TZ is empty', () => {
  const path = new URL('../../src/config/notify-settings.ts', import.meta.url).href
  const zoneUnder = (zone: string) => {
    const script = `import { notifySettingsOf } from '${path}'
      const quiet = { fromMinute: 0, toMinute: 60 }
      process.stdout.write(notifySettingsOf({ notify_quiet: quiet }, null).quiet.zone)`
    const environment = { ...process.env, TZ: zone }
    return execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: environment, encoding: 'utf8' })
  }
  expect(['', 'Europe/Vienna'].map(zoneUnder)).toEqual(['UTC', 'Europe/Vienna'])
})
