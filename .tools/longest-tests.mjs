// Files of tests that take the longest of their project (`vitest.config.mjs`), the longest first. Their size does not
// tell, and a fresh clone knows nothing of an earlier run.
export const longest = [
  ...['drill/plans', 'drill/hub', 'pty/pipes', 'drill/endurance', 'pty/program', 'pty/disk', 'pty/inbox'],
  ...['drill/drill', 'drill/hostile', 'drill/inbox-hosts', 'pty/watch', 'pty/answers', 'pty/standstill', 'drill/inbox'],
  ...['tools/release', 'sandbox/apart/practice-thread', 'sandbox/persistence/crash', 'journeys/many-at-once'],
  ...['commands/write/withdrawals-behind', 'hub/store/restore', 'journeys/draft-restart', 'hub/hub', 'hub/plans/desk'],
  ...['manual/commands', 'journeys/every-key', 'journal/joining-processes', 'hub/store/postgres-open'],
  ...['ui/privacy', 'ui/golden/golden', 'services/plans/simulation', 'ui/panes/ticket-room', 'ui/behind-the-words'],
  ...['services/notify/crash', 'desk/opening', 'desk/calls', 'ui/flood', 'ui/input-fuzz'],
]
