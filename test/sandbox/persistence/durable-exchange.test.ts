import { readdirSync, readFileSync, renameSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { Exchange } from '../../../src/sandbox/core/exchange.ts'
import { DataFile, dataFileName } from '../../../src/sandbox/persistence/data-file.ts'
import { DurableExchange } from '../../../src/sandbox/persistence/durable-exchange.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import {
  busyDay,
  crashImage,
  established,
  founding,
  historyOf,
  newFolder,
  rowsOnDisk,
  startMs,
  stateOf,
} from './scene.ts'

/** The same commands on a core that keeps nothing. */
function inMemory(commands: Parameters<Exchange['execute']>[0][]): Exchange {
  const exchange = new Exchange()
  for (const command of [...founding(), ...commands]) exchange.execute(command)
  return exchange
}

test('a new folder holds nothing; once established it holds the exchange, and its note', () => {
  const folder = join(newFolder(), 'made', 'on the way')
  const exchange = DurableExchange.open(folder)
  expect(exchange.note).toBeNull()
  expect(exchange.read.accounts()).toEqual([])
  for (const command of founding()) exchange.execute(command)
  const unestablished = DurableExchange.open(crashImage(folder))
  expect(unestablished.note).toBeNull()
  expect(unestablished.read.accounts()).toEqual([])
  exchange.establish('what to remember')

  const again = DurableExchange.open(crashImage(folder))
  expect(again.note).toBe('what to remember')
  expect(stateOf(again)).toBe(stateOf(exchange))
  for (const each of [exchange, unestablished, again]) each.close()
})

test('the folder is for its owner only', () => {
  const folder = join(newFolder(), 'data')
  const exchange = established(folder)
  const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
  expect(modes).toContainEqual([dataFileName, 0o600])
  expect(modes.every(([, mode]) => mode === 0o600)).toBe(true)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  exchange.close()
})

test('whatever was settled is there after a crash, state and history; what was not is gone as a whole', async () => {
  const commands = busyDay(6_000, 1)
  const folder = newFolder()
  const exchange = established(folder)
  for (let from = 0; from < commands.length; from += 1_500) {
    const group = commands.slice(from, from + 1_500)
    for (const command of group) exchange.execute(command)
    await exchange.settled()
    expect(exchange.settled()).toBeNull()
    const image = crashImage(folder)
    exchange.execute({
      type: 'placeOrder',
      atMs: 0,
      account: 1,
      clOrdId: 'x',
      symbol: 'BTC-USD',
      side: 'BUY',
      ordType: 'MARKET',
      amounts: { lots: 1 },
    })
    const lost = crashImage(folder)
    await exchange.settled()
    const [atCrash, beforeSettled] = [DurableExchange.open(image), DurableExchange.open(lost)]
    expect(stateOf(beforeSettled)).toBe(stateOf(atCrash))
    expect(stateOf(atCrash)).not.toBe(stateOf(exchange))
    for (const each of [atCrash, beforeSettled]) each.close()
  }
  const again = DurableExchange.open(crashImage(folder))
  expect(stateOf(again)).toBe(stateOf(exchange))
  expect(historyOf(again)).toBe(historyOf(exchange))
  for (const each of [exchange, again]) each.close()
})

test('the same commands make the same exchange as one in memory, through crashes, snapshots and restarts', async () => {
  const commands = busyDay(9_000, 2)
  const clock = new FakeClock()
  let folder = newFolder()
  established(folder).close()
  let next = 0
  for (const [count, ending] of [
    [1_000, 'close'],
    [2_500, 'crash'],
    [500, 'close'],
    [4_000, 'crash'],
    [0, 'end'],
  ] as const) {
    const exchange = DurableExchange.open(folder, { snapshotEvery: 700 })
    const stop = new AbortController()
    const keeping = exchange.keep(clock, stop.signal)
    for (const command of commands.slice(next, ending === 'end' ? undefined : next + count)) {
      exchange.execute(command)
      if (command.atMs % 7 === 0) await exchange.settled()
      if (command.atMs % 50 === 0) await clock.advance(2_000)
    }
    next += count
    await exchange.settled()
    if (ending === 'crash') folder = crashImage(folder)
    stop.abort()
    await keeping
    exchange.close()
  }
  const exchange = DurableExchange.open(folder)
  const plain = inMemory(commands)
  expect(JSON.parse(stateOf(exchange))).toEqual(JSON.parse(JSON.stringify(plain.snapshot())))
  for (const account of [1, 2, 3]) {
    const all = { account, limit: 100_000 }
    expect(exchange.read.orders(all)).toEqual(plain.read.orders(all))
    expect(exchange.read.fills(all)).toEqual(plain.read.fills(all))
    expect(exchange.read.trades(all).length).toBeGreaterThan(100)
  }
  exchange.close()
})

