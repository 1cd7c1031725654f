import { err, ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { gatewayOrderStates, gatewayOrderTypes } from '../../domain/gateway/event.ts'
import { inboxPageSize, pagesFrom, type StoredEvent } from '../../domain/gateway/inbox-source.ts'
import { eventFilter } from '../../inbox/forward/event-filter.ts'
import type { EventStore } from '../../inbox/store/event-store.ts'
import type { ForwardStanding } from '../../inbox/store/forward-store.ts'
import { type Arguments, shown } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, type Fields, failed, failure, wrongUsage } from '../cli/exit-codes.ts'
import { amount, formOf, list, printOutcome, text } from '../cli/output.ts'
import { confirmed, consentOf } from '../cli/prompt.ts'
import { type EventQuery, isAllAfter, readEventQuery } from './events.ts'
import { idsFrom } from './show.ts'
import { giveWay, noTarget, withStore } from './store.ts'

/** Maximum events sent again without a question. */
const unaskedMax = 10

const columns = [
  text('target', 'TARGET'),
  amount('events', 'EVENTS'),
  amount('sentAgain', 'SENT AGAIN'),
  amount('waitingAnyway', 'WAITING ANYWAY'),
]

/** The numbers of the events to send again, by target. */
type Wanted = ReadonlyMap<string, readonly number[]>

/** Has events forwarded again: by id, order, time or filter, or those given up. */
export const runInboxSendAgain: Run = async (given, io, tools) => {
  const query = readEventQuery(given, tools.clock.wallMs())
  if (!query.ok) return wrongUsage(query.error)
  const says = ['order', 'state', 'type', 'currency', 'country', 'from', 'to'].some((flag) => given.has(flag))
  if (given.words.length === 0 && !says && !given.has('dead'))
    return wrongUsage('say which events: ids of events or orders, --dead, --order, --from, --to or a filter')
  if (given.words.length > 0 && given.has('dead')) return wrongUsage('--dead goes without ids')
  return withStore(given, { io, tools, use: 'change' }, async (store): Promise<Ending> => {
    const standings = await store.standings()
    const targets = wantedTargets(given.value('target'), standings)
    if (!targets.ok) return failed(targets.error)
    const wanted = await (given.has('dead')
      ? deadEvents(store, targets.value, query.value, given, io.signal)
      : chosenEvents(store, targets.value, query.value, given, io.signal))
    if (io.signal.aborted) return failed('ended before all was read: nothing is sent again')
    if (!wanted.ok) return failed(wanted.error)
    const count = [...wanted.value.values()].reduce((sum, numbers) => sum + numbers.length, 0)
    if (count === 0) return failed('no such event in the inbox: nothing is sent again')
    if (count > unaskedMax) {
      const consent = consentOf(given, io)
      if (!consent.ok) return wrongUsage(`${count} events: ${consent.error}`)
      const question = `Send ${count} events again, to ${[...wanted.value.keys()].join(', ')}? Type yes:`
      if (!(await confirmed(consent.value, io, { question, isYes: (typed) => typed === 'yes' })))
        return failure('notSent', 'not confirmed: nothing is sent again.')
    }
    const { rows, doneCount } = await sendAgain(store, wanted.value, io.signal, () => giveWay(tools))
    await printOutcome(list(rows), columns, formOf(given, io.stdout), io)
    for (const { target, isHeld } of standings)
      if (!isHeld && wanted.value.has(target))
        io.printError(plainText(`warning: no inbox forwards to ${target} just now: they go out when one does`))
    if (doneCount < count) return failed(`ended before all are sent again: ${doneCount} of ${count} are`)
    return { ...done, did: `${count} events are sent again.` }
  })
}

/** The targets of a word; without one those forwarded to now, or if there are none, all. */
function wantedTargets(word: string | undefined, standings: readonly ForwardStanding[]): Result<readonly string[]> {
  const known = standings.map(({ target }) => target)
  if (known.length === 0) return err('nothing was ever forwarded from this inbox')
  const now = standings.filter(({ isHeld }) => isHeld).map(({ target }) => target)
  if (word === undefined) return ok(now.length === 0 ? known : now)
  return known.includes(word) ? ok([word]) : err(noTarget(word, standings))
}

