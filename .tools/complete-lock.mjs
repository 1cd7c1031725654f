// Adds to package-lock.json the optional platform packages that the registry in use did not carry when the lock was written.
// `npm ci` refuses a lock that leaves them out, on every platform. Run it after `npm install`: node .tools/complete-lock.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock = JSON.parse(readFileSync(path, 'utf8'))

const systems = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/** What a platform package says of itself, read off its name: `binding-linux-arm64-musl` is linux, arm64, musl. */
function platformOf(name) {
  const words = name.split(/[-/]/)
  const find = (known) => known.find((word) => words.includes(word))
  const cpu = find(processors)
  if (cpu === undefined) throw new Error(`${name} does not name its processor`)
  const os = find(systems)
  const libc = words.includes('musl') ? ['musl'] : words.some((word) => /^gnu/.test(word)) ? ['glibc'] : undefined
  return { ...(os === undefined ? {} : { os: [os] }), cpu: [cpu], ...(libc === undefined ? {} : { libc }) }
}

const added = []
for (const [parent, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`
    if (key in lock.packages || `${parent}/${key}` in lock.packages) continue
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      throw new Error(`${name} is wanted as ${version}, which is no one version`)
    lock.packages[key] = { version, ...platformOf(name), ...(entry.dev ? { dev: true } : {}), optional: true }
    added.push(`${name}@${version}`)
  }
}
const sorted = Object.fromEntries(
  Object.entries(lock.packages).sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)),
)
writeFileSync(path, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
console.log(added.length === 0 ? 'nothing was missing' : added.join('\n'))
