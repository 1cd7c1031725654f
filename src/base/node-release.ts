/**
 * The first releases of each line of Node with the security fixes of 2026-10-21; lines between them get no fixes any
 * more.
 */
const fixedReleases = ['24.22.1', '26.12.1'] as const

const partsOf = (version: string): number[] => version.split('.').map(Number)

function isAtLeast(version: string, least: string): boolean {
  const [one, other] = [partsOf(version), partsOf(least)]
  const at = [0, 1, 2].find((index) => one[index] !== other[index])
  return at === undefined || (one[at] ?? 0) > (other[at] ?? 0)
}

/**
 * What is wrong with running on this release of Node (`24.21.0`), as a sentence without its end; null when nothing is
 * known to be.
 */
export function nodeComplaint(version: string): string | null {
  const [newest = ''] = fixedReleases.toReversed()
  const isFixed = fixedReleases.some((fixed) => partsOf(fixed)[0] === partsOf(version)[0] && isAtLeast(version, fixed))
  if (isFixed || isAtLeast(version, newest)) return null
  return `Node ${version} lacks the security fixes of 2026-10-21: use Node ${fixedReleases.join(' or ')} or newer`
}
