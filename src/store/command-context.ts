import type { DeskPort } from './port.ts'
import type { DeskStore } from './store.ts'

/** What every group of commands works with. `exit` ends the console and hands the terminal back. */
export type CommandContext = {
  store: DeskStore
  port: DeskPort
  exit: () => void
}
