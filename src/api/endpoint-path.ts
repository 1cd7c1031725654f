import { err, ok, type Result } from '../base/result.ts'

/**
 * An endpoint's path with each inserted part encoded as one segment: endpointPath`/orders/${id}`. An empty part, `.` or
 * `..` is refused: it would turn the call into another one, and `DELETE /orders/` is not to cancel everything.
 */
export function endpointPath(texts: TemplateStringsArray, ...parts: readonly string[]): Result<string> {
  let path = texts[0] ?? ''
  for (const [index, part] of parts.entries()) {
    if (part === '' || part === '.' || part === '..') return err(`"${part}" cannot be part of an address`)
    path += encodeURIComponent(part.toWellFormed()) + (texts[index + 1] ?? '')
  }
  return ok(path)
}

/** `?a=1&b=2`, or nothing when every field is null. */
export function queryText(query: Readonly<Record<string, string | number | null>>): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) fields.append(name, value.toString())
  }
  return fields.size === 0 ? '' : `?${fields}`
}
