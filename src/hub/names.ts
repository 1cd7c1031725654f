/** Longer than any id, symbol, currency or beneficiary, and than the key of any write. */
export const nameLengthMax = 256

/** What is wrong with the first field that is longer than any name, as a clause; null where none is. */
export function lengthComplaint(fields: Readonly<Record<string, string | null>>): string | null {
  const [tooLong] = Object.entries(fields).filter(([, name]) => name !== null && name.length > nameLengthMax)
  return tooLong === undefined ? null : `field "${tooLong[0]}" is longer than ${nameLengthMax} characters`
}
