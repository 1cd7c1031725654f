import { expect, test } from 'vitest'
import { judgeHoldings } from './endurance/real-verdict.ts'
import { type Hour, judgeHours } from './endurance/week-verdict.ts'
import { runDrill } from './run-drill.ts'

const endure = (...flags: string[]) => runDrill('endurance', ...flags)

test('some hours of the simulated week: everything is told of and polled again, and nothing is left over', async () => {
  const { code, output } = await endure('--hours', '2', '--day-hours', '1', '--hour-minutes', '4', '--awake', '24')
  expect(code, output).toBe(0)
  expect(output).toContain('"hours":2,"faults":2')
})

test('the built program in a real terminal outlives its exchange and quits well', async () => {
  const { code, output } = await endure('--real-seconds', '4')
  expect(code, output).toBe(0)
  expect(output).toMatch(/"outages":[1-9]/)
})

const hour: Hour = {
  ...{
    hour: 0,
    fault: '',
    recoveredMs: 0,
    heapMb: 60,
    externalMb: 30,
    rssMb: 500,
    sleepers: 27,
    sockets: 18,
    timers: 0,
  },
  ...{ files: 66, listeners: 34, longest: ['log 500'], unknownWrites: 0, orders: 0, calls: 2_000 },
}
const hours = (count: number, of: (index: number) => Partial<Hour>) =>
  Array.from({ length: count }, (_, index) => ({ ...hour, hour: index, ...of(index) }))

test('what grows by a little every hour is complained of, what comes and goes is not', () => {
  expect(judgeHours(hours(168, (index) => ({ heapMb: 60 + (index % 7) * 5, sockets: 15 + (index % 5) })))).toEqual([])
  expect(judgeHours(hours(168, (index) => ({ heapMb: 60 + index / 4 })))).toEqual([
    expect.stringContaining('heapMb grew'),
  ])
  expect(judgeHours(hours(168, (index) => ({ sleepers: 27 + index })))).toEqual([
    expect.stringContaining('sleepers grew'),
  ])
  expect(judgeHours(hours(168, (index) => ({ listeners: 34 + index })))).toEqual([
    expect.stringContaining('listeners grew'),
  ])
  expect(judgeHours(hours(3, (index) => ({ longest: index === 1 ? ['log 9000'] : ['log 9'] })))).toEqual([
    'hour 1: the list log has 9000 entries',
  ])
})

test('a program that takes ever more memory or files is complained of', () => {
  const holding = { rssMb: 200, files: 39, threads: 12, cpuS: 1 }
  const looks = (of: (index: number) => object) =>
    Array.from({ length: 40 }, (_, index) => ({ ...holding, ...of(index) }))
  expect(judgeHoldings(looks((index) => ({ rssMb: 200 + (index % 3) * 8 })))).toEqual([])
  expect(judgeHoldings(looks((index) => ({ rssMb: 200 + 4 * index })))).toEqual([expect.stringContaining('rssMb grew')])
  expect(judgeHoldings(looks((index) => ({ files: 39 + index })))).toEqual([expect.stringContaining('files grew')])
})
