/**
 * Loads what tells failures: only where there is one, so that commands start sooner, or before anything is sent.
 * While a write is under way an upgrade may replace the program's files, and an order of unknown outcome would end
 * without a word of it.
 */
export const loadTelling = () => import('./tell-ending.ts')
