import { afterEach, describe, expect, test } from 'vitest'
import type { Delivery } from '../../../../src/sandbox/gateway/sender/delivery.ts'
import { FakeClock } from '../../../fakes/fake-clock.ts'
import { crashImage, newFolder } from '../../persistence/scene.ts'
import { answered, type Behaviour, HandWorld, hourMs, openSender, refused, startMs, turns } from './harness.ts'

type Scene = ReturnType<typeof openSender>
const open: Scene[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

const deadUrl = 'http://127.0.0.1:1/dead'
const liveUrl = 'http://127.0.0.1:1/live'

function begin(behave: Behaviour, folder = newFolder(), clock = new FakeClock(startMs), world = new HandWorld()) {
  const scene = openSender(folder, { clock, world, behave })
  open.push(scene)
  return { ...scene, clock, world, folder }
}

async function register(scene: Scene, url: string, more: { name?: string; partner?: string } = {}) {
  const registering = scene.webhooks.register({ url, ...more })
  const registered = await registering
  if (!registered.ok) throw new Error(JSON.stringify(registered.error))
  return registered.value
}

const only = (scene: Scene, id = 1): Delivery => {
  const delivery = scene.webhooks.delivery(id)
  if (delivery === undefined) throw new Error(`there is no delivery ${id}`)
  return delivery
}

describe('an event that never arrives', () => {
  test('is tried for 72 hours on its schedule, then expires, and is kept with every attempt', async () => {
    const scene = begin(() => refused)
    await register(scene, deadUrl)
    scene.world.make('e1', scene.clock.now())
    await scene.clock.advance(71 * hourMs)
    expect(only(scene).state.kind).toBe('pending')
    await scene.clock.advance(hourMs + 1)

    const times = scene.sent.map(({ atMs }) => atMs - startMs)
    expect(times[0]).toBe(0)
    const pauses = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0))
    pauses.slice(0, -1).forEach((pauseMs, index) => {
      const plainMs = Math.min(10_000 * 2 ** index, 6 * hourMs)
      expect(pauseMs, `pause ${index + 1}`).toBeGreaterThanOrEqual(0.8 * plainMs - 1)
      expect(pauseMs, `pause ${index + 1}`).toBeLessThanOrEqual(Math.min(1.2 * plainMs, 6 * hourMs))
    })
    // No two of them are the plain length to the millisecond: they are spread.
    expect(pauses.filter((pauseMs, index) => pauseMs === 10_000 * 2 ** index)).toEqual([])
    expect(times.at(-1)).toBeLessThan(72 * hourMs)
    expect(times.at(-1)).toBeGreaterThanOrEqual(72 * hourMs - 15_000)

    expect(only(scene)).toMatchObject({
      state: { kind: 'expired', atMs: startMs + 72 * hourMs },
      attemptCount: times.length,
    })
    const attempts = scene.webhooks.attempts(1)
    expect(attempts.map(({ atMs }) => atMs)).toEqual(scene.sent.map(({ atMs }) => atMs))
    expect(attempts.every(({ result }) => result.kind === 'failed' && result.reason === refused.reason)).toBe(true)
    expect(scene.lines).toEqual([`webhook: delivery 1 expired after ${times.length} attempts`])
    await scene.clock.advance(100 * hourMs)
    expect(scene.sent).toHaveLength(times.length)
  })

  test('expires at once when the clock is put past its window, without another attempt', async () => {
    const scene = begin(() => refused)
    await register(scene, deadUrl)
    scene.world.make('e1', scene.clock.now() - 72 * hourMs)
    await scene.clock.advance(1)
    expect(scene.sent).toEqual([])
    expect(only(scene)).toMatchObject({ state: { kind: 'expired' }, attemptCount: 0 })
  })

  test('every attempt carries the very same body', async () => {
    const scene = begin((_, sent) => answered(sent.length < 4 ? 503 : 200))
    await register(scene, deadUrl)
    scene.world.make('e1', scene.clock.now())
    await scene.clock.advance(hourMs)
    expect(scene.sent).toHaveLength(4)
    expect(new Set(scene.sent.map(({ body }) => body)).size).toBe(1)
    expect(scene.sent[0]?.body).toContain('"inputAmount":"100.1"')
    expect(only(scene)).toMatchObject({ state: { kind: 'delivered' }, lastAttempt: { result: { status: 200 } } })
  })
})

