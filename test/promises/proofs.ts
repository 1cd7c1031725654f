import { existsSync, readFileSync } from 'node:fs'
import type { Proof } from './rows.ts'

/** A text in quotes, as code has it. */
const literal = [/'(?:[^'\\]|\\.)*'/, /"(?:[^"\\]|\\.)*"/, /`(?:[^`\\]|\\.)*`/].map(({ source }) => source).join('|')
/** The title of a test: of `test(…`, of one of a row (`test.each(…)(…`), or of a function that begins tests. */
const titled = new RegExp(String.raw`(?:\b(?:test|\w+Test|test[A-Z]\w*|it)(?:\.\w+)*|\))\(\s*(${literal})\s*,`, 'g')

const unquoted = (text: string): string => text.slice(1, -1).replaceAll(/\\(.)/g, '$1')

const grouped = new RegExp(String.raw`^( *)describe(?:\.each[^\n]*)?\((${literal}),`, 'gm')

/** The lines before a place, of which the last says how far in a test stands. */
const indentAt = (text: string, at: number): number =>
  /[^\n]*$/.exec(text.slice(0, at))?.[0].match(/^ */)?.[0].length ?? 0

/**
 * The titles of the tests that a file's text begins, as written there: of those for many rows the template; behind the
 * title of the group that they stand in, where there is one (`a withdrawal › is sent once`).
 */
export function titlesOf(text: string): string[] {
  const groups = [...text.matchAll(grouped)].map(({ index, 1: indent = '', 2: title = '' }) => ({
    index,
    indent: indent.length,
    title: unquoted(title),
  }))
  return [...text.matchAll(titled)].map(({ index, 1: title = '' }) => {
    const indent = indentAt(text, index)
    const group = groups.findLast((each) => each.index < index && each.indent < indent)
    return [...(group === undefined ? [] : [group.title]), unquoted(title)].join(' › ')
  })
}

type TestFile = { titles: readonly string[]; text: string }
const files = new Map<string, TestFile>()

/** What a file of tests has; null where there is no such file. */
function testFile(path: string): TestFile | null {
  if (!existsSync(path)) return null
  const known = files.get(path)
  if (known !== undefined) return known
  const text = readFileSync(path, 'utf8')
  const read = { titles: titlesOf(text), text }
  files.set(path, read)
  return read
}

const isQuoted = (words: string, text: string): boolean =>
  // A row may be the name of a property too.
  new RegExp(`^ +${words.replaceAll(/\W/g, String.raw`\$&`)}: `, 'm').test(text) ||
  [`'${words.replaceAll("'", "\\'")}'`, `"${words}"`, `\`${words}\``].some((each) => text.includes(each))

const gap = /%[sdifjoO#]|\$\{[^}]*\}|\$\w+(?:\.\w+)*/g

/** Whether a title is that of one row of a template: each gap filled with what the file has in quotes, or a number. */
export function isOfTemplate(template: string, title: string, text: string): boolean {
  const between = template.split(gap).map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const [, ...filled] = new RegExp(`^${between.join('(.+?)')}$`).exec(title) ?? []
  return filled.length > 0 && filled.every((each) => isQuoted(each, text) || /^([\d.,_]+|true|false)$/.test(each))
}

/** A title of which nothing is left without its gaps tells nobody which test it is. */
const isNothing = (template: string): boolean => !/[a-z]/i.test(template.replaceAll(gap, ''))

/** Whether a file has a test of this title, or of a template with it as a row. */
const hasTest = ({ titles, text }: TestFile, title: string): boolean =>
  titles.some((each) => (each === title ? !isNothing(each) : isOfTemplate(each, title, text)))

/** The one text that is written whole, or as its beginning with `…`; null where there is none, or more than one. */
export function wholeOf(texts: readonly string[], written: string): string | null {
  if (texts.includes(written)) return written
  const [found = null, ...more] = texts.filter((text) => written.endsWith('…') && text.startsWith(written.slice(0, -1)))
  return more.length === 0 ? found : null
}

/** A proof of whose title perhaps only a part was written, with all of it where there is one such test. */
export function wholeProof(proof: Proof): Proof {
  const file = proof.kind === 'test' ? testFile(proof.file) : null
  if (proof.kind !== 'test' || file === null || hasTest(file, proof.title)) return proof
  const parted = file.titles.map((each) => [each.replace(/[^›]+$/, ''), each.split(' › ').at(-1) ?? ''] as const)
  const own = wholeOf(
    parted.map(([, title]) => title),
    proof.title,
  )
  const found = parted.flatMap(([group, title]) => {
    if (title === own) return [`${group}${group === '' ? '' : ' '}${title}`]
    return own === null && isOfTemplate(title, proof.title, file.text)
      ? [`${group}${group === '' ? '' : ' '}${proof.title}`]
      : []
  })
  return found.length === 1 ? { ...proof, title: found[0] ?? '' } : proof
}

/** What is wrong with a proof, in words; null: there is such a test, or such a bench or drill with a figure. */
export function complaintOf(proof: Proof): string | null {
  if (proof.kind === 'test') {
    const file = testFile(proof.file)
    if (file === null) return `no file ${proof.file}`
    return hasTest(file, proof.title) ? null : `no such test in ${proof.file}: ${proof.title}`
  }
  const path = `test/${proof.kind}/${proof.name}.ts`
  if (!existsSync(path)) return `no ${proof.kind} ${proof.name}`
  return proof.figure === '' ? `${proof.kind} ${proof.name} without its last figure` : null
}
