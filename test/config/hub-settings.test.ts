import { expect, test } from 'vitest'
import { readConfigText } from '../../src/config/config-file.ts'
import { hubSettingsOf, hubVariables } from '../../src/config/hub-settings.ts'

function read(text: string, environment: Record<string, string> = {}) {
  const file = readConfigText(text, { path: 'config.toml', home: '/home/desk' })
  return file.ok ? hubSettingsOf(file.value.hub, { HOME: '/home/desk', ...environment }) : file
}

test('the store of a hub is named by a variable, else by the file; nothing names one by itself', () => {
  expect(read('')).toEqual({ ok: true, value: { store: null } })
  expect(read('[hub]\nstore_file = "~/hub.address"')).toEqual({
    ok: true,
    value: { store: { kind: 'file', name: 'store_file of [hub]', path: '/home/desk/hub.address' } },
  })
  const text = 'postgres://hub:sesame@db/hub'
  expect(read('[hub]\nstore_command = "cat x"', { PITDESK_HUB_STORE: text, PITDESK_INBOX_STORE: 'x' })).toEqual({
    ok: true,
    value: { store: { kind: 'variable', name: 'PITDESK_HUB_STORE', text } },
  })
  expect(read('', { PITDESK_HUB_STORE_COMMAND: 'cat x' })).toMatchObject({
    value: { store: { kind: 'command', name: 'PITDESK_HUB_STORE_COMMAND' } },
  })
  expect(hubVariables).toContain('PITDESK_HUB_STORE_FILE')
})

test('two variables that name a store are refused', () => {
  const answer = read('', { PITDESK_HUB_STORE: 'postgres://hub:hunter2@db/hub', PITDESK_HUB_STORE_COMMAND: 'cat x' })
  expect(answer).toMatchObject({ ok: false, error: expect.stringContaining('the store of hub has 2 sources') })
  expect(JSON.stringify(answer)).not.toContain('hunter2')
})

test.each([
  ['[hub]\nstore = "postgres://hub:hunter2@db/hub"', 'hub.store would keep a password in this file'],
  ['[hub]\nstore = "postgres://db/hub?password=hunter2"', 'PITDESK_HUB_STORE'],
  ['[hub]\nstor = "postgres://db/hub"', 'unknown setting "stor" in [hub]'],
  ['[hub]\nstore_file = "hub.address"', 'hub.store_file must be the full path of a file'],
])('%j is refused without its value', (text, sentence) => {
  const answer = JSON.stringify(read(text)).replaceAll('\\"', '"')
  expect(answer).toContain(sentence)
  expect(answer).not.toContain('hunter2')
})
