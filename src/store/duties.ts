import type { DutyRole, WatchStatus } from '../domain/desk/duties.ts'
import type { AlertsSlice } from './alerts/alerts.ts'

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

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/**
 * What stops with this desk because nobody else goes on with it, as a sentence; none where nothing does. A practice
 * exchange of the desk's own stops with it: nothing can happen there any more.
 */
export function stoppingWords({
  duties,
  alerts,
  practice,
}: DutiesSlice & AlertsSlice & { practice: unknown }): string[] {
  if (duties.where !== 'here' || duties.role === 'watch' || practice !== null) return []
  const armed = alerts.watches.filter(({ state, repeats }) => state.kind !== 'fired' || repeats).length
  const things = [...(armed === 0 ? [] : [`${armed} price ${armed === 1 ? 'alert' : 'alerts'}`]), ...duties.holds]
  if (things.length === 0) return []
  return [`With this desk stop: ${listed([...things, 'recording'])}. pitdesk watch keeps them running.`]
}
