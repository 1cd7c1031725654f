import { timesInForce } from '../../domain/orders/order.ts'
import type { Flag } from '../cli/arguments.ts'
import { type CommandRow, formFlags, profileFlag } from '../cli/command.ts'
import { orderAcceptance, withdrawalAcceptance } from './checks.ts'

export const yesFlag: Flag = {
  name: 'yes',
  placeholder: null,
  meaning: 'confirms where stdin is not a terminal, and nothing else',
}
const dryRunFlag: Flag = {
  name: 'dry-run',
  placeholder: null,
  meaning: 'shows what would be sent, and every check; sends nothing',
}
const jsonFlag = formFlags.filter(({ name }) => name === 'json')
/** The output forms of a sent order: checks are not rows of a CSV. */
const sentFormFlags: readonly Flag[] = [
  ...jsonFlag,
  { name: 'csv', placeholder: null, meaning: 'the order that was sent as CSV, with a header row; nothing else' },
]

const journaled =
  'The journal records it before it is sent, once. Without an answer the command checks for half a minute; an ' +
  'outcome that stays unknown ends with exit code 6, stays in the journal, and blocks duplicates.'
const accepting =
  'On a terminal every warning is shown before the question. A script accepts them by name: a warning that ' +
  '--accept does not name blocks the command (exit code 3), which says the word to add.'

/** The lock's effect on a command that places or sends. */
const behindLock =
  'Where a lock is set up, the command asks for it on the terminal; without a terminal it is refused, unless the ' +
  'profile sets lock_commands = "allow".'

/** Order drafts. */
const draftRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'order drafts',
    summary: 'drafts of orders on this machine: what waits, who made it, and when it expires',
    words: '',
    wordsMax: 0,
    flags: [...formFlags, profileFlag],
    notes: [
      'It asks nothing of the exchange. A draft that was sent, discarded, refused or has expired is listed for a day. ' +
        'JSON and CSV call a discarded one dropped, as they do of withdrawals.',
    ],
    load: async () => (await import('../read/order-drafts.ts')).runOrderDrafts,
  },
  {
    kind: 'parsed',
    name: 'order draft',
    summary: 'one draft of an order by its id',
    words: 'DRAFT',
    wordsMax: 1,
    flags: [...formFlags, profileFlag],
    notes: [],
    load: async () => (await import('../read/order-drafts.ts')).runOrderDraft,
  },
  {
    kind: 'parsed',
    name: 'order send',
    summary: 'sends a draft of an order after all checks, and reports its outcome',
    words: 'DRAFT',
    wordsMax: 1,
    flags: [yesFlag, orderAcceptance.flag, dryRunFlag, ...sentFormFlags, profileFlag],
    notes: [
      'It is reviewed again at current prices, as pitdesk order place would. A draft is sent at most once, ' +
        'whoever else sends it: a repeat reports its outcome. One that certainly never left is still a draft.',
      'Who made it, and the reason given, come first on stderr: the reason is text that nobody checked.',
      accepting,
      behindLock,
      journaled,
    ],
    load: async () => (await import('./order-send.ts')).runOrderSend,
  },
  {
    kind: 'parsed',
    name: 'order discard',
    summary: 'gives a draft of an order up',
    words: 'DRAFT',
    wordsMax: 1,
    flags: [...jsonFlag, profileFlag],
    notes: ['Nothing is sent, and no lock stops it. One that was sent, or may have been, stays.'],
    load: async () => (await import('./order-send.ts')).runOrderDiscard,
  },
]

/** Where an order's side, quantity and symbol go, for users who type them as flags. */
const inWords = 'pitdesk order place SIDE QUANTITY SYMBOL'

