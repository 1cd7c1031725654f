import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readArguments } from '../../src/commands/cli/arguments.ts'
import { commandTable } from '../../src/commands/cli/command-table.ts'

const units = readdirSync('share/systemd', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.service'))
  .map((name) => `share/systemd/${name}`)

const containers = readdirSync('share/container').map((name) => `share/container/${name}`)

/** What a unit of this name starts. */
const commands: Readonly<Record<string, string>> = {
  watch: 'watch --profile %i',
  hub: 'hub serve --profile %i',
  inbox: 'inbox serve',
}

/** Keys that systemd knows, as far as the units use them: a slip in one would be ignored with a line in its journal. */
const known: Readonly<Record<string, RegExp>> = {
  Unit: /^(Description|Documentation|Wants|After|StartLimitIntervalSec|StartLimitBurst)$/,
  Service: new RegExp(
    '^(Type|User|Environment|LoadCredential|StateDirectory|StateDirectoryMode|ExecStart|KillSignal|TimeoutStopSec|' +
      'Restart|RestartSec|UMask|NoNewPrivileges|PrivateTmp|PrivateDevices|ProtectSystem|ProtectHome|' +
      'ProtectKernelTunables|ProtectKernelModules|ProtectControlGroups|RestrictSUIDSGID|RestrictAddressFamilies|' +
      'LockPersonality|CapabilityBoundingSet|AmbientCapabilities|ProtectClock|ProtectHostname|ProtectKernelLogs|' +
      'ProtectProc|RestrictNamespaces|RestrictRealtime|SystemCallArchitectures|SystemCallFilter|SystemCallErrorNumber|' +
      'LimitCORE)$',
  ),
  Install: /^WantedBy$/,
}

/** What the program has against a command line; empty where nothing. */
function startOf(argv: readonly string[]): string {
  const row = commandTable.find(({ name }) => argv.slice(0, name.split(' ').length).join(' ') === name)
  if (row === undefined) return `no command: ${argv.join(' ')}`
  if (row.kind !== 'parsed') return ''
  const read = readArguments(row, argv.slice(row.name.split(' ').length))
  return read.ok ? '' : read.error.sentence
}

/** What systemd has against a unit; nothing where there is no systemd, whose keys are held against the list alone. */
function complaintOf(path: string): string {
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
  return error !== undefined || status === 0 ? '' : stderr
}

test('there are units and files for containers', () => {
  expect(units).toHaveLength(6)
  expect(containers).toHaveLength(2)
})

test.each(units)('%s has sections and keys that systemd knows, and starts what it is named after', (path) => {
  let section = ''
  const keys: string[] = []
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? []
    if (name !== undefined) {
      section = name
      continue
    }
    const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    keys.push(`${section}.${key}`)
    // Emptied: no capability is left.
    if (!key.endsWith('Capabilities') && key !== 'CapabilityBoundingSet') expect(value, line).not.toBe('')
    expect(known[section]?.test(key), line).toBe(true)
  }
  expect(keys).toEqual(expect.arrayContaining(['Unit.Description', 'Service.ExecStart', 'Install.WantedBy']))
  const [, name = ''] = /pitdesk-(\w+)@\.service$/.exec(path) ?? []
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(`\nExecStart=/usr/bin/env pitdesk ${commands[name]}`)
  expect(startOf(/^ExecStart=\/usr\/bin\/env pitdesk (.*)$/m.exec(text)?.[1]?.split(' ') ?? [])).toBe('')
})

test.each(units)('systemd has nothing against %s', (path) => {
  expect(complaintOf(path)).toBe('')
})

test.each(containers)('%s is made of instructions that there are, and starts what the program knows', (path) => {
  const text = readFileSync(path, 'utf8').replaceAll('\\\n', ' ')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(lines[0]).toMatch(/^FROM node:24/)
  for (const line of lines)
    expect(line).toMatch(/^(FROM|WORKDIR|COPY|RUN|USER|ENV|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT) ./)
  expect(lines).toContain('USER node')
  const argv: string[] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(text)?.[1] ?? '')
  expect(argv[0]).toBe('pitdesk')
  expect(startOf(argv.slice(1))).toBe('')
  expect(JSON.parse(/^HEALTHCHECK .* CMD (.*)$/m.exec(text)?.[1] ?? '')).toContainEqual(expect.stringMatching(/./))
})
