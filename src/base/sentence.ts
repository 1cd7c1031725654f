/** With a capital letter: a clause as the beginning of a sentence. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** With a small letter: a sentence behind another word. */
export const withoutCapital = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** Without the stop at its end: a sentence as a clause. */
export const withoutStop = (text: string): string => text.replace(/[\s.]+$/, '')

/** With a stop at its end, unless it ends in a sign of its own. */
export const withStop = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)