test('a log cut off anywhere gives the state after some transaction, never half of one', async () => {
  const folder = newFolder()
  const exchange = established(folder)
  const states = new Map([[stateOf(exchange), 0]])
  const commands = busyDay(600, 3)
  for (let from = 0; from < commands.length; from += 20) {
    for (const command of commands.slice(from, from + 20)) exchange.execute(command)
    await exchange.settled()
    states.set(stateOf(exchange), states.size)
  }
  const whole = statSync(join(folder, `${dataFileName}-wal`)).size
  const seen = new Set<number>()
  for (let share = 0; share <= 40; share++) {
    const image = crashImage(folder)
    truncateSync(join(image, `${dataFileName}-wal`), Math.floor((whole * share) / 40) - (share % 3) * 5)
    const after = DurableExchange.open(image)
    const position = after.note === null ? undefined : states.get(stateOf(after))
    if (after.note !== null) expect(position).toBeDefined()
    seen.add(position ?? -1)
    after.close()
  }
  expect(seen.size).toBeGreaterThan(15)
  exchange.close()
})

test('an old snapshot and a long journal come to the same state as a new snapshot', async () => {
  const folder = newFolder()
  const exchange = established(folder)
  for (const command of busyDay(20_000, 4)) exchange.execute(command)
  await exchange.settled()
  const image = crashImage(folder)
  const state = stateOf(exchange)
  exchange.close()
  expect([rowsOnDisk(image, 'journal'), rowsOnDisk(folder, 'journal')]).toEqual([1, 0])
  const [fromJournal, fromSnapshot] = [DurableExchange.open(image), DurableExchange.open(folder)]
  expect(stateOf(fromJournal)).toBe(state)
  expect(stateOf(fromSnapshot)).toBe(state)
  expect(historyOf(fromJournal)).toBe(historyOf(fromSnapshot))
  for (const each of [fromJournal, fromSnapshot]) each.close()
})

test('a snapshot is written by and by; a crash in the middle of it loses nothing, and the next one drops the journal', async () => {
  const clock = new FakeClock()
  const folder = newFolder()
  const exchange = established(folder, { snapshotEvery: 100 })
  const stop = new AbortController()
  const keeping = exchange.keep(clock, stop.signal)
  for (const command of busyDay(5_000, 5)) exchange.execute(command)
  await exchange.settled()
  await clock.advance(2_000)
  const journaled = () => rowsOnDisk(folder, 'journal')
  expect(journaled()).toBe(1)
  await clock.advance(2_000)
  const midway = crashImage(folder)
  expect(rowsOnDisk(midway, 'snapshot_piece')).toBe(2)
  for (let ticks = 0; ticks < 20; ticks++) await clock.advance(2_000)
  expect(journaled()).toBe(0)
  expect(rowsOnDisk(folder, 'snapshot')).toBe(1)

  const again = DurableExchange.open(midway)
  expect(stateOf(again)).toBe(stateOf(exchange))
  expect(rowsOnDisk(midway, 'snapshot_piece')).toBe(1)
  again.close()
  stop.abort()
  await keeping
  exchange.close()
})

test('an exchange that is closed while a snapshot is being written opens again as it was', async () => {
  const clock = new FakeClock()
  const folder = newFolder()
  const exchange = established(folder, { snapshotEvery: 100 })
  const stop = new AbortController()
  const keeping = exchange.keep(clock, stop.signal)
  const deposit = { type: 'startDeposit', atMs: startMs, account: 1, currency: 'BTC', amount: '1' } as const
  // So many are written in several pieces, one a beat.
  for (let count = 0; count < 4_000; count++) exchange.execute(deposit)
  await clock.advance(2_000)
  await clock.advance(2_000)
  stop.abort()
  await keeping
  const begun = rowsOnDisk(folder, 'snapshot_piece', 'generation = 2')
  expect([begun > 0, rowsOnDisk(folder, 'snapshot')]).toEqual([true, 1])
  exchange.execute(deposit)
  const state = stateOf(exchange)
  exchange.close()
  const again = DurableExchange.open(folder)
  expect(stateOf(again)).toBe(state)
  again.close()
  expect(rowsOnDisk(folder, 'snapshot_piece', 'generation = 2')).toBe(0)
})

