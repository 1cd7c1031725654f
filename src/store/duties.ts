import type { Beat, DutyRole, Seen, WatchStatus } from '../domain/desk/duties.ts'

/** Who has the duties, which one process does for the profile and account. */
export type DutiesState = {
  role: DutyRole
  /** `alone`: there are no other processes to ask, as in a desk that saves nothing. */
  where: 'alone' | 'here' | 'elsewhere'
  /** The watch running beside this desk; null for none, and in the watch itself. */
  watch: (WatchStatus & Seen) | null
  /** The other process with the duties, a desk or the watch, if it was found not to move, such as a stopped one. */
  silent: Beat | null
  /** The pid of another desk that gets the duties once this one ends; null for none, and where they are elsewhere. */
  heirPid: number | null
  /** Present duties besides alerts and history, in words such as `2 plans`. */
  holds: readonly string[]
}

export type DutiesSlice = { duties: DutiesState }

export type DutiesEvent = { type: 'dutiesChanged'; duties: Partial<Omit<DutiesState, 'role'>> }

export const startDuties = (role: DutyRole = 'console'): DutiesSlice => ({
  duties: { role, where: 'alone', watch: null, silent: null, heirPid: null, holds: [] },
})

export const reduceDuties = <S extends DutiesSlice>(state: S, { duties }: DutiesEvent): S => ({
  ...state,
  duties: { ...state.duties, ...duties },
})

/** True when this desk decides about external notifications and their queue. */
export const isOnDuty = ({ duties }: DutiesSlice): boolean => duties.where !== 'elsewhere'
