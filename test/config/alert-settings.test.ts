import { expect, test } from 'vitest'
import { alertSettingsOf } from '../../src/config/alert-settings.ts'
import { readConfigText } from '../../src/config/config-file.ts'

const read = (text: string) => readConfigText(text, { path: 'config.toml', home: '/home/ada' })

test('what the table of alerts does not switch is as usual', () => {
  expect(alertSettingsOf(undefined)).toEqual({
    signals: { bell: null, notify: null },
    standing: {},
    gatewayStuckAfterMs: 1_800_000,
  })
})

test('bell, notification and each standing alert are switched by name', () => {
  const text =
    '[alerts]\nbell = false\nnotify = true\nfills = false\norders = true\nstale = false\ntransfers = true\ngateway = false\ngateway_stuck_minutes = 5'
  const file = read(text)
  expect(file.ok && alertSettingsOf(file.value.alerts)).toEqual({
    signals: { bell: false, notify: true },
    standing: { fill: false, orderEnded: true, staleFeed: false, transfer: true, gatewayFailed: false },
    gatewayStuckAfterMs: 300_000,
  })
})

test.each([
  ['[alerts]\nbel = true', 'config.toml:2:1: unknown setting "bel" in [alerts], did you mean "bell"?'],
  ['[alerts]\nbell = "loud"', 'config.toml:2:1: alerts.bell must be true or false'],
  ['alerts = 5', 'config.toml:1:1: alerts must be a table'],
])('%j is an issue with its place', (text, sentence) => {
  const file = read(text)
  expect(file.ok ? [] : file.issues).toEqual([expect.stringContaining(sentence)])
})
