const nothing = 'nothing was changed'

/**
 * A hub's refusal of a change, as a clause: the reason, and that nothing was changed. Both sides rely on this wording.
 */
export const unchangedText = (reason: string): string => `${reason}: ${nothing}`

/** True when a hub's answer itself says that nothing was changed. */
export const saysUnchanged = (words: string): boolean => words.endsWith(nothing)
