import type { CommandTools } from '../../base/process/command-io.ts'
import { plainText } from '../../base/text/plain-text.ts'
import { durationText } from '../../base/text/time-text.ts'
import { type Beat, silenceOf, wakeText } from '../../domain/desk/duties.ts'
import { isPlanOwned } from '../../journal/plan-file.ts'
import { isOwnerHalted, planOwner } from '../../journal/plan-requests.ts'
import { type Ending, failure } from '../cli/exit-codes.ts'

/** Reports when no process runs the plans, one that is stopped, or one that is HALTED. */
export function tellOwner(
  folder: string,
  { clock }: Pick<CommandTools, 'clock'>,
  printError: (line: string) => void,
): void {
  const owned = isPlanOwned(folder)
  const owner = planOwner(folder)
  const silentMs = owner === null ? null : silenceOf(owner, clock.wallMs())
  if (!owned.ok) printError(plainText(`Whether they run cannot be seen: ${owned.error}.`))
  else if (!owned.value) printError(`No watch or desk runs them just now: ${stays}.`)
  else if (owner !== null && silentMs !== null)
    printError(
      `The process that runs them (pid ${owner.pid}) is stopped or stuck, for ${durationText(silentMs)}: ${stays}. ` +
        `${todoText(owner)}`,
    )
  else if (owner?.isUnseen === true)
    printError(`Whether the process that runs them (pid ${owner.pid}) moves cannot be seen: its disk is read-only.`)
  else if (owner !== null && isOwnerHalted(folder))
    printError(`The desk that runs them (pid ${owner.pid}) is HALTED: ${stays} until it is armed there.`)
}

const stays = 'orders that rest stay, nothing else happens'

/** The end of a command whose request was not taken; `stopped`: the process that stands still, where that is known. */
export function notTaken(stopped: Beat | null): Ending {
  if (stopped === null)
    return failure('notSent', 'the process that runs the plans did not respond in time. Nothing was changed.', {
      todo: 'Look at pitdesk watch --status.',
    })
  const name = `the process that runs the plans (pid ${stopped.pid})`
  return failure('notSent', `${name} is stopped or stuck. Nothing was changed.`, { todo: todoText(stopped) })
}

const todoText = ({ pid }: Beat): string =>
  `${wakeText(pid)}: an open desk or watch, or the next one, goes on with the plans then.`
