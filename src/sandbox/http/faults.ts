import type { FastifyReply } from 'fastify'
import type { Clock } from '../../base/clock.ts'
import type { Around } from '../../http-server/app.ts'
import { type Answer, failure, type Taken } from '../../http-server/route.ts'

/** Before or after the operation took effect: the client cannot tell the two apart, which is the purpose. */
export type FaultMoment = 'before' | 'after'

/** A deliberate fault. */
export type Fault =
  | { kind: 'latency'; delayMs: number }
  /** The connection is reset without an answer. */
  | { kind: 'drop'; moment: FaultMoment }
  | { kind: 'status'; status: number; moment: FaultMoment }
  /** `garbled`: the body is no longer JSON. `truncated`: it ends halfway. */
  | { kind: 'malformed'; form: 'garbled' | 'truncated' }
  /** No answer is ever sent; the connection stays open. */
  | { kind: 'stall'; moment: FaultMoment }
export type FaultKind = Fault['kind']

/** A fault for the fraction `rate` (0 to 1) of the requests that match `pattern`. */
type FaultRule = { fault: Fault; rate: number; pattern: string }

export type Faults = {
  /** The faults for this request; null, nearly always, for none. `path` is relative to the server's base path. */
  plan(method: string, path: string | null, basePath: string): readonly Fault[] | null
  add(rule: FaultRule): void
  /** Removes the faults of one kind, or all. */
  clear(kind?: FaultKind): void
  rules(): readonly FaultRule[]
}

/**
 * Faults by rule. A pattern is a path in which `*` matches any text, optionally preceded by a method: `/orders*`, `POST
 * /orders`. It may include the base path or not, because a pattern that never matches would go unnoticed.
 */
export function createFaults(chance: (probability: number) => boolean): Faults {
  let rules: Array<{ rule: FaultRule; matches: Matches }> = []
  return {
    plan: (method, path, basePath) => {
      if (rules.length === 0 || path === null) return null
      const hit = rules.filter(({ rule, matches }) => matches(method, path, basePath) && chance(rule.rate))
      return hit.length === 0 ? null : hit.map(({ rule }) => rule.fault)
    },
    add: (rule) => {
      rules.push({ rule, matches: compilePattern(rule.pattern) })
    },
    clear: (kind) => {
      rules = kind === undefined ? [] : rules.filter(({ rule }) => rule.fault.kind !== kind)
    },
    rules: () => rules.map(({ rule }) => rule),
  }
}

type Matches = (method: string, path: string, basePath: string) => boolean

function compilePattern(pattern: string): Matches {
  const [first = '', second] = pattern.split(' ')
  const glob = second ?? first
  const parts = glob.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\/]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('.*')}$`)
  return (method, path, basePath) =>
    (second === undefined || method === first) && (expression.test(path) || expression.test(basePath + path))
}

/** Whether `createFaults` accepts this pattern. */
export const isFaultPattern = (pattern: string): boolean => /^([A-Z]+ )?[/*][^ ]{0,200}$/.test(pattern)

/** Applies the planned faults to a server's requests. */
export const withFaults =
  (faults: Faults, clock: Clock): Around =>
  ({ method, path, basePath, reply }, answerIt) => {
    const plan = faults.plan(method, path, basePath)
    return plan === null ? answerIt() : serveWithFaults(plan, answerIt, { clock, reply })
  }

/** Answers a request as planned. Null: no answer is sent, the connection has been dealt with. */
async function serveWithFaults(
  plan: readonly Fault[],
  answerIt: Parameters<Around>[1],
  { clock, reply }: { clock: Clock; reply: FastifyReply },
): Promise<Answer | Taken> {
  // A client that hangs up ends the delay, but not the operation: the request was already on its way.
  const hungUp = new AbortController()
  reply.raw.once('close', () => hungUp.abort())
  for (const fault of plan) if (fault.kind === 'latency') await clock.sleep(fault.delayMs, hungUp.signal)
  const before = instead(plan, 'before', reply)
  if (before !== undefined) return before
  const answer = await answerIt()
  const after = instead(plan, 'after', reply)
  return after === undefined && answer !== null ? spoil(plan, answer) : (after ?? null)
}

/** What replaces the answer at this moment; undefined if nothing does. */
function instead(plan: readonly Fault[], moment: FaultMoment, reply: FastifyReply): Answer | null | undefined {
  for (const fault of plan) {
    if (!('moment' in fault) || fault.moment !== moment) continue
    if (fault.kind === 'status') return failure(fault.status, 'a fault was asked for')
    reply.hijack()
    if (fault.kind === 'drop') reply.raw.socket?.resetAndDestroy()
    return null
  }
  return undefined
}

function spoil(plan: readonly Fault[], answer: Answer): Answer {
  const { body } = answer
  const malformed = plan.find((fault) => fault.kind === 'malformed')
  if (malformed === undefined || body === null) return answer
  if (malformed.form === 'garbled') return { ...answer, body: `<html>${body.slice(1)}` }
  return { ...answer, body: body.slice(0, Math.floor(body.length / 2)) }
}
