// How the program gets the Node it runs on, with no door for a debugger: Node opens its inspector on loopback at a
// SIGUSR1 or by NODE_OPTIONS, and there every user of the machine reads what is in memory, keys first. Kept to the
// JavaScript of old Nodes. Copied beside the launcher.

const flag = '--disable-sigusr1'
const needed = 24

export const isOld = () => Number(process.versions.node.split('.')[0]) < needed

/** Says so and ends where this Node is too old. */
export function refuseOldNode() {
  if (!isOld()) return
  process.stderr.write(
    `pitdesk needs Node ${needed} or newer, and this is Node ${process.versions.node}: install Node ${needed}, or ` +
      `in a clone start it with \`npm start\`, which brings its own.\n`,
  )
  process.exit(1)
}

const opening = /^--(inspect(-brk|-wait|-brk-node)?|(inspect|debug)-port|inspect-publish-uid)$/
const withValue = /^--((inspect|debug)-port|inspect-publish-uid)$/

/** The options without those that open a debugger. */
function closed(options) {
  return options.filter((option, at) => {
    const named = (text) => (text || '').replace(/"/g, '').replace(/_/g, '-')
    const before = named(options[at - 1])
    return !opening.test(named(option).split('=')[0]) && !withValue.test(before)
  })
}

/** The words of NODE_OPTIONS as they stand there, quotes and all. */
const words = (text) => (text || '').match(/(?:[^\s"]|"(?:[^"\\]|\\.)*"?)+/g) || []

/** Whether nothing can open a debugger in this process. */
export function isClosed() {
  const environment = words(process.env.NODE_OPTIONS)
  return (
    process.execArgv.includes(flag) &&
    closed(process.execArgv).length === process.execArgv.length &&
    closed(environment).length === environment.length
  )
}

const isDesk = (argv) => argv.length === 0 || argv[0] === 'desk' || argv[0].startsWith('-')

/** Whether a Node is of the version that npm installs here: another may not know an option, and would not start. */
const isTried = (node) =>
  node === process.execPath
    ? Number(process.versions.node.split('.')[0]) === needed
    : /[\\/]node_modules[\\/]node-/.test(node)

/**
 * How the engine's heap is kept, where nobody says otherwise. Of the young generation a quiet desk fills less than the
 * engine lets grow, so it stays at the least there is, a mebibyte, and is collected every 1.5 seconds, four threads
 * awake each time: an eighth of what such a desk costs. With twice the least it is collected half as often, and a desk
 * that runs holds no more; with four times it holds 3 to 11 MiB more. Only a start can say so.
 */
export function heapOptions(node, argv) {
  const name = '--min-semi-space-size'
  const isSaid = process.execArgv.some((option) => option.indexOf(name) === 0)
  return isDesk(argv) && isTried(node) && !isSaid ? [`${name}=2`] : []
}

/** How the C library's heap is kept, where the environment says nothing else. It has to be known before the start. */
export function heapBounds(argv) {
  const own = (bounds) =>
    Object.assign({}, ...Object.keys(bounds).map((name) => ({ [name]: process.env[name] || bounds[name] })))
  // The library keeps a heap for each thread that asks for memory: two are enough for what threads do here.
  if (!isDesk(argv)) return own({ MALLOC_ARENA_MAX: '2' })
  // Of what starts and compiles, tens of MiB are free soon after, and stay where they are between what is not. With
  // one heap and larger pieces apart they go back to the system. Tighter bounds save some 4 MiB more, and cost a start
  // 10 to 25 ms: each piece is a call of the system. A server would feel it in its calls.
  return own({
    MALLOC_ARENA_MAX: '1',
    MALLOC_MMAP_THRESHOLD_: '65536',
    MALLOC_TRIM_THRESHOLD_: '131072',
  })
}

function environmentOf(argv) {
  const bounds = heapBounds(argv)
  const all = words(process.env.NODE_OPTIONS)
  const kept = closed(all)
  if (kept.length === all.length) return Object.assign({}, process.env, bounds)
  process.stderr.write(
    'pitdesk: NODE_OPTIONS opens a debugger, in which any local user could read the keys: left out\n',
  )
  return Object.assign({}, process.env, bounds, { NODE_OPTIONS: kept.join(' ') })
}

/**
 * Goes on as `node script …argv` with no door for a debugger, in this same process where the system can: same number,
 * same signals, same terminal. Where it cannot, in one that this one waits for.
 */
export async function goOn(node, script, argv) {
  const options = [flag].concat(closed(process.execArgv).filter((option) => option !== flag))
  const all = options.concat(heapOptions(node, argv), [script], argv)
  const env = environmentOf(argv)
  if (typeof process.execve === 'function' && process.platform !== 'win32')
    return process.execve(node, [node].concat(all), env)
  const { spawn } = await import('node:child_process')
  const child = spawn(node, all, { env, stdio: 'inherit' })
  // Ctrl-C reaches both; what is sent to this process alone is passed on.
  process.on('SIGINT', () => {})
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
  child.on('error', (error) => {
    process.stderr.write(`pitdesk could not start ${node}: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code) => {
    process.exitCode = code === null ? 1 : code
  })
}

const parts = (version) => version.split('.').map(Number)
const isNewer = (one, other) => {
  const at = [0, 1, 2].find((index) => one[index] !== other[index])
  return at !== undefined && one[at] > other[at]
}

/**
 * The Node to use in a clone, whose folder is `root`: npm puts the one it installed first on the path of its scripts,
 * but the one that runs npm may be newer, and have the latest security fixes. npm tells its path and, in its user
 * agent, its version. npm 10 installs a Node and puts it on no path: then it is looked for where it lies.
 */
export async function newestNode(root) {
  const { existsSync } = await import('node:fs')
  const path = process.env.npm_node_execpath
  const [, version] = / node\/v(\d+\.\d+\.\d+) /.exec(process.env.npm_config_user_agent || '') || []
  const isNamed = path !== undefined && version !== undefined && existsSync(path)
  if (isNamed && parts(version)[0] >= needed && isNewer(parts(version), parts(process.versions.node))) return path
  if (!isOld()) return process.execPath
  const [platform, file] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node']
  const brought = `${root}node_modules/node-${platform}-${process.arch}/bin/${file}`
  return existsSync(brought) ? brought : process.execPath
}
