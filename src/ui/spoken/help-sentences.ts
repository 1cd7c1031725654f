import type { Binding } from '../keys/binding.ts'
import { helpLinesOf } from '../overlays/help/help-rows.ts'

/** All keys, or those that hold what is typed, one after the other: the columns of the picture would be read across. */
export function helpSentences(bindings: readonly Binding[], query: string): string[] {
  const typed = query === '' ? 'Keys. Type to hear only some of them.' : `Keys with ${query}:`
  const lines = helpLinesOf(bindings, query).flatMap((line) => {
    // What goes on in the next line of the picture is said in whole with its entry.
    if (line.kind === 'gap' || line.kind === 'more') return []
    if (line.kind === 'title') return [`${line.text}:`]
    return [`${line.keys}: ${line.label}${line.isDanger ? ', takes back or sends orders' : ''}.`]
  })
  return [typed, ...(lines.length === 0 ? ['No key is about that.'] : lines)]
}
