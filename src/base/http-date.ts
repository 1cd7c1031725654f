/** Reads a date as HTTP headers write it (`Fri, 20 Nov 2026 10:00:07 GMT`) to ms since 1970; null for anything else. */
export function readHttpDateMs(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(header))
    return null
  const ms = Date.parse(header)
  return Number.isNaN(ms) ? null : ms
}

let shownSecond = Number.NaN
let shownText = ''

/** The time as the `Date` header has it. Remembered for its second: at full load that is thousands of answers. */
export function httpDate(nowMs: number): string {
  const second = Math.floor(nowMs / 1_000)
  if (second !== shownSecond) {
    shownSecond = second
    shownText = new Date(second * 1_000).toUTCString()
  }
  return shownText
}
