import type { CommandContext } from '../command-context.ts'

export type TerminalCommands = {
  /** The terminal goes back to the shell, and the desk sleeps until it is called to the foreground again. */
  leaveForShell(): void
}

/** What a person does about the terminal itself. */
export function createTerminalCommands({ store, port }: CommandContext): TerminalCommands {
  return {
    leaveForShell() {
      const { ticket, move } = store.getState()
      const atMs = port.now()
      // Its answer would come to a desk that does not listen, and be taken for none.
      if (ticket?.stage === 'sending' || move?.stage === 'sending') {
        const text = 'Wait: an order has no answer yet.'
        return store.dispatch({ type: 'noted', level: 'warn', text, atMs })
      }
      store.dispatch({ type: 'leavingAsked', atMs })
    },
  }
}
