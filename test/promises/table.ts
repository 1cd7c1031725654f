import { type PromiseRow, type Proof, type Reason, reasons } from './rows.ts'

/** A page with what it says, in its order, and what is known of that. */
export type PromisePage = { path: string; sentences: readonly string[]; rows: readonly PromiseRow[] }

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/[<>*_]/g, '\\$&')

const tableOf = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string =>
  [head, head.map(() => '-'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const proofText = (proof: Proof): string =>
  proof.kind === 'test'
    ? `\`${proof.file.replace(/^test\//, '')}\` › ${cell(proof.title)}`
    : `${proof.kind} \`${proof.name}\``

/** The rows of a page in the order of its sentences. */
export const inOrder = ({ sentences, rows }: PromisePage): PromiseRow[] =>
  sentences.flatMap((sentence) => rows.filter((row) => row.sentence === sentence))

function pageTable(page: PromisePage): string {
  const rows = inOrder(page)
    .filter(({ none }) => none === null)
    .map(({ sentence, proofs }) => [
      cell(sentence),
      proofs.map(proofText).join('<br>'),
      proofs.flatMap((proof) => (proof.kind === 'test' ? [] : [cell(proof.figure)])).join('<br>'),
    ])
  return `## ${page.path}\n\n${tableOf(['promise', 'shown by', 'last figure'], rows)}`
}

const counted = (page: PromisePage): readonly string[] => {
  const promised = page.rows.filter(({ none }) => none === null)
  const others = page.rows.length - promised.length
  const counts = [page.sentences.length, promised.length, others, page.sentences.length - page.rows.length]
  return [page.path, ...counts.map(String)]
}

function reasonPart(reason: Reason, pages: readonly PromisePage[]): string {
  const rows = pages.flatMap((page) =>
    inOrder(page).flatMap(({ sentence, none }) => (none === reason ? [[page.path, cell(sentence)]] : [])),
  )
  const title = `### ${reason}: ${reasons[reason]} (${rows.length})`
  return rows.length === 0 ? title : `${title}\n\n${tableOf(['page', 'sentence'], rows)}`
}

/** What a page says without a promising word and without a proof: here a reader sees what the rule misses. */
function otherPart({ path, sentences, rows }: PromisePage): string {
  const others = sentences.filter((sentence) => !rows.some((row) => row.sentence === sentence))
  return [`### ${path} (${others.length})`, others.map((each) => `- ${cell(each)}`).join('\n')].join('\n\n').trimEnd()
}

/** The whole of `test/PROMISES.md`. */
export function promisesTable(pages: readonly PromisePage[]): string {
  const reasonNames = Object.keys(reasons).filter((each): each is Reason => Object.hasOwn(reasons, each))
  return `${[
    '# Promises',
    'Made by `UPDATE_PROMISES=1 npm test -- test/manual/promises.test.ts` from the pages and from `promises/`, a file a\n' +
      'page: do not edit. Each sentence of the README and the manual that promises something, what shows it, and the last\n' +
      'figure of what gives one. What promises: `promises/rule.ts`.',
    tableOf(['page', 'sentences', 'promises', 'listed as none', 'without a promising word'], pages.map(counted)),
    ...pages.map(pageTable),
    '## Sentences with a promising word that promise nothing',
    ...reasonNames.map((reason) => reasonPart(reason, pages)),
    '## Sentences without a promising word',
    ...pages.map(otherPart),
  ].join('\n\n')}\n`
}
