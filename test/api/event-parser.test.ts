import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventParser, type StreamedEvent } from '../../src/api/event-parser.ts'

/** What a stream comes to that arrives in these pieces. */
function eventsOf(pieces: readonly string[], lengthMax = 1_000): StreamedEvent[] | 'tooLong' {
  const parse = createEventParser(lengthMax)
  const events: StreamedEvent[] = []
  for (const piece of pieces) {
    const parsed = parse(piece)
    if (parsed.kind === 'tooLong') return 'tooLong'
    events.push(...parsed.events)
  }
  return events
}

test('reads names and data, passes over comments and other fields, and joins lines of data', () => {
  const text =
    '\ufeff: alive\n\nevent: hello\ndata: {"stream":"a"}\n\nid: 7\nretry: 10\nevent:same\ndata:x\ndata:  y\n\n' +
    'data\n\nevent: lost\n\nevent: cut\ndata: no end'
  expect(eventsOf([text])).toEqual([
    { name: 'hello', data: '{"stream":"a"}' },
    { name: 'same', data: 'x\n y' },
    { name: 'message', data: '' },
  ])
})

const line = fc.stringMatching(/^[ a-z:{}"é]{0,12}$/)
const event = fc.record({
  name: fc.stringMatching(/^[a-z]{1,6}$/),
  lines: fc.array(line, { minLength: 1, maxLength: 3 }),
})

test('wherever a stream is cut, and however its lines end, it tells the same', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(event, fc.constant('alive' as const)), { maxLength: 6 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.array(fc.nat(200), { maxLength: 12 }),
      (parts, end, cuts) => {
        const text = parts
          .map((part) =>
            part === 'alive'
              ? `: alive${end}${end}`
              : `event: ${part.name}${end}${part.lines.map((each) => `data: ${each}${end}`).join('')}${end}`,
          )
          .join('')
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].toSorted((a, b) => a - b)
        const pieces = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length))
        const told = parts.flatMap((part) =>
          part === 'alive' ? [] : [{ name: part.name, data: part.lines.join('\n') }],
        )
        expect(eventsOf(pieces)).toEqual(told)
      },
    ),
  )
})

test('a line or an event without end is not kept: nothing more is read', () => {
  const parse = createEventParser(10)
  expect(parse('data: 123456789\n\n')).toMatchObject({ kind: 'events', events: [{ data: '123456789' }] })
  expect(parse('x'.repeat(11)).kind).toBe('tooLong')
  expect(parse('\n\ndata: y\n\n').kind).toBe('tooLong')
  expect(
    eventsOf(
      Array.from({ length: 8 }, () => 'data: 12\n'),
      10,
    ),
  ).toBe('tooLong')
  expect(
    eventsOf(
      Array.from({ length: 8 }, () => ': 12345678\n'),
      10,
    ),
  ).toEqual([])
})
