import { expect, onTestFinished, test } from 'vitest'
import { dayMs, minuteMs } from '../../../src/base/text/time-text.ts'
import { followOlderBars } from '../../../src/desk/wiring/older-bars.ts'
import { barsOf } from '../../../src/domain/market/bar-list.ts'
import { HistoryError } from '../../../src/history/history-database.ts'
import { openHistory } from '../../../src/history/history-file.ts'
import type { NotedEvent } from '../../../src/store/log.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'
import { temporaryFolder } from '../../fakes/temporary-folder.ts'
import { aBar, opened } from '../../history/aids.ts'
import { aDesk, startMs } from '../../store/desk.ts'

/** A desk with the chart on its screen, and what reads of the record in a folder for it. */
function aChart(open: (folder: string) => ReturnType<typeof openHistory> = openHistory) {
  const folder = temporaryFolder('older-bars')
  const recorded = opened(folder)
  const minute = Math.floor(startMs / minuteMs) * minuteMs
  for (const days of [3, 5, 40])
    recorded.putBars([0, 1, 2].map((at) => ['BTC-USD', aBar(minute - days * dayMs + at * minuteMs)] as const))
  recorded.close()
  const { store } = aDesk()
  const { screen } = store.getState()
  store.dispatch({ type: 'resized', screen: { ...screen, visiblePanes: ['chart'] } })
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const noted: NotedEvent[] = []
  let opens = 0
  followOlderBars(store, {
    history: {
      open: async (how) => {
        opens += 1
        expect(how.isReadOnly).toBe(true)
        return open === openHistory ? openHistory(folder, how) : open(folder)
      },
    },
    clock: new FakeClock(startMs),
    signal: stopping.signal,
    track: (work) => void work,
    note: (event) => noted.push(event),
  })
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await settle()
  }
  return { store, minute, noted, turns, opens: () => opens }
}

test('a chart that goes back gets the recorded bars of there, once, and of no longer ones than it draws', async () => {
  const { store, minute, turns, opens } = aChart()
  await turns()
  expect(store.getState().olderBars).toMatchObject({ symbol: 'BTC-USD', firstMs: minute - 40 * dayMs })
  store.dispatch({ type: 'chartChanged', change: { endMs: minute - 3 * dayMs + 10 * minuteMs } })
  await turns()
  const read = () => store.getState().olderBars
  expect(read() === null ? [] : barsOf(read()?.list ?? expect.fail()).map((bar) => bar.startMs)).toEqual(
    [0, 1, 2].map((at) => minute - 3 * dayMs + at * minuteMs),
  )
  const before = opens()
  store.dispatch({ type: 'chartChanged', change: { endMs: minute - 3 * dayMs + 12 * minuteMs } })
  store.dispatch({ type: 'chartChanged', change: { style: 'line' } })
  await turns()
  expect(opens()).toBe(before)
  store.dispatch({ type: 'chartChanged', change: { length: '1h', endMs: minute - 4 * dayMs } })
  await turns()
  expect(read()?.lengthMs).toBe(3_600_000)
  expect(read()?.list.running?.lookCount).toBe(90)
})

test('without a chart on the screen nothing is read, and a record that fails is told of once', async () => {
  const { store, minute, noted, turns, opens } = aChart((folder) => {
    const file = opened(folder, { isReadOnly: true })
    file.firstBarMs = () => {
      throw new HistoryError('disk', 'the disk is away')
    }
    return { ok: true, value: file }
  })
  await turns()
  store.dispatch({ type: 'chartChanged', change: { endMs: minute - dayMs } })
  await turns()
  expect(noted.map(({ text }) => text)).toEqual(['Older bars cannot be read: the disk is away.'])
  const before = opens()
  expect(before).toBe(2)
  store.dispatch({ type: 'resized', screen: { ...store.getState().screen, visiblePanes: ['ladder'] } })
  store.dispatch({ type: 'chartChanged', change: { endMs: minute - 3 * dayMs } })
  await turns()
  expect(opens()).toBe(before)
})
