// `npm run release -- --out DIR [--executables] [--url BASE]`: makes what people install. A tarball of the built
// program with a manifest of its own, single executables where asked for, bills of materials and the sums of all of it;
// with the address where all of it will be, a Homebrew formula and a Nix flake that take the tarball from there. The
// same tree makes the same bytes, whoever makes it and when: nothing in them has a time, a path or a name of this
// machine.
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from '../build.mjs'
import { billOf } from './bill.mjs'
import { buildExecutables } from './executable.mjs'
import { licencesOf, packagesIn } from './packages.mjs'
import { writeRecipes } from './recipes.mjs'
import { packed, run } from './run.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))

/** What the program's folder has beside the built program. */
const beside = ['share', 'themes', 'LICENSE']

/** A section of the README whose links lead to what a release has not. */
const forDevelopers = /\n## Contributing\n.*$/s

/** Of the project's manifest; what only building and testing needs is left out. */
function manifestOf(outside) {
  const { name, version, description, license, type, bin, man, engines } = manifest
  const dependencies = Object.fromEntries(outside.map((each) => [each, manifest.dependencies[each]]))
  const rest = outside.length === 0 ? {} : { dependencies }
  return { name, version, description, license, type, bin, man, engines, ...rest }
}

/** Lays out the package in `folder`, as it is installed. Gives the packages whose code is in it. */
async function layOut(folder, makeProgram) {
  const built = join(folder, '.built')
  const { packages, outside } = await makeProgram(built)
  mkdirSync(join(folder, 'dist'))
  for (const name of readdirSync(built).filter((each) => !each.endsWith('.map')))
    if (name.endsWith('.js'))
      writeFileSync(
        join(folder, 'dist', name),
        readFileSync(join(built, name), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n'),
        { mode: name === 'pitdesk.js' ? 0o755 : 0o644 },
      )
    else cpSync(join(built, name), join(folder, 'dist', name), { recursive: true })
  rmSync(built, { recursive: true })
  for (const name of beside) cpSync(`${root}${name}`, join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'README.md'), readFileSync(`${root}README.md`, 'utf8').replace(forDevelopers, ''))
  // The README links to the pages.
  for (const name of readdirSync(`${root}src/manual`).filter((each) => each.endsWith('.md')))
    cpSync(`${root}src/manual/${name}`, join(folder, 'src/manual', name), { recursive: true })
  const changes = `${root}.github/CHANGELOG.md`
  if (existsSync(changes)) cpSync(changes, join(folder, 'CHANGELOG.md'))
  const found = packagesIn(packages)
  writeFileSync(join(folder, 'NOTICE'), licencesOf(found))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifestOf(outside), null, 2)}\n`)
  mkdirSync(join(folder, 'completions'))
  for (const [shell, name] of [
    ['bash', 'pitdesk.bash'],
    ['zsh', '_pitdesk'],
    ['fish', 'pitdesk.fish'],
  ]) {
    const script = run(process.execPath, [join(folder, 'dist/main.js'), 'completions', shell])
    writeFileSync(join(folder, 'completions', name), script)
  }
  return found
}

/** Every file of the release with its sum, as `sha256sum --check` reads it. */
function writeSums(out) {
  const sums = readdirSync(out)
    .filter((name) => name !== 'SHA256SUMS')
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(out, name)))
          .digest('hex')}  ${name}\n`,
    )
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
  return sums
}

/**
 * Makes a release in `out`, which has nothing else in it; with executables for these platforms, as `linux-x64`, and
 * with recipes for Homebrew and Nix where it is known at which address its files will be. `makeProgram` builds the
 * program into a folder, as `build` does.
 */
export async function release(out, { platforms = [], url = null, makeProgram = build } = {}) {
  mkdirSync(out, { recursive: true })
  if (readdirSync(out).length > 0) throw new Error(`${out} is not empty`)
  const stage = mkdtempSync(join(out, '.stage-'))
  try {
    const folder = join(stage, 'package')
    mkdirSync(folder)
    const packages = await layOut(folder, makeProgram)
    const { name, version } = manifest
    packed(folder, out)
    writeFileSync(join(out, `${name}-${version}.cdx.json`), billOf(manifest, packages))
    if (url !== null) writeRecipes(out, { tarball: `${name}-${version}.tgz`, version, url })
    for (const { platform, node } of buildExecutables(folder, { out, stage, platforms, name, version }))
      writeFileSync(join(out, `${name}-${version}-${platform}.cdx.json`), billOf(manifest, packages, node))
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
  return writeSums(out)
}

const usage = `npm run release -- --out DIR [--executables] [--url BASE]
  makes the release in DIR, which is empty or not there yet; with the https address of the folder where its files will
  be found, also a Homebrew formula and a Nix flake
`
const options = { out: { type: 'string' }, executables: { type: 'boolean' }, url: { type: 'string' } }

async function main() {
  let asked
  try {
    asked = parseArgs({ options }).values
    if (asked.url !== undefined && !URL.parse(asked.url)?.href.startsWith('https:')) throw new Error('--url: not https')
  } catch (error) {
    process.stderr.write(`${error.message}\n${usage}`)
    process.exitCode = 2
    return
  }
  if (asked.out === undefined) {
    process.stderr.write(usage)
    process.exitCode = 2
    return
  }
  const out = resolve(process.env.INIT_CWD || process.cwd(), asked.out)
  const platforms = asked.executables === true ? ['linux-x64', 'linux-arm64'] : []
  const sums = await release(out, { platforms, url: asked.url ?? null })
  process.stdout.write(sums.join(''))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
