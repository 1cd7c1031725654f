import type { Clock } from '../base/clock.ts'
import type { DeskStore } from '../store/desk.ts'
import { isPlansAtHub } from '../store/plans/plans.ts'

/** Says what a change of the mode means for the plans: nothing of it stops them unsaid. */
export function followMode(store: DeskStore, plans: { openCount(): number }, clock: Clock): void {
  store.subscribe((state, { mode: before }) => {
    const { mode, duties, plans: shown } = state
    const count = plans.openCount()
    if (mode.kind === before.kind || count === 0) return
    const [them, go] = count === 1 ? ['1 plan', 'goes'] : [`${count} plans`, 'go']
    const isAtHub = isPlansAtHub(state)
    const besides = { otherDesk: 'in another desk', silent: 'once the process that runs them does' }
    const beside =
      shown.owner === 'otherDesk' || shown.owner === 'silent'
        ? besides[shown.owner]
        : duties.where === 'elsewhere'
          ? 'in the watch'
          : null
    const where = isAtHub ? 'at the hub' : beside
    const note = (level: 'info' | 'bad', text: string) =>
      store.dispatch({ type: 'noted', level, text, atMs: clock.now() })
    if (mode.kind === 'SAFE' && isAtHub) note('info', `SAFE stops keys, not plans: ${them} ${go} on at the hub.`)
    else if (mode.kind === 'SAFE') note('info', `SAFE stops keys, not plans: ${them} ${go} on. HALTED stops them.`)
    else if (mode.kind === 'HALTED' && where !== null)
      note('bad', `${them} ${go} on ${where}: ${count === 1 ? 'to stop it, cancel it' : 'to stop them, cancel them'}.`)
    else if (mode.kind === 'HALTED')
      note('bad', `HALTED: ${them} may only cancel. Stops that rest stay, nothing else follows.`)
  })
}
