/** Why a sentence that the rule catches promises nothing. */
export const reasons = {
  instruction: 'tells the reader what to do',
  definition: 'says what a word, a sign or a page is',
  pointer: 'leads to another page',
  disclaimer: 'says what is not promised',
  others: 'says what others do: an exchange, a terminal, a system',
} as const

export type Reason = keyof typeof reasons

const isReason = (text: string): text is Reason => Object.hasOwn(reasons, text)

export type Proof =
  | { kind: 'test'; file: string; title: string }
  /** With what it last said: figure, day and machine. */
  | { kind: 'bench' | 'drill'; name: string; figure: string }

/** What is known of one sentence: the proofs of what it promises, or why it promises nothing. */
export type PromiseRow = { sentence: string; proofs: readonly Proof[]; none: Reason | null }

const testLine = /^(\S+\.tsx?) › (.+)$/
const runLine = /^(bench|drill) ([\w-]+)(?: \| (.+))?$/

/** Reads a line below a sentence; throws for what is neither a proof nor a reason. */
function readProof(line: string): Proof | Reason {
  const [, file, title = ''] = testLine.exec(line) ?? []
  if (file !== undefined) return { kind: 'test', file: `test/${file}`, title }
  const [, kind, name = '', figure = ''] = runLine.exec(line) ?? []
  if (kind === 'bench' || kind === 'drill') return { kind, name, figure }
  const reason = line.replace(/^none: /, '')
  if (isReason(reason)) return reason
  throw new Error(`neither a proof nor a reason: ${line}`)
}

/**
 * Reads the rows of a page: paragraphs, in each the sentence (in as many lines as it takes), then, indented, a line a
 * proof (`room/file.test.ts › title`, `drill NAME | figure`, `bench NAME | figure`), or `none: REASON`.
 * Throws for what is neither.
 */
export function readRows(text: string): PromiseRow[] {
  const paragraphs = text.split(/\n\s*\n/).map((each) => each.split('\n').filter((line) => line.trim() !== ''))
  return paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      const sentence = lines.filter((line) => !line.startsWith(' ')).join(' ')
      const below = lines.filter((line) => line.startsWith(' ')).map((line) => readProof(line.trim()))
      const proofs = below.flatMap((each) => (typeof each === 'string' ? [] : [each]))
      const [none = null, ...more] = below.flatMap((each) => (typeof each === 'string' ? [each] : []))
      if (more.length > 0 || (none === null) === (proofs.length === 0))
        throw new Error(`needs proofs, or one reason why it promises nothing: ${sentence}`)
      return { sentence, proofs, none }
    })
}

/** A proof as its line says it. */
export const proofLine = (proof: Proof): string => {
  if (proof.kind === 'test') return `${proof.file.replace(/^test\//, '')} › ${proof.title}`
  return `${proof.kind} ${proof.name}${proof.figure === '' ? '' : ` | ${proof.figure}`}`
}

/** Words in lines of at most 120 characters. */
function wrapped(text: string): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? ''
    if (last !== '' && last.length + 1 + word.length > 120) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.join('\n')
}

/** Rows as a file has them. */
export const rowsText = (rows: readonly PromiseRow[]): string =>
  rows
    .map(({ sentence, proofs, none }) => {
      const below = none === null ? proofs.map(proofLine) : [`none: ${none}`]
      return `${wrapped(sentence)}\n${below.map((line) => `  ${line}\n`).join('')}`
    })
    .join('\n')
