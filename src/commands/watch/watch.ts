import { isLoopbackHost } from '../../base/net/loopback.ts'
import type { CommandIo, CommandTools } from '../../base/process/command-io.ts'
import { nodeComplaint, tidyNowAndThen } from '../../base/process/node-runtime.ts'
import { err, ok, type Result } from '../../base/result.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { durationText, utcText } from '../../base/text/time-text.ts'
import { listenAddress } from '../../config/profile-settings.ts'
import { readSettings, type Settings } from '../../config/settings.ts'
import { keepHeapSmall } from '../../desk/screen/memory.ts'
import { lookForWatch, runWatch } from '../../desk/watch.ts'
import { silenceOf, type WatchStatus, wakeText, watchFields } from '../../domain/desk/duties.ts'
import { recordedNow } from '../../domain/plans/news.ts'
import { readPlans } from '../../journal/plan-file.ts'
import { jsonLine } from '../../wire/json-pieces.ts'
import type { Arguments } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, exitCodeOf, failed, failure, settingsFailure, wrongUsage } from '../cli/exit-codes.ts'

/** Flags of a watch that begins. */
const ofWatchAlone = ['listen', 'allow-remote', 'monitor']

/** Runs the desk without a screen, or shows the status of a running watch. */
export const runWatchCommand: Run = async (given, io, tools) => {
  const odd = given.has('status') ? ofWatchAlone.find((name) => given.has(name)) : undefined
  if (odd !== undefined) return wrongUsage(`--status shows the watch that runs, and begins none: it takes no --${odd}`)
  const profile = given.value('profile')
  const settings = readSettings(io.environment, {
    ...(profile === undefined ? {} : { profile }),
    ...(given.has('monitor') ? { monitor: true } : {}),
  })
  if (!settings.ok) return settingsFailure(settings.error)
  if (given.has('status')) return tellStatus(given, settings.value, io, tools)
  if (given.has('json')) return wrongUsage('--json goes with --status: the log of a watch is JSON anyway')
  const listen = readListen(given, settings.value)
  if (!listen.ok) return wrongUsage(listen.error)
  const oldNode = nodeComplaint(process.versions.node)
  if (oldNode !== null) io.printError(`Warning: ${oldNode}.`)
  if (tools.isOwnProcess) {
    void keepHeapSmall(tools.clock, io.signal)
    void tidyNowAndThen(tools.clock, io.signal)
  }
  const ended = await runWatch({ settings: settings.value, listen: listen.value, io, tools })
  if (!ended.ok) return failed(ended.error)
  return ended.value === 'inOrder' ? done : { code: exitCodeOf(io.signal) }
}

/** The address to listen on: the flag, else the setting. Beyond this machine only with --allow-remote. */
function readListen(given: Arguments, settings: Settings): Result<{ host: string; port: number } | null> {
  const typed = given.value('listen')
  const read = typed === undefined ? ok(settings.watchListen) : listenAddress(typed)
  const name = typed === undefined ? 'watch_listen' : '--listen'
  if (!read.ok) return err(`${name} ${read.error}`)
  if (read.value === null) return given.has('allow-remote') ? err('--allow-remote goes with --listen') : read
  const { host } = read.value
  if (isLoopbackHost(host.includes(':') ? `[${host}]` : host) || given.has('allow-remote')) return read
  return err(`${name}: ${host} is reached from other machines; that needs --allow-remote`)
}

async function tellStatus(given: Arguments, settings: Settings, io: CommandIo, tools: CommandTools): Promise<Ending> {
  const seen = await lookForWatch(settings, io, tools)
  if (!seen.ok) return failed(seen.error)
  const name = plainText(settings.profileName)
  const { account, watch } = seen.value
  if (watch === null)
    return failure('failed', `no watch of ${name} runs on this machine`, { beside: { isRunning: false } })
  const { status, writtenMs } = watch
  const wallMs = tools.clock.wallMs()
  const fields = watchFields(status, wallMs)
  if (status === null)
    return failure('failed', `a watch of ${name} runs, and has not said more yet`, { beside: fields })
  if (!given.has('json')) for (const line of linesOf(status, name, wallMs)) await io.print(line)
  for (const sentence of openPlanTroubles(account.folder, wallMs)) io.printError(sentence)
  const silentMs = silenceOf(status, wallMs)
  if (silentMs !== null) {
    const sentence = `the watch of ${name} (pid ${status.pid}) runs, but has done nothing for ${durationText(silentMs)}`
    return failure('failed', sentence, { beside: fields, todo: `${wakeText(status.pid)}.` })
  }
  const unwrittenMs = silenceOf({ beatMs: writtenMs }, wallMs)
  if (unwrittenMs !== null) {
    const sentence = `the watch of ${name} (pid ${status.pid}) runs, but could not write what it does for`
    const todo = 'Its disk may be full or read-only: see its log. What is said above is from before.'
    return failure('failed', `${sentence} ${durationText(unwrittenMs)}`, { beside: fields, todo })
  }
  if (status.troubles.length === 0) {
    if (given.has('json')) await io.print(jsonLine(fields))
    return done
  }
  const [first = ''] = status.troubles
  return failure(status.isExchangeSilent ? 'unreachable' : 'failed', `the watch of ${name} is not well: ${first}`, {
    beside: fields,
  })
}

/** Held or bare plans in sentences: the watch itself is well, but their positions may be unprotected. */
function openPlanTroubles(folder: string, wallMs: number): string[] {
  const kept = readPlans(folder)
  // The process that runs the plans reports unreadable ones.
  if (!kept.ok) return []
  return [...kept.value.plans.values()].flatMap((plan) => {
    const { state } = recordedNow(plan, wallMs)
    const { planId, ended, bareSinceMs } = plan
    if (ended !== null || (state !== 'held' && bareSinceMs === null)) return []
    const held = state === 'held' ? 'is held' : `is ${state}`
    const bare = bareSinceMs === null ? '' : `, and not protected since ${utcText(bareSinceMs)}`
    return plainText(`Plan ${planId} ${held}${bare}: see pitdesk plan show ${planId}.`)
  })
}

function* linesOf(status: WatchStatus, name: string, wallMs: number): Generator<string> {
  const { pid, sinceMs, beatMs, hasDuties, does, troubles } = status
  yield `watch of ${name}: up ${durationText(Math.max(0, wallMs - sinceMs))}, pid ${pid}, since ${utcText(sinceMs)}`
  yield `last beat ${Math.max(0, Math.round((wallMs - beatMs) / 1_000))} s ago`
  yield `does: ${does.join(', ')}${hasDuties ? '' : ' (the duties are still with another desk)'}`
  for (const each of troubles) yield `not well: ${each}`
}
