import { expect, test } from 'vitest'
import {
  type Lease,
  type LeaseOptions,
  leaseMs,
  lookMs,
  renewMs,
  whileLeased,
} from '../../../src/inbox/forward/lease.ts'
import { TroubleLog } from '../../../src/inbox/trouble-log.ts'
import { FakeClock, settle } from '../../fakes/fake-clock.ts'

/** A store that gives leases as the test says, and work that lasts until its lease is lost or all ends. */
function setting() {
  const clock = new FakeClock()
  const ended = new AbortController()
  const lines: string[] = []
  const said: string[] = []
  const at = (what: string) => said.push(`${clock.now()} ${what}`)
  const store = {
    gives: true,
    renews: true as boolean | 'failing',
    failing: false,
    fence: 0,
    /** Time that an answer takes. */
    slowMs: 0,
  }
  const leases: Lease[] = []
  const answering = async () => {
    await clock.sleep(store.slowMs)
    if (store.failing) throw new Error('the database is away')
  }
  const options: LeaseOptions = {
    store: {
      async takeLease({ target, holder, leaseMs: ms, begin }) {
        await answering()
        at(`${holder} asks for ${target} for ${ms} from ${begin.upTo}`)
        if (!store.gives) return null
        if (store.fence >= 100) throw new Error('too many leases')
        store.fence += 1
        return { fence: store.fence, upTo: begin.upTo }
      },
      async renewLease(target, fence, ms) {
        await answering()
        at(`renews ${target} ${fence} for ${ms}`)
        if (store.renews === 'failing') throw new Error('the database is away')
        return store.renews
      },
      async releaseLease(target, fence) {
        await answering()
        at(`gives back ${target} ${fence}`)
      },
    },
    ...{ target: 'ledger', holder: 'a', begin: async () => ({ upTo: 4, waiting: [] }), clock, random: () => 0.5 },
    ...{ log: (line) => lines.push(line), trouble: new TroubleLog(clock, (line) => lines.push(line)) },
    signal: ended.signal,
  }
  const done = whileLeased(options, async (lease) => {
    leases.push(lease)
    await new Promise<void>((resolve) => {
      for (const signal of [lease.lost, ended.signal]) signal.addEventListener('abort', () => resolve())
    })
    at('work ended')
  })
  const end = async () => {
    ended.abort()
    let isOver = false
    void done.then(() => {
      isOver = true
    })
    for (let turn = 0; turn < 10; turn += 1) await settle()
    expect({ isOver, sleeping: clock.sleeperCount }).toEqual({ isOver: true, sleeping: 0 })
  }
  return { clock, lines, said, store, leases, end }
}

test('a lease is renewed in time, and given back at the end without a word', async () => {
  const { clock, lines, said, leases, end } = setting()
  await clock.advance(2 * renewMs)
  expect(leases).toMatchObject([{ fence: 1, upTo: 4 }])
  await clock.advance(20 * leaseMs)
  expect(leases[0]?.isValid()).toBe(true)
  expect(leases[0]?.lost.aborted).toBe(false)
  await end()
  expect(said.slice(0, 3)).toEqual([
    '0 a asks for ledger for 6000 from 4',
    '2000 renews ledger 1 for 6000',
    '4000 renews ledger 1 for 6000',
  ])
  expect(said.slice(-2)).toEqual(['124000 work ended', '124000 gives back ledger 1'])
  expect(lines).toEqual([])
})

test('where another host has it, it is looked for once a second, and told once', async () => {
  const { clock, lines, said, store, leases, end } = setting()
  store.gives = false
  await clock.advance(3 * lookMs)
  expect(said).toHaveLength(4)
  expect(lines).toEqual(['forward: another host forwards; standing by to take over when it ends'])
  store.gives = true
  await clock.advance(lookMs)
  expect(leases).toHaveLength(1)
  expect(lines.slice(1)).toEqual(['forward: this host forwards now'])
  // Lost and had again, nobody else was in between.
  store.renews = false
  await clock.advance(renewMs)
  store.renews = true
  await clock.advance(lookMs)
  expect(lines.slice(2)).toEqual(['forward: lease lost, requesting it again'])
  expect(leases).toHaveLength(2)
  store.renews = false
  store.gives = false
  await clock.advance(renewMs)
  expect(lines.slice(3)).toEqual([
    'forward: lease lost, requesting it again',
    'forward: another host forwards; standing by to take over when it ends',
  ])
  await end()
})

test('a lease that the store does not renew is lost at once: the work ends before another begins', async () => {
  const { clock, said, store, leases, end } = setting()
  await settle()
  store.renews = false
  await clock.advance(renewMs)
  expect(leases[0]?.lost.aborted).toBe(true)
  expect(leases[0]?.isValid()).toBe(false)
  expect(said.slice(1, 5)).toEqual([
    '2000 renews ledger 1 for 6000',
    '2000 work ended',
    '2000 gives back ledger 1',
    '2000 a asks for ledger for 6000 from 4',
  ])
  expect(leases[1]).toMatchObject({ fence: 2 })
  expect(leases[1]?.isValid()).toBe(true)
  await end()
})

