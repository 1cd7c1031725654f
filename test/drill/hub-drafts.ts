// The drafts of the hub's drill: traders who make, edit, drop and send drafts, approvers who approve and reject what
// they see, sometimes two at once and sometimes over what it said before, and an admin who halts and resumes. Everybody
// hears what they are told and believes nothing else.
import { systemClock } from '../../src/base/clock.ts'
import type { Random } from '../../src/base/random.ts'
import { Secret } from '../../src/base/secret.ts'
import { signApproval } from '../../src/base/token-signature.ts'
import { approvalText, type HubDraft } from '../../src/domain/hub/draft.ts'
import { type HubDraftList, readHubDrafts } from '../../src/wire/hub-drafts.ts'
import { type Answer, callHub } from './hub-desks.ts'

type Call = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer | null>
export type Member = { person: string; token: string }
type Common = { hubs: readonly string[]; random: Random; signal: AbortSignal }

/** What somebody was told of sending a draft. */
export type SendTold = 'sent' | 'notSent' | 'unknown'
export type Sending = { draftId: string; amount: string; person: string; told: SendTold; withdrawalId: string | null }
/** From when to when everything was halted for certain, by the clock of this machine. */
export type HaltSpan = { fromMs: number; toMs: number }

/** What all of them did and heard. */
export type DraftBook = {
  readonly sendings: Sending[]
  readonly halts: HaltSpan[]
  /** Each amount was asked for once, by one revision of one draft. */
  readonly drafts: Map<string, string>
  readonly counts: Record<string, number>
}

export const newBook = (): DraftBook => ({ sendings: [], halts: [], drafts: new Map(), counts: {} })

const count = ({ counts }: DraftBook, what: string, answer: Answer | null) => {
  const name = `${what}${answer === null ? 'NoAnswer' : answer.status === 200 ? '' : 'Refused'}`
  counts[name] = (counts[name] ?? 0) + 1
}

/** Calls whichever hub leads; the other one after no answer, or where one stands by. */
function callerOf({ token }: Member, { hubs, random }: Pick<Common, 'hubs' | 'random'>): Call {
  let hub = random.integer(0, hubs.length - 1)
  return async (method, path, body, headers) => {
    const request = { method, path, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) }
    const answer = await callHub(hubs[hub] ?? '', token, request)
    if (answer === null || answer.isStandby) hub = (hub + 1) % hubs.length
    return answer
  }
}

async function listed(call: Call): Promise<HubDraftList | null> {
  const answer = await call('GET', '/hub/drafts')
  const list = answer?.status === 200 ? readHubDrafts(answer.text) : null
  return list?.ok ? list.value : null
}

/** An amount that nobody else asks for, in BTC: what is at the exchange tells of which draft it is. */
export function createAmounts(): () => string {
  let last = 1_000
  return () => {
    last += 1
    return `0.${String(last).padStart(8, '0')}`
  }
}

const isOpen = ({ state }: HubDraft) => state.kind === 'draft'
const pick = <T>(random: Random, among: readonly T[]): T | undefined =>
  among[random.integer(0, Math.max(0, among.length - 1))]

type Trader = Common & { member: Member; place: string; amounts: () => string; most: number; book: DraftBook }

