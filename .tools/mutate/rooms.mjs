// What `npm run mutate` and `npm run coverage` ask: of each room the files that are mutated, the tests that are asked,
// and in what they run: `threads` where tests only reckon, `forks` where they start processes or change what a process
// has one of. Tests are asked in this order, and the first that fails is the last for a mutant: slow ones belong at the
// end. A name that ends with `/` is a folder. Only quick tests: no journey, no real terminal.

/** @type {Record<string, { files: string[], tests: string[], pool?: 'threads' | 'forks' }>} */
export const rooms = {
  'exact-json': {
    files: ['src/wire/exact-json.ts'],
    tests: ['test/wire/exact-json.test.ts', 'test/wire/roundtrip.test.ts'],
  },
  'order-states': {
    files: [
      'src/domain/orders/order.ts',
      'src/domain/orders/order-outcome.ts',
      'src/domain/transfers/withdrawal-outcome.ts',
      'src/domain/unknown-write.ts',
      'src/domain/write-outcome.ts',
      'src/domain/gateway/order.ts',
    ],
    tests: [
      'test/domain/orders/order.test.ts',
      'test/domain/orders/order-outcome.test.ts',
      'test/domain/transfers/withdrawal-outcome.test.ts',
      'test/domain/unknown-write.test.ts',
      'test/domain/orders/fill-sums.test.ts',
      'test/domain/gateway/',
    ],
  },
  limits: {
    files: [
      'src/domain/limits.ts',
      'src/domain/orders/exposure.ts',
      'src/store/writes/sent-orders.ts',
      'src/domain/hub/person-limits.ts',
      'src/config/limit-settings.ts',
    ],
    tests: [
      'test/domain/default-limits.test.ts',
      'test/domain/orders/exposure.test.ts',
      'test/store/writes/sent-orders.test.ts',
      'test/domain/hub/person-limits.test.ts',
      'test/config/limit-settings.test.ts',
      'test/config/order-limit-settings.test.ts',
    ],
  },
  // What goes out of the account, and what its limits count. The draft and outcome of one are asked in other rooms.
  withdrawals: {
    files: [
      ...['transfer', 'whitelist', 'withdrawal-checks', 'withdrawal-review', 'withdrawn-today'].map(
        (name) => `src/domain/transfers/${name}.ts`,
      ),
      'src/hub/writes/day-values.ts',
      ...['draft', 'person', 'reason', 'roles', 'taken-id', 'unchanged'].map((name) => `src/domain/hub/${name}.ts`),
    ],
    tests: ['test/domain/transfers/', 'test/domain/hub/', 'test/hub/writes/day-values.test.ts'],
  },
  checks: {
    files: ['src/domain/orders/checks/'],
    tests: ['test/domain/order-checks.test.ts', 'test/domain/limits.test.ts', 'test/domain/orders/checks/'],
  },
  ledger: { files: ['src/sandbox/ledger/'], tests: ['test/sandbox/ledger/'] },
  // Sums and curves: what a person reads as gain, worth and change.
  pnl: {
    files: [
      'src/domain/scaled.ts',
      ...['realized', 'standpoint', 'stated-costs', 'equity'].map((name) => `src/domain/positions/${name}.ts`),
    ],
    tests: [
      'test/domain/scaled.test.ts',
      ...['realized', 'standpoint', 'stated-costs', 'equity'].map((name) => `test/domain/positions/${name}.test.ts`),
    ],
  },
  // The books below them. Their properties take seconds for a mutant: hours for the room.
  lots: {
    files: [
      ...['booked', 'ledger', 'lines', 'lots', 'own-prices', 'period-books', 'pnl', 'pnl-fields', 'running-books'].map(
        (name) => `src/domain/positions/${name}.ts`,
      ),
    ],
    tests: ['pnl', 'pnl-fields', 'lines', 'lots', 'period-books', 'worlds', 'running-books'].map(
      (name) => `test/domain/positions/${name}.test.ts`,
    ),
  },
  // With what drafts of orders share with it.
  'withdrawal-queue': {
    files: [
      'src/domain/draft.ts',
      'src/domain/transfers/draft.ts',
      'src/services/draft-list.ts',
      'src/services/transfers/withdrawal-drafts.ts',
      'src/services/transfers/withdrawal-queue.ts',
      'src/services/transfers/match-withdrawals.ts',
      'src/services/transfers/withdrawal-guard.ts',
    ],
    // Without `withdrawal-property`, which takes ten seconds for a mutant.
    tests: [
      'test/domain/transfers/draft.test.ts',
      'test/domain/orders/drafted-order.test.ts',
      'test/services/transfers/match-withdrawals.test.ts',
      'test/services/draft-list.test.ts',
      'test/services/transfers/withdrawal-queue.test.ts',
      'test/services/transfers/withdrawal-guard.test.ts',
      'test/services/transfers/lost-records.test.ts',
      'test/services/orders/order-queue.test.ts',
    ],
    pool: 'forks',
  },
  // What sends money, and judges what is answered.
  'withdrawal-sending': {
    files: ['src/services/transfers/withdrawal-entry.ts', 'src/services/transfers/refused-withdrawals.ts'],
    tests: [
      'test/services/transfers/seen-withdrawals.test.ts',
      'test/services/orders/whose-answer.test.ts',
      'test/services/transfers/withdrawal-queue.test.ts',
      'test/services/transfers/firm-queue.test.ts',
      'test/services/reconciliation/refused-withdrawals.test.ts',
    ],
    pool: 'forks',
  },
  // Drafts that a hub keeps for a firm; and those that another copy of the records has sent.
  'firm-drafts': {
    files: ['src/services/transfers/firm-queue.ts', 'src/services/transfers/left-elsewhere.ts'],
    tests: ['test/services/transfers/firm-queue.test.ts', 'test/services/transfers/left-elsewhere.test.ts'],
    pool: 'forks',
  },
  'order-drafts': {
    files: ['src/domain/orders/drafted-order.ts', 'src/services/orders/order-queue.ts'],
    tests: ['test/domain/orders/drafted-order.test.ts', 'test/services/orders/order-queue.test.ts'],
    pool: 'forks',
  },
  // Without what starts processes, and `torn-line`, which opens a journal for every byte.
  journal: {
    files: ['src/journal/'],
    tests: [
      ...['line', 'joined-index', 'entries', 'files', 'locks', 'append-file', 'instance', 'run-writer', 'joined-file'],
      ...['folder-reader', 'earlier-folder', 'plan-record', 'plan-file', 'plan-requests', 'disk', 'file-journal'],
      ...['taking-over', 'joining-bounds', 'joining'],
    ].map((name) => `test/journal/${name}.test.ts`),
    pool: 'forks',
  },
  // What a hub sends for a person: limits, repeats, what counts of a day. Without what begins a database.
  'hub-writes': {
    files: ['hub-writes', 'firm-checks', 'listed-orders', 'quiet-time', 'answers', 'recording'].map(
      (name) => `src/hub/writes/${name}.ts`,
    ),
    tests: ['hub-writes', 'firm-checks', 'quiet-time', 'answers', 'recording'].map(
      (name) => `test/hub/writes/${name}.test.ts`,
    ),
  },
  // Without `two-hosts`, which begins a database.
  forwarder: {
    files: ['src/inbox/forward/'],
    tests: ['forwarder', 'bounds', 'lease', 'checkpoint', 'event-filter', 'metrics', 'post'].map(
      (name) => `test/inbox/forward/${name}.test.ts`,
    ),
  },
  // What sends orders, cancels and moves. Of `cancel-order` many mutants hang, for it looks again and again.
  'order-writes': {
    files: ['place-order', 'cancel-order', 'move-order', 'limit-guard', 'journaled-write'].map(
      (name) => `src/services/orders/${name}.ts`,
    ),
    tests: ['limit-guard', 'order-entry', 'whose-answer', 'cancel-at-hang-up'].map(
      (name) => `test/services/orders/${name}.test.ts`,
    ),
  },
  // What a trader reads of each end of a write.
  'order-news': {
    files: ['src/store/orders/order-outcomes.ts', 'src/store/orders/reduce-writes.ts'],
    tests: ['test/store/orders/', 'test/store/store.test.ts', 'test/store/commands.test.ts'],
  },
  // How an order is looked for, by its id, and those that others have sent.
  'order-looks': {
    files: ['find-orders', 'refused-before', 'sent-beside', 'open-write'].map(
      (name) => `src/services/orders/${name}.ts`,
    ),
    tests: [
      ...['sent-beside', 'refused-before', 'order-pages', 'draft-elsewhere', 'order-entry', 'whose-answer'].map(
        (name) => `test/services/orders/${name}.test.ts`,
      ),
      'test/services/reconciliation/findings.test.ts',
      'test/services/reconciliation/deciding.test.ts',
      'test/services/reconciliation/reconciliation.test.ts',
    ],
  },
  // Without `crash-property` and `withdrawal-property`, which take ten to twenty seconds for a mutant.
  reconciliation: {
    files: ['src/services/reconciliation/'],
    tests: [
      'test/services/reconciliation/reconciliation.test.ts',
      'test/services/reconciliation/findings.test.ts',
      'test/services/reconciliation/deciding.test.ts',
      'test/services/reconciliation/exchange-back.test.ts',
      'test/services/reconciliation/refused-withdrawals.test.ts',
      'test/services/transfers/lost-records.test.ts',
    ],
  },
  // Who is let in to the exchange when, and what a refusal makes of the pace.
  calls: {
    files: ['src/api/gate.ts', 'src/api/call.ts'],
    tests: ['gate', 'call-budget', 'traffic', 'retry', 'call', 'dates', 'broken-calls', 'follow', 'read-only'].map(
      (name) => `test/api/${name}.test.ts`,
    ),
  },
  // From a line of the palette to what fires, and the file that keeps it.
  alerts: {
    files: [
      'src/domain/alerts/',
      'src/store/alerts/',
      'src/state-files/alerts-file.ts',
      'src/desk/account/kept-alerts.ts',
    ],
    tests: [
      'test/domain/alerts/',
      'test/store/alerts/',
      'test/state-files/alerts-file.test.ts',
      'test/desk/account/kept-alerts.test.ts',
    ],
    pool: 'forks',
  },
  lock: { files: ['src/lock/'], tests: ['test/lock/'], pool: 'forks' },
  config: { files: ['src/config/'], tests: ['test/config/'], pool: 'forks' },
  // Without what starts processes.
  history: {
    files: ['src/history/'],
    tests: ['test/history/history-file.test.ts', 'test/history/kept-bars.test.ts', 'test/services/history/'],
    pool: 'forks',
  },
  // What a desk keeps beside its journal.
  'state-files': { files: ['src/state-files/'], tests: ['test/state-files/'], pool: 'forks' },
  // Without `simulation`, which lives through half a minute of plans for a mutant.
  plans: {
    files: ['src/domain/plans/', 'src/services/plans/'],
    tests: [
      ...[
        'edit',
        'facts',
        'next-step',
        'decisions',
        'plan',
        'plan-table',
        'news',
        'leg-away',
        'terms',
        'sentence',
        'outlook',
        'after-cancel',
        'resume',
      ].map((name) => `test/domain/plans/${name}.test.ts`),
      'test/domain/plans/first-orders.test.ts',
      'test/domain/plans/plan-checks.test.ts',
      'test/store/sentences/plan-sentences.test.ts',
      'test/store/plans/plan-commands.test.ts',
      'test/services/plans/plan-words.test.ts',
      'test/services/plans/plan-quotes.test.ts',
      'test/services/plans/plan-guard.test.ts',
      'test/services/plans/plan-looks.test.ts',
      'test/services/plans/plan-steps.test.ts',
      'test/services/plans/plan-book.test.ts',
      'test/services/plans/plan-asks.test.ts',
      'test/services/plans/plan-doubts.test.ts',
      'test/services/plans/plan-fills.test.ts',
      'test/services/plans/plan-watch.test.ts',
      'test/services/plans/plans-beside.test.ts',
      'test/services/plans/taken-over.test.ts',
      'test/services/plans/next-orders.test.ts',
      'test/services/plans/plan-pace.test.ts',
      'test/services/plans/plan-runner.test.ts',
      'test/domain/plans/machine-property.test.ts',
    ],
  },
}

/** A file or folder of the table as a pattern of names. */
export const patternOf = (name, ending) => (name.endsWith('/') ? `${name}**/*${ending}` : name)
