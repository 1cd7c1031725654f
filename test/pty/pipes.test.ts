import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { Decimal } from '../../src/domain/money.ts'
import { openSqliteStore } from '../../src/inbox/store/sqlite-store.ts'
import { recordLine } from '../../src/journal/record.ts'
import { cacheOf, nodeArgv } from '../fakes/child-program.ts'
import { fillOf, type LongLists, longSymbol, orderOf, startLongLists } from '../fakes/long-lists.ts'
import { eventBody } from '../fakes/memory-events.ts'
import { aDraft } from '../fakes/orders.ts'
import { runs } from '../fakes/runs.ts'
import { aHome, builtForTests, program } from './program.ts'

// The built program in real pipelines of a shell: what leaves it is whole whatever reads it.

const home = aHome('pipes')
/** What leaves the program of each list: far more than anything between it and its reader holds. */
const megabytes = runs(8, 50)
const minBytes = megabytes * 1_000_000
/** So many of `count` entries, which come to 50 MB, as come to that. */
const part = (count: number): number => Math.ceil((count * megabytes) / 50)
const fillCount = part(47_000)
const orderCount = part(10_200)
/** Fills of 22 or 50 MB, and less room for old objects than the program and all of that take. */
const [manyFillCount, heapMb] = runs([20_000, 32], [47_000, 56])

/** Of each fill a statement has three lines: what was bought or sold, what for, and the fee. */
const statementFillCount = part(16_000)

/** Two pages: megabytes, far more than a pipe holds. */
const briefFillCount = 1_200
const briefOrderCount = 200

let exchange: LongLists
let larger: LongLists
let smaller: LongLists
let brief: LongLists

builtForTests()

beforeAll(async () => {
  exchange = await startLongLists({ fillCount, orderCount })
  larger = await startLongLists({ fillCount: manyFillCount })
  smaller = await startLongLists({ fillCount: statementFillCount })
  brief = await startLongLists({ fillCount: briefFillCount, orderCount: briefOrderCount })
})

afterAll(async () => {
  for (const each of [exchange, larger, smaller, brief]) await each.stop()
})

const variables = ({ url } = exchange) => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  XDG_CACHE_HOME: cacheOf(program),
  LANG: 'C.UTF-8',
  NODE: process.execPath,
  PITDESK: `${program}/pitdesk.js`,
  DESK: [process.execPath, ...nodeArgv(program)].join(' '),
  PITDESK_EXCHANGE_BASE_URL: url,
  PITDESK_API_TOKEN: 'a-token-of-twenty-letters',
  PITDESK_RATE_PER_SECOND: '1000',
})

type Piped = { stdout: string; stderr: string; codes: number[] }

/** A pipeline of bash that begins with the program; the exit code of each part. */
const pipe = (line: string, at = exchange): Promise<Piped> =>
  new Promise((resolve) => {
    const script = `$DESK ${line}; codes=("\${PIPESTATUS[@]}"); echo "\${codes[@]}" >&3`
    const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
    const child = spawn('bash', ['-c', script], { env: variables(at), stdio: [...stdio] })
    const text = ['', '', '']
    for (const [at, stream] of [child.stdio[1], child.stdio[2], child.stdio[3]].entries())
      (stream as ChildProcess['stdout'])?.on('data', (chunk: Buffer) => {
        text[at] += chunk.toString()
      })
    child.once('close', () => {
      const [stdout = '', stderr = '', codes = ''] = text
      resolve({ stdout, stderr, codes: codes.trim().split(' ').map(Number) })
    })
  })

/** A reader that comes late and takes its time, and says what it got. */
const slowly = '| (sleep 1; cat) | sha256sum'
const sumOf = (lines: Iterable<string>): string => {
  const hash = createHash('sha256')
  for (const line of lines) hash.update(line)
  return `${hash.digest('hex')}  -\n`
}

const fillColumns = 'timestamp,symbol,side,qty,price,fee,exOrdId,tradeId,execId,feeCurrency,timestampUtc\n'
function* fillLines(count = fillCount) {
  yield fillColumns
  for (let execId = count; execId > 0; execId -= 1) {
    const { timestamp, side, exOrdId } = fillOf(execId)
    const row = `${timestamp},${longSymbol},${side},0.001,64209.5,0.064,${exOrdId},${execId},${execId}`
    yield `${row},${longSymbol.split('-').at(-1)},${new Date(timestamp).toISOString()}\n`
  }
}
const byteCount = (lines: Iterable<string>): number => {
  let count = 0
  for (const line of lines) count += Buffer.byteLength(line)
  return count
}

