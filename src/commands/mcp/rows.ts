import { type CommandRow, formFlags } from '../cli/command.ts'

/** What other programs are given. */
export const programRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'schema',
    summary: 'the JSON Schema of what a command prints as JSON, or the names of all',
    words: '[NAME]',
    wordsMost: 1,
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
