import type { DutyRole, WatchStatus } from '../domain/desk/duties.ts'

/** Who does what one process does for the profile and account. */
export type DutiesState = {
  role: DutyRole
  /** `alone`: nobody else is asked about, as in a desk that keeps nothing. */
  where: 'alone' | 'here' | 'elsewhere'
  /** The watch that runs beside this desk; null where none does, and in the watch itself. */
  watch: WatchStatus | null
  /** What there is to do just now besides alerts and history, in words such as `2 plans`. */
  holds: readonly string[]
}

export type DutiesSlice = { duties: DutiesState }

export type DutiesEvent = { type: 'dutiesChanged'; duties: Partial<Omit<DutiesState, 'role'>> }

export const startDuties = (role: DutyRole = 'console'): DutiesSlice => ({
  duties: { role, where: 'alone', watch: null, holds: [] },
})

export const reduceDuties = <S extends DutiesSlice>(state: S, { duties }: DutiesEvent): S => ({
  ...state,
  duties: { ...state.duties, ...duties },
})

/** Whether what is told elsewhere, and what is kept for it, is this desk's to decide. */
export const isOnDuty = ({ duties }: DutiesSlice): boolean => duties.where !== 'elsewhere'
