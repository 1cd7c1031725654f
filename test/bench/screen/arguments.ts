import { err, ok, type Result } from '../../../src/base/result.ts'

/** What the bench is asked for. */
export type Asked<Part extends string> = {
  /** All of them unless some are named. */
  parts: readonly Part[]
  /** Updates that the memory's day has; null where nobody says so. */
  updateCount: number | null
  /** The commit whose console is measured beside this one; null for none. */
  before: string | null
}

/** Reads `[PART …] [UPDATES] [--before COMMIT]`, in any order. */
export function readArguments<Part extends string>(
  words: readonly string[],
  parts: readonly Part[],
): Result<Asked<Part>> {
  const wanted = new Set<Part>()
  let updateCount: number | null = null
  let before: string | null = null
  const open = [...words]
  for (let word = open.shift(); word !== undefined; word = open.shift()) {
    const isBefore = word === '--before' || word.startsWith('--before=')
    const part = parts.find((name) => name === word)
    if (isBefore) {
      const commit = word === '--before' ? open.shift() : word.slice('--before='.length)
      if (commit === undefined || commit === '' || commit.startsWith('-'))
        return err('--before needs a commit, such as --before f09de3c')
      if (before !== null) return err('one --before at a time')
      before = commit
    } else if (part !== undefined) wanted.add(part)
    else if (/^\d+$/.test(word)) updateCount = Number(word)
    else return err(`there is no "${word}": ${parts.join(', ')}, a number of updates, --before COMMIT`)
  }
  return ok({ parts: parts.filter((name) => wanted.size === 0 || wanted.has(name)), updateCount, before })
}
