import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { files } from '../../package.json' with { type: 'json' }

const units = readdirSync('share/systemd', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.service'))
  .map((name) => `share/systemd/${name}`)

/** Keys that systemd knows, as far as the units use them: a slip in one would be ignored with a line in its journal. */
const known: Readonly<Record<string, RegExp>> = {
  Unit: /^(Description|Documentation|Wants|After|StartLimitIntervalSec|StartLimitBurst)$/,
  Service: new RegExp(
    '^(Type|User|Environment|LoadCredential|StateDirectory|StateDirectoryMode|ExecStart|KillSignal|TimeoutStopSec|' +
      'Restart|RestartSec|UMask|NoNewPrivileges|PrivateTmp|PrivateDevices|ProtectSystem|ProtectHome|' +
      'ProtectKernelTunables|ProtectKernelModules|ProtectControlGroups|RestrictSUIDSGID|RestrictAddressFamilies|' +
      'LockPersonality)$',
  ),
  Install: /^WantedBy$/,
}

/** What systemd has against a unit; nothing where there is no systemd, whose keys are held against the list alone. */
function complaintOf(path: string): string {
  const { error, status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
  return error !== undefined || status === 0 ? '' : stderr
}

test('the package has the units and the file for containers', () => {
  expect(files).toContain('share')
  expect(units).toHaveLength(2)
})

test.each(units)('%s has sections and keys that systemd knows, and starts a watch', (path) => {
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
    expect(value, line).not.toBe('')
    expect(known[section]?.test(key), line).toBe(true)
  }
  expect(keys).toEqual(expect.arrayContaining(['Unit.Description', 'Service.ExecStart', 'Install.WantedBy']))
  expect(readFileSync(path, 'utf8')).toMatch(/^ExecStart=.* pitdesk watch --profile %i/m)
})

test.each(units)('systemd has nothing against %s', (path) => {
  expect(complaintOf(path)).toBe('')
})

test('the file for containers is made of instructions that there are', () => {
  const text = readFileSync('share/container/Containerfile', 'utf8').replaceAll('\\\n', ' ')
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(lines[0]).toMatch(/^FROM node:24/)
  for (const line of lines)
    expect(line).toMatch(/^(FROM|WORKDIR|COPY|RUN|USER|ENV|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT) ./)
  const entry = /^ENTRYPOINT (.*)$/m.exec(text)?.[1] ?? ''
  expect(JSON.parse(entry).slice(0, 2)).toEqual(['pitdesk', 'watch'])
})
