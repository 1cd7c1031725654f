/** What an error says; of anything else that was thrown, its text. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What was thrown as an error: itself where it is one, else one with its text. */
export const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))