/** One-shot writes, and the read of a single order. */
export const writeRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'order place',
    summary: 'places an order after all checks, and reports its outcome',
    words: 'SIDE QUANTITY SYMBOL',
    wordsMax: 3,
    surplusHint: 'a price goes after --limit or --stop',
    otherNames: {
      ...{ '--symbol': inWords, '--side': inWords, '--quantity': inWords, '--qty': inWords, '--size': inWords },
      ...{ '--price': '--limit', '--trigger': '--stop' },
    },
    wordChoices: ['buy', 'sell'],
    flags: [
      { name: 'limit', placeholder: 'PRICE', meaning: 'the worst price to trade at' },
      { name: 'market', placeholder: null, meaning: 'at the best prices of the book' },
      {
        name: 'stop',
        placeholder: 'PRICE',
        meaning: 'stop trigger, reached by the last trade; with --limit a stop-limit order',
      },
      {
        name: 'tif',
        placeholder: 'TIME',
        meaning: 'time in force',
        choices: timesInForce,
      },
      { name: 'expire', placeholder: 'DATE', meaning: 'its last UTC day, as 20261231 or 2026-12-31 (GTD)' },
      { name: 'min-quantity', placeholder: 'QUANTITY', meaning: 'fills at least this much at once, or nothing (IOC)' },
      { name: 'post-only', placeholder: null, meaning: 'post-only: rejected rather than match at once' },
      {
        name: 'client-order-id',
        placeholder: 'ID',
        meaning:
          'an id of your own, 1 to 20 letters and digits: the same id is sent at most once, and a repeat reports ' +
          'its outcome',
      },
      { name: 'draft', placeholder: null, meaning: 'only saves it, to be sent later: see pitdesk order drafts' },
      {
        name: 'expires',
        placeholder: 'TIME',
        meaning: 'with --draft: it may be sent this long, such as 90m, 2h or 1d (24h)',
      },
      { name: 'note', placeholder: 'TEXT', meaning: 'with --draft: a remark for whoever reviews it; it is not sent' },
      yesFlag,
      orderAcceptance.flag,
      dryRunFlag,
      ...sentFormFlags,
      profileFlag,
    ],
    notes: [
      'Examples: pitdesk order place buy 0.05 BTC-USD --limit 64209.50 --tif GTC; in a script that retries: ' +
        'pitdesk order place sell 0.01 BTC-USD --market --client-order-id rebalance42 --yes --accept partial-fill ' +
        '--json',
      'With --client-order-id the journal of the account decides, of every desk and command of this state folder. ' +
        'An id that was used for another order is refused; one that never left may be sent. A duplicate within ' +
        'moments is blocked whatever its id: see duplicate_within_ms.',
      'With --draft every check is run and told, and nothing is sent: pitdesk order send, or the desk, reviews it anew ' +
        'at the prices of that moment. Example: pitdesk order place buy 0.05 BTC-USD --limit 64000 --draft --expires 2h',
      accepting,
      behindLock,
      journaled,
    ],
    load: async () => (await import('./order-place.ts')).runOrderPlace,
  },
  {
    kind: 'parsed',
    name: 'order cancel',
    summary: 'cancels orders by their ids',
    words: 'ID…',
    wordsMax: 1_000,
    otherNames: {
      '--all': 'pitdesk order cancel-all --every-symbol',
      '--symbol': 'pitdesk order cancel-all --symbol',
      '--id': 'pitdesk order cancel ID',
    },
    undone: 'Nothing was canceled',
    flags: [yesFlag, ...jsonFlag, profileFlag],
    notes: [
      'It asks nothing, and no lock stops it: a cancel only lowers risk. Of several ids the gravest outcome is the ' +
        'exit code: 6, 4, 3, 5, 1.',
    ],
    load: async () => (await import('./order-cancel.ts')).runOrderCancel,
  },
  {
    kind: 'parsed',
    name: 'order cancel-all',
    summary: 'cancels every working order of a symbol, or of all',
    words: '',
    // One word is accepted only to explain it: it may be a symbol, which only the exchange knows.
    wordsMax: 1,
    surplusHint: 'a symbol goes after --symbol, and --every-symbol is for all',
    otherNames: { '--all': '--every-symbol', '--all-symbols': '--every-symbol', '--every': '--every-symbol' },
    undone: 'Nothing was canceled',
    flags: [
      { name: 'symbol', placeholder: 'SYMBOL', meaning: 'the orders of this symbol' },
      { name: 'every-symbol', placeholder: null, meaning: 'the orders of every symbol' },
      yesFlag,
      dryRunFlag,
      ...jsonFlag,
      profileFlag,
    ],
    notes: [
      'It sends first, and then checks what is left: exit code 0 only when no order is seen working, 1 with the ' +
        'ids of those that are, 6 when it cannot check.',
    ],
    load: async () => (await import('./order-cancel-all.ts')).runCancelAll,
  },
  {
    kind: 'parsed',
    name: 'order show',
    summary: 'one order by its id',
    words: 'ID',
    wordsMax: 1,
    flags: [...formFlags, profileFlag],
    notes: [],
    load: async () => (await import('../read/orders.ts')).runOrderShow,
  },
  ...draftRows,
  {
    kind: 'parsed',
    name: 'withdraw',
    summary: 'sends money to a beneficiary of the whitelist',
    words: '[CURRENCY [AMOUNT]]',
    wordsMax: 2,
    surplusHint: 'the beneficiary goes after --to',
    flags: [
      {
        name: 'to',
        placeholder: 'ID',
        meaning: 'the whitelist entry: its id, or its name, as pitdesk whitelist lists them',
      },
      { name: 'max', placeholder: null, meaning: 'the whole available balance less the fee, instead of an amount' },
      {
        name: 'draft',
        placeholder: null,
        meaning: 'only saves it, to be sent later: see pitdesk withdrawals --drafts',
      },
      { name: 'approval', placeholder: null, meaning: 'with --draft: the approver has to approve it first' },
      {
        name: 'note',
        placeholder: 'TEXT',
        meaning: 'a remark of your own, kept with it in the list of drafts; it is not sent',
      },
      { name: 'send', placeholder: 'DRAFT', meaning: 'sends the draft with this id, checked again' },
      { name: 'approve', placeholder: 'DRAFT', meaning: 'the approver approves the draft with this id' },
      { name: 'reject', placeholder: 'DRAFT', meaning: 'an approver of a hub rejects the draft with this id' },
      { name: 'reason', placeholder: 'TEXT', meaning: 'with --reject, which needs it: why, for everybody to read' },
      { name: 'drop', placeholder: 'DRAFT', meaning: 'drops the draft with this id' },
      {
        name: 'key',
        placeholder: 'ID',
        meaning:
          'a name of your own, 1 to 64 letters, digits and . _ : - signs: the same name is sent at most once, and ' +
          'a repeat reports its outcome',
      },
      yesFlag,
      withdrawalAcceptance.flag,
      dryRunFlag,
      ...jsonFlag,
      profileFlag,
    ],
    notes: [
      'Examples: pitdesk withdraw btc 0.5 --to cold-1 --draft, then pitdesk withdraw --send with the id of the ' +
        'draft; in a script that retries: pitdesk withdraw btc 0.5 --to cold-1 --key payout-2026-11-20 --yes ' +
        '--accept repeat --json',
      'With --key the journal of the account decides, of every desk and command of this state folder. A name that ' +
        'was used for another withdrawal is refused; one that never left may be sent. It is never the API key.',
      accepting,
      'On a terminal the amount is typed once more.',
      'Behind a hub drafts are those of the firm. An approver approves and rejects with their own token on their own ' +
        'machine: what is signed is shown first, and approve or reject is typed, or --yes given by a script. Exit code ' +
        '4: the hub refused, as for a draft of your own or one that was changed; 3: it is no longer a draft.',
      behindLock,
      journaled,
    ],
    load: async () => (await import('./withdraw.ts')).runWithdraw,
  },
]

