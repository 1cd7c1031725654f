/** An event of a stream: its name (`message` by default) and its joined data lines. */
export type StreamedEvent = { name: string; data: string }

/** The result of parsing a piece of a stream. */
export type Parsed = { kind: 'events'; events: readonly StreamedEvent[] } | { kind: 'tooLong' }

/**
 * Parses server-sent events (text/event-stream) piece by piece, however they are split. Ignores comments, ids and retry
 * times. An unfinished line and one event's data may have `lengthMax` UTF-16 units; a stream that exceeds this is not
 * read further.
 */
export function createEventParser(lengthMax: number): (piece: string) => Parsed {
  let isBegun = false
  let isOver = false
  /** The last piece ended with a carriage return, so a line feed right after it ends no second line. */
  let endsInReturn = false
  /** Pieces of an unfinished line, joined once at its end. */
  let open: string[] = []
  let openLength = 0
  let name = ''
  let lines: string[] = []
  let dataLength = 0

  const takeLine = (line: string, events: StreamedEvent[]): void => {
    if (line === '') {
      if (lines.length > 0) events.push({ name: name === '' ? 'message' : name, data: lines.join('\n') })
      name = ''
      lines = []
      dataLength = 0
      return
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'event') name = value
    if (field !== 'data') return
    lines.push(value)
    dataLength += value.length + 1
  }

  const takeOpen = (rest: string): void => {
    if (rest === '') return
    open.push(rest)
    openLength += rest.length
  }

  return (piece) => {
    if (isOver) return { kind: 'tooLong' }
    if (piece === '') return { kind: 'events', events: [] }
    const events: StreamedEvent[] = []
    let from = 0
    if (!isBegun && piece.startsWith('\ufeff')) from = 1
    isBegun = true
    if (endsInReturn && piece[from] === '\n') from += 1
    const lineEnd = /\r\n|\n|\r/g
    lineEnd.lastIndex = from
    for (let end = lineEnd.exec(piece); end !== null; end = lineEnd.exec(piece)) {
      takeOpen(piece.slice(from, end.index))
      const line = open.join('')
      open = []
      openLength = 0
      takeLine(line, events)
      from = lineEnd.lastIndex
      if (dataLength > lengthMax) break
    }
    takeOpen(piece.slice(from))
    endsInReturn = piece.endsWith('\r')
    isOver = openLength > lengthMax || dataLength > lengthMax
    return isOver ? { kind: 'tooLong' } : { kind: 'events', events }
  }
}
