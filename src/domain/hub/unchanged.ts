const nothing = 'nothing was changed'

/**
 * What a hub answers where it refuses a change, as a clause: its reason, and that all is as it was. Both sides know it
 * by these words.
 */
export const unchangedText = (reason: string): string => `${reason}: ${nothing}`

/** Whether a hub's answer says by itself that nothing was changed. */
export const saysUnchanged = (words: string): boolean => words.endsWith(nothing)
