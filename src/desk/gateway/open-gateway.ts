import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { madeFolder } from '../../base/files/make-folder.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { xdgFolders } from '../../base/process/environment.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { Secret } from '../../base/secret.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { readInboxSettings, type Settings } from '../../config/settings.ts'
import type { ReceiverState } from '../../domain/gateway/service-events.ts'
import type { EventStore } from '../../inbox/store/event-store.ts'
import type { PracticeServices } from '../../sandbox/apart/practice-services.ts'
import { openGatewaySeenFile } from '../../state-files/session-file.ts'
import { keyFrom } from '../account/profile.ts'
import { type DeskGateway, noGateway } from './gateway.ts'
import { createLateInbox } from './late-inbox.ts'
import { createDeskReceiver, createReceiverAlarms, endReceiver } from './receiver.ts'

type Context = { io: CommandIo; tools: CommandTools }

/** The payment gateway of a desk, and the services started for it. */
export type OpenedGateway = {
  gateway: DeskGateway
  /** Sentences about its unusable parts; trading continues without them. */
  trouble: readonly string[]
  stop(): Promise<void>
}

/**
 * Opens the gateway and inbox of the settings; the practice gateway for a desk with its own practice exchange and no
 * other gateway.
 */
export async function openDeskGateway(
  settings: Settings,
  practice: PracticeServices | null,
  context: Context,
): Promise<OpenedGateway> {
  const { seen, trouble, kept } = await readSeen(settings, context)
  const stuckAfterMs = settings.alerts.gatewayStuckAfterMs
  const opened =
    practice !== null && settings.gatewayBaseUrl === null
      ? await openPractice(practice, { seen, stuckAfterMs }, context)
      : await openNamed(settings, { seen, stuckAfterMs }, context)
  return {
    gateway: opened.gateway,
    trouble: [...trouble, ...opened.trouble],
    async stop() {
      await opened.stop()
      await kept()
    },
  }
}

type Given = Pick<DeskGateway, 'seen' | 'stuckAfterMs'>

/** The sequence the user has seen up to in earlier runs; `kept` resolves when it is on disk. */
async function readSeen({ profileName }: Settings, { io }: Context) {
  const file = openGatewaySeenFile(xdgFolders(io.environment).state, profileName)
  const read = await file.read()
  let last: Promise<unknown> = Promise.resolve()
  const keep = (sequence: number) => {
    // Without a disk, read orders show as unread again at the next start: harmless.
    last = file.write({ version: 1, sequence })
  }
  return {
    seen: { sequence: (read.ok ? read.value?.sequence : null) ?? 0, keep },
    trouble: read.ok ? [] : [read.error],
    kept: () => last,
  }
}

/** Loads the practice gateway's modules, which a desk on other services does not need. */
export async function loadPracticeGateway() {
  const [{ openPracticeGateway }, { openStore }] = await Promise.all([
    import('./practice-gateway.ts'),
    import('../../inbox/store/open-store.ts'),
  ])
  return { openPracticeGateway, openStore }
}

/** The desk's own practice gateway, with an inbox in the state folder. */
async function openPractice(practice: PracticeServices, given: Given, { io, tools }: Context): Promise<OpenedGateway> {
  const { openPracticeGateway } = await loadPracticeGateway()
  const store = await openPracticeStore(join(xdgFolders(io.environment).state, 'practice-inbox'), tools)
  if (!store.ok) {
    const eligibility = { baseUrl: practice.gatewayUrl, partnerKey: new Secret(practice.partnerKey) }
    const gateway = { ...noGateway, ...given, eligibility }
    return { gateway, trouble: [plainText(store.error)], stop: () => Promise.resolve() }
  }
  const close = () => store.value.close()
  try {
    const opened = await openPracticeGateway(practice, { store: store.value, clock: tools.clock, ...given })
    return { gateway: opened.gateway, trouble: [], stop: () => opened.stop().finally(close) }
  } catch (error) {
    await close()
    throw error
  }
}

