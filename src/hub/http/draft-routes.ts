import { err, ok, type Result } from '../../base/result.ts'
import { errorText } from '../../base/text/error-text.ts'
import { cleanReason } from '../../domain/hub/reason.ts'
import { type Act, may } from '../../domain/hub/roles.ts'
import { unchangedText } from '../../domain/hub/unchanged.ts'
import type { WhitelistEntry } from '../../domain/transfers/transfer.ts'
import {
  type Answer,
  badRequest,
  checkJsonType,
  failure,
  json,
  jsonBounds,
  type Route,
} from '../../http-server/route.ts'
import { JournalError } from '../../journal/entry.ts'
import {
  readDraftVersion,
  readHubApproval,
  readHubDraftRequest,
  readReason,
  writeHubDraft,
  writeHubDrafts,
  writeKnownWhitelist,
} from '../../wire/hub-drafts.ts'
import { writeError } from '../../wire/message.ts'
import type { DraftRefusal, HubDrafts, KeptContent } from '../drafts/drafts.ts'
import type { FirmWhitelist } from '../drafts/whitelist.ts'
import { createPlaces, type Places } from '../people/places.ts'
import { CommitInDoubt, isDefinite, isStoreFailure } from '../store/database.ts'
import type { Guest } from '../writes/context.ts'
import { tooManyWrites, writesMaxEach } from '../writes/hub-writes.ts'

export type DraftRoutesContext = {
  /** The database's identity, which approvals name. */
  hub: string
  drafts: HubDrafts
  memory: Pick<FirmWhitelist, 'read'>
  /** The exchange's current whitelist. The error, a clause: it does not answer. */
  whitelist: () => Promise<Result<readonly WhitelistEntry[]>>
  newDraftId: () => string
  /** Called after each change of a draft. */
  changed: () => void
}

const actWords: Readonly<Partial<Record<Act, string>>> = {
  draft: 'draft withdrawals',
  approve: 'approve or reject drafts',
}

/** Maximum concurrent database queries per person, more than one person's desks need. */
const looksMaxEach = 8
const tooManyLooks = failure(
  429,
  `${looksMaxEach} looks of yours at what the hub keeps are under way, as many as one person may have: ask again`,
  { 'retry-after': '1' },
)

/** Limits database queries per person: the database has few connections, and everyone's writes need them. */
export const createLooks = (): Places => createPlaces(looksMaxEach)

/** Runs a query in a place of this person. */
export const look = (looks: Places, { name }: Guest, run: () => Promise<Answer>): Promise<Answer> =>
  looks.within(name, tooManyLooks, () => recorded(run))

/** Routes of the firm's withdrawal drafts; every change is on record before it is answered. */
export function draftRoutes(context: () => DraftRoutesContext | null): readonly Route<Guest>[] {
  const looks = createLooks()
  const changes = createPlaces(writesMaxEach)
  const route = (
    method: Route<Guest>['method'],
    path: string,
    act: Act,
    handle: (context: DraftRoutesContext, request: Parameters<Route<Guest>['handle']>[0]) => Promise<Answer>,
  ): Route<Guest> => ({
    method,
    path,
    handle: async (request) => {
      if (!may(request.guest.role, act))
        return failure(403, unchangedText(`the role ${request.guest.role} may not ${actWords[act] ?? act}`))
      const now = context()
      if (now === null) return failure(503, unchangedText('this hub stands by'))
      const { guest } = request
      if (act === 'read') return await look(looks, guest, () => handle(now, request))
      const change = () => recorded(() => handle(now, request))
      const answer = checkJsonType(request.body) ?? (await changes.within(guest.name, tooManyWrites, change))
      if (answer.status === 200) now.changed()
      return answer
    },
  })
  return [
    route('GET', '/hub/drafts', 'read', async ({ hub, drafts }) =>
      json(writeHubDrafts({ hub, drafts: await drafts.list() })),
    ),
    route('GET', '/hub/whitelist', 'read', async ({ memory }) => json(writeKnownWhitelist(await memory.read()))),
    route('POST', '/hub/drafts', 'draft', async (now, { guest, body }) => {
      const read = await contentOf(now, body.text)
      if (!read.ok) return read.error
      const { draftId, content } = read.value
      return answered(await now.drafts.make(guest, draftId ?? now.newDraftId(), content))
    }),
    route('PUT', '/hub/drafts/:draftId', 'draft', async (now, { guest, params, body }) => {
      const version = readDraftVersion(body.text, jsonBounds)
      if (!version.ok) return badRequest(version.error)
      const read = await contentOf(now, body.text)
      if (!read.ok) return read.error
      return answered(await now.drafts.change(guest, params.draftId ?? '', version.value, read.value.content))
    }),
    route('DELETE', '/hub/drafts/:draftId', 'draft', async (now, { guest, params, body }) => {
      const version = readDraftVersion(body.text, jsonBounds)
      if (!version.ok) return badRequest(version.error)
      return answered(await now.drafts.drop(guest, params.draftId ?? '', version.value))
    }),
    route('POST', '/hub/drafts/:draftId/approve', 'approve', async (now, { guest, params, body }) => {
      const read = readHubApproval(body.text, jsonBounds)
      if (!read.ok) return badRequest(read.error)
      return answered(await now.drafts.approve(guest, params.draftId ?? '', read.value))
    }),
    route('POST', '/hub/drafts/:draftId/reject', 'approve', async (now, { guest, params, body }) => {
      const read = readReason(body.text, jsonBounds)
      const reason = read.ok ? cleanReason(read.value ?? '') : read
      if (!reason.ok) return badRequest(reason.error)
      return answered(await now.drafts.reject(guest, params.draftId ?? '', reason.value))
    }),
  ]
}

type Content = { draftId: string | null; content: KeptContent }

/** The contents to store, with the beneficiary's name from the exchange's whitelist. */
async function contentOf({ whitelist }: DraftRoutesContext, text: string): Promise<Result<Content, Answer>> {
  const read = readHubDraftRequest(text, jsonBounds)
  if (!read.ok) return err(badRequest(read.error))
  const { draftId, beneficiary: whitelistId, ...rest } = read.value
  const entries = await whitelist()
  if (!entries.ok) return err(failure(409, unchangedText(`the whitelist cannot be read now: ${entries.error}`)))
  const entry = entries.value.find((each) => each.whitelistId === whitelistId)
  if (entry === undefined)
    return err(failure(409, unchangedText(`the exchange's whitelist has no entry ${whitelistId}`)))
  return ok({ draftId, content: { ...rest, beneficiary: { whitelistId, name: entry.name } } })
}

const answered = (done: Awaited<ReturnType<HubDrafts['drop']>>): Answer =>
  done.ok ? json(writeHubDraft(done.value)) : refusal(done.error)

/** Contains the current draft when someone else was faster. */
export const refusal = ({ status, error, draft }: DraftRefusal): Answer =>
  draft === undefined
    ? failure(status, error)
    : { status, body: `${writeError(error).slice(0, -1)},"draft":${writeHubDraft(draft)}}` }

/** When the database fails, nothing was sent; only after a lost commit it is unknown whether the change is there. */
export async function recorded(run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof CommitInDoubt)
      return failure(504, "the hub's database does not answer: no money was sent; look whether the change is there")
    if (!isStoreFailure(error) && !(error instanceof JournalError)) throw error
    const why = isDefinite(error) ? `does not take it: ${errorText(error)}` : 'does not answer'
    return failure(503, unchangedText(`the hub's database ${why}`))
  }
}
