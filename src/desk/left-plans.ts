import { join } from 'node:path'
import type { CommandIo } from '../base/command-io.ts'
import { namesIn } from '../base/plain-file.ts'
import { isPlanOwned, readPlans } from '../journal/plan-file.ts'
import { accountFolderNamesIfListed, accountsFolder } from './account-folder.ts'
import { dutyPlace } from './duties.ts'

/**
 * What is to be said behind a hub of plans that desks of this profile kept on this machine before, in a sentence: no
 * process runs them, and the hub does not know them. Null where there are none. A hub has a token of its own for each
 * person, so that they lie in the folder of another account.
 */
export function leftPlansText(
  ownFolder: string,
  profileName: string,
  io: Pick<CommandIo, 'environment'>,
): string | null {
  const left: string[] = []
  for (const name of accountFolderNamesIfListed(io)) {
    const folder = join(accountsFolder(io), name)
    const isOwn = folder === ownFolder
    if (!isOwn && !isOfProfile(folder, profileName)) continue
    const owned = isPlanOwned(folder)
    if (!isOwn && owned.ok && owned.value) continue
    const kept = readPlans(folder)
    if (!kept.ok) continue
    for (const plan of kept.value.plans.values()) if (plan.ended === null) left.push(plan.planId)
  }
  if (left.length === 0) return null
  const [what, they] = left.length === 1 ? ['1 plan', 'does'] : [`${left.length} plans`, 'do']
  return (
    `${what} of this machine (${left.join(', ')}) ${they} NOT run: kept before there was a hub, which does not know ` +
    'them. Their resting orders stay: check them, and begin the plans again at the hub.'
  )
}

/** Whether a desk or watch of the profile has had its duties for this account. */
function isOfProfile(folder: string, profileName: string): boolean {
  const place = dutyPlace({ folder, profileName })
  const names = new Set(namesIn(folder).map((name) => join(folder, name)))
  return names.has(place.dutiesLock) || names.has(place.watchLock)
}
