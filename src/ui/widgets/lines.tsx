import { Box, Text } from 'ink'
import { memo } from 'react'

/** A line that says what it said costs nothing, whatever changed beside it. */
const Line = memo(function Line({ text }: { text: string }) {
  return <Text wrap="truncate">{text}</Text>
})

type LinesProps = { lines: readonly string[]; width: number }

const isSame = (before: LinesProps, { lines, width }: LinesProps): boolean =>
  before.width === width &&
  before.lines.length === lines.length &&
  lines.every((line, index) => line === before.lines[index])

/** Lines that are painted and fitted already, one text node each: cells of their own would cost twice the time. */
export const Lines = memo(function Lines({ lines, width }: LinesProps) {
  return (
    <Box flexDirection="column" width={width} height={lines.length} flexShrink={0}>
      {lines.map((line, index) => (
        // A line is its place on the screen: the text in it changes, its order never does.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Line key={index} text={line} />
      ))}
    </Box>
  )
}, isSame)
