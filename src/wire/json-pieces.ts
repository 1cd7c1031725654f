import { plainText } from '../base/text/plain-text.ts'
import { Decimal } from '../domain/money.ts'
import { type Writable, writeJson } from './exact-json.ts'

/** One line of JSON with every amount as a string. */
export const jsonLine = (value: Writable): string => plainText(writeJson(value, 'strings'))

/** A value of which fields may be lists whose items come one by one. */
export type Streamed = Writable | { readonly [field: string]: Writable | Iterable<Writable> }

/** The same text as `jsonLine` with a newline, but lists in the value come item by item. */
export function* jsonLinePieces(value: Streamed): Generator<string> {
  yield* isRows(value) ? listPieces(value) : isFields(value) ? fieldPieces(value) : [jsonLine(value)]
  yield '\n'
}

type StreamedFields = Extract<Streamed, { readonly [field: string]: Writable | Iterable<Writable> }>

const isRows = (value: Streamed | Iterable<Writable>): value is Iterable<Writable> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value
const isFields = (value: Streamed): value is StreamedFields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Decimal.isDecimal(value)

function* listPieces(items: Iterable<Writable>): Generator<string> {
  let before = '['
  for (const item of items) {
    yield before + jsonLine(item)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

function* fieldPieces(fields: StreamedFields): Generator<string> {
  let before = '{'
  for (const [field, inner] of Object.entries(fields)) {
    if (inner === null || inner === undefined) continue
    yield `${before}${jsonLine(field)}:`
    yield* isRows(inner) ? listPieces(inner) : [jsonLine(inner)]
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}
