/** Reads a date as HTTP headers write it (`Fri, 20 Nov 2026 10:00:07 GMT`) to ms since 1970; null for anything else. */
export function readHttpDateMs(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header))
    return null
  const ms = Date.parse(header)
  return Number.isNaN(ms) ? null : ms
}