/** A trader, until so much was done. */
export async function tradeDrafts({ member, place, amounts, most, book, ...common }: Trader): Promise<void> {
  const { random, signal } = common
  const call = callerOf(member, common)
  const content = (draftId: string) => {
    const amount = amounts()
    book.drafts.set(amount, draftId)
    return { currency: 'BTC', beneficiary: place, amount, wantsApproval: random.chance(0.8) }
  }
  const send = async ({ draftId, amount, beneficiary }: HubDraft) => {
    const text = String(amount)
    const request = { currency: 'BTC', beneficiary: beneficiary.whitelistId, amount: text }
    const answer = await call('POST', `/hub/drafts/${draftId}/send`, request)
    count(book, 'send', answer)
    const [, id = null] = answer === null ? [] : (/"withdrawalId":"?([^",}]+)/.exec(answer.text) ?? [])
    const isNo = answer !== null && (answer.isStandby || (answer.status >= 400 && answer.status < 500))
    const told = answer?.status === 200 ? 'sent' : isNo ? 'notSent' : 'unknown'
    book.sendings.push({
      draftId,
      amount: text,
      person: member.person,
      told,
      withdrawalId: told === 'sent' ? id : null,
    })
  }
  let seen: HubDraftList | null = null
  for (let done = 0; done < most && !signal.aborted; done += 1) {
    // What somebody looked at a while ago is what they act on.
    if (seen === null || random.chance(0.7)) seen = (await listed(call)) ?? seen
    const open = seen?.drafts.filter(isOpen) ?? []
    const own = open.filter(({ madeBy }) => madeBy === member.person)
    const act = random.integer(0, 9)
    const mine = pick(random, own)
    const ready = pick(
      random,
      open.filter(({ approval }) => approval.kind === 'given'),
    )
    if (act < 3 || mine === undefined) {
      const draftId = `${member.person}-${done}-${random.integer(0, 999_999)}`
      const body = { ...content(draftId), draftId }
      const made = await call('POST', '/hub/drafts', body)
      count(book, 'make', made)
      // Nobody heard: asked again under the same id.
      if (made === null) count(book, 'make', await call('POST', '/hub/drafts', body))
    } else if (act < 4) {
      const { draftId, version } = mine
      count(book, 'edit', await call('PUT', `/hub/drafts/${draftId}`, { ...content(draftId), version }))
    } else if (act < 5 && random.chance(0.3)) {
      count(book, 'drop', await call('DELETE', `/hub/drafts/${mine.draftId}`, { version: mine.version }))
    } else {
      const target = ready ?? mine
      await send(target)
      if (book.sendings.at(-1)?.told === 'unknown' || random.chance(0.1)) await send(target)
    }
    await systemClock.sleep(random.integer(0, 40), signal)
  }
}

/** An approver, until the end. */
export async function approveDrafts({ member, book, ...common }: Common & { member: Member; book: DraftBook }) {
  const { random, signal } = common
  const call = callerOf(member, common)
  const token = new Secret(member.token)
  let seen: HubDraftList | null = null
  while (!signal.aborted) {
    if (seen === null || random.chance(0.8)) seen = (await listed(call)) ?? seen
    const waiting = seen?.drafts.filter((draft) => isOpen(draft) && draft.approval.kind !== 'given') ?? []
    // The oldest of it: two approvers often look at the same one.
    const draft = random.chance(0.5) ? waiting.at(-1) : pick(random, waiting)
    if (draft !== undefined && seen !== null) {
      if (random.chance(0.08)) {
        const answer = await call('POST', `/hub/drafts/${draft.draftId}/reject`, { reason: 'not known' })
        count(book, 'reject', answer)
      } else {
        const terms = approvalText(seen.hub, draft)
        const body = { terms, signature: signApproval(token, terms) }
        count(book, 'approve', await call('POST', `/hub/drafts/${draft.draftId}/approve`, body))
      }
    }
    await systemClock.sleep(random.integer(5, 60), signal)
  }
}

/** An admin who now and then halts everything for a while. What had no answer is asked for until it is certain. */
export async function haltNowAndThen({ member, book, ...common }: Common & { member: Member; book: DraftBook }) {
  const { random, signal } = common
  const call = callerOf(member, common)
  const surely = async (path: string, body: object) => {
    for (;;) {
      const answer = await call('POST', path, body)
      if (answer?.status === 200) return
      await systemClock.sleep(100)
    }
  }
  while (!signal.aborted) {
    await systemClock.sleep(random.integer(1_000, 4_000), signal)
    if (signal.aborted) return
    await surely('/hub/halt', { reason: 'drill' })
    const fromMs = systemClock.wallMs()
    await systemClock.sleep(random.integer(200, 900), signal)
    book.halts.push({ fromMs, toMs: systemClock.wallMs() })
    await surely('/hub/resume', {})
  }
}
