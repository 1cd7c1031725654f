import { renameSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { followOpenElsewhere } from '../../../src/desk/wiring/open-elsewhere.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'
import { aFolder, aJournal, anIntent, atMs } from '../../journal/scene.ts'
import { aReconciliation, aVenue } from '../../services/reconciliation/scene.ts'

/** An open desk, and a command on the same journal whose order has got no answer. */
async function besideCommand() {
  const folder = aFolder()
  const journal = await aJournal(folder)
  const desk = { ...aReconciliation(aVenue().client, journal), journal }
  const command = await aJournal(folder)
  const write = await command.begin(anIntent('c1'), atMs)
  const clock = new FakeClock(atMs)
  const stop = new AbortController()
  const store = createDeskStore(deskState())
  let wakes = 0
  const reconciliation = {
    wake() {
      wakes += 1
      desk.reconciliation.wake()
    },
  }
  const stopDesk = desk.start()
  const following = followOpenElsewhere({ store, journal, reconciliation, clock, signal: stop.signal })
  onTestFinished(async () => {
    stop.abort()
    await following
    await stopDesk()
  })
  return {
    ...{ desk, command, write, folder },
    wakes: () => wakes,
    openIds: () => store.getState().openElsewhere.map(({ clientOrderId }) => clientOrderId),
    async looks() {
      await clock.paused()
      await clock.advance(3_000)
      await clock.paused()
    },
  }
}

test('a desk takes over within seconds what a command left without an outcome as it ended', async () => {
  const { desk, command, write, looks, openIds } = await besideCommand()
  await write.end({ kind: 'unknown', reason: 'reset' }, atMs)
  await looks()
  expect([desk.events, openIds()]).toEqual([[], ['c1']])
  await command.close()
  await looks()
  await eventually(() => expect(desk.events).toMatchObject([{ type: 'writeUnknown', write: { key: 'c1' } }]))
  await looks()
  expect(openIds()).toEqual([])
})

test('what has its answer by the next look wakes nobody, and what is on its way for longer does', async () => {
  const { command, write, looks, wakes } = await besideCommand()
  expect(wakes()).toBe(0)
  await write.end({ kind: 'accepted', id: '1', status: 'OPEN' }, atMs)
  await looks()
  await command.begin(anIntent('c2'), atMs)
  await looks()
  expect(wakes()).toBe(0)
  await looks()
  expect(wakes()).toBe(1)
})

test('a journal that takes no write is tried by itself, and what ended desks left is taken over once it works', async () => {
  const { desk, folder, looks, wakes } = await besideCommand()
  const kept: boolean[] = []
  desk.journal.listen(
    () => undefined,
    (isKept) => kept.push(isKept),
  )
  renameSync(folder, `${folder}-away`)
  await looks()
  await expect(desk.journal.begin(anIntent('c9'), atMs)).rejects.toThrow('was removed or replaced')
  await looks()
  expect([kept, wakes()]).toEqual([[false], 0])
  renameSync(`${folder}-away`, folder)
  await looks()
  expect([kept, wakes()]).toEqual([[false, true], 1])
})
