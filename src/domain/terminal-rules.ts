/** What becomes of working orders when the terminal hangs up: they stay, or every one is taken back. */
export const hangUpRules = ['keep', 'cancel'] as const
export type HangUpRule = (typeof hangUpRules)[number]

/**
 * What the desk does when the terminal reports that its keyboard is elsewhere. `guard`: it says so, and keys that send
 * or cancel are not taken before the keyboard has been back for a moment; `safe`: the desk also becomes SAFE; `ignore`:
 * it does not ask for reports.
 */
export const focusRules = ['guard', 'safe', 'ignore'] as const
export type FocusRule = (typeof focusRules)[number]
