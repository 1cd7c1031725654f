import { type CommandRow, formFlags, profileFlag } from '../cli/command.ts'

/** Commands for other programs. */
export const programRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'mcp',
    summary: 'serves an account to an agent on stdin and stdout: reads, and drafts that a person sends',
    words: '',
    wordsMax: 0,
    flags: [profileFlag],
    notes: [
      'Speaks the Model Context Protocol. It sends no order, cancels none and moves no money: what an agent prepares is ' +
        'a draft, which a person reviews and sends in the desk. It needs an exchange by profile or variables.',
      'It ends when stdin is closed. See "pitdesk help agents".',
    ],
    failures: ['failed', 'usage'],
    load: async () => (await import('./mcp.ts')).runMcp,
  },
  {
    kind: 'parsed',
    name: 'schema',
    summary: 'the JSON Schema of what a command prints as JSON, or the names of all',
    words: '[NAME]',
    wordsMax: 1,
    flags: [{ name: 'all', placeholder: null, meaning: 'every schema, in one object by name' }, ...formFlags],
    notes: [
      'Draft 2020-12. Fields may be added to what a command prints, and words to a list of words; no field is taken ' +
        'away, becomes optional or changes its meaning. "error" is what any command prints where it fails.',
      'Example: pitdesk schema order-place',
    ],
    failures: ['usage'],
    load: async () => (await import('../schema/schema.ts')).runSchema,
  },
]
