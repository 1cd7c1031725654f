import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readArguments } from '../../src/commands/cli/arguments.ts'
import { commandTable } from '../../src/commands/command-table.ts'

const units = readdirSync('share/systemd', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.service'))
  .map((name) => `share/systemd/${name}`)

const containerfile = readFileSync('share/container/Containerfile', 'utf8')

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

test('there is a unit for all that runs for days at an exchange, of a user and of the system', () => {
  expect(units).toHaveLength(6)
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

/** The images of the container file, each with the lines of its own. */
const images = containerfile
  .split(/^FROM \S+ AS /m)
  .slice(1)
  .map((lines) => ({ image: lines.split('\n', 1)[0] ?? '', lines }))

test('there is an image for all that runs for days, on one base whose program runs as a user without privileges', () => {
  expect(images.map(({ image }) => image)).toEqual(['program', 'watch', 'inbox', 'hub', 'sandbox'])
  const lines = containerfile.replaceAll('\\\n', ' ').split('\n')
  for (const line of lines.filter((each) => each !== '' && !each.startsWith('#')))
    expect(line).toMatch(/^(FROM|WORKDIR|COPY|RUN|USER|ENV|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT) ./)
  expect(lines.find((line) => line.startsWith('FROM'))).toMatch(/^FROM node:24-slim AS program$/)
  expect(images[0]?.lines).toMatch(/^USER node$/m)
})

test.each(images.slice(1))(
  'the image $image starts what the program knows, and says how its health is asked',
  ({ image, lines }) => {
    const argv: string[] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(lines)?.[1] ?? '')
    expect(argv.slice(0, 2)).toEqual(['pitdesk', image])
    expect(startOf(argv.slice(1))).toBe('')
    const asked: string[] = JSON.parse(/^HEALTHCHECK .* CMD (.*)$/m.exec(lines)?.[1] ?? '')
    if (asked[0] === 'pitdesk') expect(startOf(asked.slice(1))).toBe('')
    else {
      const port = /127\.0\.0\.1:(\d+)/.exec(asked[2] ?? '')?.[1]
      expect(image === 'sandbox' ? '4010' : argv[argv.indexOf('--metrics-port') + 1]).toBe(port)
      expect(spawnSync(process.execPath, ['--check', '-'], { input: asked[2], encoding: 'utf8' }).stderr).toBe('')
    }
  },
)
