// Adds to package-lock.json the optional platform packages that `npm install` left out, as it does now and then with
// those of other platforms. `npm ci` refuses a lock without them, on every platform. Each comes with the sum the
// registry gives for it; one that the registry does not carry is an error: then a version of its parent has to be
// chosen that is there for every platform. Run it after `npm install`: node .tools/complete-lock.mjs
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock = JSON.parse(readFileSync(path, 'utf8'))

/** The entry of a package as `npm install` writes it, by what the registry says. */
function entryOf(name, version, dev) {
  const fields = ['dist.integrity', 'os', 'cpu', 'libc', 'license', 'engines']
  const text = execFileSync('npm', ['view', `${name}@${version}`, ...fields, '--json'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { 'dist.integrity': integrity, os, cpu, libc, license, engines } = text === '' ? {} : JSON.parse(text)
  if (!/^sha512-/.test(integrity ?? '')) throw new Error(`the registry has no sum for ${name}@${version}`)
  const list = (words) => (words === undefined ? undefined : [words].flat())
  return { version, integrity, cpu: list(cpu), dev, libc: list(libc), license, optional: true, os: list(os), engines }
}

const added = []
for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (lock.packages[key]?.integrity !== undefined || `${parent}/${key}` in lock.packages) continue
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      throw new Error(`${name} is wanted as ${version}, which is not one version`)
    lock.packages[key] = entryOf(name, version, entry.dev)
    added.push(`${name}@${version}`)
  }
}
const sorted = Object.fromEntries(
  Object.entries(lock.packages).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)),
)
writeFileSync(path, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
console.log(added.length === 0 ? 'nothing was missing' : added.join('\n'))
