/** A page of the manual: `NAME.md` in this folder. */
export type Subject = {
  name: string
  /** What it is about, for the list of subjects and the first line of its man page. */
  summary: string
  /** Other words that lead to it. */
  also: readonly string[]
}

/** Every page, in the order of the list. */
export const subjects = [
  {
    name: 'screen',
    summary: 'modes, ages, limits, layouts, sessions',
    also: ['modes', 'layouts', 'session', 'layout'],
  },
  { name: 'ladder', summary: 'prices, your orders, grouping, auctions, two ladders', also: ['auction', 'move'] },
  { name: 'tickets', summary: 'order types, fields, checks, the review, drafts', also: ['ticket', 'checks'] },
  { name: 'palette', summary: 'commands and sentences, after the colon', also: ['words'] },
  {
    name: 'plans',
    summary: 'OCO, bracket, trailing stop, scale: what they do and cannot do',
    also: ['plan', 'oco', 'bracket', 'trailing', 'scale'],
  },
  {
    name: 'lists',
    summary: 'orders, fills, balances, positions, equity: sort, filter, columns, export',
    also: ['filter', 'columns', 'equity', 'privacy'],
  },
  { name: 'chart', summary: 'price and depth', also: ['depth'] },
  { name: 'alerts', summary: 'standing alerts, price alerts, snooze', also: ['alert'] },
  {
    name: 'notifications',
    summary: 'messages elsewhere: command, URL, digest, quiet hours, heartbeat',
    also: ['notify', 'heartbeat', 'notification'],
  },
  {
    name: 'withdrawals',
    summary: 'withdrawals and deposits: drafts, approval, the statement',
    also: ['transfers', 'money'],
  },
  {
    name: 'positions',
    summary: 'positions at cost, realized and unrealized P&L, lots',
    also: ['profit', 'lots', 'cost'],
  },
  { name: 'gateway', summary: 'the payment gateway: orders of its users, deliveries', also: ['payments', 'eligible'] },
  {
    name: 'inbox',
    summary: 'receives, keeps and forwards the events of the gateway',
    also: ['webhooks', 'webhook', 'events'],
  },
  {
    name: 'hub',
    summary: 'one account for several desks: persons, roles, limits, who did what',
    also: ['persons', 'users', 'roles', 'audit', 'tokens'],
  },
  {
    name: 'hub-operations',
    summary: 'running hubs: set-up, what to watch, backup and restore, upgrades',
    also: ['operations', 'backup', 'restore', 'upgrade'],
  },
  { name: 'practice', summary: 'the practice exchange, alone or inside the desk', also: ['exchange', 'simulator'] },
  {
    name: 'configuration',
    summary: 'profiles, keys of accounts, limits, themes, every setting',
    also: ['config', 'settings', 'themes', 'limits', 'profiles'],
  },
  { name: 'keys', summary: 'every key, and its name in the configuration', also: ['keymap', 'bindings'] },
  {
    name: 'polling',
    summary: 'how often each feed is polled, and when it is stale',
    also: ['polls', 'feeds', 'stale'],
  },
  { name: 'ssh', summary: 'terminals, hang-ups, Ctrl-Z, stray keys', also: ['tmux', 'terminal', 'terminals'] },
  {
    name: 'scripting',
    summary: 'commands in scripts: output, exit codes, safe repeats',
    also: ['scripts', 'exit-codes', 'json', 'csv'],
  },
  {
    name: 'states',
    summary: 'every state and outcome of orders, drafts, plans and transfers, in a word',
    also: ['statuses', 'status', 'outcomes', 'outcome'],
  },
  {
    name: 'agents',
    summary: 'what an agent may read and draft, and what it cannot do',
    also: ['agent', 'protocol'],
  },
  { name: 'safety', summary: 'the rules that protect your money', also: ['risk', 'halt'] },
  {
    name: 'threat-model',
    summary: 'who may want to harm you, what stands against it, what does not help',
    also: ['threats', 'attackers', 'security'],
  },
  { name: 'locking', summary: 'the lock screen and the approver', also: ['approver', 'passphrase'] },
  {
    name: 'records',
    summary: 'the journal, accounts, and the files the desk keeps',
    also: ['accounts', 'files', 'state'],
  },
  {
    name: 'watching',
    summary: 'the desk without a screen, and canceling orders after an outage',
    also: ['unattended', 'systemd', 'container', 'blind'],
  },
] as const satisfies readonly Subject[]

export type SubjectName = (typeof subjects)[number]['name']
export const subjectNames: readonly string[] = subjects.map(({ name }) => name)

/** Words that several pages have something to say of. */
const sharedWords: Readonly<Record<string, readonly SubjectName[]>> = {
  draft: ['tickets', 'withdrawals'],
  drafts: ['tickets', 'withdrawals'],
}

/** Every word that leads to a page or to a choice of them. */
export const subjectWords: readonly string[] = [
  ...subjects.flatMap(({ name, also }): string[] => [name, ...also]),
  ...Object.keys(sharedWords),
]

/** The subjects that a word which is none itself belongs to; empty for others. */
export const subjectsSharing = (word: string): readonly Subject[] =>
  subjects.filter(({ name }) =>
    Object.entries(sharedWords).some(([shared, names]) => shared === word.toLowerCase() && names.includes(name)),
  )

/** The subject that a word names, by its name or another word for it. */
export const subjectOf = (word: string): (typeof subjects)[number] | null =>
  subjects.find(({ name, also }: Subject) => name === word.toLowerCase() || also.includes(word.toLowerCase())) ?? null
