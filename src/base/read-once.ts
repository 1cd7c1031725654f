/**
 * Given to a schema by what reads one text of a few in a run. Left alone, a schema writes itself a program at its first
 * reading: that pays for thousands of messages, and costs up to 5 ms each at a start.
 */
export const readOnce = { jitless: true } as const