async function openPracticeStore(folder: string, { clock }: CommandTools): Promise<Result<EventStore>> {
  const { openStore } = await loadPracticeGateway()
  const made = madeFolder(folder)
  if (!made.ok) return made
  const { pathname } = pathToFileURL(join(folder, 'inbox.sqlite'))
  return await openStore(`sqlite://${pathname}`, { clock })
}

/** The gateway of the profile, and the inbox of the settings. */
async function openNamed(settings: Settings, given: Given, context: Context): Promise<OpenedGateway> {
  const eligibility = await eligibilityOf(settings, context)
  const inbox = await openInbox(context)
  const gateway: DeskGateway = {
    ...noGateway,
    ...given,
    eligibility: eligibility.ok ? eligibility.value : null,
    ...(inbox.ok ? inbox.value.parts : { receiver: { state: { kind: 'failed', sentence: inbox.error }, own: null } }),
  }
  const trouble = [eligibility, inbox].flatMap((each) => (each.ok ? [] : [each.error]))
  if (inbox.ok && inbox.value.trouble !== null) trouble.push(inbox.value.trouble)
  return { gateway, trouble, stop: () => (inbox.ok ? inbox.value.stop() : Promise.resolve()) }
}

async function eligibilityOf(
  { gatewayBaseUrl, partnerKey }: Settings,
  context: Context,
): Promise<Result<DeskGateway['eligibility']>> {
  if (gatewayBaseUrl === null) return ok(null)
  if (partnerKey === null)
    return err('No partner key for the gateway: set PITDESK_PARTNER_KEY, or partner_key_file in the profile.')
  const key = await keyFrom(partnerKey, context)
  return key.ok ? ok({ baseUrl: gatewayBaseUrl, partnerKey: key.value }) : err(`The partner key: ${key.error}.`)
}

/** `trouble`: why the store cannot be opened yet; it is tried again later. */
type OpenedInbox = {
  parts: Pick<DeskGateway, 'inbox' | 'receiver' | 'alarms'>
  trouble: string | null
  stop(): Promise<void>
}

const noInbox: OpenedInbox['parts'] = { inbox: null, receiver: noGateway.receiver, alarms: null }

/** Opens the store of `[inbox]`, if named, and with `in_desk` a receiver in this process. */
async function openInbox(context: Context): Promise<Result<OpenedInbox>> {
  const settings = readInboxSettings(context.io.environment)
  if (!settings.ok) return settings
  const { store: source, isInDesk } = settings.value
  if (source === null && !isInDesk) return ok({ parts: noInbox, trouble: null, stop: () => Promise.resolve() })
  const { openInboxStore, storeAddress } = await import('./inbox.ts')
  const address = await storeAddress(undefined, settings.value, context)
  if (!address.ok) return err(address.error.sentence)
  if (!isInDesk) {
    const late = createLateInbox(() => openInboxStore(address.value, context, { isApart: false, use: 'read' }))
    const trouble = await late.lookFor()
    const receiver: DeskGateway['receiver'] = { state: { kind: 'elsewhere' }, own: null }
    return ok({ parts: { inbox: late.inbox, receiver, alarms: null }, trouble, stop: late.close })
  }
  const { openOwnInbox } = await import('./inbox.ts')
  // A store that is away at the start may be there when the user starts the inbox.
  const late = createLateInbox(() => openInboxStore(address.value, context, { isApart: true }))
  const alarms = createReceiverAlarms()
  const inbox = { storeName: address.value.reveal(), log: alarms.log, ...context }
  const own = createDeskReceiver(async () => openOwnInbox(settings.value, { store: await late.store(), ...inbox }))
  const trouble = await late.lookFor()
  const state: ReceiverState = trouble === null ? await own.start() : { kind: 'failed', sentence: trouble }
  return ok({
    parts: { inbox: late.inbox, receiver: { state, own }, alarms },
    trouble,
    stop: () => endReceiver(own, late.close, { clock: context.tools.clock, say: context.io.printError }),
  })
}
