import { startStatusServer } from '../../base/net/status-server.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { errorText } from '../../base/text/error-text.ts'
import type { AuditNotes } from '../../hub/people/audit-notes.ts'
import type { Directory } from '../../hub/people/directory.ts'
import type { Recording } from '../../hub/writes/recording.ts'
import type { Led } from './hub-lead.ts'

type Watched = {
  led: () => Led | null
  directory: Pick<Directory, 'ageMs' | 'halted'>
  isStoreThere: () => boolean
  unfit: () => string | null
  notes: Pick<AuditNotes, 'waiting'>
  recording: Pick<Recording, 'trouble'>
}

/** Every metric of a hub: its name after `pitdesk_hub_`, its help, and its source; null while unknown. */
const gauges: readonly { name: string; help: string; of: (watched: Watched) => number | null }[] = [
  { name: 'leads', help: '1 while this hub leads, 0 while it stands by', of: ({ led }) => (led() === null ? 0 : 1) },
  {
    name: 'halted',
    help: '1 while all orders and withdrawals are halted',
    of: ({ directory }) => (directory.halted() === null ? 0 : 1),
  },
  {
    name: 'reads_total',
    help: 'reads that desks and the hub itself asked for since it leads',
    of: ({ led }) => led()?.serving.reads.counts().reads ?? null,
  },
  {
    name: 'calls_total',
    help: 'calls to the exchange that these reads made',
    of: ({ led }) => led()?.serving.reads.counts().calls ?? null,
  },
  { name: 'streams', help: 'desks that listen', of: ({ led }) => led()?.serving.streams.counts().streams ?? null },
  {
    name: 'stream_events_total',
    help: 'events written to streams since it leads',
    of: ({ led }) => led()?.serving.streams.counts().events ?? null,
  },
  {
    name: 'unsettled_writes',
    help: 'writes whose outcome is not known',
    of: ({ led }) => led()?.desk.store.getState().unknownWrites.length ?? null,
  },
  {
    name: 'calls_per_second',
    help: 'calls to the exchange a second, over the last five',
    of: ({ led }) => led()?.rate().perSecond ?? null,
  },
  {
    name: 'calls_waiting',
    help: 'calls that wait for their turn',
    of: ({ led }) => led()?.rate().waiting ?? null,
  },
  {
    name: 'people_age_seconds',
    help: 'how long ago persons and tokens were last read; from 300 on no one is admitted',
    of: ({ directory }) => directory.ageMs() / 1_000,
  },
  {
    name: 'audit_waiting',
    help: 'rows that the audit list has yet to take, because the database fails',
    of: ({ notes }) => notes.waiting(),
  },
  {
    name: 'unrecorded',
    help: '1 while the database does not record writes, so that none but cancels go',
    of: ({ recording }) => (recording.trouble() === null ? 0 : 1),
  },
]

/** The Prometheus text: few metrics, and no amounts of money. */
const metricsText = (watched: Watched): string =>
  gauges
    .flatMap(({ name, help, of }) => {
      const value = of(watched)
      const kind = name.endsWith('_total') ? 'counter' : 'gauge'
      const full = `pitdesk_hub_${name}`
      return value === null ? [] : [`# HELP ${full} ${help}`, `# TYPE ${full} ${kind}`, `${full} ${value}`]
    })
    .join('\n')

/** The reason why this hub neither works nor could, as a clause; null when it leads or stands by. */
function troubleOf({ led, directory, isStoreThere, unfit, recording }: Watched): string | null {
  const isLeading = led() !== null
  // Without its database a hub neither leads nor could: it is not a standby.
  if (directory.ageMs() >= 60_000 || !(isLeading || isStoreThere())) return 'the database does not answer: no hub leads'
  const reason = unfit()
  if (reason !== null) return `this hub cannot lead: ${reason}`
  const failure = isLeading ? recording.trouble() : null
  return failure === null ? null : `writes are not recorded, and none but cancels go: ${failure}`
}

/** Serves `/metrics`, and `/healthz`: 200 for a hub that leads and records, or could lead. On loopback only. */
export async function serveMetrics(
  port: number,
  watched: Watched,
): Promise<Result<{ url: string; stop: () => Promise<void> }>> {
  const health = () => {
    const trouble = troubleOf(watched)
    const text = trouble ?? (watched.led() === null ? 'stands by' : 'leads')
    return { status: trouble === null ? 200 : 503, type: 'text/plain; charset=utf-8', text: `${text}\n` }
  }
  try {
    const { url, stop } = await startStatusServer(
      {
        '/healthz': health,
        '/metrics': () => ({ status: 200, type: 'text/plain; version=0.0.4', text: `${metricsText(watched)}\n` }),
      },
      { host: '127.0.0.1', port, flag: '--metrics-port' },
    )
    return ok({ url: `${url}/metrics`, stop })
  } catch (error) {
    return err(errorText(error))
  }
}