test('a store that does not answer costs the lease when it may have run out, not sooner', async () => {
  const { clock, lines, store, leases, end } = setting()
  await clock.advance(renewMs)
  store.renews = 'failing'
  // Renewed at 2 s, so that it lasts until 8 s.
  await clock.advance(leaseMs - 1)
  expect(leases[0]?.isValid()).toBe(true)
  await clock.advance(1)
  expect(leases[0]?.isValid()).toBe(false)
  expect(leases[0]?.lost.aborted).toBe(true)
  expect(lines[0]).toBe('forward: the lease cannot be renewed: the database is away')
  await end()
})

test('one missed renewal costs nothing', async () => {
  const { clock, store, leases, end } = setting()
  await settle()
  store.renews = 'failing'
  await clock.advance(2 * renewMs)
  store.renews = true
  await clock.advance(60_000)
  expect(leases).toHaveLength(1)
  expect(leases[0]?.isValid()).toBe(true)
  await end()
})

test('what is taken after a slow answer is valid for the rest alone', async () => {
  const clock = new FakeClock()
  const ended = new AbortController()
  let lease: Lease | null = null
  const trouble = new TroubleLog(clock, () => undefined)
  const done = whileLeased(
    {
      store: {
        async takeLease() {
          await clock.sleep(4_000)
          return { fence: 1, upTo: 0 }
        },
        async renewLease() {
          await clock.sleep(1_000)
          return true
        },
        releaseLease: async () => undefined,
      },
      ...{ target: 'ledger', holder: 'a', begin: async () => ({ upTo: 0, waiting: [] }), clock, random: () => 0.5 },
      ...{ log: () => undefined, trouble, signal: ended.signal },
    },
    async (given) => {
      lease = given
      await new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve()))
    },
  )
  const isValid = () => lease?.isValid() ?? false
  await clock.advance(4_000)
  expect(isValid()).toBe(true)
  clock.standStill(1_999)
  expect(isValid()).toBe(true)
  clock.standStill(1)
  expect(isValid()).toBe(false)
  ended.abort()
  await clock.advance(2_000)
  await done
})

test('a renewal counts from when it was asked for, not from its answer', async () => {
  const { clock, store, leases, end } = setting()
  await settle()
  await clock.advance(renewMs - 1)
  store.slowMs = 1_000
  await clock.advance(1)
  store.slowMs = 600_000
  // Asked at 2 s, answered at 3 s, asked again at 5 s without an answer: it lasts until 8 s.
  await clock.advance(5_999)
  expect(leases[0]?.isValid()).toBe(true)
  await clock.advance(1)
  expect(leases[0]?.isValid()).toBe(false)
  store.slowMs = 0
  await clock.advance(600_000)
  await end()
})

test('a store that cannot be asked is asked ever more seldom, six seconds apart at most, and told once', async () => {
  const { clock, lines, said, store, leases, end } = setting()
  store.gives = false
  await settle()
  store.failing = true
  await clock.advance(1_000)
  store.failing = false
  said.length = 0
  // 1 s after the failure.
  await clock.advance(1_000)
  expect(said).toHaveLength(1)
  expect(lines).toEqual([
    'forward: another host forwards; standing by to take over when it ends',
    'forward: the store cannot be asked: the database is away',
    'forward: the store answers again',
  ])
  store.failing = true
  await clock.advance(1_000 + 1_000 + 2_000 + 4_000 + 6_000 + 6_000 - 1)
  store.failing = false
  store.gives = true
  expect(leases).toHaveLength(0)
  await clock.advance(1)
  expect(leases).toHaveLength(1)
  await end()
})

test('work may end its lease itself, and then it is asked for anew', async () => {
  const { clock, lines, leases, end } = setting()
  await settle()
  leases[0]?.lose()
  await clock.advance(0)
  expect(leases).toHaveLength(2)
  expect(lines).toEqual(['forward: lease lost, requesting it again'])
  await end()
})

test('work that fails gives the lease up: nothing renews it any more, and it is asked for anew', async () => {
  const clock = new FakeClock()
  const ended = new AbortController()
  const [lines, leases] = [[] as string[], [] as Lease[]]
  /** Renewed only by the holder; given to nobody else as long as it is. */
  let untilMs = 0
  const trouble = new TroubleLog(clock, (line) => lines.push(line))
  const done = whileLeased(
    {
      store: {
        async takeLease({ leaseMs: ms }) {
          if (clock.now() < untilMs) return null
          untilMs = clock.now() + ms
          return { fence: leases.length + 1, upTo: 0 }
        },
        async renewLease(_target, _fence, ms) {
          untilMs = clock.now() + ms
          return true
        },
        releaseLease: async () => undefined,
      },
      ...{ target: 'ledger', holder: 'a', begin: async () => ({ upTo: 0, waiting: [] }), clock, random: () => 0.5 },
      ...{ log: (line) => lines.push(line), trouble, signal: ended.signal },
    },
    async (lease) => {
      leases.push(lease)
      if (leases.length === 1) throw new Error('odd')
      await new Promise<void>((resolve) => ended.signal.addEventListener('abort', () => resolve()))
    },
  )
  await settle()
  expect(leases[0]?.lost.aborted).toBe(true)
  for (let seconds = 0; seconds < 20; seconds += 1) await clock.advance(1_000)
  expect(leases).toHaveLength(2)
  ended.abort()
  await done
  expect(clock.sleeperCount).toBe(0)
})
