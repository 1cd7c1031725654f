import type { SymbolStatus } from '../../../domain/market/instrument.ts'

const letters: Readonly<Record<SymbolStatus, string>> = {
  open: '',
  halt: 'H',
  'halt-freeze': 'F',
  suspend: 'S',
  close: 'C',
}

/** What stands for a status where there is room for one cell; nothing for an open symbol. */
export const statusLetter = (status: SymbolStatus): string => letters[status]