const sideOnly =
  'A plan exists on this side only: a watch, an open desk or the hub carries it out. Without one add, cancel, edit and ' +
  'resume are refused at once (exit code 3), and nothing is changed.'
const planFailures =
  'Exit code 6: the process that runs the plans took the request and did not answer; look at pitdesk plan list before ' +
  'you repeat it. 3: it refused, or did not take the request in time, and nothing was changed.'

/** Plans: OCO, bracket, trailing stop and scale. */
export const planRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'plan list',
    summary: 'lists the open plans, as their record tells them',
    words: '',
    wordsMax: 0,
    flags: [{ name: 'all', placeholder: null, meaning: 'also those that have ended' }, ...formFlags, profileFlag],
    notes: [
      'It asks nothing of the exchange where plans are kept here. Where no process runs them stderr says so.',
      'Behind a hub it lists those of the firm, with who began them.',
    ],
    load: async () => (await import('./plan.ts')).runPlanList,
  },
  {
    kind: 'parsed',
    name: 'plan show',
    summary: 'one plan with its orders',
    words: 'PLAN',
    wordsMax: 1,
    flags: [...formFlags, profileFlag],
    notes: [],
    load: async () => (await import('./plan.ts')).runPlanShow,
  },
  {
    kind: 'parsed',
    name: 'plan add',
    summary: 'begins a plan: OCO, bracket, trailing stop or scale',
    words: 'KIND SIDE QUANTITY SYMBOL …',
    wordsMax: 30,
    wordChoices: ['oco', 'bracket', 'trail', 'scale'],
    flags: [yesFlag, orderAcceptance.flag, dryRunFlag, ...jsonFlag, profileFlag],
    notes: [
      'The words are those of the palette: oco sell 0.1 btc stop 63000 target 66000; bracket buy 0.1 btc 64000 stop ' +
        '63000 target 66000 (or market instead of the price); trail sell 0.1 btc by 500; scale buy 0.5 btc ' +
        '64000 to 63000 in 5. A currency that several symbols trade is refused: write the symbol in full.',
      'pitdesk plan place is the same command.',
      'What it would send first is checked as an order is; each later step is checked when it is due.',
      sideOnly,
      accepting,
      behindLock,
      planFailures,
    ],
    load: async () => (await import('./plan.ts')).runPlanAdd,
  },
  {
    kind: 'parsed',
    name: 'plan cancel',
    summary: 'ends a plan and cancels its orders',
    words: 'PLAN',
    wordsMax: 1,
    flags: [
      { name: 'leave', placeholder: null, meaning: 'leaves its orders where they are' },
      yesFlag,
      ...jsonFlag,
      profileFlag,
    ],
    notes: [
      'Without --leave its stop goes too: what it protected is protected no more.',
      'Waits up to 30 s. Exit code 0: the plan has ended and none of its orders works; 1: one is seen working; 4: one ' +
        'filled or expired instead; 6: one may still be working, or nobody answered. Canceling again does no harm.',
      sideOnly,
    ],
    load: async () => (await import('./plan.ts')).runPlanCancel,
  },
  {
    kind: 'parsed',
    name: 'plan edit',
    summary: 'changes quantity, prices and distances of a plan',
    words: 'PLAN WORD VALUE …',
    wordsMax: 20,
    flags: [yesFlag, orderAcceptance.flag, ...jsonFlag, profileFlag],
    notes: [
      'Such as pitdesk plan edit p3 stop 63100 target 66500. Kind, symbol and side stay.',
      'What it would send then is checked as an order is: a stop that triggers at once has to be accepted.',
      sideOnly,
      accepting,
      behindLock,
      planFailures,
    ],
    load: async () => (await import('./plan.ts')).runPlanEdit,
  },
  {
    kind: 'parsed',
    name: 'plan resume',
    summary: 'resumes a held plan',
    words: 'PLAN',
    wordsMax: 1,
    flags: [yesFlag, ...jsonFlag, profileFlag],
    notes: [sideOnly, behindLock, planFailures],
    load: async () => (await import('./plan.ts')).runPlanResume,
  },
]
