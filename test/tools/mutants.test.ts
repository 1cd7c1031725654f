import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { patternOf, rooms } from '../../.tools/mutate/rooms.mjs'
import {
  describeMutant,
  type Equal,
  inOneLine,
  type Outcome,
  rowOf,
  verdictOver,
  withRow,
} from '../../.tools/mutate/verdict.mjs'

const file = 'src/a.ts'
const mutant = (mutated: string, outcome: Outcome) => ({ file, line: 1, code: 'a < b', mutated, outcome })
const equal = (mutated: string): Equal => ({ file, code: 'a < b', mutated, why: 'b is never a' })
const killed = (count: number) => Array.from({ length: count }, (_, at) => mutant(`killed ${at}`, 'killed'))

test('a mutant is told by the lines it stands in, with and without it', () => {
  const text = 'one\n  if (a < b) {\n    go()\n  }\n'
  const replaced = (start: [number, number], end: [number, number], replacement: string) =>
    describeMutant(
      {
        file,
        location: { start: { line: start[0], column: start[1] }, end: { line: end[0], column: end[1] } },
        replacement,
      },
      text,
    )
  expect(replaced([2, 7], [2, 12], 'a <= b')).toEqual({ file, line: 2, code: 'if (a < b) {', mutated: 'if (a <= b) {' })
  expect(replaced([2, 14], [4, 4], '{}')).toMatchObject({ code: 'if (a < b) { go() }', mutated: 'if (a < b) {}' })
})

test('survivors count against a room, and so does what the clock had to end', () => {
  const held = verdictOver([...killed(9), mutant('a <= b', 'survived')], [], [file])
  expect(held).toMatchObject({ mutants: 10, killed: 9, score: 90, faults: [] })
  expect(held.left.map(({ mutated }) => mutated)).toEqual(['a <= b'])
  const hanging = verdictOver([...killed(8), mutant('a', 'survived'), mutant('b', 'hangs')], [], [file])
  expect(hanging).toMatchObject({ hanging: 1, score: 80, faults: ['the score is 80.0 %, below 90 %'] })
  expect(hanging.left).toHaveLength(2)
})

test('a survivor that is listed as equal is not counted', () => {
  const verdict = verdictOver([...killed(1), mutant('a <= b', 'survived')], [equal('a <= b')], [file])
  expect(verdict).toMatchObject({ mutants: 2, killed: 1, equal: 1, score: 100, faults: [], left: [] })
})

test('a listed equal that was killed, or is no mutant any more, fails the run', () => {
  const { faults } = verdictOver([...killed(20), mutant('a <= b', 'killed')], [equal('a <= b'), equal('gone')], [file])
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    'listed as equal, and did not survive',
    'listed as equal, and no mutant any more',
  ])
  expect(verdictOver(killed(1), [equal('gone')], ['src/other.ts']).faults).toEqual([])
})

test('figures take the place of the row before, and leave the others', () => {
  const text = 'Text\n\n| room of mutants | n |\n|---|---|\n| `a` | 1 |\n| `c` | 3 |\n\nMore'
  expect(withRow(text, 'b', [2])).toBe(text.replace('| `c`', '| `b` | 2 |\n| `c`'))
  expect(withRow(text, 'c', [4])).toBe(text.replace('3', '4'))
  expect(rowOf(text, 'c')).toEqual(['3'])
  expect(rowOf(text, 'b')).toEqual([])
})

test('every listed equal has a reason, and its code stands in a room that is mutated', () => {
  const equals: Equal[] = JSON.parse(readFileSync('test/mutants.json', 'utf8'))
  const mutated = Object.values(rooms).flatMap(({ files }) => files.flatMap((name) => globSync(patternOf(name, '.ts'))))
  for (const entry of equals) {
    expect(mutated).toContain(entry.file)
    const [begin = '', end = ''] = entry.code.split(' … ')
    const text = readFileSync(entry.file, 'utf8').replace(/\s+/g, ' ')
    expect(text, `${entry.file}: ${entry.code}`).toContain(begin)
    expect(text).toContain(end)
    expect(entry.why.length, `${entry.file}: ${entry.mutated}`).toBeGreaterThan(20)
  }
})

test('every room has files and tests', () => {
  for (const { files, tests } of Object.values(rooms)) {
    for (const name of files) expect(globSync(patternOf(name, '.ts')), name).not.toEqual([])
    for (const name of tests) expect(globSync(patternOf(name, '.test.ts')), name).not.toEqual([])
  }
  expect(inOneLine('a\n  b')).toBe('a b')
})