test('a folder in which an earlier version left pieces of a snapshot that was given up opens', () => {
  const folder = newFolder()
  const exchange = established(folder)
  const state = stateOf(exchange)
  exchange.close()
  const database = new DatabaseSync(join(folder, dataFileName))
  database.exec('UPDATE snapshot_piece SET id = id + 1')
  database.exec("INSERT INTO snapshot_piece SELECT 1, generation, 0, 'given up' FROM snapshot")
  database.close()
  const again = DurableExchange.open(folder)
  expect(stateOf(again)).toBe(state)
  again.close()
})

test('commands of one turn share one transaction; what nobody waits for is written within two seconds', async () => {
  const clock = new FakeClock()
  const folder = newFolder()
  const exchange = established(folder)
  const transactions = () => rowsOnDisk(folder, 'journal')
  const settled: (Promise<void> | null)[] = []
  for (const command of busyDay(40, 6)) {
    exchange.execute(command)
    settled.push(exchange.settled())
  }
  expect(transactions()).toBe(0)
  await Promise.all(settled)
  expect(transactions()).toBe(1)
  const stop = new AbortController()
  const keeping = exchange.keep(clock, stop.signal)
  exchange.execute({ type: 'requestDepositAddress', atMs: 0, account: 1, currency: 'BTC' })
  await settle()
  expect(transactions()).toBe(1)
  await clock.advance(2_000)
  expect(transactions()).toBe(2)
  stop.abort()
  await keeping
  exchange.close()
})

test('accounts to forget leave no history, before and after a restart', async () => {
  const folder = newFolder()
  const exchange = DurableExchange.open(folder)
  for (const command of founding()) exchange.execute(command)
  exchange.forget([2])
  exchange.establish('')
  for (const command of busyDay(2_000, 7)) exchange.execute(command)
  await exchange.settled()
  const counts = (from: string) => [1, 2].map((account) => rowsOnDisk(from, 'orders', `account = ${account}`))
  expect(exchange.read.orders({ account: 2, statuses: ['FILLED', 'CANCELED'], limit: 5 })).toEqual([])
  const image = crashImage(folder)
  const again = DurableExchange.open(image)
  expect(historyOf(again)).toBe(historyOf(exchange))
  expect(counts(image)).toEqual([expect.any(Number), 0])
  expect(counts(image)[0]).toBeGreaterThan(100)
  for (const each of [exchange, again]) each.close()
})

/** The size of the file once all that is in the log has found its place. */
function closedSize(folder: string): number {
  const image = crashImage(folder)
  DurableExchange.open(image).close()
  return statSync(join(image, dataFileName)).size
}

test('starting over wipes everything in one step: before it counts, a crash finds the old exchange', async () => {
  const folder = newFolder()
  const exchange = established(folder)
  for (const command of busyDay(3_000, 8)) exchange.execute(command)
  await exchange.settled()
  const before = stateOf(exchange)
  const sizeBefore = closedSize(folder)
  exchange.startOver()
  expect(exchange.note).toBeNull()
  for (const command of founding()) exchange.execute(command)
  const old = DurableExchange.open(crashImage(folder))
  expect(stateOf(old)).toBe(before)
  exchange.establish('the second')
  const fresh = DurableExchange.open(crashImage(folder))
  expect(fresh.note).toBe('the second')
  expect(closedSize(folder)).toBeLessThan(sizeBefore / 3)
  expect(historyOf(fresh)).toBe(historyOf(exchange))
  expect(fresh.read.orders({ account: 1, limit: 10 })).toEqual([])
  for (const command of busyDay(100, 9)) exchange.execute(command)
  await exchange.settled()
  const later = DurableExchange.open(crashImage(folder))
  expect(stateOf(later)).toBe(stateOf(exchange))
  for (const each of [exchange, old, fresh, later]) each.close()
})

