import { err, ok, type Result } from '../../base/result.ts'

/** Reads the text of one parameter: its value, or what it must be, worded to follow its name. */
export type ParameterReader<T> = (text: string) => { value: T } | { must: string }

/** A request's query by name; a name that comes twice holds both. Names are decoded, values not yet. */
export type Query = ReadonlyMap<string, readonly string[]>

/** The query of a request target, without judging it: what nobody asks for is ignored, well-formed or not. */
export function parseQuery(target: string): Query {
  const start = target.indexOf('?')
  if (start < 0) return noQuery
  const query = new Map<string, string[]>()
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    if (name === null) continue
    const value = equals < 0 ? '' : pair.slice(equals + 1)
    const values = query.get(name)
    if (values === undefined) query.set(name, [value])
    else values.push(value)
  }
  return query
}

const noQuery: Query = new Map()

/** The value of a percent-encoded part of a query, or null when it is malformed. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

type Readers = Readonly<Record<string, ParameterReader<unknown>>>
type ValueOf<Reader> = Reader extends ParameterReader<infer T> ? T : never
/** The parameters that were given, and only those. */
export type Parameters<Spec extends Readers> = { [Name in keyof Spec]?: ValueOf<Spec[Name]> }

/** Reads the parameters of an operation. The error is one sentence that names the parameter at fault. */
export function readQuery<Spec extends Readers>(query: Query, spec: Spec): Result<Parameters<Spec>> {
  const parameters: Parameters<Spec> = {}
  for (const name in spec) {
    const read = spec[name]
    const values = query.get(name)
    if (values === undefined || read === undefined) continue
    const [value, ...others] = values
    if (value === undefined || others.length > 0) return err(`query parameter "${name}" is given more than once`)
    const text = decode(value)
    if (text === null) return err(`query parameter "${name}" is not well percent-encoded`)
    const reading = read(text)
    if ('must' in reading) return err(`query parameter "${name}" ${reading.must}`)
    // The reader of this name gave this value: that the two types agree is what `Parameters` says.
    parameters[name] = reading.value as ValueOf<Spec[typeof name]>
  }
  return ok(parameters)
}
