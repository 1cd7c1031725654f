import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { minuteMs } from '../../src/base/text/time-text.ts'
import { Decimal } from '../../src/domain/money.ts'
import { openHistory } from '../../src/history/history-file.ts'
import { createRecorder } from '../../src/services/history/recorder.ts'
import { FakeClock, settle } from '../fakes/fake-clock.ts'
import { temporaryFolder } from '../fakes/temporary-folder.ts'
import { dayStartMs, opened } from './aids.ts'

/** A disk of its own of one MiB; null where this user may not mount one. */
function aSmallDisk(): string | null {
  const place = join(temporaryFolder('disk'), 'small')
  mkdirSync(place)
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place]).status !== 0) return null
  onTestFinished(() => {
    spawnSync('umount', ['-l', place])
  })
  return place
}

const mayMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0

const client = {
  fetchFills: async () => ({ entries: [], unreadable: [] }),
  fetchOrderPage: async () => ({ orders: [], nextOrderId: '0' }),
  fetchOrder: () => Promise.reject(new Error('there are no orders')),
}

test.skipIf(!mayMount)(
  'a disk that is full: one sentence, the desk goes on, and it records again once there is room',
  async () => {
    const disk = aSmallDisk()
    if (disk === null) return
    const folder = join(disk, 'account')
    const clock = new FakeClock(dayStartMs)
    const stopping = new AbortController()
    const told: string[] = []
    const recorder = createRecorder({
      ...{ open: async (options) => openHistory(folder, options), client, mayBeginAnew: false, clock },
      ...{ signal: stopping.signal, toUtcMs: (atMs) => atMs, emit: () => undefined },
      tell: (_level, sentence) => told.push(sentence),
    })
    const done = recorder.run()
    /** Prices of many symbols, as each minute has them. */
    const look = async () => {
      const tickers = new Map(
        Array.from({ length: 400 }, (_, at) => {
          const symbol = `COIN${at}-USD`
          return [symbol, { symbol, lastPrice: new Decimal(at + 1), price24h: null, volume24h: null }]
        }),
      )
      recorder.observe({ type: 'tickers', tickers, atMs: clock.now() })
      await clock.advance(minuteMs)
      for (let turn = 0; turn < 20; turn += 1) await settle()
    }
    for (let minute = 0; minute < 40 && told.length === 0; minute += 1) await look()
    for (let minute = 0; minute < 5; minute += 1) await look()
    expect(told).toEqual([
      expect.stringMatching(/^No history is recorded: .*full.* Trading goes on; the desk tries again/),
    ])
    // What was written before is there, and can be read on the full disk.
    const read = openHistory(folder, { isReadOnly: true })
    if (read.ok) {
      expect(read.value.bars('COIN7-USD', 0, Number.MAX_SAFE_INTEGER).length).toBeGreaterThan(0)
      read.value.close()
    } else expect(read.error.kind).toBe('disk')
    expect(spawnSync('mount', ['-o', 'remount,size=32m', disk]).status).toBe(0)
    for (let minute = 0; minute < 3; minute += 1) await look()
    expect(told.slice(1)).toEqual(['History is recorded again.'])
    stopping.abort()
    await done
    const file = opened(folder)
    // No minute was lost meanwhile.
    const minutes = file.bars('COIN7-USD', 0, Number.MAX_SAFE_INTEGER).map(({ startMs }) => startMs)
    expect(minutes.length).toBeGreaterThan(10)
    expect(minutes.slice(1).every((startMs, at) => startMs - (minutes[at] ?? 0) === minuteMs)).toBe(true)
    file.close()
  },
)

test.skipIf(!mayMount)(
  'a disk that is full from the start: nothing can be opened, which is an error and no crash',
  () => {
    const disk = aSmallDisk()
    if (disk === null) return
    spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'ballast')}`, 'bs=4k'])
    const file = openHistory(join(disk, 'account'))
    expect(file).toMatchObject({ ok: false, error: { kind: 'disk' } })
    rmSync(join(disk, 'ballast'))
    const later = opened(join(disk, 'account'))
    later.close()
  },
)

test('a file that may not grow any more: the writer is told, and what it said was written is there', async () => {
  const folder = temporaryFolder('history')
  opened(folder).close()
  const script = join(import.meta.dirname, 'writer.ts')
  // In units of 512 or 1,024 bytes, as the shell has it.
  const child = spawn('sh', ['-c', `ulimit -f 600; exec "${process.execPath}" "${script}" "${folder}" 1 1`])
  let [last, trouble] = ['', '']
  child.stderr.on('data', (bytes) => {
    trouble += bytes
  })
  for await (const line of createInterface({ input: child.stdout })) last = line
  expect(trouble).toMatch(/HistoryError: .*history.sqlite cannot be used/)
  const file = opened(folder)
  expect(file.notice).toBeNull()
  expect([...file.fills()].length).toBeGreaterThanOrEqual(Number(last))
  expect(Number(last)).toBeGreaterThan(5)
  file.close()
})
