import { plainText } from '../../base/text/plain-text.ts'
import { readInboxSettings } from '../../config/settings.ts'
import { configuredTargets } from '../../desk/gateway/inbox.ts'
import type { ForwardStanding } from '../../inbox/store/forward-store.ts'
import { shown } from '../cli/arguments.ts'
import type { Run } from '../cli/command.ts'
import { done, type Ending, failed, failure, wrongUsage } from '../cli/exit-codes.ts'
import { formOf, list, printOutcome } from '../cli/output.ts'
import { confirmed, consentOf } from '../cli/prompt.ts'
import { targetColumns } from './events.ts'
import { targetFields } from './list.ts'
import { noTarget, withStore } from './store.ts'

/** Removes the checkpoint of a target no longer configured, with its waiting events. */
export const runInboxForgetTarget: Run = async (given, io, tools) => {
  const [name] = given.words
  if (name === undefined) return wrongUsage('which target? "inbox ls targets" lists them')
  const settings = readInboxSettings(io.environment)
  if (!settings.ok) return failed(settings.error)
  const set = configuredTargets(settings.value)
  if (!set.ok) return failed(set.error)
  if (set.value.some(({ key }) => key === name))
    return failed(`${shown(name)} is set in [inbox] of config.toml: take it out there first. Nothing is forgotten.`)
  return withStore(given, { io, tools, use: 'change' }, async (store): Promise<Ending> => {
    const standings = await store.standings()
    const standing = standings.find(({ target }) => target === name)
    if (standing === undefined) return failed(noTarget(name, standings))
    if (standing.isHeld)
      return failed(`${shown(standing.holder)} forwards to ${shown(name)} now: stop that first. Nothing is forgotten.`)
    const consent = consentOf(given, io, 'forget it')
    if (!consent.ok) return wrongUsage(consent.error)
    const behind = await store.countAfter(standing.upTo)
    const question = `${lossOf(standing, behind)} Type yes:`
    if (!(await confirmed(consent.value, io, { question, isYes: (typed) => typed === 'yes' })))
      return failure('notSent', 'not confirmed: nothing is forgotten.')
    const fields = await targetFields(store, standing)
    if (!(await store.forgetTarget(name, standing.fence)))
      return failed(`somebody began to forward to ${shown(name)} meanwhile: nothing is forgotten.`)
    await printOutcome(list([fields]), targetColumns, formOf(given, io.stdout), io)
    return { ...done, did: `${shown(name)} is forgotten.` }
  })
}

const lossOf = ({ target, waiting, dead }: ForwardStanding, behind: number): string =>
  plainText(
    `Forget ${target}? ${waiting} waiting, ${behind} not taken up yet and ${dead} given up will not be sent to it; ` +
      'its attempts and checkpoint are deleted. If configured again it starts from scratch.',
  )