test.each([200, 201, 202, 204, 299])('%i is delivered', async (status) => {
  const scene = begin(() => answered(status))
  await register(scene, liveUrl)
  scene.world.make('e1', scene.clock.now())
  await scene.clock.advance(72 * hourMs)
  expect(scene.sent).toHaveLength(1)
  expect(only(scene).state).toEqual({ kind: 'delivered', atMs: startMs })
})

test.each([301, 302, 307, 400, 403, 404, 410, 429, 500, 503])('%i is tried again', async (status) => {
  const scene = begin((_, sent) => answered(sent.length === 1 ? status : 200))
  await register(scene, liveUrl)
  scene.world.make('e1', scene.clock.now())
  await scene.clock.advance(12_000)
  expect(scene.sent).toHaveLength(2)
  expect(scene.webhooks.attempts(1)[0]?.result).toEqual(answered(status))
})

describe('nothing waits behind what fails', () => {
  test('an endpoint that hangs and one that is dead delay nothing at a healthy one, for three days', async () => {
    const scene = begin(async ({ url }) => {
      if (url === liveUrl) return answered(200)
      if (url === deadUrl) return refused
      await scene.clock.sleep(5_000)
      return { kind: 'failed', reason: 'no whole answer within 5 s' }
    })
    await register(scene, deadUrl, { name: 'dead' })
    await register(scene, 'http://127.0.0.1:1/hangs', { name: 'hangs' })
    await register(scene, liveUrl, { name: 'live' })
    const made = new Map<string, number>()
    for (let number = 1; number <= 144; number += 1) {
      const eventId = `e${number}`
      made.set(eventId, scene.clock.now())
      scene.world.make(eventId, scene.clock.now(), { orderId: `o${number}` })
      await scene.clock.advance(hourMs / 2)
    }
    const live = scene.sent.filter(({ url }) => url === liveUrl)
    expect(live).toHaveLength(144)
    expect(live.filter(({ eventId, atMs }) => atMs !== made.get(eventId))).toEqual([])
    // Those to the others were each tried first the moment they were made too.
    for (const name of ['dead', 'hangs']) {
      const first = new Map(
        scene.sent
          .filter(({ url }) => url.endsWith(name))
          .reverse()
          .map(({ eventId, atMs }) => [eventId, atMs]),
      )
      expect(first).toEqual(made)
    }
  })

  test('one event that its endpoint cannot digest delays no other', async () => {
    const scene = begin(({ eventId }) => answered(eventId === 'poison' ? 500 : 200))
    await register(scene, liveUrl)
    scene.world.make('poison', scene.clock.now())
    for (let number = 1; number <= 50; number += 1) {
      await scene.clock.advance(1_000)
      scene.world.make(`e${number}`, scene.clock.now())
    }
    await turns()
    const others = scene.sent.filter(({ eventId }) => eventId !== 'poison')
    expect(others.map(({ atMs }) => atMs - startMs)).toEqual(
      Array.from({ length: 50 }, (_, index) => (index + 1) * 1_000),
    )
  })

  test('hundreds that hang at one endpoint leave the way free for what is new there', async () => {
    const scene = begin(async ({ eventId }, sent) => {
      if (eventId.startsWith('new')) return answered(200)
      // The first attempt of each is refused at once; later ones hang.
      if (sent.filter((each) => each.eventId === eventId).length === 1) return refused
      await scene.clock.sleep(5_000)
      return { kind: 'failed', reason: 'no whole answer within 5 s' }
    })
    await register(scene, liveUrl)
    for (let number = 1; number <= 300; number += 1) scene.world.make(`e${number}`, scene.clock.now())
    await scene.clock.advance(13_000)
    scene.world.make('new', scene.clock.now())
    await turns()
    expect(scene.sent.at(-1)).toMatchObject({ eventId: 'new', atMs: scene.clock.now() })
  })

  test('COMPLETED goes out while PENDING waits to be tried again, and PENDING still comes after it', async () => {
    const scene = begin(({ eventId }) => (eventId === 'completed' || isUp ? answered(200) : refused))
    let isUp = false
    await register(scene, liveUrl)
    scene.world.make('pending', scene.clock.now(), { state: 'PENDING' })
    await scene.clock.advance(25_000)
    scene.world.make('completed', scene.clock.now(), { state: 'COMPLETED' })
    await turns()
    expect(scene.sent.at(-1)).toMatchObject({ eventId: 'completed', atMs: startMs + 25_000 })
    expect(only(scene, 1)).toMatchObject({ orderState: 'PENDING', state: { kind: 'pending' } })
    expect(only(scene, 2)).toMatchObject({ orderState: 'COMPLETED', state: { kind: 'delivered' } })
    isUp = true
    await scene.clock.advance(60_000)
    expect(scene.sent.at(-1)?.eventId).toBe('pending')
    expect(only(scene, 1).state.kind).toBe('delivered')
  })
})

