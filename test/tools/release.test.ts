import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadPrism } from '@ruby/prism'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../../.tools/build.mjs'
import nodePackage from '../../.tools/node24/package.json' with { type: 'json' }
import { release } from '../../.tools/release/release.mjs'
import { buildTestProgram, testProgram } from '../../.tools/test-builds.mjs'
import manifest from '../../package.json' with { type: 'json' }
import { nixSlip } from './nix-syntax.ts'

const folder = mkdtempSync(join(tmpdir(), 'pitdesk-release-'))
const [out, again] = [join(folder, 'out'), join(folder, 'again')]
const url = 'https://downloads.example/pitdesk'
const name = `pitdesk-${manifest.version}`
/** What runs here; elsewhere a release has no executable for it. */
const platforms = process.platform === 'linux' ? [`linux-${process.arch}`] : []

beforeAll(async () => {
  let contents = { packages: [''], outside: [''] }
  const remember = async (to?: string) => {
    contents = await build(to)
    return contents
  }
  await release(out, { platforms, url, makeProgram: remember })
  // The second one is of the program that other tests start, which was built at another time and in another place.
  await buildTestProgram()
  const take = async (to = '') => {
    cpSync(testProgram, to, { recursive: true })
    return contents
  }
  await release(again, { url, makeProgram: take })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('npm pack in a clone fails, and names what makes a package: what it packs has no program', () => {
  const { status, stderr } = spawnSync('npm', ['pack', '--dry-run'], { encoding: 'utf8' })
  expect([status, stderr]).toEqual([1, expect.stringContaining('npm run release -- --out DIR')])
})

/** Runs a program that knows nothing of this clone. */
function alone(file: string, ...argv: string[]) {
  const home = mkdtempSync(join(folder, 'home-'))
  const env = { HOME: home, PATH: `${join(process.execPath, '..')}:/usr/bin:/bin` }
  const { status, stdout, stderr } = spawnSync(file, argv, { cwd: home, env, encoding: 'utf8' })
  return { status, stdout, stderr, home }
}

const sumOf = (file: string, form: 'hex' | 'base64'): string =>
  createHash('sha256')
    .update(readFileSync(join(out, file)))
    .digest(form)

/** What `tar` says of the tarball. */
const listed = () => alone('tar', '-tzf', join(out, `${name}.tgz`)).stdout.split('\n')

test('the same tree makes the same bytes', () => {
  for (const file of [`${name}.tgz`, `${name}.cdx.json`, 'pitdesk.rb', 'flake.nix'])
    expect(readFileSync(join(again, file)).equals(readFileSync(join(out, file))), file).toBe(true)
})

test('the sums are those of the files', () => {
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
  expect(sums).toHaveLength(readdirSync(out).length - 1)
  for (const line of sums) {
    const [sum, file = ''] = line.split('  ')
    expect(sumOf(file, 'hex'), file).toBe(sum)
  }
})

test('the package has what serves agents, in a file of its own', () => {
  expect(listed().filter((file) => /dist\/server-[^/]*\.js$/.test(file))).toHaveLength(1)
})

test('the package has program, manual, completions and licences, and nothing that only building needs', () => {
  const files = listed()
  for (const each of [
    ...['dist/pitdesk.js', 'dist/main.js', 'dist/man/pitdesk.1', 'src/manual/hub.md', 'LICENSE', 'NOTICE', 'README.md'],
    ...[
      'completions/pitdesk.bash',
      'completions/_pitdesk',
      'completions/pitdesk.fish',
      'share/container/Containerfile',
    ],
  ])
    expect(files).toContain(`package/${each}`)
  expect(files.filter((each) => /\.map$|\.ts$|^package\/(test|\.tools)\//.test(each))).toEqual([])
})

test('the README of the package leads to nothing that is not in it', () => {
  const files = listed()
  const readme = alone('tar', '-xOzf', join(out, `${name}.tgz`), 'package/README.md').stdout
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => `package/${path}`)
  expect(links.length).toBeGreaterThan(20)
  expect(links.filter((link) => !files.includes(link))).toEqual([])
})

test('it is installed without any other package, and runs', () => {
  const place = join(folder, 'installed')
  mkdirSync(place)
  const npm = ['install', '--offline', '--ignore-scripts', '--prefix', place, join(out, `${name}.tgz`)]
  const installed = alone('npm', ...npm)
  expect(installed.status, installed.stderr).toBe(0)
  expect(readdirSync(join(place, 'node_modules')).filter((each) => !each.startsWith('.'))).toEqual(['pitdesk'])
  const own = readFileSync(join(place, 'node_modules/pitdesk/package.json'), 'utf8')
  expect(JSON.parse(own)).not.toHaveProperty('dependencies')
  expect(alone(join(place, 'node_modules/.bin/pitdesk'), '--version').stdout).toBe(`${manifest.version}\n`)
  // Of what is loaded later: the client, the inbox with its metrics, PostgreSQL.
  const unreachable = alone(
    join(place, 'node_modules/.bin/pitdesk'),
    'hub',
    'user',
    'list',
    '--store',
    'postgres://127.0.0.1:1/x',
  )
  expect(unreachable.status).toBe(1)
  expect(unreachable.stderr).toContain('127.0.0.1:1')
  expect(alone(join(place, 'node_modules/.bin/pitdesk'), 'help').stdout).toContain('threat-model')
  // As the README says it: 2 MB, and 7 MB installed.
  expect(statSync(join(out, `${name}.tgz`)).size).toBeLessThan(2.5e6)
  const size = alone('du', '-sk', place).stdout
  expect(Number(size.split('\t')[0]) * 1024).toBeLessThan(7.5e6)
})

test('the bill names every package of the lock file that is in the program, with its sum', () => {
  const bill = JSON.parse(readFileSync(join(out, `${name}.cdx.json`), 'utf8'))
  expect(bill).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'pitdesk' } },
  })
  const names: string[] = bill.components.map((each: { name: string }) => each.name)
  expect(names).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)))
  for (const each of bill.components) {
    expect(each.purl).toMatch(/^pkg:npm\/[^ ]+@\d+\.\d+\.\d+/)
    expect(each.hashes[0]).toMatchObject({ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) })
    expect(each.licenses).toHaveLength(1)
  }
  const notice = readFileSync(join(out, `${name}.cdx.json`), 'utf8')
  expect(notice).not.toMatch(/https?:\/\/(?!cyclonedx)/)
})

