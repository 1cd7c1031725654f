import type { Clock } from '../../base/clock.ts'
import { keyOf } from '../../domain/desk/session.ts'
import type { News } from '../../domain/notify/message.ts'
import type { DeskState, DeskStore } from '../../store/desk.ts'
import { isPlansAtHub } from '../../store/plans/plans.ts'

type Told = {
  openCount(): number
  clock: Clock
  tellElsewhere: (news: News) => void
}

/** Says what a mode means for the plans, when either changes: nothing of it stops them unsaid. */
export function followMode(store: DeskStore, { openCount, clock, tellElsewhere }: Told): void {
  const note = (level: 'info' | 'bad', text: string) =>
    store.dispatch({ type: 'noted', level, text, atMs: clock.now() })
  const noteMode = (state: DeskState, count: number) => {
    const [them, go, stop] = count === 1 ? ['1 plan', 'goes', 'it'] : [`${count} plans`, 'go', 'them']
    const where = placeElsewhere(state)
    if (state.mode.kind === 'SAFE' && isPlansAtHub(state))
      note('info', `SAFE stops keys, not plans: ${them} ${go} on at the hub.`)
    else if (state.mode.kind === 'SAFE')
      note('info', `SAFE stops keys, not plans: ${them} ${go} on. HALTED stops them.`)
    else if (state.mode.kind === 'HALTED' && where !== null)
      note('bad', `${them} ${go} on ${where}: to stop ${stop}, cancel ${stop}.`)
    else if (state.mode.kind === 'HALTED')
      note('bad', `HALTED: ${them} may only cancel. Stops that rest stay, nothing else follows.`)
  }
  /** Whoever counts on these plans may sit elsewhere: it was not their desk that was halted. */
  const tellHalted = ({ reboundKeys }: DeskState, count: number) => {
    const them = count === 1 ? '1 plan' : `${count} plans`
    const until = `until ${keyOf(reboundKeys, 'toggleArmed')} arms it here`
    const text = `This desk is HALTED: ${them} may only cancel. Stops that rest stay, nothing else follows ${until}.`
    note('bad', text)
    tellElsewhere({ kind: 'plan', level: 'bad', text, bareText: 'Plans may only cancel: their desk is HALTED.' })
  }
  store.subscribe((state, before) => {
    const isModeNew = state.mode.kind !== before.mode.kind
    const areHereNow = state.plans.owner === 'desk' && before.plans.owner !== 'desk'
    // What was halted here goes on with who gets them, such as a watch that begins.
    const goOnNow = placeAway(state) !== null && placeAway(before) === null
    if (!isModeNew && !((areHereNow || goOnNow) && state.mode.kind === 'HALTED')) return
    const count = openCount()
    if (count > 0) (areHereNow && !isModeNew ? tellHalted : noteMode)(state, count)
  })
}

/** The same, once it is known who has them. */
const placeAway = (state: DeskState): string | null =>
  state.plans.owner === 'desk' || state.plans.owner === 'nobody' ? null : placeElsewhere(state)

/** Where the plans go on that do not run in this desk; null when they do. */
function placeElsewhere(state: DeskState): string | null {
  const { owner } = state.plans
  if (isPlansAtHub(state)) return 'at the hub'
  if (owner === 'otherDesk') return 'in another desk'
  if (owner === 'silent') return 'once the process that runs them does'
  return state.duties.where === 'elsewhere' ? 'in the watch' : null
}