describe('endpoints', () => {
  test('each gets its own partner’s events, from its registration on', async () => {
    const scene = begin(() => answered(200))
    scene.world.make('before', scene.clock.now())
    await turns()
    await register(scene, liveUrl)
    await register(scene, 'http://127.0.0.1:1/acme', { partner: 'acme' })
    scene.world.make('e1', scene.clock.now())
    scene.world.make('e2', scene.clock.now(), { partner: 'acme' })
    await turns()
    expect(scene.sent.map(({ url, eventId }) => [url, eventId])).toEqual([
      [liveUrl, 'e1'],
      ['http://127.0.0.1:1/acme', 'e2'],
    ])
  })

  test('one that is removed gets no more, and what was pending for it is given up', async () => {
    const scene = begin(() => refused)
    const { id } = await register(scene, deadUrl)
    scene.world.make('e1', scene.clock.now())
    await scene.clock.advance(1_000)
    expect(await scene.webhooks.remove(id)).toMatchObject({ ok: true })
    scene.world.make('e2', scene.clock.now())
    await scene.clock.advance(72 * hourMs)
    expect(scene.sent).toHaveLength(1)
    expect(scene.webhooks.endpoints()).toEqual([])
    expect(only(scene).state).toEqual({ kind: 'expired', atMs: startMs + 1_000 })
    expect(scene.webhooks.endpointOf(only(scene))?.url).toBe(deadUrl)
    expect(await scene.webhooks.remove(id)).toMatchObject({ ok: false, error: { kind: 'notFound' } })
  })

  test('a name that is registered again moves, and what is pending is tried at the new address at once', async () => {
    const scene = begin(({ url }) => (url === deadUrl ? refused : answered(200)))
    const { id } = await register(scene, deadUrl, { name: 'desk' })
    scene.world.make('e1', scene.clock.now())
    await scene.clock.advance(10 * hourMs)
    expect(await register(scene, liveUrl, { name: 'desk' })).toMatchObject({ id, url: liveUrl })
    await turns()
    expect(scene.sent.at(-1)).toMatchObject({ url: liveUrl, atMs: startMs + 10 * hourMs })
    expect(only(scene).state.kind).toBe('delivered')
  })

  test('what may not be one is refused', async () => {
    const { webhooks } = begin(() => answered(200))
    expect(await webhooks.register({ url: 'https://10.0.0.1/' })).toEqual({
      ok: false,
      error: { kind: 'invalid', field: 'url', message: 'must not be a private address' },
    })
    expect(await webhooks.register({ url: liveUrl, partner: 'nobody' })).toMatchObject({ error: { what: 'partner' } })
    expect(await webhooks.register({ url: liveUrl, name: 'x'.repeat(41) })).toMatchObject({ error: { field: 'name' } })
    expect(webhooks.endpoints()).toEqual([])
  })
})

