/**
 * Parse option for a schema that is used a few times in a run. By default a schema compiles itself at its first use,
 * which pays off over thousands of messages but costs up to 5 ms each at a start.
 */
export const readOnce = { jitless: true } as const
