import { expect, test } from 'vitest'
import { readConfigText } from '../../src/config/config-file.ts'
import { inboxSettingsOf } from '../../src/config/inbox-settings.ts'

const read = (text: string, environment: Record<string, string> = {}) => {
  const file = readConfigText(text, { path: 'config.toml', home: '/home/desk' })
  return file.ok ? inboxSettingsOf(file.value.inbox, { HOME: '/home/desk', ...environment }) : file
}

test('the table names all of it, and variables count before it', () => {
  const text = `[inbox]
port = 4443
metrics_port = 9100
host = "0.0.0.0"
tls_cert = "~/cert.pem"
tls_key = "/etc/key.pem"
allow = ["10.0.0.0/8"]
trust_proxy = ["10.1.1.1", "fd00::/8"]
store_file = "~/store.address"
forward = "http://127.0.0.1:8080/events"
retention_days = 90`
  const environment = { PITDESK_INBOX_PORT: '4444', PITDESK_INBOX_ALLOW: '192.0.2.1, 192.0.2.2' }
  expect(read(text, environment)).toEqual({
    ok: true,
    value: expect.objectContaining({
      host: '0.0.0.0',
      port: 4444,
      metricsPort: 9100,
      tls: { certPath: '/home/desk/cert.pem', keyPath: '/etc/key.pem' },
      allow: ['192.0.2.1', '192.0.2.2'],
      trustProxies: ['10.1.1.1', 'fd00::/8'],
      store: { kind: 'file', name: 'store_file of [inbox]', path: '/home/desk/store.address' },
      forward: 'http://127.0.0.1:8080/events',
      retentionDays: 90,
    }),
  })
})

test('nothing set is nothing', () => {
  expect(read('')).toMatchObject({ ok: true, value: { port: null, tls: null, allow: [], store: null } })
})

test('two variables that name a store are refused, as two settings are: one would be gone without a word', () => {
  const environment = { PITDESK_INBOX_STORE: 'sqlite:///a', PITDESK_INBOX_STORE_FILE: '/etc/hunter2' }
  expect(read('', environment)).toEqual({
    ok: false,
    error:
      'the store of inbox has 2 sources: keep one of PITDESK_INBOX_STORE, PITDESK_INBOX_STORE_FILE, ' +
      'PITDESK_INBOX_STORE_COMMAND',
  })
})

test('the address of the store by a variable, before the file', () => {
  const environment = { PITDESK_INBOX_STORE: 'postgres://desk:secret@db/inbox' }
  expect(read('[inbox]\nstore_command = "cat x"', environment)).toMatchObject({
    ok: true,
    value: { store: { kind: 'variable', name: 'PITDESK_INBOX_STORE' } },
  })
})

test.each([
  ['[inbox]\nstore = "postgres://desk:hunter2@db/inbox"', 'inbox.store would keep a password in this file'],
  ['[inbox]\nstore = "postgres://db/inbox?password=hunter2"', 'inbox.store would keep a password in this file'],
  ['[inbox]\ntls_cert = "/etc/cert.pem"', 'inbox needs both of tls_cert and tls_key'],
  ['[inbox]\nretention_days = 3', 'inbox.retention_days must be a whole number from 30 to 3650'],
  ['[[inbox.targets]]\n'.repeat(21), 'inbox.targets must be 20 targets at most'],
  ['[inbox]\nport = 70000', 'inbox.port must be a whole number from 0 to 65535'],
  ['[inbox]\nallow = "x"\nprot = 1', 'unknown setting "prot" in [inbox]'],
])('%s is refused', (text, sentence) => {
  const file = readConfigText(text, { path: 'config.toml', home: '/home/desk' })
  const issues = file.ok ? [] : file.issues
  expect(issues.join('\n')).toContain(sentence)
  expect(issues.join('\n')).not.toContain('hunter2')
})

test('a variable that is wrong is named', () => {
  expect(read('', { PITDESK_INBOX_PORT: 'x' })).toEqual({
    ok: false,
    error: 'PITDESK_INBOX_PORT must be a whole number from 0 to 65535',
  })
})

test('no variable sets a target', () => {
  const environment = { PITDESK_INBOX_TARGETS: '[{"name":"a","url":"https://evil.example"}]' }
  expect(read('', environment)).toMatchObject({ ok: true, value: { targets: [] } })
})