describe('retries by hand', () => {
  const expireTwo = async () => {
    let isUp = false
    const scene = begin(() => (isUp ? answered(200) : refused))
    await register(scene, deadUrl)
    scene.world.make('e1', scene.clock.now())
    scene.world.make('e2', scene.clock.now())
    await scene.clock.advance(73 * hourMs)
    scene.world.make('e3', scene.clock.now())
    await scene.clock.advance(60_000)
    expect([1, 2, 3].map((id) => only(scene, id).state.kind)).toEqual(['expired', 'expired', 'pending'])
    return { ...scene, come: (isBack: boolean) => (isUp = isBack) }
  }

  test('by number: an expired one arrives after all, or stays expired', async () => {
    const scene = await expireTwo()
    const before = only(scene, 1)
    expect(scene.webhooks.retry([{ first: 1, last: 1 }])).toEqual({ ok: true, value: { tried: 1, passedOver: 0 } })
    await turns()
    expect(only(scene, 1)).toMatchObject({ state: before.state, attemptCount: before.attemptCount + 1 })
    scene.come(true)
    scene.webhooks.retry([{ first: 1, last: 1 }])
    await turns()
    expect(only(scene, 1).state).toEqual({ kind: 'delivered', atMs: scene.clock.now() })
    expect(only(scene, 2).state.kind).toBe('expired')
  })

  test('by range: what waits is tried now too; what has arrived is passed over', async () => {
    const scene = await expireTwo()
    scene.come(true)
    expect(scene.webhooks.retry([{ first: 1, last: 9 }])).toEqual({ ok: true, value: { tried: 3, passedOver: 0 } })
    await turns()
    expect([1, 2, 3].map((id) => only(scene, id).state.kind)).toEqual(['delivered', 'delivered', 'delivered'])
    expect(scene.webhooks.retry([{ first: 1, last: 9 }])).toEqual({ ok: true, value: { tried: 0, passedOver: 3 } })
    const count = scene.sent.length
    // Named alone it is sent again: receivers have to cope with that.
    expect(scene.webhooks.retry([{ first: 2, last: 2 }])).toEqual({ ok: true, value: { tried: 1, passedOver: 0 } })
    await turns()
    expect(scene.sent.slice(count).map(({ eventId }) => eventId)).toEqual(['e2'])
  })

  test('a number that nothing has is told', async () => {
    const { webhooks } = begin(() => refused)
    expect(webhooks.retry([{ first: 7, last: 7 }])).toEqual({
      ok: false,
      error: { kind: 'notFound', what: 'delivery', name: '7' },
    })
  })
})

describe('restarts', () => {
  test('in the middle of the schedule: it goes on where it was', async () => {
    const first = begin(() => refused)
    await register(first, deadUrl)
    first.world.make('e1', first.clock.now())
    await first.clock.advance(5 * hourMs)
    const before = only(first)
    const { state } = before
    const dueMs = state.kind === 'pending' ? state.dueMs : 0
    expect(dueMs).toBeGreaterThan(first.clock.now())
    await first.close()
    open.splice(0)

    const again = begin(() => refused, first.folder, first.clock, first.world)
    expect(only(again)).toEqual(before)
    await first.clock.advance(dueMs - first.clock.now() - 1)
    expect(again.sent).toEqual([])
    await first.clock.advance(1)
    expect(again.sent.map(({ atMs }) => atMs)).toEqual([dueMs])
    await first.clock.advance(72 * hourMs)
    expect(only(again).state).toEqual({ kind: 'expired', atMs: startMs + 72 * hourMs })
    const attempts = again.webhooks.attempts(1)
    expect(attempts).toHaveLength(first.sent.length + again.sent.length)
    expect(attempts).toHaveLength(only(again).attemptCount)
  })

  test('after a crash: whatever was in the outbox is delivered, some of it perhaps twice, never otherwise than before', async () => {
    const scene = begin(() => answered(200))
    await register(scene, liveUrl)
    for (let number = 1; number <= 20; number += 1) scene.world.make(`e${number}`, scene.clock.now())
    // Nothing of the deliveries has been committed: the endpoint is all that is on disk.
    const image = crashImage(scene.folder)
    await turns()
    expect(scene.sent).toHaveLength(20)
    const again = begin(() => answered(200), image, scene.clock, scene.world)
    await turns()
    expect(again.sent.map(({ body }) => body)).toEqual(scene.sent.map(({ body }) => body))
    await again.store.settled()
    const third = begin(() => answered(200), crashImage(image), scene.clock, scene.world)
    await turns()
    expect(third.sent).toEqual([])
    expect(third.webhooks.deliveries({ count: 100, kind: 'delivered' })).toHaveLength(20)
  })

  test('what was under way when the gateway was stopped is sent again at the next start', async () => {
    const scene = begin(() => new Promise(() => {}))
    await register(scene, liveUrl)
    scene.world.make('e1', scene.clock.now())
    await turns()
    expect(scene.sent).toHaveLength(1)
    await scene.close()
    open.splice(0)
    const again = begin(() => answered(200), scene.folder, scene.clock, scene.world)
    await turns()
    expect(only(again)).toMatchObject({ attemptCount: 1, state: { kind: 'delivered' } })
  })

  test('a stop longer than the window: it expires at the start', async () => {
    const scene = begin(() => refused)
    await register(scene, deadUrl)
    scene.world.make('e1', scene.clock.now())
    await scene.clock.advance(1_000)
    await scene.close()
    open.splice(0)
    await scene.clock.advance(100 * hourMs)
    const again = begin(() => answered(200), scene.folder, scene.clock, scene.world)
    await turns()
    expect(again.sent).toEqual([])
    expect(only(again).state.kind).toBe('expired')
  })
})

