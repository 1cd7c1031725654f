/** The core's whole interface: what goes in (commands), what comes out (results, events), what can be read (views). */
export type * from './commands.ts'
export type * from './results.ts'
export type * from './views.ts'