test(`${megabytes} MB of CSV through a pipe that is read late are whole`, async () => {
  expect(byteCount(fillLines())).toBeGreaterThan(minBytes)
  expect(await pipe(`fills --all --csv ${slowly}`)).toEqual({
    stdout: sumOf(fillLines()),
    stderr: '',
    codes: [0, 0, 0],
  })
})

test(`${megabytes} MB of JSON through a pipe that is read late are one whole value`, async () => {
  const file = join(home, 'orders.json')
  const { stderr, codes } = await pipe(`orders --all --status REJECTED --json | (sleep 1; cat) > ${file}`)
  expect({ stderr, codes }).toEqual({ stderr: '', codes: [0, 0] })
  const text = readFileSync(file, 'utf8')
  expect(text.length).toBeGreaterThan(minBytes)
  const orders: Array<{ exOrdId: number; text: string }> = JSON.parse(text)
  expect(orders.map(({ exOrdId }) => exOrdId)).toEqual(Array.from({ length: orderCount }, (_, at) => orderCount - at))
  expect(orders.every(({ text }) => text === orderOf(1).text)).toBe(true)
})

test('a reader in small pieces gets all of it, and what waits for it stays out of memory', async () => {
  const fifo = join(home, 'pieces')
  execFileSync('mkfifo', [fifo])
  // With this little room for old objects, text that is kept for a reader ends the program.
  const command = `exec "$NODE" --max-old-space-size=${heapMb} "$PITDESK" fills --all --csv > ${fifo}`
  const child = spawn('bash', ['-c', command], { env: variables(larger), stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const hash = createHash('sha256')
  let bytes = 0
  let maxKib = 0
  for await (const piece of createReadStream(fifo, { highWaterMark: 8_192 })) {
    hash.update(piece as Buffer)
    bytes += (piece as Buffer).length
    if (bytes % 500 === 0 || bytes > manyFillCount * 1_000) maxKib = Math.max(maxKib, memoryOf(child.pid))
  }
  expect({ code: await ended, stderr, sum: `${hash.digest('hex')}  -\n` }).toEqual({
    code: 0,
    stderr: '',
    sum: sumOf(fillLines(manyFillCount)),
  })
  process.stdout.write(`${manyFillCount} fills in pieces of 8 KiB: at most ${Math.round(maxKib / 1024)} MiB resident\n`)
  expect(maxKib).toBeGreaterThan(0)
})

/** The most memory that a process has had in hand so far, in KiB; 0 when it is gone. */
function memoryOf(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

test(`a statement of ${megabytes} MB is whole as CSV and as JSON`, async () => {
  const csv = await pipe('statement --to 2026-12-31 --csv | (sleep 1; cat) | wc -lc', smaller)
  const [lineCount, size] = csv.stdout.trim().split(/\s+/).map(Number)
  // A head, the deposit, and what USD and the other currency opened and closed with.
  expect({ codes: csv.codes, lineCount }).toEqual({ codes: [0, 0, 0], lineCount: 3 * statementFillCount + 6 })
  expect(size).toBeGreaterThan(minBytes)
  const file = join(home, 'statement.json')
  const json = await pipe(`statement --to 2026-12-31 --json | (sleep 1; cat) > ${file}`, smaller)
  expect(json.codes).toEqual([0, 0])
  const { movements }: { movements: unknown[] } = JSON.parse(readFileSync(file, 'utf8'))
  expect(movements).toHaveLength(3 * statementFillCount + 1)
})

test(`${megabytes} MB of the inbox are whole, exported and listed`, async () => {
  const path = join(home, 'inbox.sqlite')
  const store = openSqliteStore({ path, clock: systemClock })
  const count = part(900)
  const targetWalletAddress = 'bc1q'.repeat(15_000)
  for (let at = 0; at < count; at += 100)
    await store.record(
      Array.from({ length: Math.min(100, count - at) }, (_, index) => {
        const [eventId, orderId] = [`e${at + index}`, `o${at + index}`]
        const body = Buffer.from(eventBody({ eventId, orderId, targetWalletAddress }))
        const about = { kind: 'event', eventId, orderId, orderState: 'PENDING', updatedAtNs: 1n } as const
        return { ...about, receivedAtMs: 1_700_000_000_000 + at + index, source: '127.0.0.1', body }
      }),
    )
  await store.close()
  const address = `--store sqlite://${path}`
  for (const what of [
    `inbox export ${address} --json`,
    `inbox ls events --all ${address} --json`,
    `inbox ls orders --all ${address} --json`,
  ]) {
    const file = join(home, 'inbox.json')
    const { stderr, codes } = await pipe(`${what} | (sleep 1; cat) > ${file}`)
    expect({ what, stderr, codes }).toEqual({ what, stderr: '', codes: [0, 0] })
    const text = readFileSync(file, 'utf8')
    expect(text.length).toBeGreaterThan(minBytes)
    expect(new Set((JSON.parse(text) as Array<{ orderId: string }>).map(({ orderId }) => orderId)).size).toBe(count)
  }
  expect((await pipe(`inbox export ${address} | head -c 10`)).codes).toEqual([0, 0])
  expect(await pipe(`inbox export ${address} > /dev/full`)).toMatchObject({ codes: [1] })
})

test('a long journal is whole', async () => {
  const folder = join(home, '.local/state/pitdesk/journal/long')
  mkdirSync(folder, { recursive: true })
  const draft = aDraft({ orderQuantity: new Decimal('0.05'), symbol: longSymbol })
  const count = part(50_000)
  const lines = Array.from({ length: count }, (_, index) => {
    const [id, at] = [`entry${index}`, 1_700_000_000_000 + index]
    const intent = { kind: 'order', clientOrderId: `c${index}`, draft } as const
    return recordLine({ record: 'begin', at, id, intent })
  })
  const desk = recordLine({ record: 'desk', at: 1_700_000_000_000, version: 1, exchange: 'long' })
  writeFileSync(join(folder, '20260101T000000000Z-1-000000000000.0001.jsonl'), desk + lines.join(''))
  const { stdout, stderr, codes } = await pipe('journal --profile long --csv | (sleep 1; cat) | wc -lc')
  const [lineCount, size] = stdout.trim().split(/\s+/).map(Number)
  expect({ stderr, codes, lineCount }).toEqual({ stderr: '', codes: [0, 0, 0], lineCount: count + 1 })
  expect(size).toBeGreaterThan(minBytes)
})

test.each([
  'fills --all --csv',
  'fills --all --json',
  'orders --all --status REJECTED --csv',
  'statement --csv',
  'pnl --lots --csv',
  'symbols',
  '--help',
])('%s: a reader that leaves early is no error', async (line) => {
  for (const reader of ['head -c 1 > /dev/null', 'true']) {
    const { codes, stderr } = await pipe(`${line} | ${reader}`, brief)
    expect({ line, reader, code: codes[0] }).toEqual({ line, reader, code: 0 })
    expect(stderr).not.toMatch(/pitdesk|EPIPE| at /)
  }
})

test('a stream whose reader has left ends with its next line', async () => {
  let looks = 0
  // One working order, which fills by a little more between two looks.
  const server = createServer((_request, response) => {
    looks += 1
    const order = {
      ...orderOf(1),
      ordStatus: 'PART_FILLED',
      text: '',
      leavesQty: `${10_000 - looks}`,
      cumQty: `${looks}`,
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([order]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v3`
  const { codes, stdout, stderr } = await pipe('orders --watch | head -1', { ...brief, url })
  expect({ codes, stderr }).toEqual({ codes: [0, 0], stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ ordStatus: 'PART_FILLED', cumQty: '1' })
})

test('who leaves early spares the exchange the rest', async () => {
  const before = larger.calls()
  await pipe('fills --all --csv | head -c 1 > /dev/null', larger)
  // Of twenty pages or more.
  expect(larger.calls() - before).toBeLessThan(10)
})

test.each([
  'fills --all --csv',
  'fills --json',
  'orders --status REJECTED',
  'statement --csv',
  'pnl --csv',
  'pnl --lots --json',
  'symbols',
  'journal',
  'withdrawals',
  '--help',
  'order --help',
  'fills --help',
  '--version',
  'completions bash',
  'sandbox --help',
  'sandbox --port 0 --gateway-port 0 --admin-port 0 --market off',
  'inbox serve --port 0',
])('%s on a full disk fails with one sentence', async (line) => {
  const { codes, stderr } = await pipe(`${line} > /dev/full`, brief)
  expect(codes).toEqual([1])
  const said = stderr.split('\n').filter((each) => each.startsWith('pitdesk'))
  expect(said).toEqual([expect.stringMatching(/stdout not written: the disk is full \(ENOSPC\)$/)])
})

test('a disk that fills up in the middle is told of, however little was missing', async () => {
  const [small, file] = [join(home, 'small'), join(home, 'small', 'fills.csv')]
  mkdirSync(small)
  // A limit on the file's size ends as a disk that fills up: the last write is taken in part, the next one not at all.
  const script = `trap '' XFSZ; ulimit -f 1000; "$NODE" "$PITDESK" fills --limit 1000 --csv > ${file}`
  const ran = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
    const child = execFile('bash', ['-c', script], { env: variables(larger) }, (_, __, stderr) =>
      resolve({ code: child.exitCode, stderr }),
    )
  })
  expect(ran).toEqual({ code: 1, stderr: expect.stringMatching(/^pitdesk fills: stdout not written: .*EFBIG.*\n$/) })
})
