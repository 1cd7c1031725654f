import { crc32 } from 'node:zlib'

const crcPattern = /^(\{.*),"crc":"([0-9a-f]{8})"\}$/s
const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** A record as a line of its own, with a checksum as its last field, and the line's end. `record` must have a field. */
export function writeLine(record: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(record)
  return `${text.slice(0, -1)},"crc":"${checksum(text)}"}\n`
}

/** The record of a line, or undefined when the line is not whole: torn, or changed by something else. */
export function readLine(line: string): unknown {
  const [, head, crc] = crcPattern.exec(line) ?? []
  if (head === undefined || crc === undefined) return undefined
  const text = `${head}}`
  if (checksum(text) !== crc) return undefined
  try {
    return JSON.parse(text)
  } catch {
    // One damage in four billion has the checksum right all the same.
    return undefined
  }
}
