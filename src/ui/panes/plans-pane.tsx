import { memo } from 'react'
import { swapsText } from '../../domain/plans/outlook.ts'
import { wallNow } from '../../store/clock.ts'
import type { DeskState } from '../../store/desk.ts'
import { isPlansAtHub } from '../../store/plans/plans.ts'
import { plansSource } from '../tables/plans-table.ts'
import { ageTime } from '../text/desk-context.ts'
import { joined, type Row, span } from '../text/row.ts'
import { type ListContent, type PaneProps, PaneView, says } from './pane-view.tsx'

type PlansState = Pick<DeskState, 'plans' | 'mode' | 'instruments' | 'looks' | 'tables' | 'nowMs' | 'ahead'>

const owners = {
  desk: 'carried out here, on this side only',
  watch: 'carried out by the watch, on this side only',
  otherDesk: 'carried out by another desk, on this side only',
  silent: 'standing still: the process that runs them is stopped or stuck',
  hub: 'carried out by the hub, unknown to the exchange',
  hubSilent: 'the hub does not answer: as last heard',
  nobody: 'no process runs them: start pitdesk watch',
} as const

const halted = 'HALTED: they may only cancel, nothing else follows'

const none =
  'No plan yet. : bracket buy 0.1 btc 64000 stop 63000 target 66000 makes one. Plans exist on this side only: ' +
  'this desk or a watch must run.'

const noneAtHub =
  'No plan yet. : bracket buy 0.1 btc 64000 stop 63000 target 66000 makes one. Plans are kept and carried out by ' +
  'the hub, for the whole firm; the exchange knows none of them.'

/** The plans pane's list in `rowCount` lines of `width` cells. */
export function plansContent(state: PlansState, width: number, rowCount: number): ListContent {
  const { owner, list, swaps, left } = state.plans
  if (list.length === 0) return says(left ?? (isPlansAtHub(state) ? noneAtHub : none), [], width)
  const isHalted = owner === 'desk' && state.mode.kind === 'HALTED'
  const isBad = isHalted || owner === 'nobody' || owner === 'hubSilent' || owner === 'silent'
  const who: Row = [
    span(`  ${isHalted ? halted : owners[owner]}`, isBad ? 'bad' : 'label'),
    ...(left === null ? [] : [span(`  ${left}`, 'bad')]),
  ]
  const { note, foot, rows } = plansSource.draw(state, { width, rowCount, nowMs: wallNow(state) })
  const moment: Row = swaps === null ? [] : [span(`cancel to new order: ${swapsText(swaps)}`, 'label')]
  return { note: [...who, ...note], rows, foot: joined(' · ', [foot, moment]), isStale: false }
}

const selectPlans = (state: DeskState): PlansState => {
  const { plans, mode, instruments, looks, tables, ahead } = state
  return { plans, mode, instruments, looks, tables, ahead, nowMs: ageTime(state) }
}

/** Plans with what each waits for, its resting orders, and what was refused. */
export const PlansPane = memo(function PlansPane(props: PaneProps) {
  return <PaneView {...props} pane="plans" select={selectPlans} content={plansContent} />
})
