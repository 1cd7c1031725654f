import type { AccountId } from '../core/commands.ts'
import { text } from './columns.ts'
import type { DataFile } from './data-file.ts'
import { damaged } from './unusable-data.ts'

export type Notes = ReturnType<typeof createNotes>

/** What belongs to the data but is no part of the exchange's state. */
export function createNotes(file: DataFile) {
  const reading = file.prepare('SELECT value FROM note WHERE name = ?')
  const writing = file.prepare('INSERT OR REPLACE INTO note (name, value) VALUES (?, ?)')
  const read = (name: string): string | null =>
    file.attempt(() => {
      const row = reading.get(name)
      return row === undefined ? null : text(row, 'value')
    })
  return {
    /** What whoever made the exchange wrote down for the next start. */
    world: () => read('world'),
    /** The accounts that have no history. */
    forgottenAccounts: (): readonly AccountId[] => {
      const listed = (read('forgotten') ?? '').split(' ').filter((id) => id !== '')
      if (!listed.every((id) => /^\d{1,15}$/.test(id))) throw damaged(file.folder, 'its notes make no sense')
      return listed.map(Number)
    },
    /** Writes into the transaction under way. */
    write: (world: string, forgotten: readonly AccountId[]) =>
      file.attempt(() => {
        writing.run('world', world)
        writing.run('forgotten', forgotten.join(' '))
      }),
  }
}
