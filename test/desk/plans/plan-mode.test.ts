import { expect, test } from 'vitest'
import { followMode } from '../../../src/desk/plans/plan-mode.ts'
import { createDeskStore } from '../../../src/store/store.ts'
import { deskState } from '../../fakes/desk-state.ts'
import { FakeClock } from '../../fakes/fake-clock.ts'

test('a HALTED desk says that its plans go on where a watch gets them', () => {
  const clock = new FakeClock(0)
  const store = createDeskStore(deskState({ log: [] }))
  followMode(store, { openCount: () => 1, clock, tellElsewhere: () => undefined })
  const said = () => store.getState().log.map(({ text }) => text)
  store.dispatch({ type: 'dutiesChanged', duties: { where: 'here' } })
  store.dispatch({ type: 'plans', owner: 'desk', plans: [] })
  store.dispatch({ type: 'modeChanged', mode: { kind: 'HALTED' }, atMs: 0 })
  expect(said().at(-1)).toBe('HALTED: 1 plan may only cancel. Stops that rest stay, nothing else follows.')
  const count = said().length
  store.dispatch({ type: 'dutiesChanged', duties: { where: 'elsewhere' } })
  store.dispatch({ type: 'plans', owner: 'nobody', plans: [] })
  expect(said()).toHaveLength(count)
  store.dispatch({ type: 'plans', owner: 'watch', plans: [] })
  store.dispatch({ type: 'plans', owner: 'silent', plans: [] })
  expect(said().slice(count)).toEqual(['1 plan goes on in the watch: to stop it, cancel it.'])
})
