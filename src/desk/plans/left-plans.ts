import { join } from 'node:path'
import { namesIn } from '../../base/files/plain-file.ts'
import type { CommandIo } from '../../base/process/command-io.ts'
import { isPlanOwned, readPlans } from '../../journal/plan-file.ts'
import { accountFolderNamesIfListed, accountsFolder } from '../account/account-folder.ts'
import { dutyPlace } from '../duties/duty-place.ts'

/**
 * A sentence about plans that desks of this profile saved on this machine before there was a hub: no process runs them,
 * and the hub does not know them. Null for none. Each person has a token of their own at a hub, so the plans are in
 * another account's folder.
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

/** True when a desk or watch of the profile has had the duties for this account. */
function isOfProfile(folder: string, profileName: string): boolean {
  const place = dutyPlace({ folder, profileName })
  const names = new Set(namesIn(folder).map((name) => join(folder, name)))
  return names.has(place.duties.lock) || names.has(place.watchLock)
}
