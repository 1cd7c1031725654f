import type { CommandIo } from '../../base/command-io.ts'
import { err, ok, type Result } from '../../base/result.ts'
import type { Arguments } from './arguments.ts'
import type { Fields } from './exit-codes.ts'
import type { Pages } from './output.ts'

/** So many rows a list has where nobody says how many. */
const usualMax = 100

/** How many rows are wanted at most; null: all. */
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
    /** Says on stderr that it may go on, where nobody asked for so many and no more. */
    tellMore({ printError }: Pick<CommandIo, 'printError'>): void {
      if (most === null || given.has('limit') || count < most) return
      printError(`Listed ${most}, and there may be more: --all lists every one, --limit COUNT as many as you say.`)
    },
  }
}
