// Programs that a release is made with.
import { spawnSync } from 'node:child_process'

/** What a child is told: how to reach the registry from this machine, and no key of whoever makes the release. */
const told = new RegExp(
  '^(HOME|PATH|LANG|LC_\\w+|TMPDIR|TEMP|TMP|SystemRoot|SYSTEMROOT|windir|Path|USERPROFILE|' +
    'npm_config_(cache|registry|userconfig)|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|https?_proxy|no_proxy|' +
    'HTTPS?_PROXY|NO_PROXY)$',
)

/** Runs a program to its end and gives what it wrote; throws with what it said where it fails. */
export function run(file, argv, options = {}) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => told.test(name)))
  const { status, error, stdout, stderr } = spawnSync(file, argv, { encoding: 'utf8', env, ...options })
  if (status === 0) return stdout
  throw new Error(`${file} ${argv.join(' ')} failed: ${error?.message ?? stderr}`)
}

/** npm as it runs this script, else the one on the path. */
function npm(argv, cwd) {
  const own = process.env.npm_execpath
  return own === undefined ? run('npm', argv, { cwd }) : run(process.execPath, [own, ...argv], { cwd })
}

/** The tarball of what lies in `folder`, in `out`; of the same files npm makes the same bytes. */
export const packed = (folder, out) =>
  npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', out], folder).trim()

/** The tarball of a package of the registry, as `folder/NAME`. */
export const fetched = (spec, folder) =>
  npm(['pack', '--ignore-scripts', '--silent', '--pack-destination', folder, spec], folder).trim()