test('a new world forgets deliveries and keeps endpoints; what was under way for the old one is of no account', async () => {
  const waiting = Promise.withResolvers<void>()
  const scene = begin(async ({ eventId }) => {
    if (eventId === 'old') await waiting.promise
    return answered(200)
  })
  await register(scene, liveUrl)
  scene.world.make('old', scene.clock.now())
  await turns()
  scene.world.reset()
  scene.world.make('new', scene.clock.now())
  await turns()
  waiting.resolve()
  await turns()
  const deliveries = scene.webhooks.deliveries({ count: 10 })
  expect(deliveries).toMatchObject([{ id: 1, eventId: 'new', state: { kind: 'delivered' }, attemptCount: 1 }])
})

test('lists of deliveries: newest first, by state and endpoint, in pages', async () => {
  const scene = begin(({ url }) => (url === liveUrl ? answered(200) : refused))
  const live = await register(scene, liveUrl, { name: 'live' })
  const dead = await register(scene, deadUrl, { name: 'dead' })
  for (let number = 1; number <= 5; number += 1) scene.world.make(`e${number}`, scene.clock.now())
  await turns()
  const ids = (query: Parameters<typeof scene.webhooks.deliveries>[0]) =>
    scene.webhooks.deliveries(query).map(({ id }) => id)
  expect(ids({ count: 3 })).toEqual([10, 9, 8])
  expect(ids({ count: 3, before: 8 })).toEqual([7, 6, 5])
  expect(ids({ count: 10, endpointId: live.id })).toEqual(ids({ count: 10, kind: 'delivered' }))
  expect(ids({ count: 10, endpointId: dead.id })).toEqual(ids({ count: 10, kind: 'pending' }))
  expect(ids({ count: 10, kind: 'expired' })).toEqual([])
})

test('deliveries that arrived are forgotten after a week, expired ones are kept', async () => {
  const scene = begin(({ url }) => (url === liveUrl ? answered(200) : refused))
  await register(scene, liveUrl, { name: 'live' })
  await register(scene, deadUrl, { name: 'dead' })
  scene.world.make('e1', scene.clock.now())
  await scene.clock.advance(73 * hourMs)
  await scene.close()
  open.splice(0)
  await scene.clock.advance(8 * 24 * hourMs)
  const again = begin(() => answered(200), scene.folder, scene.clock, scene.world)
  await turns()
  expect(again.webhooks.deliveries({ count: 10 }).map(({ state }) => state.kind)).toEqual(['expired'])
  expect(again.webhooks.attempts(2).length).toBeGreaterThan(20)
})

test('expired deliveries are forgotten once nothing could be sent again', async () => {
  const scene = begin(() => refused)
  await register(scene, deadUrl, { name: 'dead' })
  scene.world.make('e1', scene.clock.now())
  await scene.clock.advance(73 * hourMs)
  await scene.close()
  open.splice(0)
  await scene.clock.advance(41 * 24 * hourMs)
  const again = begin(() => refused, scene.folder, scene.clock, scene.world)
  await turns()
  expect([again.webhooks.deliveries({ count: 10 }), again.webhooks.attempts(1)]).toEqual([[], []])
})
