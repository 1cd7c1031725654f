import { nodeComplaint } from '../base/process/node-runtime.ts'
import { settingFlags } from '../config/setting-flags.ts'
import { issuesSentence, readSettings, type SettingFlags } from '../config/settings.ts'
import { type DeskPlan, mayAskPerson, readDeskLooks } from '../desk/account/opening-settings.ts'
import { openDeskSession } from '../desk/account/session.ts'
import { beginPractice } from '../desk/practice/own-practice.ts'
import { showFirstPicture } from '../desk/screen/first-picture.ts'
import { keepHeapSmall } from '../desk/screen/memory.ts'
import { createQuit, noTerminal } from '../desk/screen/terminal.ts'
import { readRebinding } from '../ui/keys/rebinding.ts'
import type { Arguments } from './cli/arguments.ts'
import type { Run } from './cli/command.ts'
import { done, exitCodeOf, failed, settingsFailure, wrongUsage } from './cli/exit-codes.ts'

function flagsOf(given: Arguments): SettingFlags {
  const profile = given.value('profile')
  const values = settingFlags.flatMap(({ name, placeholder }) => {
    const value = placeholder === null ? given.has(name) || undefined : given.value(name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(values), ...(profile === undefined ? {} : { profile }) }
}

/** Opens the desk and stays until the user quits or a signal ends it. */
export const runDesk: Run = async (given, io, tools) => {
  const settings = readSettings(io.environment, flagsOf(given))
  if (!settings.ok) return settingsFailure(settings.error)
  const looks = readDeskLooks(settings.value, io.environment)
  if (!looks.ok) return given.has('theme') ? wrongUsage(`--theme: ${looks.error}`) : failed(looks.error)
  const rebinding = readRebinding(settings.value.keys)
  if (!rebinding.ok) return failed(issuesSentence(rebinding.issues))
  const nowhere = noTerminal(io)
  if (nowhere !== null) return failed(nowhere)
  // Printed above the screen, and visible again after it: one-shot commands stay silent for scripts, and `pitdesk
  // doctor` reports it too.
  const oldNode = nodeComplaint(process.versions.node)
  if (oldNode !== null) io.printError(`Warning: ${oldNode}.`)
  const quit = createQuit(io)
  if (tools.isOwnProcess) void keepHeapSmall(tools.clock, quit.signal)
  // Its thread starts on another processor, while this one loads the drawing code.
  const practice = beginPractice({ settings: settings.value, io, tools, quit })
  const session = await openDeskSession({ settings: settings.value, io, tools, isFresh: given.has('fresh') })
  const plan: DeskPlan = {
    settings: { ...settings.value, symbol: session.symbol },
    looks: looks.value.looks,
    reboundKeys: rebinding.value,
    ...{ quit, io, tools },
  }
  // Nothing may cover a program that asks for a passphrase, and a waiting screen is useless to a screen reader.
  const isOpenedFirst = looks.value.looks.isSpoken || mayAskPerson(settings.value, io.environment)
  // Before the drawing code is loaded.
  const picture = isOpenedFirst ? null : showFirstPicture(plan, session)
  const { openThenShow, showThenOpen } = await import('../desk/screen/on-screen.ts')
  const followers = { looks: looks.value, session }
  const ended = await (picture === null
    ? openThenShow(plan, followers, practice)
    : showThenOpen(plan, followers, practice, picture))
  if (!ended.ok) return failed(ended.error)
  if (ended.value === 'hurried') return { code: exitCodeOf(io.signal) }
  return ended.value === 'signal' ? { code: exitCodeOf(quit.signal) } : done
}
