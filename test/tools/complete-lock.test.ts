import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

/** What a registry has: versions of packages, the oldest first. */
const registry = {
  '@fast/linux-x64': ['1.0.0', '2.0.0'],
  '@fast/win32-x64': ['1.0.0', '2.0.0'],
  'start-time': ['0.1.0', '0.1.2', '0.2.0'],
}

/** `npm view NAME@WANTED …`, where a range is of the form `^0.1.0`; it ends with 1 where there is nothing. */
const npm = `#!${process.execPath}
const [, wanted, ...fields] = process.argv.slice(2)
const at = wanted.lastIndexOf('@')
const [name, range] = [wanted.slice(0, at), wanted.slice(at + 1)]
const versions = (${JSON.stringify(registry)}[name] ?? [])
  .filter((each) => range.startsWith('^') ? each.startsWith(range.slice(1, 5)) : each === range)
if (versions.length === 0) process.exit(1)
const told = { 'dist.integrity': 'sha512-' + name + versions[0], os: ['some'], license: 'MIT' }
console.log(JSON.stringify(fields[0] === 'version' ? (versions.length === 1 ? versions[0] : versions) : told))`

type Packages = Record<string, { version?: string; integrity?: string; optionalDependencies?: Record<string, string> }>

/** Completes a lock of these packages; gives what was said and the lock. */
function complete(packages: Packages) {
  const root = temporaryFolder('lock')
  for (const folder of ['.tools', 'bin']) mkdirSync(join(root, folder))
  copyFileSync('.tools/complete-lock.mjs', join(root, '.tools/complete-lock.mjs'))
  writeFileSync(join(root, 'bin/npm'), npm, { mode: 0o755 })
  const path = join(root, 'package-lock.json')
  writeFileSync(path, JSON.stringify({ lockfileVersion: 3, packages }))
  const env = { PATH: [join(root, 'bin'), dirname(process.execPath)].join(delimiter) }
  const argv = [join(root, '.tools/complete-lock.mjs')]
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: root, env, encoding: 'utf8' })
  const after: { packages: Packages } = JSON.parse(readFileSync(path, 'utf8'))
  return { status, stdout: stdout.trim(), stderr, packages: after.packages }
}

const fast = (version: string) => ({
  version,
  integrity: 'sha512-own',
  optionalDependencies: { '@fast/linux-x64': version, '@fast/win32-x64': version },
})
const there = (version: string) => ({ version, integrity: 'sha512-own' })

test('a package that npm left out is added with its sum, in the order of names', () => {
  const before = { '': {}, 'node_modules/fast': fast('1.0.0'), 'node_modules/@fast/linux-x64': there('1.0.0') }
  const { stdout, packages } = complete(before)
  expect(stdout).toBe('@fast/win32-x64@1.0.0')
  expect(Object.keys(packages)).toEqual([
    ...['', 'node_modules/@fast/linux-x64', 'node_modules/@fast/win32-x64', 'node_modules/fast'],
  ])
  const added = { version: '1.0.0', integrity: 'sha512-@fast/win32-x641.0.0', optional: true, os: ['some'] }
  expect(packages['node_modules/@fast/win32-x64']).toMatchObject(added)
  expect(complete(packages).stdout).toBe('nothing was missing')
})

test('of a range the newest version within it is added, and one that is there stays', () => {
  const wanting = (range: string) => ({ ...there('8.4.0'), optionalDependencies: { 'start-time': range } })
  expect(complete({ 'node_modules/vite': wanting('^0.1.0') }).stdout).toBe('start-time@0.1.2')
  expect(complete({ 'node_modules/vite': wanting('^0.2.0') }).stdout).toBe('start-time@0.2.0')
  const kept = { 'node_modules/start-time': there('0.1.0'), 'node_modules/vite': wanting('^0.1.0') }
  expect(complete(kept).stdout).toBe('nothing was missing')
})

test('a second copy of a package has what it wants beside itself, and the first keeps its own', () => {
  const { stdout, packages } = complete({
    'node_modules/@fast/linux-x64': there('2.0.0'),
    'node_modules/@fast/win32-x64': there('2.0.0'),
    'node_modules/fast': fast('2.0.0'),
    'node_modules/vite/node_modules/@fast/linux-x64': there('1.0.0'),
    'node_modules/vite/node_modules/fast': fast('1.0.0'),
  })
  expect(stdout).toBe('@fast/win32-x64@1.0.0')
  expect(packages['node_modules/vite/node_modules/@fast/win32-x64']?.version).toBe('1.0.0')
  expect(packages['node_modules/@fast/win32-x64']?.version).toBe('2.0.0')
})

test('what the registry does not carry is an error that names who wants it, and the lock stays as it was', () => {
  for (const range of ['1.0.0', '^9.9.0']) {
    const before = { 'node_modules/vite': { ...there('8.4.0'), optionalDependencies: { nowhere: range } } }
    const { status, stderr, packages } = complete(before)
    expect(status).toBe(1)
    expect(stderr).toContain(`no sum for nowhere@${range}, wanted by node_modules/vite 8.4.0: take another version`)
    expect(packages).toEqual(before)
  }
})