/** The filter of the flags. */
function filterOf(given: Arguments): (event: StoredEvent) => boolean {
  const only = <T extends string>(name: string, choices: readonly T[]) =>
    choices.filter((each) => given.value(name) === each)
  const words = (name: string) => given.values(name).flatMap((each) => each.split(','))
  return eventFilter({
    states: only('state', gatewayOrderStates),
    types: only('type', gatewayOrderTypes),
    currencies: words('currency'),
    countries: words('country'),
  })
}

/** Events by ids, order, time and filter, the same for each target. */
async function chosenEvents(
  store: EventStore,
  targets: readonly string[],
  query: EventQuery,
  given: Arguments,
  signal: AbortSignal,
): Promise<Result<Wanted>> {
  const passes = filterOf(given)
  const isWanted = (event: StoredEvent) =>
    passes(event) &&
    event.receivedAtMs >= (query.fromMs ?? 0) &&
    event.receivedAtMs <= (query.toMs ?? Number.MAX_SAFE_INTEGER)
  const numbers = new Set<number>()
  const { orderId } = query
  if (given.words.length === 0)
    for await (const event of storedEvents(store, orderId, query.toMs)) {
      if (signal.aborted) break
      if (isWanted(event)) numbers.add(event.sequence)
    }
  for (const word of given.words) {
    const { ids, where } = await idsFrom(store, word)
    const [id, ...others] = ids
    if (id === undefined) return err(`no order or event ${shown(word)} ${where}: nothing is sent again`)
    if (others.length > 0) return err(`${others.length + 1} ids begin with ${shown(word)}: nothing is sent again`)
    const event = await store.event(id)
    const found = event === null ? await all(storedEvents(store, id, undefined)) : [event]
    for (const each of found)
      if (isWanted(each) && (orderId === undefined || each.orderId === orderId)) numbers.add(each.sequence)
  }
  const sorted = [...numbers].sort((one, other) => one - other)
  return ok(new Map(sorted.length === 0 ? [] : targets.map((target) => [target, sorted])))
}

async function* storedEvents(
  store: EventStore,
  orderId: string | undefined,
  toMs = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<StoredEvent> {
  const only = orderId === undefined ? {} : { orderIds: [orderId] }
  for await (const page of pagesFrom((query) => store.events({ ...only, ...query }), { after: 0 })) {
    yield* page
    if (isAllAfter(page, toMs)) return
  }
}

async function all<T>(each: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const one of each) found.push(one)
  return found
}

/** Events given up for these targets, by the time of giving up, order and filter. */
async function deadEvents(
  store: EventStore,
  targets: readonly string[],
  { orderId, fromMs = 0, toMs = Number.MAX_SAFE_INTEGER }: EventQuery,
  given: Arguments,
  signal: AbortSignal,
): Promise<Result<Wanted>> {
  const passes = filterOf(given)
  const wanted = new Map<string, number[]>()
  for await (const page of pagesFrom((query) => store.deadLetters(query), { after: 0 }))
    for (const letter of page) {
      if (signal.aborted) return ok(wanted)
      const isMeant = targets.includes(letter.target) && (orderId === undefined || letter.orderId === orderId)
      if (!isMeant || letter.atMs < fromMs || letter.atMs > toMs) continue
      const event = await store.event(letter.eventId)
      if (event === null || !passes(event)) continue
      const numbers = wanted.get(letter.target)
      if (numbers === undefined) wanted.set(letter.target, [letter.eventSequence])
      else numbers.push(letter.eventSequence)
    }
  return ok(wanted)
}

/** Sends again page by page until the signal; `doneCount` is the number of events that are, waiting anyway or not. */
async function sendAgain(
  store: EventStore,
  wanted: Wanted,
  signal: AbortSignal,
  rest: () => Promise<void>,
): Promise<{ rows: Fields[]; doneCount: number }> {
  const rows: Fields[] = []
  let doneCount = 0
  for (const [target, numbers] of wanted) {
    let [sent, events] = [0, 0]
    while (events < numbers.length && !signal.aborted) {
      const page = numbers.slice(events, events + inboxPageSize)
      sent += await store.sendAgain(target, page)
      events += page.length
      if (events < numbers.length) await rest()
    }
    doneCount += events
    rows.push({ target, events, sentAgain: sent, waitingAnyway: events - sent })
  }
  return { rows, doneCount }
}
