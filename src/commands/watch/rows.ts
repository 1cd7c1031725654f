import { settingFlags } from '../../config/setting-flags.ts'
import { type CommandRow, jsonFlag, profileFlag } from '../cli/command.ts'

/** The desk without a screen. */
export const watchRows: readonly CommandRow[] = [
  {
    kind: 'parsed',
    name: 'watch',
    summary: 'the desk without a screen, until a signal: alerts, history, notifications, plans',
    words: '',
    wordsMax: 0,
    flags: [
      profileFlag,
      ...settingFlags.filter(({ name }) => name === 'monitor'),
      {
        name: 'listen',
        placeholder: 'ADDRESS:PORT',
        meaning: 'where /healthz and /metrics are, such as 127.0.0.1:9464 (watch_listen, else nowhere)',
      },
      {
        name: 'allow-remote',
        placeholder: null,
        meaning: 'with --listen: an address that other machines reach; whoever does can read what is there',
      },
      { name: 'status', placeholder: null, meaning: 'shows the watch that runs, and ends' },
      { ...jsonFlag, meaning: 'with --status: one JSON value instead of lines; a failure is {"error": …}' },
    ],
    isPlain: true,
    notes: [
      'The log is one JSON object a line on stdout: time, level, event, text. SIGTERM and SIGINT end it in order, a ' +
        'second one at once.',
      'One watch runs for a profile and account on a machine; a desk that opens beside it leaves its duties to it.',
      '--status ends with 0 where a watch runs and is well, 5 where only the exchange does not answer it, else 1.',
    ],
    load: async () => (await import('./watch.ts')).runWatchCommand,
  },
]
