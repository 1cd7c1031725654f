import { dayMs } from '../../base/duration.ts'
import { message, optionalStrictText, optionalWord } from '../../wire/message.ts'
import { type Fault, type FaultKind, type FaultMoment, type Faults, isFaultPattern } from '../http/faults.ts'
import { badRequest } from '../http/route.ts'
import { share, shown, type Verb, verb, whole, wholeOr } from './verb.ts'

const moments: readonly FaultMoment[] = ['before', 'after']
const kinds: readonly FaultKind[] = ['latency', 'drop', 'status', 'malformed', 'stall']
/** Where and how often: every fault takes these. */
const reach = { rate: share, path: optionalStrictText }

/** Faults asked for: they hit the interfaces of the exchange and the gateway, never the administrator's. */
export function faultVerbs(faults: Faults): Verb[] {
  const show = () =>
    shown({
      faults: faults.rules().map(({ fault, rate, pattern }) => ({ ...fault, rate: String(rate), path: pattern })),
    })
  const add = (fault: Fault, { rate, path }: { rate: number; path: string | null }) => {
    const pattern = path ?? '*'
    if (!isFaultPattern(pattern)) return badRequest('field "path" must be a path such as /orders* or POST /orders')
    faults.add({ fault, rate, pattern })
    return show()
  }
  const when = optionalWord(moments)
  return [
    verb('fault', 'latency', message({ ms: whole(0, 600_000), ...reach }), (values) =>
      add({ kind: 'latency', delayMs: values.ms }, values),
    ),
    verb('fault', 'drop', message({ when, ...reach }), (values) =>
      add({ kind: 'drop', moment: values.when ?? 'before' }, values),
    ),
    verb('fault', 'status', message({ status: wholeOr(503, 400, 599), when, ...reach }), (values) =>
      add({ kind: 'status', status: values.status, moment: values.when ?? 'before' }, values),
    ),
    verb('fault', 'malformed', message({ form: optionalWord(['garbled', 'truncated'] as const), ...reach }), (values) =>
      add({ kind: 'malformed', form: values.form ?? 'garbled' }, values),
    ),
    verb('fault', 'stall', message({ when, ...reach }), (values) =>
      add({ kind: 'stall', moment: values.when ?? 'before' }, values),
    ),
    verb('fault', 'off', message({ kind: optionalWord(kinds) }), ({ kind }) => {
      if (kind === null) faults.clear()
      else faults.clear(kind)
      return show()
    }),
  ]
}

/** The sandbox's own time. */
export const clockVerbs = (putForward: (ms: number) => number): Verb[] => [
  verb('clock', 'advance', message({ ms: whole(0, 366 * dayMs) }), ({ ms }) => shown({ nowMs: putForward(ms) })),
]

/** `POST /reset`: the practice world begins anew; accounts and keys stay. */
export const resetVerb = (reset: () => Promise<void>): Verb =>
  verb('reset', '', message({}), async () => {
    await reset()
    return shown({ reset: true })
  })
