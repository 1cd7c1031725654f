import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { complaintOf, isOfTemplate, titlesOf, wholeOf, wholeProof } from '../promises/proofs.ts'
import { type PromiseRow, readRows, rowsText } from '../promises/rows.ts'
import { promises } from '../promises/rule.ts'
import { sentencesOf } from '../promises/sentences.ts'
import { inOrder, type PromisePage, promisesTable } from '../promises/table.ts'
import { texts } from './pages.ts'

const tablePath = 'test/PROMISES.md'

const isUpdate = process.env.UPDATE_PROMISES === '1'
const nameOf = (path: string): string => basename(path, '.md')
const rowsPath = (path: string): string => `test/promises/${nameOf(path)}.txt`

/**
 * A page with its rows. An update writes them anew: in the order of the page, with the whole of each sentence and title
 * of which only the beginning stood there (`A write is sent…`).
 */
function pageOf(path: string, text: string): PromisePage {
  const sentences = sentencesOf(text)
  const rows = existsSync(rowsPath(path)) ? readRows(readFileSync(rowsPath(path), 'utf8')) : []
  if (!isUpdate) return { path, sentences, rows }
  const whole = rows.map((row) => ({
    ...row,
    sentence: wholeOf(sentences, row.sentence) ?? row.sentence,
    proofs: row.proofs.map(wholeProof),
  }))
  const page = { path, sentences, rows: whole }
  const gone = whole.filter(({ sentence }) => !sentences.includes(sentence))
  writeFileSync(rowsPath(path), rowsText([...inOrder(page), ...gone]))
  return page
}

const pages: readonly PromisePage[] = [...texts].map(([path, text]) => pageOf(path, text))

const withoutRow = ({ sentences, rows }: Pick<PromisePage, 'sentences' | 'rows'>): string[] =>
  sentences.filter((sentence) => promises(sentence) && !rows.some((row) => row.sentence === sentence))
const withoutSentence = ({ sentences, rows }: Pick<PromisePage, 'sentences' | 'rows'>): string[] =>
  rows.map(({ sentence }) => sentence).filter((sentence) => !sentences.includes(sentence))
const wrongProofs = (rows: readonly PromiseRow[]): string[] =>
  rows.flatMap(({ proofs }) => proofs.flatMap((proof) => complaintOf(proof) ?? []))

test.each(pages)('$path: whatever it promises is shown, and by what there is', (page) => {
  expect(withoutRow(page), `each needs a proof in ${rowsPath(page.path)}, or a reason why it promises nothing`).toEqual(
    [],
  )
  expect(withoutSentence(page), `${page.path} no longer says this`).toEqual([])
  const sentences = page.rows.map(({ sentence }) => sentence)
  expect(sentences.filter((each, at) => sentences.indexOf(each) !== at)).toEqual([])
  expect(wrongProofs(page.rows)).toEqual([])
})

test('the table of promises is what the pages and their rows make of it', () => {
  const table = promisesTable(pages)
  if (isUpdate) writeFileSync(tablePath, table)
  expect(readFileSync(tablePath, 'utf8')).toBe(table)
})

test('a page is read as sentences, items, rows of tables and remarked lines of code', () => {
  const text = [
    '# A title that is never said',
    'A write goes `out. Once` only, e.g. at noon. `q` quits! Is it (`x`) so? It costs 0.5 s.',
    '',
    '- **Sent once.** Never again\n  by itself. **Bold** is not.',
    '- **No answer:** unknown',
    '',
    '| key | does |\n|---|---|\n| `a \\| b` | both. Always |',
    '',
    '```sh\npitdesk a      # all of it\npitdesk b\n```',
    '',
    '`q` quits!',
  ].join('\n')
  expect(sentencesOf(text)).toEqual([
    'A write goes out. Once only, e.g. at noon.',
    'q quits!',
    'Is it (x) so?',
    'It costs 0.5 s.',
    'Sent once. Never again by itself.',
    'Bold is not.',
    'No answer: unknown',
    'a | b | both. Always',
    'pitdesk a # all of it',
  ])
})

test('a sentence promises by its words and figures, whatever else it says', () => {
  for (const each of ['It is Sent.', 'Up to 30 s', 'never', 'within 2 MB', 'It cannot be', 'x | cancel own ! | name'])
    expect(promises(each), each).toBe(true)
  for (const each of ['Prices go up and down.', 'q quits', 'Another one', '0-9 | digits', 'nonesuch'])
    expect(promises(each), each).toBe(false)
})

test('a promise without a row, a row without its sentence and a proof that is none are told', () => {
  const rows = readRows(
    [
      'It is never sent\ntwice.\n  manual/promises.test.ts › the table of promises is what the pages and their rows make of it',
      'Gone.\n  none: definition',
      'Wrong.\n  manual/promises.test.ts › the table\n  no/file.test.ts › x\n  drill nosuch | 1\n  bench inbox',
    ].join('\n\n'),
  )
  const page = { sentences: ['It is never sent twice.', 'Always.', 'Wrong.', 'Perhaps.'], rows }
  expect(withoutRow(page)).toEqual(['Always.'])
  expect(withoutSentence(page)).toEqual(['Gone.'])
  expect(wrongProofs(rows)).toEqual([
    'no such test in test/manual/promises.test.ts: the table',
    'no file test/no/file.test.ts',
    'no drill nosuch',
    'bench inbox without its last figure',
  ])
  expect(readRows(rowsText(rows))).toEqual(rows)
  for (const bad of ['Never.', 'Never.\n  none: because', 'Never.\n  none: others\n  drill plans | 1'])
    expect(() => readRows(bad), bad).toThrow(/neither a proof|needs proofs/)
})

test('titles are found however a test begins, and a beginning is that of one text only', () => {
  const text = [
    "test('one', () => {})",
    'test.each([1])("it\'s %s", async (n) => {})',
    'testListing(`three`, () => {})',
    "test.each([\n  [1],\n])(\n  'four',\n  () => {})",
    "describe('five', () => {\n  test('six', () => {})\n})",
    "expect(call('no title'))",
  ].join('\n')
  const titles = titlesOf(text)
  expect(titles).toEqual(['one', "it's %s", 'three', 'four', 'five › six'])
  const whole = ['one', 'o…', 'x', 'ones…', 'o'].map((title) => wholeOf(titles, title))
  expect(whole).toEqual(['one', 'one', null, null, null])
  expect(wholeOf(['ab', 'ac'], 'a…')).toBeNull()
  const rows = ['it is so', 'it is 5', 'it is not', 'it'].map((title) => isOfTemplate('it is %s', title, "[['so']]"))
  expect(rows).toEqual([true, true, false, false])
})