test('the bill of an executable names its Node too, whose licence is in it', () => {
  const versions: Readonly<Record<string, string>> = nodePackage.optionalDependencies
  for (const platform of platforms) {
    const bill = JSON.parse(readFileSync(join(out, `${name}-${platform}.cdx.json`), 'utf8'))
    expect(bill.components.filter(({ type }: { type: string }) => type === 'platform')).toEqual([
      expect.objectContaining({ name: `node-${platform}`, version: versions[`node-${platform}`] }),
    ])
    expect(readFileSync(join(out, `${name}-${platform}`)).includes('LICENSE.node')).toBe(true)
  }
})

test('the formula is Ruby, and takes the tarball with its sum from the address that was given', async () => {
  const text = readFileSync(join(out, 'pitdesk.rb'), 'utf8')
  const { errors } = (await loadPrism())(text)
  expect(errors).toEqual([])
  expect((await loadPrism())(text.replace(/\bdo\b/, '')).errors).not.toEqual([])
  expect(text).toContain(`  url "${url}/${name}.tgz"\n  sha256 "${sumOf(`${name}.tgz`, 'hex')}"\n`)
  const files = listed()
  for (const [, path = ''] of text.matchAll(/libexec\/"([^"*]+)"/g)) expect(files).toContain(`package/${path}`)
})

test('the flake is Nix, and takes the tarball with its sum from the address that was given', () => {
  const text = readFileSync(join(out, 'flake.nix'), 'utf8')
  expect(nixSlip(text)).toBe(null)
  expect(nixSlip(text.replace('];', ';'))).not.toBe(null)
  const { error, status, stderr } = spawnSync('nix-instantiate', ['--parse', '-'], { input: text, encoding: 'utf8' })
  if (error === undefined) expect(status, stderr).toBe(0)
  expect(text).toContain(`url = "${url}/${name}.tgz";`)
  expect(text).toContain(`hash = "sha256-${sumOf(`${name}.tgz`, 'base64')}";`)
  expect(text).toContain(`version = "${manifest.version}";`)
})

test('the executable needs no Node, and no debugger can be opened in it', () => {
  for (const platform of platforms) {
    const file = join(out, `${name}-${platform}`)
    const { status, stdout, stderr, home } = alone(file, '--version')
    expect(stderr).toBe('')
    expect([status, stdout]).toEqual([0, `${manifest.version}\n`])
    expect(readdirSync(join(home, '.cache/pitdesk/executable'))).toHaveLength(1)
    expect(alone(file, 'completions', 'bash').stdout).toContain('pitdesk')
    const opened = spawnSync(file, ['--version'], {
      env: { HOME: home, NODE_OPTIONS: '--inspect=127.0.0.1:0' },
      encoding: 'utf8',
    })
    expect(opened.stderr).not.toContain('Debugger listening')
    expect(opened.stdout).toBe(`${manifest.version}\n`)
  }
})

test('an executable is not laid out where others could put theirs in its place', () => {
  for (const platform of platforms) {
    const place = join(folder, 'open')
    mkdirSync(join(place, 'cache'), { recursive: true })
    const run = () => {
      const env = { HOME: folder, XDG_CACHE_HOME: join(place, 'cache') }
      return spawnSync(join(out, `${name}-${platform}`), ['--version'], { env, encoding: 'utf8' })
    }
    chmodSync(place, 0o777)
    expect(run()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining(`others can exchange`) })
    expect(readdirSync(join(place, 'cache'))).toEqual([])
    chmodSync(place, 0o1777)
    expect(run()).toMatchObject({ status: 0, stderr: '' })
  }
})
