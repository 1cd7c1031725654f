import { expect, test } from 'vitest'
import { followSleep } from '../../../src/desk/screen/terminal.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { eventually } from '../../fakes/eventually.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

/** A desk that is sent to the shell; `rest` is how long its duties take to be free. */
function aSleep(rest: () => Promise<void>) {
  const clock = new FakeClock(0)
  const store = createDeskStore(deskState({ log: [] }))
  const did: string[] = []
  const step = (name: string) => {
    did.push(name)
    return Promise.resolve()
  }
  const leave = () => store.dispatch({ type: 'leavingAsked', atMs: clock.now() })
  const end = followSleep({
    ...{ store, clock, commands: { leaveForShell: leave }, tell: () => void step('tell') },
    console: { leave: async (away) => void (await away()), sizeSet: () => undefined },
    duties: { rest: () => step('rest').then(rest), wake: () => step('wake') },
    jobs: {
      ...{ onAsked: () => undefined, onContinued: () => undefined, onResized: () => undefined, end: () => undefined },
      stop: () => step('stop').then(() => true),
    },
  })
  const said = () => store.getState().log.map(({ text }) => text)
  return { did, leave, end, clock, said }
}

test('a desk is stopped only once it has said what stands still and its duties are free, and wakes with them', async () => {
  const sleep = aSleep(() => Promise.resolve())
  sleep.leave()
  await eventually(() => expect(sleep.said()).toEqual([expect.stringContaining('Back after 0 s suspended')]))
  expect(sleep.did).toEqual(['tell', 'rest', 'stop', 'wake'])
  sleep.end()
})

test('duties that do not come to an end hold nobody from the shell for long', async () => {
  const sleep = aSleep(() => new Promise(() => undefined))
  sleep.leave()
  await eventually(() => expect(sleep.did).toEqual(['tell', 'rest']))
  await sleep.clock.advance(3_000)
  await eventually(() => expect(sleep.did).toEqual(['tell', 'rest', 'stop', 'wake']))
  sleep.end()
})
