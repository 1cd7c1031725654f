import { fuzzyMatch } from '../../../base/fuzzy.ts'
import { verbName } from '../../../domain/desk/practice-verb.ts'
import type { DeskState } from '../../../store/desk.ts'
import { practiceWord } from '../../../store/practice/practice-line.ts'
import type { PaletteItem } from './palette-items.ts'

/** A verb that is found by what it does comes after one that is found by its name. */
const byMeaningPoints = -6

/**
 * What the desk's own practice exchange can do, as sentences to begin, by how well name or meaning match; none
 * elsewhere.
 */
export function practiceMatches(line: string, { practice }: DeskState): { item: PaletteItem; score: number }[] {
  return (practice?.verbs ?? []).flatMap((verb) => {
    const text = `${practiceWord} ${verbName(verb)}`
    const start = `${text} `
    const byName = fuzzyMatch(line, text)
    const byMeaning = fuzzyMatch(line, verb.summary)
    const nameScore = byName?.score ?? 0
    const score = Math.max(nameScore, (byMeaning?.score ?? 0) + byMeaningPoints)
    if (score <= 0) return []
    const positions = byName !== null && nameScore === score ? byName.positions : []
    return [{ item: { kind: 'example', text, positions, completion: start, help: verb.summary, start }, score }]
  })
}
