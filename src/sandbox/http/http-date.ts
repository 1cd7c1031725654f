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
