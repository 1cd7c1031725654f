import type { CommandIo } from '../../base/process/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Arguments } from './arguments.ts'
import type { Fields } from './exit-codes.ts'
import type { Pages } from './output.ts'

/** Maximum rows of a list by default. */
const usualMax = 100

/** Maximum rows wanted; null for all. */
export function readCount(given: Arguments): Result<number | null> {
  const limit = given.number('limit')
  if (given.has('all')) return limit === undefined ? ok(null) : err('use --limit or --all, not both')
  return ok(limit ?? usualMax)
}

/** Pages of a list with at most `most` rows, counted as they are printed. */
export function countedPages(pages: Pages, most: number | null, given: Pick<Arguments, 'has'>) {
  let count = 0
  async function* passed(): AsyncGenerator<readonly Fields[]> {
    for await (const page of pages) {
      count += page.length
      yield page
    }
  }
  return {
    pages: passed(),
    /** Says on stderr that there may be more rows, unless the user gave the limit. */
    tellMore({ printError }: Pick<CommandIo, 'printError'>): void {
      if (most === null || given.has('limit') || count < most) return
      printError(`Listed ${most}, and there may be more: --all lists every one, --limit COUNT as many as you say.`)
    },
  }
}