test('a disk that fills up ends it with a sentence: nothing is accepted any more, and what was accepted is there', async () => {
  const failures: string[] = []
  const folder = newFolder()
  established(folder).close()
  const file = DataFile.open(folder)
  file.prepare('PRAGMA max_page_count = 40').get()
  const exchange = new DurableExchange(file, { onFailure: ({ message }) => failures.push(message) })
  const accepted: string[] = []
  let last = stateOf(exchange)
  for (const command of busyDay(5_000, 10)) {
    if (failures.length > 0) break
    exchange.execute(command)
    await exchange.settled()?.then(
      () => {
        accepted.push(command.type)
        last = stateOf(exchange)
      },
      () => {},
    )
  }
  const sentence = `The data folder ${folder} cannot be written: the disk is full. Correct that, or choose another.`
  expect(failures).toEqual([sentence])
  expect(accepted.length).toBeGreaterThan(20)
  await expect(exchange.settled()).rejects.toThrow(sentence)
  expect(() => exchange.execute({ type: 'advanceTime', atMs: 0 })).toThrow(sentence)
  exchange.close()
  const again = DurableExchange.open(folder)
  expect(stateOf(again)).toBe(last)
  again.close()
})

test('a new beginning for which there is no room fails for good, and the old exchange is still there', () => {
  const folder = newFolder()
  const old = established(folder)
  const before = stateOf(old)
  old.close()
  const failures: string[] = []
  const file = DataFile.open(folder)
  const exchange = new DurableExchange(file, { onFailure: ({ message }) => failures.push(message) })
  exchange.startOver()
  for (const command of [...founding(), ...busyDay(3_000, 13)]) exchange.execute(command)
  file.prepare('PRAGMA max_page_count = 20').get()
  expect(() => exchange.establish('no room')).toThrow('the disk is full')
  expect(() => exchange.execute({ type: 'advanceTime', atMs: 0 })).toThrow('the disk is full')
  expect(() => exchange.startOver()).toThrow('the disk is full')
  expect(failures).toHaveLength(1)
  exchange.close()
  const again = DurableExchange.open(folder)
  expect(stateOf(again)).toBe(before)
  again.close()
})

test('a new beginning before which the disk does not take what is left to write fails for good too', () => {
  const folder = newFolder()
  established(folder).close()
  const failures: string[] = []
  const file = DataFile.open(folder)
  const exchange = new DurableExchange(file, { onFailure: ({ message }) => failures.push(message) })
  exchange.join(() => {
    const put = file.prepare("INSERT INTO note (name, value) VALUES ('large', ?)")
    const startOver = () => {
      file.begin()
      file.attempt(() => put.run('x'.repeat(1_000_000)))
    }
    return { isWaiting: false, write: () => undefined, startOver }
  })
  file.prepare('PRAGMA max_page_count = 40').get()
  expect(() => exchange.startOver()).toThrow('the disk is full')
  expect(() => exchange.execute({ type: 'advanceTime', atMs: 0 })).toThrow('the disk is full')
  expect(failures).toHaveLength(1)
  exchange.close()
})

test('a clean end leaves one file', () => {
  const folder = newFolder()
  established(folder).close()
  expect(readdirSync(folder)).toEqual([dataFileName])
  expect(readFileSync(join(folder, dataFileName)).subarray(0, 15).toString()).toBe('SQLite format 3')
})

test('a folder that is taken away while it is in use ends the exchange: nothing is accepted that would not be kept', async () => {
  const folder = newFolder()
  established(folder).close()
  const failures: string[] = []
  const exchange = DurableExchange.open(folder, { onFailure: ({ message }) => failures.push(message) })
  renameSync(folder, `${folder}.away`)
  const [first, ...rest] = busyDay(50, 10)
  if (first === undefined) throw new Error('a day has commands')
  for (const command of [first, ...rest]) {
    if (failures.length > 0) break
    exchange.execute(command)
    await exchange.settled()?.catch(() => undefined)
  }
  const sentence =
    `The data folder ${folder} was removed or replaced while it was in use: what was done since is not kept. ` +
    'Put it back, or start over.'
  await expect(exchange.settled()).rejects.toThrow(sentence)
  expect(failures).toEqual([sentence])
  expect(() => exchange.execute(first)).toThrow(sentence)
  exchange.close()
  renameSync(`${folder}.away`, folder)
  DurableExchange.open(folder).close()
})
