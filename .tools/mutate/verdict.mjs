// Mutants in words, and the verdict over a room: pure, so that it can be tested.

/** Text in one line, short enough for a table. What is left out stands in the middle. */
export function inOneLine(text) {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 180 ? line : `${line.slice(0, 120)} … ${line.slice(-50)}`
}

/**
 * A mutant as `test/mutants.json` and the report name it: `code`, the lines it stands in, and `mutated`, the same with
 * the mutant in place. Lines and columns of `location` count from 1.
 */
export function describeMutant({ file, location, replacement }, text) {
  const lines = text.split('\n')
  const { start, end } = location
  const first = lines[start.line - 1] ?? ''
  const last = lines[end.line - 1] ?? ''
  return {
    file,
    line: start.line,
    code: inOneLine(lines.slice(start.line - 1, end.line).join('\n')),
    mutated: inOneLine(`${first.slice(0, start.column - 1)}${replacement}${last.slice(end.column - 1)}`),
  }
}

/** The least score of a room, in percent. */
export const minScore = 90

const isSame = (entry, mutant) =>
  entry.file === mutant.file && entry.code === mutant.code && entry.mutated === mutant.mutated

/**
 * What the mutants of a room say, held against the listed ones that are equal (`equals`), of them those that stand in
 * `files`. `score` is the share of killed among those that are not equal, in percent. `faults` are sentences; with
 * none the room holds.
 */
export function verdictOver(mutants, equals, files) {
  const count = (outcome) => mutants.filter((mutant) => mutant.outcome === outcome).length
  const own = equals.filter(({ file }) => files.includes(file))
  const faults = own.flatMap((entry) => {
    const named = mutants.filter((mutant) => isSame(entry, mutant))
    if (named.length === 0) return [`listed as equal, and no mutant any more: ${nameOf(entry)}`]
    const isKilled = named.some(({ outcome }) => outcome !== 'survived')
    return isKilled ? [`listed as equal, and did not survive: ${nameOf(entry)}`] : []
  })
  const isEqual = (mutant) => mutant.outcome === 'survived' && own.some((entry) => isSame(entry, mutant))
  const equal = mutants.filter(isEqual).length
  const killed = count('killed')
  const asked = mutants.length - equal
  const score = asked === 0 ? 100 : (100 * killed) / asked
  if (score < minScore) faults.push(`the score is ${score.toFixed(1)} %, below ${minScore} %`)
  if (count('broken') > 0) faults.push(`${count('broken')} mutants could not be run`)
  return {
    mutants: mutants.length,
    killed,
    hanging: count('hangs'),
    equal,
    score,
    faults,
    left: mutants.filter((mutant) => mutant.outcome !== 'killed' && !isEqual(mutant)),
  }
}

export const nameOf = ({ file, code, mutated }) => `${file}\n    ${code}\n  → ${mutated}`

/** The table of a document with the row of `name` replaced, or put in at its place by name. Other rows stay. */
export function withRow(text, name, cells) {
  const { before, rows, after } = tableOf(text)
  const row = `| \`${name}\` | ${cells.join(' | ')} |`
  const others = rows.filter((line) => !line.startsWith(`| \`${name}\` |`))
  return [...before, ...[...others, row].sort(), ...after].join('\n')
}

/** The cells of a row of that table, or none where it has no such row. */
export function rowOf(text, name) {
  const row = tableOf(text).rows.find((line) => line.startsWith(`| \`${name}\` |`))
  return row === undefined
    ? []
    : row
        .split('|')
        .slice(2, -1)
        .map((cell) => cell.trim())
}

const heading = '| room of mutants |'

function tableOf(text) {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith(heading)) + 2
  if (start < 2) throw new Error(`no table that begins with "${heading}"`)
  let end = start
  while (lines[end]?.startsWith('|')) end++
  return { before: lines.slice(0, start), rows: lines.slice(start, end), after: lines.slice(end) }
}
