import type { Random } from '../../../src/base/random.ts'
import { eventBody } from '../../fakes/memory-events.ts'

type Damage = (text: string, random: Random) => string | Buffer

const at = (text: string, random: Random) => random.integer(0, Math.max(0, text.length - 1))
const oddValues = [
  'null',
  'true',
  '{}',
  '[]',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '-0',
  '1e999',
  '1e-9999',
  '0x10',
  'NaN',
  '.5',
  '01',
  '"NaN"',
  '"1e2147483648"',
  `"${'9'.repeat(200)}"`,
  '{"a":{"b":[1,2,{"c":null}]}}',
  '"\\u202e\\u001b[2J"',
  '"2026-02-30T00:00:00Z"',
  '"<script>"',
  '"US-"',
  '1.0.0',
  "'x'",
]
const oddNames = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'eventId ',
  'EventId',
  '\\u0065ventId',
  'x'.repeat(500),
  '\u202e',
  '\\u0000',
]

const names = Object.keys(JSON.parse(eventBody()))
const fieldPattern = (name: string) => new RegExp(`("${name}":)("[^"]*"|[^,}]*)`)

/** Ways to get an event wrong; some leave one that is right after all, which the receiver may then take. */
const damages: readonly Damage[] = [
  (text, random) => text.slice(0, at(text, random)),
  (text, random) => text.slice(at(text, random)),
  (text, random) => {
    const bytes = Buffer.from(text)
    bytes[at(text, random)] = random.integer(0, 255)
    return bytes
  },
  (text, random) => {
    const bytes = Buffer.from(text)
    for (let flips = random.integer(2, 40); flips > 0; flips -= 1) bytes[at(text, random)] = random.integer(0, 255)
    return bytes
  },
  (text, random) => {
    const place = at(text, random)
    return `${text.slice(0, place)}${text.slice(place + random.integer(1, 20))}`
  },
  (text, random) =>
    text.replace(fieldPattern(pick(names, random)), (_, name: string) => `${name}${pick(oddValues, random)}`),
  (text, random) => text.replace(new RegExp(`"${pick(names, random)}":("[^"]*"|[^,}]*),?`), ''),
  (text, random) => text.replace('{', `{"${pick(oddNames, random)}":${pick(oddValues, random)},`),
  (text, random) => {
    const name = pick(names, random)
    return text.replace('{', `{"${name}":${pick(oddValues, random)},`)
  },
  (text, random) => `${'['.repeat(random.integer(1, 5_000))}${text}`,
  (text, random) => `${'{"a":'.repeat(random.integer(1, 3_000))}${text}${'}'.repeat(random.integer(0, 3_000))}`,
  (text) => `[${text}]`,
  (text) => `${text}${text}`,
  (text) => `\ufeff${text}`,
  (text) => Buffer.from(text, 'utf16le'),
  (_, random) => Buffer.from(Array.from({ length: random.integer(0, 300) }, () => random.integer(0, 255))),
  (_, random) => pick(oddValues, random),
  () => '',
  (text, random) => text.replaceAll('"', pick(["'", '\\"', '`', ''], random)),
  (text, random) => `${text.slice(0, -1)},"userId":"${'u'.repeat(random.integer(1, 3_000))}"}`,
  (text, random) => text.replace('"u1"', `"${'x'.repeat(random.integer(60_000, 90_000))}"`),
]

const pick = <T>(values: readonly T[], random: Random): T => {
  const value = values[random.integer(0, values.length - 1)]
  if (value === undefined) throw new Error('nothing to pick from')
  return value
}

/** A body that is an event gone wrong, the same for the same stream of chance. */
export function malformedBody(index: number, random: Random): Buffer {
  let body: string | Buffer = eventBody({ eventId: `fuzz-${index}`, orderId: `order-${index % 100}` })
  for (let times = random.chance(0.2) ? 2 : 1; times > 0; times -= 1)
    body = pick(damages, random)(typeof body === 'string' ? body : body.toString('utf8'), random)
  return Buffer.isBuffer(body) ? body : Buffer.from(body)
}
