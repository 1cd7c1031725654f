// Adds to package-lock.json the optional platform packages that `npm install` left out, as it does now and then with
// those of other platforms. `npm ci` refuses a lock without them, on every platform. Each comes with the sum the
// registry gives for it; one that the registry does not carry is an error: then a version of its parent has to be
// chosen that is there for every platform. Run it after `npm install`: node .tools/complete-lock.mjs
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock = JSON.parse(readFileSync(path, 'utf8'))

/** What the registry says of a package: undefined where it has none such. */
function ask(wanted, ...fields) {
  try {
    const stdio = ['ignore', 'pipe', 'ignore']
    const text = execFileSync('npm', ['view', wanted, ...fields, '--json'], { encoding: 'utf8', stdio })
    return text.trim() === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

const isOneVersion = (range) => /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range)

/** The entry of a package as `npm install` writes it, by what the registry says; of a range its newest version. */
function entryOf(name, range, { parent, dev }) {
  const version = isOneVersion(range) ? range : [ask(`${name}@${range}`, 'version') ?? []].flat().at(-1)
  const fields = ['dist.integrity', 'os', 'cpu', 'libc', 'license', 'engines']
  const told = version === undefined ? {} : (ask(`${name}@${version}`, ...fields) ?? {})
  const { 'dist.integrity': integrity, os, cpu, libc, license, engines } = told
  if (!/^sha512-/.test(integrity ?? ''))
    throw new Error(`the registry has no sum for ${name}@${range}, wanted by ${parent}: take another version of that`)
  const list = (words) => (words === undefined ? undefined : [words].flat())
  return { version, integrity, cpu: list(cpu), dev, libc: list(libc), license, optional: true, os: list(os), engines }
}

/** Where a package that `parent` wants is looked for, the nearest first: in its own folder, then in those around it. */
function placesOf(parent, name) {
  const around = parent === '' ? [] : placesOf(parent.slice(0, Math.max(0, parent.lastIndexOf('/node_modules/'))), name)
  return [`${parent === '' ? '' : `${parent}/`}node_modules/${name}`, ...around]
}

const added = []
for (const [parent, { optionalDependencies = {}, version: parentVersion, dev }] of Object.entries(lock.packages))
  for (const [name, range] of Object.entries(optionalDependencies)) {
    const places = placesOf(parent, name)
    const nearest = places.findIndex((place) => lock.packages[place]?.integrity !== undefined)
    const found = lock.packages[places[nearest]]
    // A copy of the parent in a folder of its own may want another version than the one further out.
    if (found !== undefined && (found.version === range || !isOneVersion(range))) continue
    const place = places.slice(0, nearest === -1 ? places.length : nearest).at(-1)
    if (place === undefined) throw new Error(`${places[0]} is ${found.version}, and ${parent} wants ${range}`)
    lock.packages[place] = entryOf(name, range, { parent: `${parent} ${parentVersion}`, dev })
    added.push(`${name}@${lock.packages[place].version}`)
  }
const sorted = Object.fromEntries(
  Object.entries(lock.packages).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)),
)
writeFileSync(path, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
console.log(added.length === 0 ? 'nothing was missing' : added.join('\n'))
