/**
 * How far the desk may go. MONITOR: no write can leave the process. SAFE: reads only until a person arms it. ARMED: writes
 * are allowed. HALTED: only cancels.
 */
export type Mode = { kind: 'MONITOR' } | { kind: 'SAFE' } | { kind: 'ARMED' } | { kind: 'HALTED' }

export const mayPlace = (mode: Mode): boolean => mode.kind === 'ARMED'
/** A cancel lowers risk: it is allowed in every mode that can write at all, also before arming. */
export const mayCancel = (mode: Mode): boolean => mode.kind !== 'MONITOR'
